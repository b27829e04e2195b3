import { isRecord } from '../catalogue/is-record.ts';
import type { PlatformRecord } from '../catalogue/platform-calls.ts';
import { type Arguments, type Follow, pathArguments, type Tool } from '../catalogue/tool.ts';
import { ToolError } from '../errors.ts';
import { canBeFollowed, isPending, looksAtOnce, seenAt, startedBy, unseenMs } from './follow.ts';
import { type Result, unwrap } from './unwrap.ts';

/** Where what a write set going is seen, for whoever asks later and knows nothing else of the call. */
export interface Trail {
  /** Of the platform; one for each thing that was set going. */
  readonly paths: readonly string[];
  /** The result is a list of them. */
  readonly listed: boolean;
  /** The reply said nothing of how things stand, so that they need not be seen at once. */
  readonly silent: boolean;
  /** The arguments that the result depends on; never any of what was sent. */
  readonly input: Arguments;
  /** The tool that shows the same. */
  readonly shownBy: string;
}

/** More would make a trail longer than a header may be. */
const mostPaths = 40;

/** The trail of what a write set going; undefined where nothing is under way, or too much for a trail. */
export function trailOf(tool: Tool, input: Arguments, result: Result): Trail | undefined {
  const { follow } = tool;
  if (!follow) return undefined;
  const { started, listed } = startedBy(result);
  const [first] = started;
  const underWay = started.some((record) => record.status === undefined || isPending(record, follow.pending));
  const known = started.every((record) => canBeFollowed(record, follow));
  if (!first || !underWay || !known || started.length > mostPaths) return undefined;
  return {
    paths: started.map((record) => follow.path(input, record)),
    listed,
    silent: started.some(({ status }) => status === undefined),
    input: pick(input, [...pathArguments(tool), 'RevealSecrets']),
    shownBy: follow.next(input, first).tool,
  };
}

/** What is at the end of a trail. */
export interface Arrival {
  readonly result: Result;
  /** Some of it ended in an error. */
  readonly failed: boolean;
}

/**
 * Looks once at all that is on a trail.
 *
 * @param ageMs how long ago it was set going
 * @returns undefined while some of it is under way
 * @throws ToolError what `read` throws; where there are several, one that is gone for good becomes an item of the result
 */
export async function lookAlong(
  tool: Tool,
  trail: Trail,
  ageMs: number,
  read: (path: string) => Promise<unknown>,
): Promise<Arrival | undefined> {
  const { follow } = tool;
  if (!follow) throw new Error(`${tool.name} sets nothing going`);
  const seen: PlatformRecord[] = [];
  for (let from = 0; from < trail.paths.length; from += looksAtOnce) {
    const looked = await Promise.all(trail.paths.slice(from, from + looksAtOnce).map((path) => look(path, follow, trail.listed, read)));
    if (looked.some((record) => isPending(record, follow.pending))) return undefined;
    seen.push(...looked);
  }
  if (trail.silent && ageMs < unseenMs) return undefined;
  return {
    result: shownAtEnd(tool, trail, seen),
    failed: seen.some(({ status, error }) => /^error/i.test(String(status)) || isRecord(error)),
  };
}

/** Whether a failure to look says nothing of what is looked at: another look may fare better. */
export function mayPass(failure: ToolError): boolean {
  return failure.code === 'platform_error' || failure.toRecord().retryable;
}

async function look(path: string, follow: Follow<Arguments>, oneOfMany: boolean, read: (path: string) => Promise<unknown>) {
  try {
    return await seenAt(path, follow, read);
  } catch (failure) {
    if (!oneOfMany || !(failure instanceof ToolError) || mayPass(failure)) throw failure;
    return { error: failure.toRecord() };
  }
}

/** The result as the tool shapes it, of what was seen. */
function shownAtEnd(tool: Tool, { input, listed }: Trail, seen: readonly PlatformRecord[]): Result {
  const [envelope] = [tool.returns ?? []].flat();
  const [only] = seen;
  if (envelope === undefined) return { ...unwrap(tool, input, undefined), status: only?.status };
  return unwrap(tool, input, { [envelope]: listed ? seen : only });
}

function pick(input: Arguments, names: readonly string[]): Arguments {
  return Object.fromEntries(names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
}
