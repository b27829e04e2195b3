import type { DatabaseSync } from 'node:sqlite';

/** The tables whose rows belong to a namespace, by their column of that name. */
export const namespacedTables = ['package', 'function', 'activation', 'access_key', 'trigger'] as const;

const tables = `
  CREATE TABLE IF NOT EXISTS setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS namespace(name TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS access_key(id TEXT PRIMARY KEY, namespace TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS trigger(namespace TEXT, name TEXT, record TEXT NOT NULL, PRIMARY KEY(namespace, name)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS package(namespace TEXT, name TEXT, record TEXT NOT NULL, PRIMARY KEY(namespace, name)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS function(namespace TEXT, package TEXT, name TEXT, digest TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY(namespace, package, name)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS code(digest TEXT PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS activation(id TEXT PRIMARY KEY, start_ms INTEGER NOT NULL, name TEXT NOT NULL, full_name TEXT NOT NULL, record TEXT NOT NULL, namespace TEXT NOT NULL DEFAULT '');
  CREATE INDEX IF NOT EXISTS activation_start ON activation(namespace, start_ms);
  CREATE TABLE IF NOT EXISTS process(pid INTEGER PRIMARY KEY, started TEXT NOT NULL, boot TEXT NOT NULL, instance TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS mark(mark TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** Makes the tables of a new store, and brings those of an older one up to date. To be called inside a transaction. */
export function prepareTables(store: DatabaseSync): void {
  if (versionOf(store) === 0 && hasTable(store, 'package')) giveEverythingToTheNamespace(store);
  store.exec(tables);
  store.exec('PRAGMA user_version = 1');
}

function versionOf(store: DatabaseSync): number {
  return Number(store.prepare('PRAGMA user_version').get()?.user_version);
}

function hasTable(store: DatabaseSync, name: string): boolean {
  return store.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

/** A store of the time when a host had one namespace: what it holds belongs to that one. */
function giveEverythingToTheNamespace(store: DatabaseSync): void {
  const identity = store.prepare(`SELECT json_extract(value, '$.namespace') AS namespace FROM setting WHERE key = 'identity'`).get();
  const namespace = String(identity?.namespace ?? '');
  store.exec(`
    ALTER TABLE package RENAME TO old_package;
    ALTER TABLE function RENAME TO old_function;
    ALTER TABLE activation ADD COLUMN namespace TEXT NOT NULL DEFAULT '';
    DROP INDEX activation_start;
    ${tables}
  `);
  store.prepare('INSERT INTO package SELECT ?, name, record FROM old_package').run(namespace);
  store.prepare('INSERT INTO function SELECT ?, package, name, digest, record FROM old_function').run(namespace);
  store.prepare('UPDATE activation SET namespace = ?').run(namespace);
  store.exec('DROP TABLE old_package; DROP TABLE old_function');
}
