/** What a client knows of each thing that it wrote: how it has to be, and how it may be besides, where no answer came. */
export interface Ledger<Value> {
  /** Notes how a thing is to become before the write is sent. */
  intend(name: string, value: Value | undefined): void;
  /** The write was answered: it holds, or it was refused and changed nothing. */
  answered(name: string, isDone: boolean): void;
  /** What is wrong with a thing as it is found after a restart; undefined: nothing. From then on it has to be as it was found. */
  settle(name: string, found: Value | undefined): string | undefined;
  readonly names: Iterable<string>;
  readonly acknowledged: number;
}

interface Entry<Value> {
  readonly certain: Value | undefined;
  /** A write that is under way, or that was never answered. */
  readonly intended?: { readonly value: Value | undefined };
}

export function ledger<Value>(): Ledger<Value> {
  const entries = new Map<string, Entry<Value>>();
  let acknowledged = 0;
  return {
    intend(name, value) {
      entries.set(name, { certain: entries.get(name)?.certain, intended: { value } });
    },
    answered(name, isDone) {
      const { certain, intended } = entries.get(name) ?? {};
      entries.set(name, { certain: isDone ? intended?.value : certain });
      if (isDone) acknowledged += 1;
    },
    settle(name, found) {
      const { certain, intended } = entries.get(name) ?? {};
      entries.set(name, { certain: found });
      const allowed = intended ? [certain, intended.value] : [certain];
      if (allowed.includes(found)) return undefined;
      const words = allowed.map((value) => JSON.stringify(value) ?? 'nothing').join(' or ');
      return `${name}: expected ${words}, found ${JSON.stringify(found) ?? 'nothing'}`;
    },
    get names() {
      return entries.keys();
    },
    get acknowledged() {
      return acknowledged;
    },
  };
}
