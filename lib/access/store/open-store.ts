import { ToolError } from '../../errors.ts';
import type { Store } from './store.ts';

/** The stores of this process, by address. */
const opened = new Map<string, Promise<Store>>();

/**
 * The store at an address (`redis:`, `rediss:`, `file:`), opened with the first call that needs it and kept for those that follow.
 *
 * @throws ToolError `platform_unavailable` when it cannot be reached, now or by one of its operations later
 */
export async function openStore(url: string): Promise<Store> {
  const opening = opened.get(url) ?? open(url);
  opened.set(url, opening);
  try {
    return reporting(await opening);
  } catch (failure) {
    opened.delete(url);
    throw unreachable(failure);
  }
}

async function open(url: string): Promise<Store> {
  if (url.startsWith('file:')) {
    const { sqliteStore } = await import('./sqlite-store.ts');
    return sqliteStore(process.getBuiltinModule('node:url').fileURLToPath(url));
  }
  const { redisStore } = await import('./redis-store.ts');
  return redisStore(url);
}

/** The same store, its failures told as what they mean to a caller. */
function reporting(store: Store): Store {
  const told = async <Value>(operation: Promise<Value>): Promise<Value> => {
    try {
      return await operation;
    } catch (failure) {
      throw unreachable(failure);
    }
  };
  return {
    get: (key) => told(store.get(key)),
    swap: (key, expected, next, ttlMs) => told(store.swap(key, expected, next, ttlMs)),
  };
}

/** The address is left out: it may hold a password. */
function unreachable(cause: unknown): ToolError {
  return new ToolError('platform_unavailable', "the installation's store (KV_URL) does not answer, so nothing was begun; come back later", {
    cause,
  });
}
