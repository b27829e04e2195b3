import type { StatementSync } from 'node:sqlite';

/** What is kept of an account by name; all of it is in memory, reading costs nothing. */
export interface Settings {
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, value: string) => void;
  /** Reads what is stored again; to be called after a transaction was undone. */
  readonly forget: () => void;
}

/** The rows of the table `settings`. */
export function settings(sql: (text: string) => StatementSync): Settings {
  const known = new Map<string, string>();
  const forget = (): void => {
    known.clear();
    for (const row of sql('SELECT key, value FROM settings').all()) {
      known.set(String(row.key), String(row.value));
    }
  };
  forget();
  return {
    get: (key) => known.get(key),
    set: (key, value) => {
      sql('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run(key, value);
      known.set(key, value);
    },
    forget,
  };
}
