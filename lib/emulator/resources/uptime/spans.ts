import { unprobedUptimePercentage } from '../../assumptions.ts';
import { DAY_MS } from '../../calendar.ts';
import type { Account } from '../../store/account.ts';
import type { CheckRegion } from './regions.ts';

/** A time during which a check stood in one way in a region, both ends included in its past. */
export interface Span {
  readonly status: 'UP' | 'DOWN';
  readonly fromMs: number;
  readonly toMs: number;
}

/** The past of each check and region, as long as it counts; the present is with its vantage. */
export const spanTables: readonly string[] = [
  'CREATE TABLE uptime_spans (check_id TEXT NOT NULL, region TEXT NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, status TEXT NOT NULL, PRIMARY KEY (check_id, region, from_at)) WITHOUT ROWID',
];

const COUNTED_MS = 30 * DAY_MS;

/** Keeps a span, and forgets what is too old to count. */
export function addSpan(account: Account, checkId: string, region: CheckRegion, { status, fromMs, toMs }: Span): void {
  account.run('DELETE FROM uptime_spans WHERE check_id = ? AND region = ? AND to_at < ?', checkId, region, toMs - COUNTED_MS);
  if (toMs > fromMs) {
    const sql = 'INSERT OR REPLACE INTO uptime_spans (check_id, region, from_at, to_at, status) VALUES (?, ?, ?, ?, ?)';
    account.run(sql, checkId, region, fromMs, toMs, status);
  }
}

export function removeSpans(account: Account, checkId: string): void {
  account.run('DELETE FROM uptime_spans WHERE check_id = ?', checkId);
}

/** Forgets what lies after this moment: the clock was set back to it. */
export function cutPast(account: Account): void {
  account.run('DELETE FROM uptime_spans WHERE from_at >= ?', account.nowMs);
  account.run('UPDATE uptime_spans SET to_at = MIN(to_at, ?1) WHERE to_at > ?1', account.nowMs);
}

/**
 * The share of the thirty days before `untilMs` that a check was up in a region, of the time in which it was probed there, in percent with two
 * digits: 100 only when it was never down. `present` is what it has been since its last change, if it is up or down.
 */
export function uptimePercentage(
  account: Account,
  checkId: string,
  region: CheckRegion,
  present: Span | undefined,
  untilMs: number,
): number {
  const sql = 'SELECT from_at, to_at, status FROM uptime_spans WHERE check_id = ? AND region = ? AND to_at > ?';
  const past = account.sql(sql).all(checkId, region, untilMs - COUNTED_MS);
  const spans = past.map((row) => ({ isUp: row.status === 'UP', fromMs: Number(row.from_at), toMs: Number(row.to_at) }));
  const all = present === undefined ? spans : [...spans, { ...present, isUp: present.status === 'UP' }];
  const lengthOf = ({ fromMs, toMs }: Pick<Span, 'fromMs' | 'toMs'>): number =>
    Math.max(0, Math.min(toMs, untilMs) - Math.max(fromMs, untilMs - COUNTED_MS));
  const upMs = all.filter(({ isUp }) => isUp).reduce((sum, span) => sum + lengthOf(span), 0);
  const probedMs = all.reduce((sum, span) => sum + lengthOf(span), 0);
  return probedMs === 0 ? unprobedShare(present) : Math.floor((upMs * 10_000) / probedMs) / 100;
}

/** Nothing to reckon with yet: as the first probe found it. */
function unprobedShare(present: Span | undefined): number {
  return present?.status === 'DOWN' ? 0 : unprobedUptimePercentage;
}
