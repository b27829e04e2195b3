import { isRecord } from '../catalogue/is-record.ts';
import type { Arguments } from '../catalogue/tool.ts';
import type { NextCall } from '../errors.ts';
import { jsonBytesOf, mostJsonBytesOf } from './json-bytes.ts';
import type { Result } from './unwrap.ts';

/** The call that a result answers, as far as the way to the rest of it goes. */
export interface FittedCall {
  readonly tool: string;
  readonly input: Arguments;
  /** The names of the arguments that the tool takes. */
  readonly takes: readonly string[];
}

/** What a result says of itself when it is not whole. */
interface Truncated {
  /** What is missing, and how to get it. */
  readonly message: string;
  /** What the whole result would take. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Of a record that did not fit: what each of its members takes. */
  readonly members?: Readonly<Record<string, number>>;
}

/**
 * A result that takes no more than so many bytes as JSON: itself where it fits, else as many of its items as do, or of a record what tells which one it is.
 *
 * Nothing is cut in its middle. What was left out is told in `truncated`, and `next` has the call that brings it, where there is one. A list that is cut
 * is what a smaller page of it would have been, so that its `page`, `perPage` and `nextPage` are true of what it shows.
 */
export function fitResult(result: Result, maxBytes: number, call: FittedCall): Result {
  if (mostBytesOf(result) <= maxBytes) return result;
  const bytes = jsonBytesOf(result);
  if (bytes <= maxBytes) return result;
  const { items } = result;
  const whole = { bytes, maxBytes };
  return Array.isArray(items) ? fitList(result, items, whole, call) : tellRecord(result, whole, call);
}

type Whole = Pick<Truncated, 'bytes' | 'maxBytes'>;

/** Kept free for what is said of the cut. */
const noteBytes = 700;

/** Sizes of pages, largest first: most of them divide where the others end, so that a list can be continued in pages of another size. */
const pageSizes = [180, 120, 90, 60, 50, 40, 30, 25, 20, 15, 12, 10, 9, 8, 6, 5, 4, 3, 2, 1];

function fitList(result: Result, items: readonly unknown[], whole: Whole, call: FittedCall): Result {
  const { items: _, ...beside } = result;
  const fitting = countWithin(items, (item) => jsonBytesOf(item) + 1, whole.maxBytes - noteBytes - jsonBytesOf(beside));
  if (fitting === 0) return tellItem(result, items[0], whole, call);
  const paging = pagingOf(result, call);
  const shown = paging ? (pageSizes.find((size) => size <= fitting && paging.offset % size === 0) ?? 1) : fitting;
  const told = `${shown} of ${items.length} items fit into ${whole.maxBytes} bytes`;
  if (!paging) {
    const message = `${told}; ${call.takes.includes('Fields') ? fewerFields : moreBytes}`;
    return { ...result, items: items.slice(0, shown), truncated: { message, ...whole } satisfies Truncated };
  }
  const page = paging.offset / shown + 1;
  const next = { tool: call.tool, arguments: { ...call.input, [paging.page]: page + 1, [paging.perPage]: shown } };
  return {
    ...result,
    items: items.slice(0, shown),
    page,
    perPage: shown,
    nextPage: page + 1,
    truncated: { message: `${told}; next continues behind them; ${fewerFields}`, ...whole },
    next: [next],
  };
}

const fewerFields = 'with Fields for less of each, more would fit';
const moreBytes = 'a larger maxBytes in the address shows more';

/** Where a page begins, and the names of the arguments that choose another; undefined for a list without pages. */
function pagingOf({ page, perPage }: Result, { takes }: FittedCall) {
  if (typeof page !== 'number' || typeof perPage !== 'number') return undefined;
  const names = [
    ['Page', 'PerPage'],
    ['page', 'per_page'],
  ] as const;
  const found = names.find(([one, other]) => takes.includes(one) && takes.includes(other));
  return found && { offset: (page - 1) * perPage, page: found[0], perPage: found[1] };
}

/** A list whose first item is too large by itself. */
function tellItem(result: Result, item: unknown, whole: Whole, call: FittedCall): Result {
  const members = isRecord(item) ? sizesOf(item, whole.maxBytes) : {};
  const { page, perPage, total } = result;
  const message = `the first of ${Array.isArray(result.items) ? result.items.length : 0} items does not fit into ${whole.maxBytes} bytes with the rest of the answer; ${wayOut(call)}`;
  const next = callForLess(members, whole.maxBytes / 2, call);
  return { items: [], ...(page !== undefined && { page, perPage, total }), truncated: { message, ...whole, members }, ...next };
}

/** A record that is too large: which one it is, and what it is made of. */
function tellRecord(record: Result, whole: Whole, call: FittedCall): Result {
  const known = Object.entries(record).filter(([name, value]) => identifying.has(name) && isShort(value));
  const members = sizesOf(record, whole.maxBytes);
  const message = `the record takes ${whole.bytes} bytes and does not fit into ${whole.maxBytes}; ${wayOut(call)}`;
  return {
    ...Object.fromEntries(known),
    truncated: { message, ...whole, members },
    ...callForLess(members, whole.maxBytes - noteBytes, call),
  };
}

/** The members that tell which record it is, and how it stands. */
const identifying: ReadonlySet<string> = new Set(['done', 'id', 'uuid', 'name', 'ip', 'status']);

function isShort(value: unknown): boolean {
  return typeof value !== 'object' && String(value).length <= 200;
}

function wayOut({ takes }: FittedCall): string {
  return takes.includes('Fields') ? `Fields asks for some of its members, which take so many bytes each; ${moreBytes}` : moreBytes;
}

/** The same call for the smaller members, as many as fit. */
function callForLess(
  members: Readonly<Record<string, number>>,
  room: number,
  { tool, input, takes }: FittedCall,
): { next?: readonly NextCall[] } {
  if (!takes.includes('Fields')) return {};
  const bySize = Object.entries(members).sort(([, one], [, other]) => one - other);
  const chosen = bySize
    .slice(
      0,
      countWithin(bySize, ([path, bytes]) => path.length + bytes, room),
    )
    .map(([path]) => path);
  return chosen.length === 0 ? {} : { next: [{ tool, arguments: { ...input, Fields: chosen.join(',') } }] };
}

/** More names than these would fill the answer themselves; the largest are told. */
const mostMembers = 30;

/** What the members of a record take, by path; of one that is itself too large its own members. */
function sizesOf(record: Readonly<Record<string, unknown>>, maxBytes: number): Readonly<Record<string, number>> {
  const sizes = Object.entries(record).flatMap(([name, value]): (readonly [string, number])[] => {
    const bytes = jsonBytesOf(value);
    if (bytes <= maxBytes / 2 || !isRecord(value)) return [[name, bytes]];
    return Object.entries(value).map(([inner, content]) => [`${name}.${inner}`, jsonBytesOf(content)]);
  });
  return Object.fromEntries(
    sizes
      .filter(([path]) => path.length <= 60)
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostMembers),
  );
}

/** How many of the first of several fit beside each other. */
function countWithin<Item>(items: readonly Item[], sizeOf: (item: Item) => number, room: number): number {
  let used = 0;
  for (const [count, item] of items.entries()) {
    used += sizeOf(item);
    if (used > room) return count;
  }
  return items.length;
}

/** More than a value takes as JSON, found without writing it: most results are far from their bound. */
function mostBytesOf(value: unknown): number {
  if (typeof value === 'string') return mostJsonBytesOf(value);
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += mostBytesOf(item) + 1;
    return bytes;
  }
  // Safe: any object can be looked into by its own names.
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) bytes += mostJsonBytesOf(name) + mostBytesOf(members[name]) + 2;
  return bytes;
}
