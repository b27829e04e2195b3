import type { Id } from './collection.ts';

/** Records as they were last shown, as JSON text, by table and id; a bounded number, the oldest go first. */
export interface ShownRecords {
  readonly get: (table: string, id: Id) => string | undefined;
  readonly keep: (table: string, id: Id, text: string) => void;
  readonly drop: (table: string, id: Id) => void;
  readonly clear: () => void;
}

/** Remembers up to `size` records of each table. */
export function shownRecords(size: number): ShownRecords {
  const tables = new Map<string, Map<Id, string>>();
  return {
    get: (table, id) => tables.get(table)?.get(id),
    keep: (table, id, text) => {
      const records = tables.get(table) ?? new Map<Id, string>();
      tables.set(table, records);
      const [oldest] = records.size < size ? [] : records.keys();
      if (oldest !== undefined) {
        records.delete(oldest);
      }
      records.set(id, text);
    },
    drop: (table, id) => tables.get(table)?.delete(id),
    clear: () => tables.clear(),
  };
}
