import type { Store } from './store.ts';

/**
 * Puts a value under a key where there is none, and tells whether it did. A value that the store did not confirm may have been written all the same: it is
 * taken away again, since whoever comes back after the failure must not find the key taken.
 *
 * @param value no other that may come under the key looks like it
 * @throws what the store throws
 */
export async function putFirst(store: Store, key: string, value: string, ttlMs: number): Promise<boolean> {
  try {
    return await store.swap(key, undefined, value, ttlMs);
  } catch (failure) {
    await store.swap(key, value, undefined, ttlMs).catch(() => undefined);
    throw failure;
  }
}
