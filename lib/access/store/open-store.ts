import { ToolError } from '../../errors.ts';
import type { SharedStore, Store } from './store.ts';

/** The stores of this process, by address. */
const opened = new Map<string, Promise<SharedStore>>();

/** What is left for one who waits for a store, in milliseconds. */
type RemainingMs = () => number;

/** Nobody waits longer for one operation: for a server that may never answer, or for those who write into a file and will be done with it. */
const longestServerMs = 2000;
const longestFileMs = 10_000;

/** So long is waited in any case: what was done has to be written down when the time of the call is up too. It is less than what is kept back for that. */
const leastMs = 150;

/**
 * The store at an address (`redis:`, `rediss:`, `file:`), opened with the first call that needs it and kept for those that follow. A server that does not
 * answer holds nobody up beyond their time.
 *
 * @throws ToolError `platform_unavailable` when it cannot be reached, now or by one of its operations later
 */
export async function openStore(url: string, remainingMs: RemainingMs): Promise<Store> {
  // Loading code is no server's delay.
  const open = await openerOf(url);
  const opening = opened.get(url) ?? open();
  opened.set(url, opening);
  // One who gives up early leaves it opening for those who have more time; what fails is tried anew by the next.
  opening.catch(() => opened.delete(url));
  const longestMs = url.startsWith('file:') ? longestFileMs : longestServerMs;
  const told = telling(() => Math.max(leastMs, Math.min(remainingMs(), longestMs)));
  const store = await told(() => opening);
  return {
    get: (key) => told((timeUp) => store.get(key, timeUp)),
    swap: (key, expected, next, ttlMs) => told((timeUp) => store.swap(key, expected, next, ttlMs, timeUp)),
  };
}

async function openerOf(url: string): Promise<() => Promise<SharedStore>> {
  if (url.startsWith('file:')) {
    const { sqliteStore } = await import('./sqlite-store.ts');
    return () => sqliteStore(process.getBuiltinModule('node:url').fileURLToPath(url));
  }
  const { redisStore } = await import('./redis-store.ts');
  return () => redisStore(url);
}

/** Waits for an operation as long as there is time, and tells its failure as what it means to a caller. */
function telling(allowedMs: () => number): <Value>(operate: (timeUp: AbortSignal) => Promise<Value>) => Promise<Value> {
  return async (operate) => {
    const waitMs = allowedMs();
    const aborter = new AbortController();
    const late = new Promise<never>((_, reject) => {
      aborter.signal.addEventListener('abort', () => reject(new Error(`no answer within ${Math.round(waitMs)} ms`)));
    });
    const timer = setTimeout(() => aborter.abort(), waitMs);
    try {
      return await Promise.race([operate(aborter.signal), late]);
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
