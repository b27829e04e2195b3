/** Has work for one key be done one after the other, in the order it was asked for; what is for different keys does not wait. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Without turns, moving a clock could find its account replaced half way. */
export function turns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const turn = before === undefined ? work() : before.then(work);
    const over: Promise<unknown> = turn
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === over) {
          last.delete(key);
        }
      });
    last.set(key, over);
    return turn;
  };
}
