import type { SQLInputValue } from 'node:sqlite';
import type { Account } from './account.ts';
import type { CollectionSpec, Entry, Id, Row } from './collection.ts';

/** A record as its row has it. */
export interface Stored<Wire, Hidden> extends Entry<Wire, Hidden> {
  /** `wire` as JSON text. */
  readonly doc: string;
  readonly columns: Columns;
}

/** The values of a row's columns beside the document, in the order of their declaration. */
export type Columns = readonly unknown[];

/** The rows of a collection one by one, and what is remembered of them. */
export interface Records<Wire, Hidden> {
  readonly get: (account: Account, id: Id) => Entry<Wire, Hidden> | undefined;
  readonly text: (account: Account, id: Id) => string | undefined;
  readonly where: (account: Account, column: string, value: SQLInputValue) => readonly Entry<Wire, Hidden>[];
  /** Gives the columns of the new row. */
  readonly insert: (account: Account, wire: Wire, hidden: Hidden) => Columns;
  /** Gives the columns as they were and as they are: the same list when none of them has changed. */
  readonly update: (account: Account, wire: Wire, hidden: Hidden) => { readonly before: Columns; readonly after: Columns };
  /** Gives the columns of the row that is gone; undefined when there was none. */
  readonly remove: (account: Account, id: Id) => Columns | undefined;
}

/** The rows of the table of a collection. */
export function records<Wire, Hidden>(spec: CollectionSpec<Wire, Hidden>): Records<Wire, Hidden> {
  const { table, remembered = false, present = (_account, text) => text } = spec;
  const columns = Object.entries(spec.columns ?? {});
  const names = columns.map(([name]) => name);
  const all = ['id', 'doc', 'hidden', ...names];

  const insertSql = `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`;
  const updateSql = `UPDATE ${table} SET ${all.slice(1).map((name) => `${name} = ?`)} WHERE id = ?`;
  // An index of a column that is written again is written again too.
  const updateDocSql = `UPDATE ${table} SET doc = ?, hidden = ? WHERE id = ?`;
  const removeSql = `DELETE FROM ${table} WHERE id = ?`;
  const getSql = `SELECT ${all.join(', ')} FROM ${table} WHERE id = ?`;
  const shownSql = `SELECT ${['doc', ...names].join(', ')} FROM ${table} WHERE id = ?`;
  const columnsSql = `SELECT ${['id', ...names].join(', ')} FROM ${table} WHERE id = ?`;

  // Under the name of this table only `keep` keeps anything.
  const recall = (account: Account, id: Id) => account.records.get(table, id) as Stored<Wire, Hidden> | undefined;
  const keep = (account: Account, record: Stored<Wire, Hidden>): void => {
    if (remembered) {
      account.records.keep(table, spec.id(record.wire, record.hidden), record);
    }
  };
  const inRow = (row: Row): Columns => names.map((name) => row[name]);
  const columnsNow = (account: Account, id: Id): Columns | undefined => {
    if (names.length === 0) {
      return [];
    }
    const known = recall(account, id);
    const row = known === undefined ? account.sql(columnsSql).get(id) : undefined;
    return row === undefined ? known?.columns : inRow(row);
  };
  const read = (account: Account, row: Row): Entry<Wire, Hidden> => {
    const record = { ...parse<Wire, Hidden>(row), doc: String(row.doc), columns: inRow(row) };
    keep(account, record);
    return record;
  };
  const written = (wire: Wire, hidden: Hidden) => ({
    wire,
    hidden,
    doc: JSON.stringify(wire),
    columns: columns.map(([, column]) => column.of(wire, hidden)),
  });
  const presented = (account: Account, id: Id): string | undefined => {
    const known = recall(account, id);
    if (known !== undefined) {
      return present(account, known.doc, Object.fromEntries(names.map((name, index) => [name, known.columns[index]])));
    }
    const row = account.sql(shownSql).get(id);
    return row && present(account, String(row.doc), row);
  };

  return {
    get: (account, id) => {
      const known = recall(account, id);
      const row = known === undefined ? account.sql(getSql).get(id) : undefined;
      return row === undefined ? known : read(account, row);
    },
    where: (account, column, value) =>
      account
        .sql(`SELECT ${all.join(', ')} FROM ${table} WHERE ${column} = ? ORDER BY rowid DESC`)
        .all(value)
        .map((row) => recall(account, typeof row.id === 'string' ? row.id : Number(row.id)) ?? read(account, row)),
    text: (account, id) => {
      const known = account.shown.get(table, id);
      if (known !== undefined) {
        return known;
      }
      const text = presented(account, id);
      if (text !== undefined && remembered) {
        account.shown.keep(table, id, text);
      }
      return text;
    },
    insert: (account, wire, hidden) => {
      const record = written(wire, hidden);
      account.run(insertSql, spec.id(wire, hidden), record.doc, JSON.stringify(hidden), ...record.columns);
      keep(account, record);
      return record.columns;
    },
    update: (account, wire, hidden) => {
      const id = spec.id(wire, hidden);
      const record = written(wire, hidden);
      const before = columnsNow(account, id) ?? [];
      const same = before.length === record.columns.length && record.columns.every((value, index) => value === before[index]);
      if (same) {
        account.run(updateDocSql, record.doc, JSON.stringify(hidden), id);
      } else {
        account.run(updateSql, record.doc, JSON.stringify(hidden), ...record.columns, id);
      }
      account.shown.drop(table, id);
      keep(account, record);
      return { before, after: same ? before : record.columns };
    },
    remove: (account, id) => {
      const before = columnsNow(account, id);
      const removed = account.run(removeSql, id) > 0;
      account.shown.drop(table, id);
      account.records.drop(table, id);
      return removed ? (before ?? []) : undefined;
    },
  };
}

function parse<Wire, Hidden>(row: Row): Entry<Wire, Hidden> {
  // The texts were written here, from values of exactly these types.
  return { wire: JSON.parse(String(row.doc)) as Wire, hidden: JSON.parse(String(row.hidden)) as Hidden };
}
