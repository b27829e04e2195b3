import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HostError } from '../host-error.ts';
import { prepareTables } from './schema.ts';
import { transaction } from './transaction.ts';

/** 40 MB. */
const logPages = 10_000;

/**
 * Opens `host.sqlite` in the data directory (made if missing, readable by its owner alone) and keeps it locked as long as it is open,
 * so that a second host on the same directory is refused: HostError `data_dir_in_use`.
 */
export function openStore(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const store = new DatabaseSync(join(dataDir, 'host.sqlite'));
  try {
    // Moving the log into the file holds up every call for tens of milliseconds: seldom, and more at a time.
    store.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
    store.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    transaction(store, () => prepareTables(store));
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
