import { HOUR_MS } from '../calendar.ts';
import type { Account } from '../store/account.ts';

/** What a resource costs, in US dollars. */
export interface Price {
  readonly price_hourly: number;
  readonly price_monthly: number;
}

/** Every resource that costs something has an open row here, from the moment it exists. Rows of past months are dropped once invoiced. */
export const chargeTables: readonly string[] = [
  'CREATE TABLE charges (ref TEXT NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER, hourly REAL NOT NULL, monthly REAL NOT NULL, PRIMARY KEY (ref, from_at)) WITHOUT ROWID',
];

/** `ref` costs `price` from this moment on. */
export function startCharge(account: Account, ref: string, price: Price, fromMs = account.nowMs): void {
  account.run(
    'INSERT OR REPLACE INTO charges (ref, hourly, monthly, from_at) VALUES (?, ?, ?, ?)',
    ref,
    price.price_hourly,
    price.price_monthly,
    fromMs,
  );
}

/** `ref` costs nothing more from this moment on. */
export function stopCharge(account: Account, ref: string): void {
  account.run('UPDATE charges SET to_at = ? WHERE ref = ? AND to_at IS NULL', account.nowMs, ref);
}

/**
 * What everything cost between two moments of one month, in US dollars: begun hours times the hourly price, at most the
 * monthly price. Source: the platform's balance, `month_to_date_usage`.
 */
export function usageBetween(account: Account, fromMs: number, toMs: number): number {
  const hours = `MAX(1, CAST((MIN(COALESCE(to_at, :to), :to) - MAX(from_at, :from) + ${HOUR_MS - 1}) / ${HOUR_MS} AS INTEGER))`;
  const row = account
    .sql(`SELECT SUM(MIN(monthly, hourly * ${hours})) AS usage FROM charges WHERE from_at < :to AND (to_at IS NULL OR to_at > :from)`)
    .get({ ':from': fromMs, ':to': toMs });
  return Number(row?.usage ?? 0);
}

/** Drops what ended before `beforeMs`. */
export function dropCharges(account: Account, beforeMs: number): void {
  account.run('DELETE FROM charges WHERE to_at <= ?', beforeMs);
}
