import type { StatementSync } from 'node:sqlite';

/** Something in memory that a transaction changes together with the store. */
export interface Memory {
  /** Writes what is kept back until the transaction commits. */
  readonly flush?: () => void;
  /** What is kept back at this moment; the function given keeps it back again, after `forget`. */
  readonly copy?: () => () => void;
  /** Drops what is kept back, and what is remembered of the store: it was undone. */
  readonly forget: () => void;
}

export interface Transactions {
  /** Does work in one transaction: all of it is stored when this returns, none of it when it throws. */
  readonly whole: <T>(work: () => T) => T;
  /** Inside one: does work that can be undone alone. When it throws, what was done before it in the same transaction stays. */
  readonly attempt: <T>(work: () => T) => { readonly result: T } | { readonly error: unknown };
}

/** The transactions of a database, one at a time, and what is in memory of it. */
export function transactions(sql: (text: string) => StatementSync, memories: readonly Memory[]): Transactions {
  const forget = (): void => {
    for (const memory of memories) {
      memory.forget();
    }
  };
  return {
    whole: (work) => {
      sql('BEGIN IMMEDIATE').run();
      try {
        const result = work();
        for (const memory of memories) {
          memory.flush?.();
        }
        sql('COMMIT').run();
        return result;
      } catch (error) {
        forget();
        try {
          sql('ROLLBACK').run();
        } catch {
          // SQLite has undone it by itself, as on a full disk.
        }
        throw error;
      }
    },
    attempt: (work) => {
      const copies = memories.map((memory) => memory.copy?.());
      sql('SAVEPOINT work').run();
      try {
        const result = work();
        sql('RELEASE work').run();
        return { result };
      } catch (error) {
        forget();
        try {
          sql('ROLLBACK TO work').run();
          sql('RELEASE work').run();
        } catch {
          // SQLite has undone all of the transaction by itself: nothing of it stays.
          throw error;
        }
        for (const keepBack of copies) {
          keepBack?.();
        }
        return { error };
      }
    },
  };
}
