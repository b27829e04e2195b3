import type { Store } from './store.ts';

/** From so many keys on, those that have ended are looked for. */
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
  let sweepAt = crowded;
  const sweep = () => {
    if (entries.size < sweepAt) return;
    for (const key of [...entries.keys()]) read(key);
    // Not before there are twice as many: looking at all that stays, with every write, would cost more the more there is.
    sweepAt = Math.max(crowded, 2 * entries.size);
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
