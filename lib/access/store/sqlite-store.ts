import { DatabaseSync } from 'node:sqlite';
import type { Store } from './store.ts';

/** How long one instance waits for another that is writing. */
const waitMs = 2000;

/** A store in a file, shared by the processes of one machine. The file is made where there is none. */
export function sqliteStore(file: string): Store {
  const db = new DatabaseSync(file, { timeout: waitMs });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, ends_at INTEGER NOT NULL) STRICT, WITHOUT ROWID');
  db.exec('CREATE INDEX IF NOT EXISTS entries_by_end ON entries (ends_at)');
  const read = db.prepare('SELECT value FROM entries WHERE key = ? AND ends_at > ?');
  const write = db.prepare(
    'INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at',
  );
  const remove = db.prepare('DELETE FROM entries WHERE key = ?');
  const sweep = db.prepare('DELETE FROM entries WHERE ends_at <= ?');
  const held = (key: string): string | undefined => {
    const value = read.get(key, Date.now())?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    get: async (key) => held(key),
    async swap(key, expected, next, ttlMs) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const holds = held(key) === expected;
        if (holds) {
          sweep.run(Date.now());
          if (next === undefined) remove.run(key);
          else write.run(key, next, Date.now() + ttlMs);
        }
        db.exec('COMMIT');
        return holds;
      } catch (failure) {
        db.exec('ROLLBACK');
        throw failure;
      }
    },
  };
}
