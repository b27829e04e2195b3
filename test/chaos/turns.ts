/** Has one piece of work done after the other. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    // Who asked for it hears of its failure; the next one is not held up by it.
    last = done.catch(() => undefined);
    return done;
  };
}
