import type { SQLInputValue } from 'node:sqlite';
import type { Account } from './account.ts';

/** A stored record: `wire` is what the platform shows, `hidden` what the emulator remembers beside it. */
export interface Entry<Wire, Hidden> {
  readonly wire: Wire;
  readonly hidden: Hidden;
}

/** A column beside the document, for looking up and filtering. */
export interface Column<Wire, Hidden> {
  readonly of: (wire: Wire, hidden: Hidden) => SQLInputValue;
  /** 'lookup' indexes it; 'counted' also keeps a total per value, so that a filtered list costs the same at any size. */
  readonly index?: 'lookup' | 'counted';
  readonly collate?: 'NOCASE';
}

export interface CollectionSpec<Wire, Hidden> {
  readonly table: string;
  /** 'integer': the id is the order too. 'text': records are in the order of their arrival. */
  readonly key: 'integer' | 'text';
  readonly id: (wire: Wire, hidden: Hidden) => number | string;
  readonly columns?: Readonly<Record<string, Column<Wire, Hidden>>>;
  /** Whether what was shown is kept in memory until the record changes; whatever else it is made of must clear `account.shown`. */
  readonly remembered?: boolean;
  /** The JSON text that is shown, from the stored text and the columns; the stored text itself by default. */
  readonly present?: (account: Account, text: string, row: Row) => string;
}

export type Row = Readonly<Record<string, unknown>>;
export type Id = number | string;

/** Where a page of a list comes from: JSON texts, newest first. */
export interface Source {
  readonly total: number;
  readonly texts: (limit: number, offset: number) => readonly string[];
}

/** Records of one kind in an account, each a JSON text with a few indexed columns. Reading never parses what is only shown. */
export interface Collection<Wire, Hidden> {
  readonly tables: readonly string[];
  readonly insert: (account: Account, wire: Wire, hidden: Hidden) => void;
  readonly update: (account: Account, wire: Wire, hidden: Hidden) => void;
  readonly remove: (account: Account, id: Id) => boolean;
  readonly get: (account: Account, id: Id) => Entry<Wire, Hidden> | undefined;
  readonly text: (account: Account, id: Id) => string | undefined;
  readonly where: (account: Account, column: string, value: SQLInputValue) => readonly Entry<Wire, Hidden>[];
  readonly source: (account: Account) => Source;
  readonly sourceWhere: (account: Account, column: string, value: SQLInputValue) => Source;
  /** A page over the result of a query that yields ids in the order wanted. */
  readonly sourceOf: (account: Account, total: number, ids: string, ...values: readonly SQLInputValue[]) => Source;
  readonly total: (account: Account) => number;
}

/** How many records are passed over before that is worth preparing for. */
const FAR = 5000;

/** Declares a collection; its tables are created when an account is opened. */
export function collection<Wire, Hidden = null>(spec: CollectionSpec<Wire, Hidden>): Collection<Wire, Hidden> {
  const { table } = spec;
  const columns = Object.entries(spec.columns ?? {});
  const counted = columns.filter(([, column]) => column.index === 'counted');
  const names = ['id', 'doc', 'hidden', ...columns.map(([name]) => name)];
  const shown = ['doc', ...columns.map(([name]) => name)].join(', ');
  const present = spec.present ?? ((_account, text) => text);
  const totalOf = (column: string, value: unknown): string => `${table}.${column}=${String(value)}`;

  const insertSql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const updateSql = `UPDATE ${table} SET ${names.slice(1).map((name) => `${name} = ?`)} WHERE id = ?`;
  const removeSql = `DELETE FROM ${table} WHERE id = ?`;
  const getSql = `SELECT doc, hidden FROM ${table} WHERE id = ?`;
  const textSql = `SELECT ${shown} FROM ${table} WHERE id = ?`;
  const countedSql = `SELECT ${counted.map(([name]) => name).join(', ')} FROM ${table} WHERE id = ?`;
  const pageSql = `SELECT id FROM ${table} ORDER BY rowid DESC`;

  const textOf = (account: Account, id: Id): string | undefined => {
    const known = spec.remembered ? account.shown.get(table, id) : undefined;
    if (known !== undefined) {
      return known;
    }
    const row = account.sql(textSql).get(id);
    if (row === undefined) {
      return undefined;
    }
    const text = present(account, String(row.doc), row);
    if (spec.remembered) {
      account.shown.keep(table, id, text);
    }
    return text;
  };
  const sourceOf = (account: Account, total: number, ids: string, ...bound: readonly SQLInputValue[]): Source => ({
    total,
    texts: (limit, offset) => {
      const texts: string[] = [];
      const page = () => account.sql(`${ids} LIMIT ? OFFSET ?`).all(...bound, limit, offset);
      for (const { id } of offset < FAR ? page() : account.passOver(page)) {
        const text = textOf(account, typeof id === 'string' ? id : Number(id));
        if (text !== undefined) {
          texts.push(text);
        }
      }
      return texts;
    },
  });

  const values = (wire: Wire, hidden: Hidden): SQLInputValue[] => [
    JSON.stringify(wire),
    JSON.stringify(hidden),
    ...columns.map(([, column]) => column.of(wire, hidden)),
  ];
  const countBefore = (account: Account, id: Id): void => {
    const row = counted.length === 0 ? undefined : account.sql(countedSql).get(id);
    for (const [name] of row === undefined ? [] : counted) {
      account.count(totalOf(name, row?.[name]), -1);
    }
  };
  const countAfter = (account: Account, wire: Wire, hidden: Hidden): void => {
    for (const [name, column] of counted) {
      account.count(totalOf(name, column.of(wire, hidden)), 1);
    }
  };

  return {
    tables: [createTable(spec), ...createIndexes(spec)],
    insert: (account, wire, hidden) => {
      account.run(insertSql, spec.id(wire, hidden), ...values(wire, hidden));
      account.count(table, 1);
      countAfter(account, wire, hidden);
    },
    update: (account, wire, hidden) => {
      const id = spec.id(wire, hidden);
      account.shown.drop(table, id);
      countBefore(account, id);
      account.run(updateSql, ...values(wire, hidden), id);
      countAfter(account, wire, hidden);
    },
    remove: (account, id) => {
      account.shown.drop(table, id);
      countBefore(account, id);
      const removed = account.run(removeSql, id) > 0;
      account.count(table, removed ? -1 : 0);
      return removed;
    },
    get: (account, id) => {
      const row = account.sql(getSql).get(id);
      return row === undefined ? undefined : parse<Wire, Hidden>(row);
    },
    text: textOf,
    where: (account, column, value) =>
      account
        .sql(`SELECT doc, hidden FROM ${table} WHERE ${column} = ? ORDER BY rowid DESC`)
        .all(value)
        .map(parse<Wire, Hidden>),
    source: (account) => sourceOf(account, account.total(table), pageSql),
    sourceWhere: (account, column, value) => {
      const counts = spec.columns?.[column]?.index === 'counted';
      const count = (): number => Number(account.sql(`SELECT COUNT(*) AS n FROM ${table} WHERE ${column} = ?`).get(value)?.n);
      const total = counts ? account.total(totalOf(column, value)) : count();
      return sourceOf(account, total, `SELECT id FROM ${table} WHERE ${column} = ? ORDER BY rowid DESC`, value);
    },
    sourceOf,
    total: (account) => account.total(table),
  };
}

function createTable<Wire, Hidden>(spec: CollectionSpec<Wire, Hidden>): string {
  const key = spec.key === 'integer' ? 'id INTEGER PRIMARY KEY' : 'seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE';
  const columns = Object.entries(spec.columns ?? {}).map(
    ([name, column]) => `, ${name} ${column.collate ? `TEXT COLLATE ${column.collate}` : 'NUMERIC'}`,
  );
  return `CREATE TABLE IF NOT EXISTS ${spec.table} (${key}, doc TEXT NOT NULL, hidden TEXT NOT NULL${columns.join('')})`;
}

function createIndexes<Wire, Hidden>(spec: CollectionSpec<Wire, Hidden>): readonly string[] {
  return Object.entries(spec.columns ?? {})
    .filter(([, column]) => column.index !== undefined)
    .map(([name]) => `CREATE INDEX IF NOT EXISTS ${spec.table}_${name} ON ${spec.table} (${name})`);
}

function parse<Wire, Hidden>(row: Row): Entry<Wire, Hidden> {
  // The texts were written by this collection, from values of exactly these types.
  return { wire: JSON.parse(String(row.doc)) as Wire, hidden: JSON.parse(String(row.hidden)) as Hidden };
}
