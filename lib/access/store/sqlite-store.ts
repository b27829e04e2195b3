import { DatabaseSync } from 'node:sqlite';
import type { SharedStore } from './store.ts';

/** How long opening a file waits for others that open it, or write to it. */
const openingMs = 10_000;

const longestPauseMs = 20;

/** A store in a file, shared by the processes of one machine. The file is made where there is none. */
export async function sqliteStore(file: string): Promise<SharedStore> {
  // SQLite's own waiting would hold up everything else that the process does.
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    await unlocked(AbortSignal.timeout(openingMs), () => {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      db.exec(
        'CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, ends_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      );
      db.exec('CREATE INDEX IF NOT EXISTS entries_by_end ON entries (ends_at)');
    });
    return entriesIn(db);
  } catch (failure) {
    db.close();
    throw failure;
  }
}

function entriesIn(db: DatabaseSync): SharedStore {
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
  const inTurn = turns(db);
  return {
    get: (key, timeUp) => unlocked(timeUp, () => held(key)),
    async swap(key, expected, next, ttlMs, timeUp) {
      // Readers wait for nobody, and what is there already is what most find.
      if ((await unlocked(timeUp, () => held(key))) !== expected) return false;
      return inTurn(timeUp, () => {
        if (held(key) !== expected) return false;
        sweep.run(Date.now());
        if (next === undefined) remove.run(key);
        else write.run(key, next, Date.now() + ttlMs);
        return true;
      });
    },
  };
}

interface Turn {
  readonly work: () => boolean;
  readonly timeUp: AbortSignal;
  readonly resolve: (result: boolean) => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Has works that write wait for other processes together, and does all of them in one transaction: waiting each for itself, many would be in each other's
 * way, and some would never have their turn.
 */
function turns(db: DatabaseSync): (timeUp: AbortSignal, work: () => boolean) => Promise<boolean> {
  let waiting: Turn[] = [];
  let isWriting = false;
  const writeAll = async () => {
    isWriting = true;
    for (let attempt = 1; waiting.length > 0; attempt++) {
      // Whoever gave up was told that nothing was done.
      waiting = waiting.filter(({ timeUp }) => !timeUp.aborted);
      const taken = waiting;
      try {
        const results = whole(db, () => taken.map(({ work }) => work()));
        waiting = [];
        for (const [index, { resolve }] of taken.entries()) resolve(results[index] === true);
      } catch (failure) {
        if (isBusy(failure)) {
          await pause(attempt);
          continue;
        }
        waiting = [];
        for (const { reject } of taken) reject(failure);
      }
    }
    isWriting = false;
  };
  return (timeUp, work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, timeUp, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

function whole<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (failure) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw failure;
  }
}

/** Does work as soon as no other process is in its way. Errors: once time is up; then nothing was done. */
async function unlocked<Result>(timeUp: AbortSignal, work: () => Result): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    timeUp.throwIfAborted();
    try {
      return work();
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    }
    await pause(attempt);
  }
}

/** Lets go of the process for a while; not all who wait come back at the same moment. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempt, longestPauseMs)));
}

/** SQLITE_BUSY, in all its kinds. */
function isBusy(failure: unknown): boolean {
  return failure instanceof Error && 'errcode' in failure && (Number(failure.errcode) & 0xff) === 5;
}
