import type { Account } from './account.ts';

/** Called once its row has come due, inside the transaction that removes the row. */
export type DueHandler = (account: Account, ref: string, data: unknown) => void;

/** Called inside the transaction in which an event happened. */
export type Listener = (account: Account, ref: string) => void;

/** What has left an account. */
export interface OutboxEntry {
  readonly id: number;
  readonly atMs: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Performs an outbox entry on the outside world. It must not touch the account; what it found out is written by the function
 * it resolves with, which runs as one transaction. Rejecting marks the entry as failed. What must not happen twice calls `leave` just
 * before its first byte leaves: when the process ends after that, the entry is listed as dead instead of being performed again.
 */
export type Effect = (entry: OutboxEntry, leave: () => void) => Promise<(account: Account) => void>;

/** What every account works with: the core's tables, and what the families of resources bring. */
export interface Machinery {
  readonly tables: readonly string[];
  readonly dueHandlers: ReadonlyMap<string, DueHandler>;
  readonly effects: ReadonlyMap<string, Effect>;
  readonly listeners: ReadonlyMap<string, readonly Listener[]>;
  /** The kinds of outbox entries that are nobody's mail: they come by the thousand, and are gone when they are over. */
  readonly unlisted: readonly string[];
  /** Called when an account is opened, inside one transaction. */
  readonly opened: (account: Account) => void;
}

/** Announced by an account itself when its clock was set to an earlier moment, with that moment: what recurs has to be planned anew. */
export const CLOCK_SET_BACK = 'clock.set-back';
