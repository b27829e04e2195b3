import type { DatabaseSync } from 'node:sqlite';

/** Does work in one transaction: all of it is kept, or nothing where it throws. */
export function transaction<Result>(store: DatabaseSync, work: () => Result): Result {
  store.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    store.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has undone it by itself.
    if (store.isTransaction) store.exec('ROLLBACK');
    throw error;
  }
}
