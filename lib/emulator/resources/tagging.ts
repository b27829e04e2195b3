import { messages } from '../assumptions.ts';
import { unprocessable } from '../errors.ts';
import type { Account } from '../store/account.ts';
import { collection, type Id } from '../store/collection.ts';

/** The kinds of resources that can carry tags, as the platform counts them under a tag. Source: the OpenAPI document, component `tags`. */
export const taggableKinds = ['droplets', 'images', 'volumes', 'volume_snapshots', 'databases'] as const;
export type TaggableKind = (typeof taggableKinds)[number];

export const tags = collection<{ readonly name: string }>({
  table: 'tags',
  key: 'text',
  id: (tag) => tag.name,
  columns: { folded: { of: (tag) => tag.name.toLowerCase(), index: 'lookup' } },
  present: (account, text) => tagText(account, JSON.parse(text).name),
});

export const taggingTables: readonly string[] = [
  ...tags.tables,
  'CREATE TABLE IF NOT EXISTS tagged (tag TEXT NOT NULL, kind TEXT NOT NULL, id NUMERIC NOT NULL, PRIMARY KEY (tag, kind, id)) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS tag_totals (tag TEXT NOT NULL, kind TEXT NOT NULL, n INTEGER NOT NULL, last NUMERIC, PRIMARY KEY (tag, kind)) WITHOUT ROWID',
];

/** The tag under its canonical name, made if it is new: the capitals of its first use stay. Errors: 422 for a name with other characters. */
export function ensureTag(account: Account, name: string): string {
  if (!/^[a-zA-Z0-9_\-:]{1,255}$/.test(name)) {
    throw unprocessable(messages.tagName);
  }
  const known = tags.where(account, 'folded', name.toLowerCase())[0];
  if (known !== undefined) {
    return known.wire.name;
  }
  tags.insert(account, { name }, null);
  return name;
}

export function tagExists(account: Account, name: string): boolean {
  return tags.get(account, name) !== undefined;
}

/** Puts a tag that exists on a resource; false when it is already there. */
export function tagResource(account: Account, tag: string, kind: TaggableKind, id: Id): boolean {
  const added = account.run('INSERT OR IGNORE INTO tagged (tag, kind, id) VALUES (?, ?, ?)', tag, kind, id) > 0;
  if (added) {
    account.run(
      'INSERT INTO tag_totals (tag, kind, n, last) VALUES (?, ?, 1, ?) ON CONFLICT (tag, kind) DO UPDATE SET n = n + 1, last = excluded.last',
      tag,
      kind,
      id,
    );
  }
  return added;
}

/** Takes a tag off a resource; false when it was not there. */
export function untagResource(account: Account, tag: string, kind: TaggableKind, id: Id): boolean {
  const removed = account.run('DELETE FROM tagged WHERE tag = ? AND kind = ? AND id = ?', tag, kind, id) > 0;
  if (removed) {
    account.run(
      'UPDATE tag_totals SET n = n - 1, last = (SELECT MAX(id) FROM tagged t WHERE t.tag = tag_totals.tag AND t.kind = tag_totals.kind) WHERE tag = ? AND kind = ?',
      tag,
      kind,
    );
  }
  return removed;
}

/** How many resources of a kind carry a tag. */
export function taggedTotal(account: Account, tag: string, kind: TaggableKind): number {
  return Number(account.sql('SELECT n FROM tag_totals WHERE tag = ? AND kind = ?').get(tag, kind)?.n ?? 0);
}

/** Every resource of a kind that carries a tag, newest first. */
export function taggedIds(account: Account, tag: string, kind: TaggableKind): readonly Id[] {
  return account
    .sql(TAGGED_IDS)
    .all(tag, kind)
    .map((row) => (typeof row.id === 'string' ? row.id : Number(row.id)));
}

/** The query for `collection.sourceOf`: ids of a kind under a tag, newest first. */
export const TAGGED_IDS = 'SELECT id FROM tagged WHERE tag = ? AND kind = ? ORDER BY id DESC';

/** Removes a tag and what it was on; the resources' own records are the caller's. */
export function dropTag(account: Account, tag: string): void {
  account.run('DELETE FROM tagged WHERE tag = ?', tag);
  account.run('DELETE FROM tag_totals WHERE tag = ?', tag);
  tags.remove(account, tag);
}

function tagText(account: Account, name: string): string {
  const rows = account.sql('SELECT kind, n, last FROM tag_totals WHERE tag = ?').all(name);
  const kinds = Object.fromEntries(
    taggableKinds.map((kind) => {
      const row = rows.find((each) => each.kind === kind);
      return [kind, counted(Number(row?.n ?? 0), row?.last ?? null, kind)];
    }),
  );
  const newest = rows.filter((row) => row.last !== null).at(-1);
  const count = rows.reduce((sum, row) => sum + Number(row.n), 0);
  return JSON.stringify({ name, resources: { ...counted(count, newest?.last ?? null, String(newest?.kind)), ...kinds } });
}

function counted(count: number, last: unknown, kind: string): object {
  const path = kind === 'volume_snapshots' ? 'snapshots' : kind;
  return last === null ? { count } : { count, last_tagged_uri: `https://api.digitalocean.com/v2/${path}/${String(last)}` };
}
