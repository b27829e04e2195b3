import { isRecord } from '../catalogue/is-record.ts';
import { isSegment } from '../catalogue/path.ts';
import type { PlatformRecord } from '../catalogue/platform-calls.ts';
import type { Arguments, Follow, Tool } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import { type Result, unwrap } from './unwrap.ts';

/** How a follower looks, and how long it may. */
export interface Following {
  /** Reads at a path of the platform. */
  readonly read: (path: string) => Promise<unknown>;
  /** What is left for waiting; nothing begins once it is 0. */
  readonly remainingMs: () => number;
}

/** Between two looks: at first so long, then ever longer. */
const firstPauseMs = 500;
const longestPauseMs = 5000;

/** A change whose reply says nothing is not to be seen at once: before this has passed, only what was seen under way is believed to have ended. */
export const unseenMs = 5000;

/** Looks at several at a time, and no more: a tag may have hundreds of instances. */
export const looksAtOnce = 5;

/** More calls than these would not be made one by one. */
const mostNext = 5;

interface Watched {
  readonly started: PlatformRecord;
  /** As it was last seen; undefined until then where the reply said nothing of it. */
  readonly seen?: PlatformRecord;
  readonly over: boolean;
}

/**
 * The result of a write once what it set going is over, or as far as that is when the time is up; then `next` has the calls that look again.
 * The write was done: that something cannot be read ends the waiting, and is no failure.
 */
export async function followed(tool: Tool, input: Arguments, result: Result, following: Following): Promise<Result> {
  const { follow } = tool;
  if (!follow) return result;
  const { started, listed } = startedBy(result);
  const watched = await watch(started, input, follow, following);
  const unfinished = watched.filter(({ over }) => !over).slice(0, mostNext);
  const next = unfinished.map(({ started }) => follow.next(input, started));
  const soFar = shownAs(tool, input, result, watched, listed);
  return next.length === 0 ? soFar : { ...soFar, next };
}

async function watch(
  started: readonly PlatformRecord[],
  input: Arguments,
  follow: Follow<Arguments>,
  { read, remainingMs }: Following,
): Promise<readonly Watched[]> {
  const beganAt = performance.now();
  let watched: readonly Watched[] = started.map((record) => asReplied(record, follow));
  for (let pauseMs = firstPauseMs; watched.some(({ over }) => !over); pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    if (remainingMs() <= pauseMs) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const early = performance.now() - beganAt < unseenMs;
    const looked = await lookAll(watched, (one) => look(one, input, follow, read, early), remainingMs);
    watched = looked.watched;
    if (looked.failed) break;
  }
  return watched;
}

function asReplied(started: PlatformRecord, follow: Follow<Arguments>): Watched {
  const { pending } = follow;
  if (!canBeFollowed(started, follow)) return { started, seen: started, over: true };
  if (started.status === undefined) return { started, over: false };
  return { started, seen: started, over: !isPending(started, pending) };
}

async function look(one: Watched, input: Arguments, follow: Follow<Arguments>, read: Following['read'], early: boolean): Promise<Watched> {
  const seen = await seenAt(follow.path(input, one.started), follow, read);
  const believed = one.seen !== undefined || !early;
  if (isPending(seen, follow.pending)) return { ...one, seen, over: false };
  return believed ? { ...one, seen, over: true } : one;
}

/** What a write set going, by its result. */
export interface Started {
  readonly started: readonly PlatformRecord[];
  /** The result is a list of them. */
  readonly listed: boolean;
}

/** The records of what a write set going: those of a list, or the one that its result is. */
export function startedBy(result: Result): Started {
  const { items } = result;
  return Array.isArray(items) ? { started: items.filter(isRecord), listed: true } : { started: [result], listed: false };
}

/** The record at a path of the platform. Throws what `read` throws, and `platform_error` for a reply without it. */
export async function seenAt(path: string, { returns }: Follow<Arguments>, read: Following['read']): Promise<PlatformRecord> {
  const reply = await read(path);
  const seen = isRecord(reply) ? reply[returns] : undefined;
  if (isRecord(seen)) return seen;
  throw new ToolError('platform_error', `the reply to GET ${path} has no ${returns}`);
}

/** Whether the platform said what has to be known to ask it again. */
export function canBeFollowed(started: PlatformRecord, { known = ['id'] }: Follow<Arguments>): boolean {
  return known.every((name) => typeof started[name] === 'number' || (typeof started[name] === 'string' && isSegment(started[name])));
}

/** Whether a record says that it is under way. */
export function isPending({ status }: PlatformRecord, pending: readonly string[]): boolean {
  return pending.includes(String(status).toLowerCase());
}

interface Looked {
  readonly watched: readonly Watched[];
  /** Something could not be read. */
  readonly failed: boolean;
}

/** Looks at everything that is not over, a few at a time and while there is time; the rest stays as it was. */
async function lookAll(all: readonly Watched[], lookAt: (one: Watched) => Promise<Watched>, remainingMs: () => number): Promise<Looked> {
  const watched = [...all];
  const open = [...watched.keys()].filter((index) => watched[index]?.over === false);
  let failed = false;
  for (let from = 0; from < open.length && !failed && remainingMs() > 0; from += looksAtOnce) {
    await Promise.all(
      open.slice(from, from + looksAtOnce).map(async (index) => {
        const one = watched[index];
        if (!one) return;
        try {
          watched[index] = await lookAt(one);
        } catch (failure) {
          if (!(failure instanceof ToolError)) throw failure;
          failed = true;
        }
      }),
    );
  }
  return { watched, failed };
}

/** The result in the shape that the tool gives it, of what was last seen. */
function shownAs(tool: Tool, input: Arguments, result: Result, watched: readonly Watched[], listed: boolean): Result {
  const envelopes = [tool.returns ?? []].flat();
  const [envelope = ''] = envelopes;
  if (listed) return unwrap(tool, input, { [envelope]: watched.map(({ started, seen }) => seen ?? started) });
  const [only] = watched;
  if (!only?.seen || only.seen === only.started) return result;
  if (envelopes.length === 0) return { ...result, status: only.seen.status };
  const { actions } = result;
  return { ...unwrap(tool, input, { [envelope]: only.seen }), ...(actions !== undefined && !only.over && { actions }) };
}
