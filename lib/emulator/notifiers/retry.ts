import { HOUR_MS, MINUTE_MS, SECOND_MS, timestamp } from '../calendar.ts';
import type { Account } from '../store/account.ts';
import { amendEntry, outboxEntry } from '../store/outbox.ts';
import type { DeliveryFailure } from './failure.ts';

const FIRST_DELAY_MS = 10 * SECOND_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** Longer than the outages that chat services have; news that is older helps nobody. */
const PATIENCE_MS = 2 * HOUR_MS;

/** The kind of due row that has a notice tried again. */
export const RETRY = 'notice.retry';

/** What is known of the tries of an entry, beside what it says. */
interface Tries {
  readonly attempts?: number;
  readonly error?: string;
  readonly next_attempt_at?: string;
  /** The moment of the first try, in milliseconds since 1970: an entry that was buried and is delivered again begins anew. */
  readonly tried_since?: number;
}

/** Notes that an entry has arrived. */
export function settleDelivered(account: Account, id: number): void {
  const { attempts = 0, error: _error, next_attempt_at: _next, tried_since: _since, ...said } = dataOf(account, id);
  amendEntry(account, id, 'delivered', { ...said, attempts: attempts + 1, delivered_at: timestamp(account.nowMs) });
}

/**
 * Has an entry that did not arrive tried again later, or lists it as dead: what is final, and what nobody took in two hours. What could not be tried
 * comes before those that hung: behind them it would never be its turn.
 */
export function settleFailed(account: Account, id: number, failure: DeliveryFailure): void {
  const { attempts: before = 0, tried_since: since = account.nowMs, next_attempt_at: _next, ...said } = dataOf(account, id);
  const attempts = before + 1;
  const atMs = account.nowMs + (failure.untried ? delayMs(attempts) / 2 : Math.max(delayMs(attempts), failure.retryAfterMs));
  const tried = { ...said, attempts, error: failure.message };
  if (failure.final || atMs > since + PATIENCE_MS) {
    amendEntry(account, id, 'dead', tried);
    return;
  }
  amendEntry(account, id, 'waiting', { ...tried, tried_since: since, next_attempt_at: timestamp(atMs) });
  account.schedule(atMs, RETRY, id, attempts);
}

/** Has an entry tried again, if it still waits for this try. */
export function retry(account: Account, id: number, attempts: unknown): void {
  const entry = outboxEntry(account, id);
  if (entry?.state === 'waiting' && entry.data.attempts === attempts) {
    amendEntry(account, id, 'pending', entry.data);
  }
}

/** Has an entry that was listed as dead delivered after all, from the beginning. */
export function redeliver(account: Account, id: number): void {
  const { attempts: _attempts, error: _error, next_attempt_at: _next, tried_since: _since, ...said } = dataOf(account, id);
  amendEntry(account, id, 'pending', said);
}

function delayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
}

function dataOf(account: Account, id: number): Tries {
  return outboxEntry(account, id)?.data ?? {};
}
