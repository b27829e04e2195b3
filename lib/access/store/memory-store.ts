import type { Store } from './store.ts';

/** More keys than this are only kept while they are fresh. */
const crowded = 1000;

/** A store of one process alone, which goes with it. */
export function memoryStore(): Store {
  const entries = new Map<string, { readonly value: string; readonly endsAt: number }>();
  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    if (entry && entry.endsAt > Date.now()) return entry.value;
    entries.delete(key);
    return undefined;
  };
  const sweep = () => {
    if (entries.size > crowded) for (const key of [...entries.keys()]) read(key);
  };
  return {
    get: async (key) => read(key),
    async swap(key, expected, next, ttlMs) {
      if (read(key) !== expected) return false;
      sweep();
      if (next === undefined) entries.delete(key);
      else entries.set(key, { value: next, endsAt: Date.now() + ttlMs });
      return true;
    },
  };
}
