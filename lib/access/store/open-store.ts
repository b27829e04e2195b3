import { ToolError } from '../../errors.ts';
import type { Store } from './store.ts';

/** The stores of this process, by address. */
const opened = new Map<string, Promise<Store>>();

/** What is left for one who waits for a store, in milliseconds. */
type RemainingMs = () => number;

/** Nobody waits longer for one operation. */
const longestMs = 2000;

/** So long is waited in any case: what was done has to be written down when the time of the call is up too. It is less than what is kept back for that. */
const leastMs = 150;

/**
 * The store at an address (`redis:`, `rediss:`, `file:`), opened with the first call that needs it and kept for those that follow. A server that does not
 * answer holds nobody up beyond their time.
 *
 * @throws ToolError `platform_unavailable` when it cannot be reached, now or by one of its operations later
 */
export async function openStore(url: string, remainingMs: RemainingMs = () => longestMs): Promise<Store> {
  const opening = opened.get(url) ?? open(url);
  opened.set(url, opening);
  // One who gives up early leaves it opening for those who have more time; what fails is tried anew by the next.
  opening.catch(() => opened.delete(url));
  const told = telling(remainingMs);
  const store = await told(opening);
  return {
    get: (key) => told(store.get(key)),
    swap: (key, expected, next, ttlMs) => told(store.swap(key, expected, next, ttlMs)),
  };
}

async function open(url: string): Promise<Store> {
  if (url.startsWith('file:')) {
    const { sqliteStore } = await import('./sqlite-store.ts');
    return sqliteStore(process.getBuiltinModule('node:url').fileURLToPath(url));
  }
  const { redisStore } = await import('./redis-store.ts');
  return redisStore(url);
}

/** Waits for an operation as long as there is time, and tells its failure as what it means to a caller. */
function telling(remainingMs: RemainingMs): <Value>(operation: Promise<Value>) => Promise<Value> {
  return async (operation) => {
    const waitMs = Math.max(leastMs, Math.min(remainingMs(), longestMs));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${Math.round(waitMs)} ms`)), waitMs);
    });
    try {
      return await Promise.race([operation, late]);
    } catch (failure) {
      throw unreachable(failure);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The address is left out: it may hold a password. */
function unreachable(cause: unknown): ToolError {
  return new ToolError('platform_unavailable', "the installation's store (KV_URL) does not answer, so nothing was begun; come back later", {
    cause,
  });
}
