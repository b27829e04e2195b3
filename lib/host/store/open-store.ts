import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HostError } from '../host-error.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS package(name TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS function(package TEXT, name TEXT, digest TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY(package, name)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS code(digest TEXT PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS activation(id TEXT PRIMARY KEY, start_ms INTEGER NOT NULL, name TEXT NOT NULL, full_name TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS activation_start ON activation(start_ms);
  CREATE TABLE IF NOT EXISTS process(pid INTEGER PRIMARY KEY, started TEXT NOT NULL, boot TEXT NOT NULL, instance TEXT NOT NULL);
`;

/**
 * Opens `host.sqlite` in the data directory (made if missing, readable by its owner alone) and keeps it locked as long as it is open,
 * so that a second host on the same directory is refused: HostError `data_dir_in_use`.
 */
export function openStore(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const store = new DatabaseSync(join(dataDir, 'host.sqlite'));
  try {
    store.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    store.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
    return store;
  } catch (error) {
    store.close();
    if (!isLocked(error)) throw error;
    throw new HostError(
      'data_dir_in_use',
      `${dataDir} is in use by another running host: stop that one, or choose another data directory`,
      {
        cause: error,
      },
    );
  }
}

function isLocked(error: unknown): boolean {
  const sqliteBusy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
