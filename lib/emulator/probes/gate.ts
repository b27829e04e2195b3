/** Lets a bounded number of works run at once; the others wait, in the order they came. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function gate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let free = places;
  const enter = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) {
      free += 1;
      return;
    }
    next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
