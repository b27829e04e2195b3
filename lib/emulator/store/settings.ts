import type { StatementSync } from 'node:sqlite';

/** What is kept of an account by name; all of it is in memory once one was read, reading costs nothing then. */
export interface Settings {
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, value: string) => void;
  /** Drops what is remembered of the store; to be called after a transaction was undone. */
  readonly forget: () => void;
}

/** The rows of the table `settings`. */
export function settings(sql: (text: string) => StatementSync): Settings {
  let known: Map<string, string> | undefined;
  const all = (): Map<string, string> => {
    known ??= new Map(
      sql('SELECT key, value FROM settings')
        .all()
        .map(({ key, value }) => [String(key), String(value)]),
    );
    return known;
  };
  return {
    get: (key) => all().get(key),
    set: (key, value) => {
      sql('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run(key, value);
      all().set(key, value);
    },
    forget: () => {
      known = undefined;
    },
  };
}
