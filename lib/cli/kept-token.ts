import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bearer that a data directory keeps; undefined where it keeps none. A file with nothing in it is as good as none: no bearer can be empty. */
export function keptToken(dataDir: string): string | undefined {
  const file = tokenFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined;
}

/** Where it is kept. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, 'token');
}
