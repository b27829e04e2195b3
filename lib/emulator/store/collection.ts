import type { SQLInputValue } from 'node:sqlite';
import type { Account } from './account.ts';
import { type Columns, records } from './records.ts';

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
  /**
   * Whether records are kept in memory as they were written, so that no member of them may be `undefined`, and what was shown of one
   * until it changes; whatever else that is made of must have `account.shown` forget.
   */
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
  const rows = records(spec);
  const counted = Object.entries(spec.columns ?? {}).flatMap(([name, { index }], at) => (index === 'counted' ? [{ name, at }] : []));
  const totalOf = (column: string, value: unknown): string => `${table}.${column}=${String(value)}`;
  const pageSql = `SELECT id FROM ${table} ORDER BY rowid DESC`;

  const sourceOf = (account: Account, total: number, ids: string, ...bound: readonly SQLInputValue[]): Source => ({
    total,
    texts: (limit, offset) => {
      // SQLite plans a statement anew for each value of a bare parameter here.
      const statement = account.sql(`${ids} LIMIT ? + 0 OFFSET ? + 0`);
      // Rows as lists cost less than rows as objects.
      statement.setReturnArrays(true);
      // With that said, each row is a list of its one column.
      const page = () => statement.all(...bound, limit, offset) as unknown as readonly (readonly [Id])[];
      const texts: string[] = [];
      for (const [id] of offset < FAR ? page() : account.passOver(page)) {
        const text = rows.text(account, typeof id === 'string' ? id : Number(id));
        if (text !== undefined) {
          texts.push(text);
        }
      }
      return texts;
    },
  });

  const count = (account: Account, columns: Columns, change: number): void => {
    for (const { name, at } of counted) {
      account.count(totalOf(name, columns[at]), change);
    }
  };

  return {
    tables: [createTable(spec), ...createIndexes(spec)],
    insert: (account, wire, hidden) => {
      const after = rows.insert(account, wire, hidden);
      account.count(table, 1);
      count(account, after, 1);
    },
    update: (account, wire, hidden) => {
      const { before, after } = rows.update(account, wire, hidden);
      if (before !== after) {
        count(account, before, -1);
        count(account, after, 1);
      }
    },
    remove: (account, id) => {
      const before = rows.remove(account, id);
      if (before === undefined) {
        return false;
      }
      account.count(table, -1);
      count(account, before, -1);
      return true;
    },
    get: rows.get,
    text: rows.text,
    where: (account, column, value) => (account.total(table) === 0 ? [] : rows.where(account, column, value)),
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
  return `CREATE TABLE ${spec.table} (${key}, doc TEXT NOT NULL, hidden TEXT NOT NULL${columns.join('')})`;
}

function createIndexes<Wire, Hidden>(spec: CollectionSpec<Wire, Hidden>): readonly string[] {
  return Object.entries(spec.columns ?? {})
    .filter(([, column]) => column.index !== undefined)
    .map(([name]) => `CREATE INDEX ${spec.table}_${name} ON ${spec.table} (${name})`);
}
