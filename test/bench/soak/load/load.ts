import type { Asking } from '../asking.ts';
import type { Deployment } from '../deployment.ts';

/** What every kind of load works on. */
export interface Field extends Pick<Asking, 'ask' | 'calls'> {
  readonly deployment: Deployment;
  /** Bearers of accounts that are all alike: the platform lets each make only so many requests. */
  readonly accounts: readonly string[];
}

/** One piece of work of a kind, the nth. Errors: an answer is not as it has to be. */
export type Work = (n: number) => Promise<void>;

/** The value of a list whose turn it is; the list is not empty. */
export function turnOf<T>(values: readonly T[], n: number): T {
  // Safe: the remainder is a place of the list.
  return values[n % values.length] as T;
}
