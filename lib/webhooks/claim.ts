import { digest } from '../access/consent/binding.ts';
import { putFirst } from '../access/store/put-first.ts';
import type { Store } from '../access/store/store.ts';
import { ToolError } from '../errors.ts';
import type { Budget } from '../functions/budget.ts';
import type { ReadDelivery } from './delivery.ts';
import type { Hook } from './hook.ts';

/** A delivery that this instance, and no other, carries out. */
export interface Claim {
  /** Says that it is over. */
  settle(): Promise<void>;
  /** Lets it be sent again: nothing was done. */
  release(): Promise<void>;
}

/** What has become of a delivery that was claimed before. */
export type Claimed = 'claimed before' | 'cut off';

/** Senders that repeat do so for up to three days (Stripe, "Retries"). */
const keptMs = 3 * 24 * 60 * 60_000;

/** Where the body stands for the id, an equal one some time later is another event. */
const keptByBodyMs = 60 * 60_000;

/** No delivery takes longer: one that was begun before, and is not over, was cut off. */
const longestMs = 60_000;

const over = 'over';

/** So long after another look at one that is under way. */
const pauseMs = 100;

/**
 * Claims a delivery by its id, for all instances that share the store. While another one of the id is under way it waits: that may still be given back.
 *
 * @throws ToolError `platform_unavailable` where there is no time to wait for it
 */
export async function claim({ name }: Hook, { id, named }: ReadDelivery, store: Store, budget: Budget): Promise<Claim | Claimed> {
  const key = `hook/${name}/${digest(id)}`;
  const ttlMs = named ? keptMs : keptByBodyMs;
  while (true) {
    // No other claim, of the same moment on another instance, looks like this one.
    const begun = `begun ${Date.now()} ${process.getBuiltinModule('node:crypto').randomUUID()}`;
    if (await putFirst(store, key, begun, ttlMs)) {
      return {
        settle: async () => void (await store.swap(key, begun, over, ttlMs)),
        release: async () => void (await store.swap(key, begun, undefined, ttlMs)),
      };
    }
    const held = await store.get(key);
    // Given back in between: it is anybody's again.
    if (held === undefined) continue;
    if (held === over) return 'claimed before';
    const begunAt = Number(/^begun (\d+)/.exec(held)?.[1]);
    // Whoever notices it first says so; to the others it is a duplicate.
    if (Date.now() - begunAt > longestMs) return (await store.swap(key, held, over, ttlMs)) ? 'cut off' : 'claimed before';
    if (budget.remainingMs() < 2 * pauseMs)
      throw new ToolError('platform_unavailable', `the delivery ${id} is still under way; send it again later`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
