import { ToolError } from '../errors.ts';
import type { Rate } from '../functions/access-tokens.ts';
import type { Budget } from '../functions/budget.ts';
import type { Settings } from '../functions/settings.ts';
import type { Caller } from './callers.ts';
import type { Store } from './store/store.ts';

/** Where turns are counted: by all instances together where they share a store, else by each for itself. */
export interface RateScope {
  readonly memory: Store;
  readonly settings: Settings;
  readonly budget: Budget;
}

/**
 * Counts a call against its caller's rate: a bucket of as many tokens as the rate has calls, filled evenly. What is kept is one moment, at which the
 * bucket will be full again.
 *
 * @throws ToolError `rate_limited` with the time until the next token
 */
export async function takeTurn({ name, rate }: Caller, { memory, settings, budget }: RateScope): Promise<void> {
  if (!rate) return;
  const store = settings.kvUrl === undefined ? memory : await shared(settings.kvUrl, budget);
  const key = `rate/${name}`;
  // Whoever gets in between takes a token, so that this ends with a token or with an empty bucket, however many count at the same moment.
  do {
    const now = Date.now();
    const held = await store.get(key);
    const fullAt = Math.max(now, Number(held ?? now)) + rate.perMs / rate.calls;
    const waitMs = Math.ceil(fullAt - rate.perMs - now);
    if (waitMs > 0) throw tooOften(name, rate, waitMs);
    if (await store.swap(key, held, String(fullAt), rate.perMs)) return;
  } while (budget.remainingMs() > 0);
  throw tooOften(name, rate, Math.ceil(rate.perMs / rate.calls));
}

async function shared(url: string, { remainingMs }: Budget): Promise<Store> {
  const { openStore } = await import('./store/open-store.ts');
  return openStore(url, remainingMs);
}

function tooOften(name: string, { calls, perMs }: Rate, retryAfterMs: number): ToolError {
  return new ToolError('rate_limited', `${name} may make ${calls} calls in ${perMs / 1000} s; the next one in ${retryAfterMs} ms`, {
    retryAfterMs,
  });
}
