import type { StatementSync } from 'node:sqlite';

/** Persistent numbers by name: the last id given out, the length of a list. Held in memory, written once per transaction. */
export interface Counters {
  readonly get: (name: string) => number;
  /** Changes a number and gives the new one. */
  readonly add: (name: string, change: number) => number;
  /** Writes what has changed; to be called before the transaction commits. */
  readonly flush: () => void;
  /** Takes everything from the store again; to be called after a transaction was undone. */
  readonly reload: () => void;
}

/** The counters of an account. */
export function counters(sql: (text: string) => StatementSync): Counters {
  const values = new Map<string, number>();
  const changed = new Set<string>();
  const reload = (): void => {
    values.clear();
    changed.clear();
    for (const row of sql('SELECT name, value FROM counters').all()) {
      values.set(String(row.name), Number(row.value));
    }
  };
  reload();
  return {
    get: (name) => values.get(name) ?? 0,
    add: (name, change) => {
      const value = (values.get(name) ?? 0) + change;
      values.set(name, value);
      changed.add(name);
      return value;
    },
    flush: () => {
      for (const name of changed) {
        sql('INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)').run(name, values.get(name) ?? 0);
      }
      changed.clear();
    },
    reload,
  };
}
