/**
 * Where the instances of an installation keep what they must agree on: which keys were used, how often somebody called.
 *
 * One conditional write is all there is to it: whoever of several puts a value first, wins, and the others are told.
 */
export interface Store {
  /** The value under a key; undefined where there is none, or its time has passed. */
  get(key: string): Promise<string | undefined>;
  /**
   * Puts `next` under a key if it holds `expected` at that moment, for so long; undefined stands for no value on either side.
   * Tells whether it did.
   */
  swap(key: string, expected: string | undefined, next: string | undefined, ttlMs: number): Promise<boolean>;
}

/** A store that may have to wait for others who use it; it gives an operation up when `timeUp` is aborted. */
export interface SharedStore {
  get(key: string, timeUp: AbortSignal): Promise<string | undefined>;
  swap(key: string, expected: string | undefined, next: string | undefined, ttlMs: number, timeUp: AbortSignal): Promise<boolean>;
}
