import { DatabaseSync } from 'node:sqlite';
import { PlatformError } from '../errors.ts';

/**
 * Opens the file of an account, and makes the tables of a new one. Errors: another process has it open; another version of the
 * program made it, which its tables show. A file that is refused is left as it is.
 */
export function openDatabase(file: string, tables: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    // Small pages: a write costs as much as the pages it touches. EXCLUSIVE: one emulator per data directory; two clocks working on
    // one account would contradict each other.
    db.exec('PRAGMA page_size = 1024; PRAGMA locking_mode = EXCLUSIVE');
    const found = schemaOf(db);
    refuseOtherVersions(file, found, tables);
    // A long log: pages written again and again are copied back once.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 40000');
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA mmap_size = 0');
    if (found.size === 0) {
      db.exec(`BEGIN;\n${tables.join(';\n')};\nCOMMIT`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Does work that passes over many pages which nobody has read lately, with the file mapped into memory meanwhile. Only such work
 * gains by that: in a mapped file each page is looked for in the log first, also one that is in the cache.
 */
export function readMapped<T>(db: DatabaseSync, work: () => T): T {
  db.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
  try {
    return work();
  } finally {
    db.exec('PRAGMA mmap_size = 0');
  }
}

const MAPPED_BYTES = 1024 ** 3;

/** A file that this version of the program can not use; nothing in it was touched. */
export class OtherVersionError extends PlatformError {
  readonly differences: string;

  constructor(what: string, differences: string, advice: string) {
    super(500, 'server_error', `${what} was made by another version of the emulator (${differences}): ${advice}`);
    this.name = 'OtherVersionError';
    this.differences = differences;
  }
}

function refuseOtherVersions(file: string, found: ReadonlyMap<string, string>, tables: readonly string[]): void {
  if (found.size === 0) {
    return;
  }
  const wanted = wantedSchema(tables);
  const names = [...new Set([...found.keys(), ...wanted.keys()])].sort();
  const differences = names.flatMap((name) => {
    if (found.get(name) === wanted.get(name)) {
      return [];
    }
    return !found.has(name) ? `${name} is missing` : !wanted.has(name) ? `${name} is not known` : `${name} is different`;
  });
  if (differences.length > 0) {
    throw new OtherVersionError(`the account file ${file}`, summary(differences), ADVICE);
  }
}

function summary(differences: readonly string[]): string {
  const more = differences.length - MAX_TOLD;
  return more > 0 ? `${differences.slice(0, MAX_TOLD).join(', ')} and ${more} more` : differences.join(', ');
}

const MAX_TOLD = 5;
const ADVICE = 'start that version on its data directory, or move the directory away, or name another one, to begin anew.';

/** What each table and index was declared with, as SQLite keeps it; those that it made for itself have no text. */
function schemaOf(db: DatabaseSync): ReadonlyMap<string, string> {
  const rows = db.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return new Map(rows.flatMap(({ name, sql }) => (String(name).startsWith('sqlite_') ? [] : [[String(name), String(sql)] as const])));
}

const schemas = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

function wantedSchema(tables: readonly string[]): ReadonlyMap<string, string> {
  const known = schemas.get(tables);
  if (known !== undefined) {
    return known;
  }
  const blank = new DatabaseSync(':memory:');
  blank.exec(tables.join(';\n'));
  const schema = schemaOf(blank);
  blank.close();
  schemas.set(tables, schema);
  return schema;
}
