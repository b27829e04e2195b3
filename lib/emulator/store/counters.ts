import type { StatementSync } from 'node:sqlite';

/** Persistent numbers by name: the last id given out, the length of a list. Read when first asked for, written once per transaction; 0 takes no room. */
export interface Counters {
  readonly get: (name: string) => number;
  /** Changes a number and gives the new one. */
  readonly add: (name: string, change: number) => number;
  /** Writes what has changed; to be called before the transaction commits. */
  readonly flush: () => void;
  /** What is not written at this moment; the function given adds it again, after `forget`. */
  readonly copy: () => () => void;
  /** Forgets what is not written; to be called after a transaction was undone. */
  readonly forget: () => void;
}

const MAX_REMEMBERED = 20_000;

/** The counters of an account. */
export function counters(sql: (text: string) => StatementSync): Counters {
  const values = new Map<string, number>();
  const changed = new Set<string>();
  const get = (name: string): number => {
    const known = values.get(name);
    if (known !== undefined) {
      return known;
    }
    const stored = Number(sql('SELECT value FROM counters WHERE name = ?').get(name)?.value ?? 0);
    values.set(name, stored);
    return stored;
  };
  const write = (name: string, value: number): void => {
    if (value === 0) {
      sql('DELETE FROM counters WHERE name = ?').run(name);
    } else {
      sql('INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)').run(name, value);
    }
  };
  return {
    get,
    add: (name, change) => {
      const value = get(name) + change;
      values.set(name, value);
      changed.add(name);
      return value;
    },
    flush: () => {
      for (const name of changed) {
        write(name, values.get(name) ?? 0);
      }
      changed.clear();
      if (values.size > MAX_REMEMBERED) {
        values.clear();
      }
    },
    copy: () => {
      const unwritten = [...changed].map((name) => [name, values.get(name) ?? 0] as const);
      return () => {
        for (const [name, value] of unwritten) {
          values.set(name, value);
          changed.add(name);
        }
      };
    },
    forget: () => {
      values.clear();
      changed.clear();
    },
  };
}
