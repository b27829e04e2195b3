import { isRecord } from '../catalogue/is-record.ts';
import type { Result } from '../client/unwrap.ts';
import { type ErrorCode, type ErrorRecord, ToolError } from '../errors.ts';
import type { Budget } from '../functions/budget.ts';
import { type Binding, digest } from './consent/binding.ts';
import type { Note } from './notes.ts';
import { seal, unseal } from './seal.ts';
import { putFirst } from './store/put-first.ts';
import type { Store } from './store/store.ts';

/** A call that carries a key of its caller's choice, so that it may be repeated and is carried out once. */
export interface KeyedCall {
  readonly tool: string;
  readonly key: string;
  readonly binding: Binding;
  /** What seals the answer that is kept. */
  readonly secret: string;
}

export interface OnceScope {
  readonly store: Store;
  readonly budget: Budget;
  readonly note: Note;
}

/** How long the first answer is kept. */
const keptMs = 24 * 60 * 60_000;

/** No call takes longer: one that was begun before and has no answer was cut off. */
const longestCallMs = 60_000;

const pauseMs = 100;

/** Failures after which nothing has happened and a repetition may fare better: the key is free again. */
const released: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'platform_unavailable',
  'deadline_exceeded',
  'unauthenticated',
  'forbidden',
  'not_configured',
]);

/** What is kept under a key: which call has begun with it, and once it has ended, how. */
type Entry =
  | { readonly call: string; readonly begunAt: number }
  | { readonly call: string; readonly result: Result }
  | { readonly call: string; readonly error: ErrorRecord };

/**
 * Carries a call out unless its key has been used; then answers what the first call was answered, for 24 hours. A twin of a call that is under way
 * waits for it.
 *
 * @param admit what has to be asked before the key is taken; not asked where there is an answer already
 * @throws ToolError `conflict` for a key that was used for another call, or whose first call is still under way; `outcome_unknown` where that was cut off
 *   before it could say how it ended; what the first call failed with
 */
export async function once(
  call: KeyedCall,
  scope: OnceScope,
  admit: () => Promise<void>,
  carryOut: () => Promise<Result>,
): Promise<Result> {
  const place = `once/${digest([call.binding.caller, call.key])}`;
  const begun = seal({ call: call.binding.call, begunAt: Date.now() } satisfies Entry, call.secret);
  while (true) {
    const held = await scope.store.get(place);
    if (held === undefined) {
      await admit();
      if (await putFirst(scope.store, place, begun, keptMs)) break;
      continue;
    }
    const entry = entryIn(held, call);
    if (!('begunAt' in entry)) return answerIn(entry, scope.note);
    await waitFor(entry.begunAt, call, scope);
  }
  const keep = (next: Entry | undefined) => scope.store.swap(place, begun, next && seal(next, call.secret), keptMs);
  return recorded(call, scope, carryOut, keep);
}

type Keep = (next: Entry | undefined) => Promise<boolean>;

async function recorded(call: KeyedCall, { note }: OnceScope, carryOut: () => Promise<Result>, keep: Keep): Promise<Result> {
  // It was carried out: that this cannot be written down must not make it look as if it had failed.
  const tryToKeep = (next: Entry | undefined) => keep(next).catch(() => note({ unrecorded: true }));
  try {
    const result = await carryOut();
    await tryToKeep({ call: call.binding.call, result });
    return result;
  } catch (failure) {
    // A bug says nothing about what happened: the key stays taken, and a repetition is told so.
    if (failure instanceof ToolError) {
      await tryToKeep(released.has(failure.code) ? undefined : { call: call.binding.call, error: failure.toRecord() });
    }
    throw failure;
  }
}

function entryIn(held: string, { tool, key, binding, secret }: KeyedCall): Entry {
  const entry = unseal(held, secret);
  const shown = JSON.stringify(key.slice(0, 80));
  if (!isRecord(entry)) {
    throw new ToolError(
      'conflict',
      `${tool}: what was done under the key ${shown} was sealed with another SEAL_KEY, or, where none is set, with another token; use a new key`,
    );
  }
  if (entry.call !== binding.call) {
    throw new ToolError('conflict', `${tool}: the key ${shown} was used for another call or other arguments; use a new key for each call`);
  }
  // Safe: only what this file sealed can be unsealed.
  return entry as unknown as Entry;
}

function answerIn(entry: Exclude<Entry, { readonly begunAt: number }>, note: Note): Result {
  note({ decision: 'replayed' });
  if ('result' in entry) return entry.result;
  const { code, message, ...details } = entry.error;
  throw new ToolError(code, message, details);
}

/** Waits a moment for the first call. */
async function waitFor(begunAt: number, { tool }: KeyedCall, { budget }: OnceScope): Promise<void> {
  if (Date.now() - begunAt > longestCallMs) {
    throw new ToolError(
      'outcome_unknown',
      `${tool}: the first call with this key was cut off before it could say how it ended; it may or may not have happened, so look before you call with a new key`,
    );
  }
  if (budget.remainingMs() < 2 * pauseMs) {
    throw new ToolError('conflict', `${tool}: the first call with this key is still under way; repeat it with the same key`, {
      retryable: true,
      retryAfterMs: 1000,
    });
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
