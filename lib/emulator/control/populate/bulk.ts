import type { JsonObject } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import type { Collection, Entry, Id } from '../../store/collection.ts';

/** Many records of one kind in the making. */
export interface Bulk {
  /** The lists that they are in. */
  readonly paths: readonly string[];
  /** Stores one; `serial` is new every time. */
  readonly add: (serial: number) => void;
}

/** Begins to make records; `tag`, an existing one, goes on what can carry tags. Called inside a transaction, as is `add`. */
export type BeginBulk = (account: Account, tag: string | undefined) => Bulk;

/** Adds records that are like one that was made as any other is, but for what `vary` says. */
export function likeSample<Wire, Hidden>(
  account: Account,
  collection: Collection<Wire, Hidden>,
  id: Id,
  vary: (serial: number) => Partial<Wire>,
): (serial: number) => Entry<Wire, Hidden> {
  const sample = collection.get(account, id);
  if (sample === undefined) {
    throw new Error(`no record ${id} to make others like: it was to be stored just before`);
  }
  return (serial) => {
    const entry = { wire: { ...sample.wire, ...vary(serial) }, hidden: sample.hidden };
    collection.insert(account, entry.wire, entry.hidden);
    return entry;
  };
}

/** Two lists that show their whole when no page is asked for. */
export function unpaged(path: string): string {
  return `${path}?page=1`;
}

/** A name that no other bulk record of its kind has. */
export function bulkName(serial: number): string {
  return `bulk-${serial}`;
}

export const HTTP_RULE: JsonObject = { entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 80 };
