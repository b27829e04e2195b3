import type { Id } from './collection.ts';

/** JSON texts as they were last shown, by table and id; a bounded number, the oldest go first. */
export interface ShownTexts {
  readonly get: (table: string, id: Id) => string | undefined;
  readonly set: (table: string, id: Id, text: string) => void;
  readonly drop: (table: string, id: Id) => void;
  readonly clear: () => void;
}

/** Remembers up to `size` texts for each table. */
export function shownTexts(size: number): ShownTexts {
  const tables = new Map<string, Map<Id, string>>();
  return {
    get: (table, id) => tables.get(table)?.get(id),
    set: (table, id, text) => {
      const texts = tables.get(table) ?? new Map<Id, string>();
      tables.set(table, texts);
      const [oldest] = texts.size < size ? [] : texts.keys();
      if (oldest !== undefined) {
        texts.delete(oldest);
      }
      texts.set(id, text);
    },
    drop: (table, id) => tables.get(table)?.delete(id),
    clear: () => tables.clear(),
  };
}
