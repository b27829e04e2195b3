import type { Id } from './collection.ts';

/** Something kept in memory of records, by table and id; a bounded number of each table, the oldest go first. */
export interface Remembered<T> {
  readonly get: (table: string, id: Id) => T | undefined;
  readonly keep: (table: string, id: Id, value: T) => void;
  readonly drop: (table: string, id: Id) => void;
  /** Drops all of it; to be called after a transaction was undone. */
  readonly forget: () => void;
}

/** Remembers something of up to `size` records of each table. */
export function remembered<T>(size: number): Remembered<T> {
  const tables = new Map<string, Map<Id, T>>();
  return {
    get: (table, id) => tables.get(table)?.get(id),
    keep: (table, id, value) => {
      const records = tables.get(table) ?? new Map<Id, T>();
      tables.set(table, records);
      const [oldest] = records.size < size || records.has(id) ? [] : records.keys();
      if (oldest !== undefined) {
        records.delete(oldest);
      }
      records.set(id, value);
    },
    drop: (table, id) => tables.get(table)?.delete(id),
    forget: () => tables.clear(),
  };
}
