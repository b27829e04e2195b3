import type { StatementSync } from 'node:sqlite';

/** Something that has come due. */
export interface DueRow {
  readonly atMs: number;
  readonly kind: string;
  readonly ref: string;
  readonly data: unknown;
}

/** What is to happen in an account, in order of time; rows of one moment in the order they were added. */
export interface DueRows {
  readonly add: (row: DueRow) => void;
  /** When the first row is due; infinity when there is none. */
  readonly nextAtMs: () => number;
  /** Takes the first row out, if it is due by then. */
  readonly take: (untilMs: number) => DueRow | undefined;
  /** Whether such a row is still to come. */
  readonly has: (atMs: number, kind: string, ref: string) => boolean;
  /** Writes what was added and not taken; to be called before the transaction commits. */
  readonly flush: () => void;
  /** What is not written at this moment; the function given adds it again, after `forget`. */
  readonly copy: () => () => void;
  /** Drops what is remembered of the store, and what is not written; to be called after a transaction was undone. */
  readonly forget: () => void;
}

/** A row that is not written yet; `data` as JSON text. */
interface Added extends DueRow {
  readonly data: string;
}

/** Added and not written yet, at most: more of them are no work of one moment, and looking for a place among them would take its time. */
const MAX_ADDED = 100;

/**
 * The rows of the table `due`; the moment of the first one is remembered, so that asking for it costs nothing. What comes due in the transaction
 * that added it is never written.
 */
export function dueRows(sql: (text: string) => StatementSync): DueRows {
  let lastSeq = Number(sql('SELECT MAX(seq) AS seq FROM due').get()?.seq ?? 0);
  let storedMs: number | undefined;
  /** In order of time, and those of one moment in the order they were added: after those that are stored. */
  let added: Added[] = [];

  const storedAtMs = (): number => {
    if (storedMs === undefined) {
      const at = sql('SELECT MIN(at) AS at FROM due').get()?.at;
      storedMs = typeof at === 'number' ? at : Number.POSITIVE_INFINITY;
    }
    return storedMs;
  };
  const addedAtMs = (): number => added[0]?.atMs ?? Number.POSITIVE_INFINITY;
  const takeStored = (): DueRow | undefined => {
    const row = sql('SELECT at, seq, kind, ref, data FROM due ORDER BY at, seq LIMIT 1').get();
    storedMs = undefined;
    if (row === undefined) {
      return undefined;
    }
    sql('DELETE FROM due WHERE at = ? AND seq = ?').run(row.at ?? null, row.seq ?? null);
    return { atMs: Number(row.at), kind: String(row.kind), ref: String(row.ref), data: JSON.parse(String(row.data)) };
  };
  const takeAdded = (): DueRow | undefined => {
    const row = added.shift();
    return row && { ...row, data: JSON.parse(row.data) };
  };
  const flush = (): void => {
    for (const { atMs, kind, ref, data } of added) {
      lastSeq += 1;
      sql('INSERT INTO due (at, seq, kind, ref, data) VALUES (?, ?, ?, ?, ?)').run(atMs, lastSeq, kind, ref, data);
      storedMs = Math.min(storedAtMs(), atMs);
    }
    added = [];
  };

  return {
    nextAtMs: () => Math.min(storedAtMs(), addedAtMs()),
    add: ({ data, ...row }) => {
      added.splice(added.findLastIndex(({ atMs }) => atMs <= row.atMs) + 1, 0, { ...row, data: JSON.stringify(data) });
      if (added.length > MAX_ADDED) {
        flush();
      }
    },
    take: (untilMs) => {
      if (Math.min(storedAtMs(), addedAtMs()) > untilMs) {
        return undefined;
      }
      return storedAtMs() <= addedAtMs() ? takeStored() : takeAdded();
    },
    has: (atMs, kind, ref) =>
      added.some((row) => row.atMs === atMs && row.kind === kind && row.ref === ref) ||
      sql('SELECT 1 FROM due WHERE at = ? AND kind = ? AND ref = ?').get(atMs, kind, ref) !== undefined,
    flush,
    copy: () => {
      const unwritten = [...added];
      return () => {
        added = unwritten;
      };
    },
    forget: () => {
      storedMs = undefined;
      added = [];
    },
  };
}
