import { seal, unseal } from '../access/seal.ts';
import type { Store } from '../access/store/store.ts';
import { isRecord } from '../catalogue/is-record.ts';
import type { Delivery } from './delivery.ts';
import type { CallOutcome, Outcome } from './outcome.ts';

/** A delivery as it is remembered. */
export interface LoggedDelivery {
  readonly id: string;
  /** When it came, in ISO 8601. */
  readonly at: string;
  readonly status: Outcome['status'];
  readonly calls: readonly CallOutcome[];
  readonly reason?: string;
  readonly durationMs: number;
  /** It was not sent: somebody had an earlier one carried out again. */
  readonly replay?: true;
  /** What was sent; absent where it was too long to be kept. */
  readonly request?: KeptRequest;
}

/** A delivery in JSON: headers without credentials, the body in base64. */
export interface KeptRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: string;
}

/** The deliveries of one hook that are remembered. */
const keptCount = 200;
const keptMs = 30 * 24 * 60 * 60_000;

/** A longer body is not kept: two hundred of them would fill a small store. */
const longestBodyBytes = 64 * 1024;

/** So often a number is tried for by a delivery whose time is up: together within what is kept back for its answer. */
const fewestAttempts = 20;
const longestPauseMs = 20;

/** The last deliveries of the hooks, newest first, sealed in the installation's store. */
export interface DeliveryLog {
  /** Goes on trying beside others until `timeUp` is aborted. Errors: those of the store; Error for a log that others kept busy until then. */
  append(hook: string, delivery: LoggedDelivery, timeUp: AbortSignal): Promise<void>;
  list(hook: string): Promise<readonly LoggedDelivery[]>;
}

/** A ring of entries for each hook, and beside it the number of all that there ever were. */
export function deliveryLog(store: Store, secret: string): DeliveryLog {
  const countKey = (hook: string) => `hook-log/${hook}`;
  const entryKey = (hook: string, number: number) => `hook-log/${hook}/${number % keptCount}`;
  const takeNumber = async (hook: string, timeUp: AbortSignal): Promise<number> => {
    for (let attempt = 1; attempt <= fewestAttempts || !timeUp.aborted; attempt++) {
      const held = await store.get(countKey(hook));
      const number = Number(held ?? 0);
      if (await store.swap(countKey(hook), held, String(number + 1), keptMs)) return number;
      await pause(attempt);
    }
    throw new Error(`the log of ${hook} is written by too many at once`);
  };
  return {
    async append(hook, delivery, timeUp) {
      const key = entryKey(hook, await takeNumber(hook, timeUp));
      await store.swap(key, await store.get(key), seal(delivery, secret), keptMs);
    },
    async list(hook) {
      const count = Number((await store.get(countKey(hook))) ?? 0);
      const numbers = Array.from({ length: Math.min(count, keptCount) }, (_, index) => count - 1 - index);
      const entries = await Promise.all(numbers.map((number) => store.get(entryKey(hook, number))));
      return entries.flatMap((entry) => {
        const delivery = entry === undefined ? undefined : unseal(entry, secret);
        // Safe: only what was sealed here can be unsealed. What was sealed with an earlier key is lost.
        return isRecord(delivery) ? [delivery as unknown as LoggedDelivery] : [];
      });
    },
  };
}

/** Parts those who were after the same number: each waits for another while, the longer the more of them there seem to be. */
function pause(attempt: number): Promise<void> {
  const ms = Math.random() * Math.min(attempt, longestPauseMs);
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A delivery as it can be kept, to be carried out again; undefined where it is too long. */
export function keptRequest({ bytes, query }: Delivery, headers: Readonly<Record<string, string>>): KeptRequest | undefined {
  return bytes.length > longestBodyBytes ? undefined : { headers, query: query.toString(), body: bytes.toString('base64') };
}

/** The delivery that was kept. */
export function deliveryOf({ headers, query, body }: KeptRequest): Delivery {
  return { headers, query: new URLSearchParams(query), bytes: Buffer.from(body, 'base64') };
}
