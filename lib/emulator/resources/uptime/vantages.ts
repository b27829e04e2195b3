import type { ProbeMethod, ProbeResult } from '../../probes/result.ts';
import type { Account } from '../../store/account.ts';
import type { Row } from '../../store/collection.ts';
import type { CheckRegion } from './regions.ts';
import { addSpan, type Span } from './spans.ts';

/** What the latest probe found out. */
export interface LastProbe extends Omit<ProbeResult, 'certificateExpiresAtMs' | 'tookMs'> {
  readonly method: ProbeMethod;
  readonly atMs: number;
  /** How long the answer took to the region; null when there was none. */
  readonly latencyMs: number | null;
}

/** How a check stands in one region, and when it is probed there. Moments are the account's, in milliseconds since 1970. */
export interface Vantage {
  readonly checkId: string;
  readonly region: CheckRegion;
  readonly status: 'CHECKING' | 'UP' | 'DOWN';
  /** When the status last changed. */
  readonly sinceMs: number;
  /** Since when the check is disabled; null while it is enabled. */
  readonly pausedMs: number | null;
  /** When it is probed next; null: it is not. Rows that are due at other moments are leftovers. */
  readonly nextMs: number | null;
  /** The moment of the probe that is on its way; null: none is. */
  readonly askedMs: number | null;
  readonly last: LastProbe | null;
  /** Of the certificate that was last shown. */
  readonly certificateExpiresAtMs: number | null;
}

const COLUMNS = 'check_id, region, status, since_at, paused_at, next_at, asked_at, last, certificate_expires_at';

export const vantageTables: readonly string[] = [
  'CREATE TABLE uptime_vantages (check_id TEXT NOT NULL, region TEXT NOT NULL, status TEXT NOT NULL, since_at INTEGER NOT NULL, paused_at INTEGER, next_at INTEGER, asked_at INTEGER, last TEXT, certificate_expires_at INTEGER, PRIMARY KEY (check_id, region)) WITHOUT ROWID',
];

export function findVantage(account: Account, checkId: string, region: string): Vantage | undefined {
  const row = account.sql(`SELECT ${COLUMNS} FROM uptime_vantages WHERE check_id = ? AND region = ?`).get(checkId, region);
  return row === undefined ? undefined : toVantage(row);
}

/** The vantages of a check, in no order. */
export function vantagesOf(account: Account, checkId: string): readonly Vantage[] {
  return account.sql(`SELECT ${COLUMNS} FROM uptime_vantages WHERE check_id = ?`).all(checkId).map(toVantage);
}

/** Those of all checks, by check and region. */
export function vantages(account: Account): readonly Vantage[] {
  return account.sql(`SELECT ${COLUMNS} FROM uptime_vantages ORDER BY check_id, region`).all().map(toVantage);
}

/** A vantage from which nobody has looked yet. */
export function freshVantage(account: Account, checkId: string, region: CheckRegion, isEnabled: boolean): Vantage {
  return {
    checkId,
    region,
    status: 'CHECKING',
    sinceMs: account.nowMs,
    pausedMs: isEnabled ? null : account.nowMs,
    nextMs: null,
    askedMs: null,
    last: null,
    certificateExpiresAtMs: null,
  };
}

/** Stores a vantage in place of what was known of it. */
export function putVantage(account: Account, vantage: Vantage): void {
  account.run(
    `INSERT OR REPLACE INTO uptime_vantages (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    vantage.checkId,
    vantage.region,
    vantage.status,
    vantage.sinceMs,
    vantage.pausedMs,
    vantage.nextMs,
    vantage.askedMs,
    vantage.last === null ? null : JSON.stringify(vantage.last),
    vantage.certificateExpiresAtMs,
  );
}

export function removeVantage(account: Account, checkId: string, region: CheckRegion): void {
  account.run('DELETE FROM uptime_vantages WHERE check_id = ? AND region = ?', checkId, region);
}

export function removeVantages(account: Account, checkId: string): void {
  account.run('DELETE FROM uptime_vantages WHERE check_id = ?', checkId);
}

/** Has nothing have changed after this moment: the clock was set back to it. */
export function cutPresent(account: Account): void {
  account.run('UPDATE uptime_vantages SET since_at = MIN(since_at, ?1), paused_at = MIN(paused_at, ?1)', account.nowMs);
}

/** What the present status is as a span of time; undefined while nobody knows. */
export function presentSpan({ status, sinceMs, pausedMs }: Vantage, nowMs: number): Span | undefined {
  return status === 'CHECKING' ? undefined : { status, fromMs: sinceMs, toMs: pausedMs ?? nowMs };
}

/** Puts the present status of a vantage into its past. */
export function closeSpan(account: Account, vantage: Vantage): void {
  const span = presentSpan(vantage, account.nowMs);
  if (span !== undefined) {
    addSpan(account, vantage.checkId, vantage.region, span);
  }
}

function toVantage(row: Row): Vantage {
  return {
    checkId: String(row.check_id),
    // Both were written by `putVantage`.
    region: row.region as CheckRegion,
    status: row.status as Vantage['status'],
    sinceMs: Number(row.since_at),
    pausedMs: momentOf(row.paused_at),
    nextMs: momentOf(row.next_at),
    askedMs: momentOf(row.asked_at),
    last: row.last === null ? null : JSON.parse(String(row.last)),
    certificateExpiresAtMs: momentOf(row.certificate_expires_at),
  };
}

function momentOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
