import type { StatementSync } from 'node:sqlite';

/** What is kept back in memory while a transaction is under way. */
export interface KeptBack {
  /** Writes it. */
  readonly flush: () => void;
  /** Drops it, and what was remembered of the store: it was undone. */
  readonly forget: () => void;
}

export interface Transactions {
  /** Does work in one transaction: all of it is stored when this returns, none of it when it throws. */
  readonly whole: <T>(work: () => T) => T;
  /** Inside one: does work that can be undone alone. When it throws, what was done before it in the same transaction stays. */
  readonly attempt: <T>(work: () => T) => { readonly result: T } | { readonly error: unknown };
}

/** The transactions of a database, one at a time. */
export function transactions(sql: (text: string) => StatementSync, kept: KeptBack): Transactions {
  return {
    whole: (work) => {
      sql('BEGIN IMMEDIATE').run();
      try {
        const result = work();
        kept.flush();
        sql('COMMIT').run();
        return result;
      } catch (error) {
        sql('ROLLBACK').run();
        kept.forget();
        throw error;
      }
    },
    attempt: (work) => {
      kept.flush();
      sql('SAVEPOINT work').run();
      try {
        return { result: work() };
      } catch (error) {
        sql('ROLLBACK TO work').run();
        kept.forget();
        return { error };
      }
    },
  };
}
