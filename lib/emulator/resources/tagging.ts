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
  // What is shown is of what carries the tag too: whatever puts it on something or takes it off drops that.
  remembered: true,
  present: (account, text) => tagText(account, JSON.parse(text).name),
});

export const taggingTables: readonly string[] = [
  ...tags.tables,
  'CREATE TABLE tagged (tag TEXT NOT NULL, kind TEXT NOT NULL, id NUMERIC NOT NULL, PRIMARY KEY (tag, kind, id)) WITHOUT ROWID',
];

/** The tag under its canonical name, made if it is new: the capitals of its first use stay. Errors: 422 for a name with other characters. */
export function ensureTag(account: Account, name: string): string {
  if (!/^[a-zA-Z0-9_\-:]{1,255}$/.test(name)) {
    throw unprocessable(messages.tagName);
  }
  const folded = name.toLowerCase();
  // Names that read as the same number, 7 and 07, are one to the column.
  const known = tags.get(account, name) ?? tags.where(account, 'folded', folded).find(({ wire }) => wire.name.toLowerCase() === folded);
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
  account.count(totalOf(tag, kind), added ? 1 : 0);
  account.shown.drop('tags', tag);
  return added;
}

/** Takes a tag off a resource; false when it was not there. */
export function untagResource(account: Account, tag: string, kind: TaggableKind, id: Id): boolean {
  const removed = account.run('DELETE FROM tagged WHERE tag = ? AND kind = ? AND id = ?', tag, kind, id) > 0;
  account.count(totalOf(tag, kind), removed ? -1 : 0);
  account.shown.drop('tags', tag);
  return removed;
}

/** How many resources of a kind carry a tag. */
export function taggedTotal(account: Account, tag: string, kind: TaggableKind): number {
  return account.total(totalOf(tag, kind));
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
  for (const kind of taggableKinds) {
    account.count(totalOf(tag, kind), -taggedTotal(account, tag, kind));
  }
  tags.remove(account, tag);
}

function tagText(account: Account, name: string): string {
  const kinds = taggableKinds.map((kind) => ({ kind, count: taggedTotal(account, name, kind), last: lastTagged(account, name, kind) }));
  const all = { count: kinds.reduce((sum, { count }) => sum + count, 0), last: kinds.find(({ last }) => last !== undefined)?.last };
  const byKind = Object.fromEntries(kinds.map((each) => [each.kind, toCounted(each)]));
  return JSON.stringify({ name, resources: { ...toCounted(all), ...byKind } });
}

/** The newest resource of a kind under a tag, as the platform names it. */
function lastTagged(account: Account, tag: string, kind: TaggableKind): string | undefined {
  const id = account.sql(`${TAGGED_IDS} LIMIT 1`).get(tag, kind)?.id;
  return id === undefined || id === null ? undefined : `https://api.digitalocean.com/v2/${PATHS[kind] ?? kind}/${String(id)}`;
}

const PATHS: Partial<Record<TaggableKind, string>> = { volume_snapshots: 'snapshots' };

function toCounted({ count, last }: { readonly count: number; readonly last: string | undefined }): object {
  return last === undefined ? { count } : { count, last_tagged_uri: last };
}

function totalOf(tag: string, kind: TaggableKind): string {
  return `tagged.${kind}.${tag}`;
}
