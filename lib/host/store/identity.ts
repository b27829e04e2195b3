import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** Who the host is to its callers; made at the first start with a data directory and the same ever after. */
export interface Identity {
  readonly namespace: string;
  /** `uuid:key`, the two halves of Basic authentication. */
  readonly auth: string;
}

/** Reads the host's identity from its store, or makes it up and keeps it. */
export function identity(store: DatabaseSync): Identity {
  const row = store.prepare('SELECT value FROM setting WHERE key = ?').get('identity');
  // Written by the lines below and by nobody else: the file is locked and private.
  if (row) return JSON.parse(String(row.value)) as Identity;
  const made: Identity = { namespace: `fn-${randomUUID()}`, auth: `${randomUUID()}:${randomBytes(32).toString('hex')}` };
  store.prepare('INSERT INTO setting(key, value) VALUES (?, ?)').run('identity', JSON.stringify(made));
  return made;
}

/** Writes `credentials.json` into the data directory, in the shape the platform's clients keep theirs (platform reference, functions clients). */
export function writeCredentials(dataDir: string, apihost: string, { namespace, auth }: Identity): void {
  const file = join(dataDir, 'credentials.json');
  const content = { currentHost: apihost, currentNamespace: namespace, credentials: { [apihost]: { [namespace]: { api_key: auth } } } };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  // The mode above counts only for a new file.
  chmodSync(file, 0o600);
}
