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
  /** Drops what is remembered of the store; to be called after a transaction was undone. */
  readonly forget: () => void;
}

/** The rows of the table `due`; the moment of the first one is remembered, so that asking for it costs nothing. */
export function dueRows(sql: (text: string) => StatementSync): DueRows {
  let lastSeq = Number(sql('SELECT MAX(seq) AS seq FROM due').get()?.seq ?? 0);
  let nextMs: number | undefined;

  const nextAtMs = (): number => {
    if (nextMs === undefined) {
      const at = sql('SELECT MIN(at) AS at FROM due').get()?.at;
      nextMs = typeof at === 'number' ? at : Number.POSITIVE_INFINITY;
    }
    return nextMs;
  };

  return {
    nextAtMs,
    add: ({ atMs, kind, ref, data }) => {
      lastSeq += 1;
      sql('INSERT INTO due (at, seq, kind, ref, data) VALUES (?, ?, ?, ?, ?)').run(atMs, lastSeq, kind, ref, JSON.stringify(data));
      nextMs = Math.min(nextAtMs(), atMs);
    },
    take: (untilMs) => {
      const row = nextAtMs() > untilMs ? undefined : sql('SELECT at, seq, kind, ref, data FROM due ORDER BY at, seq LIMIT 1').get();
      if (row === undefined) {
        return undefined;
      }
      sql('DELETE FROM due WHERE at = ? AND seq = ?').run(row.at ?? null, row.seq ?? null);
      nextMs = undefined;
      return { atMs: Number(row.at), kind: String(row.kind), ref: String(row.ref), data: JSON.parse(String(row.data)) };
    },
    forget: () => {
      nextMs = undefined;
    },
  };
}
