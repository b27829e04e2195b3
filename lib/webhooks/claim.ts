import { digest } from '../access/consent/binding.ts';
import { putFirst } from '../access/store/put-first.ts';
import type { Store } from '../access/store/store.ts';
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

/** Claims a delivery by its id, for all instances that share the store. */
export async function claim(hook: Hook, delivery: ReadDelivery, store: Store): Promise<Claim | Claimed> {
  const { id, named } = delivery;
  const key = `hook/${hook.name}/${digest(id)}`;
  const ttlMs = named ? keptMs : keptByBodyMs;
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
  if (held === undefined) return claim(hook, delivery, store);
  const begunAt = Number(/^begun (\d+)/.exec(held)?.[1]);
  const cutOff = Date.now() - begunAt > longestMs;
  // Whoever notices it first says so; to the others it is a duplicate.
  return cutOff && (await store.swap(key, held, over, ttlMs)) ? 'cut off' : 'claimed before';
}
