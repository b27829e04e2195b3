import { DatabaseSync } from 'node:sqlite';

/** Opens the file of an account, and makes the tables it lacks. Errors: another process has it open. */
export function openDatabase(file: string, tables: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(file);
  // EXCLUSIVE: one emulator per data directory; two clocks working on one account would contradict each other.
  db.exec('PRAGMA page_size = 1024; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  // Small pages: a write costs as much as the pages it touches. A long log: pages written again and again are copied back once.
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA mmap_size = 1073741824; PRAGMA wal_autocheckpoint = 40000');
  db.exec(tables.join(';\n'));
  return db;
}
