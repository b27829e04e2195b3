/**
 * Runs a task for each item, at most `limit` at a time; results in the order of the items. When one throws, those begun are awaited, no
 * other begins, and the first error is thrown.
 */
export async function inParallel<T, R>(items: readonly T[], limit: number, task: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const failures: unknown[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results.set(index, await task(item));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, work));
  if (failures.length > 0) throw failures[0];
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
