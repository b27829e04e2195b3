import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Which accounts a data directory has, each under the hash of its token: whoever reads the file can act for none. */
export interface AccountIndex {
  readonly tokenHashes: () => readonly string[];
  readonly idOf: (tokenHash: string) => string | undefined;
  readonly add: (id: string, tokenHash: string) => void;
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

/** Opens the index of a data directory, which only one emulator at a time can. Errors: another one has it. */
export function openIndex(dataDir: string): AccountIndex {
  const db = openFile(dataDir);
  return {
    tokenHashes: () =>
      db
        .prepare('SELECT token_hash FROM accounts')
        .all()
        .map((row) => String(row.token_hash)),
    idOf: (tokenHash) => {
      const row = db.prepare('SELECT id FROM accounts WHERE token_hash = ?').get(tokenHash);
      return row === undefined ? undefined : String(row.id);
    },
    add: (id, tokenHash) => {
      db.prepare('INSERT INTO accounts (id, token_hash) VALUES (?, ?)').run(id, tokenHash);
    },
    isOpen: () => db.isOpen,
    close: () => db.close(),
  };
}

export function tokenHashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function openFile(dataDir: string): DatabaseSync {
  const index = new DatabaseSync(join(dataDir, 'accounts.sqlite'));
  try {
    index.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    index.exec('CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE) WITHOUT ROWID');
  } catch (error) {
    index.close();
    throw new Error(
      `the accounts in ${dataDir} can not be opened: is another emulator running on them? End it, or name another data directory`,
      {
        cause: error,
      },
    );
  }
  return index;
}
