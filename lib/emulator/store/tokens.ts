import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bearer of the first account: made once, the same at every start. A file with nothing in it is as good as none, for no bearer can be empty. */
export function keptToken(dataDir: string): string {
  const file = join(dataDir, 'token');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept !== '') {
    return kept;
  }
  const token = newToken();
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}

export function newToken(): string {
  return `dop_v1_${randomBytes(32).toString('hex')}`;
}
