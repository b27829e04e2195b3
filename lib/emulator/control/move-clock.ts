import { spanMs } from '../calendar.ts';
import { type ClockState, readClock, trueTime } from '../clock.ts';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { Account } from '../store/account.ts';
import { advance, leap } from '../store/travel.ts';
import { refuseUnknownKeys } from './known-keys.ts';

/** What is to become of a clock: it stops or starts, is set, and is moved on, in this order. */
export interface ClockMove {
  readonly freeze?: boolean | undefined;
  readonly atMs?: number | undefined;
  readonly aheadMs?: number | undefined;
}

/** A moment: a date, RFC 3339 text, or milliseconds since 1970. */
export type Moment = Date | string | number;

/**
 * Moves an account's clock. Advancing goes from one due row to the next and waits at each for its effects outside.
 * `freeze: false` alone returns to the true time. Errors: 400 for a span that leads beyond the last moment there is, and nothing is moved.
 */
export async function moveClock(account: Account, { freeze, atMs, aheadMs = 0 }: ClockMove): Promise<void> {
  const from: ClockState = freeze === false ? trueTime : account.clock;
  if ((atMs ?? readClock(from)) + aheadMs > MAX_MOMENT_MS) {
    throw badRequest('advance must not lead beyond the year 9999.');
  }
  const frozen = freeze ?? account.clock.frozenAtMs !== null;
  if (atMs !== undefined) {
    await leap(account, atMs, frozen);
  } else if (freeze !== undefined) {
    account.moveClock(undefined, frozen);
  }
  if (aheadMs > 0) {
    await advance(account, aheadMs);
  }
}

/** Reads the body of a request: `{freeze, now, advance}`. Errors: 400 naming what was not understood. */
export function parseClockMove(body: JsonObject): ClockMove {
  refuseUnknownKeys('clock', body, ['freeze', 'now', 'advance']);
  const { freeze, now, advance } = body;
  if (freeze !== undefined && typeof freeze !== 'boolean') {
    throw badRequest('freeze must be true or false.');
  }
  return {
    freeze,
    atMs: now === undefined ? undefined : toMomentMs('now', now),
    aheadMs: advance === undefined ? undefined : toSpanMs(spanMs(advance), 'seconds'),
  };
}

/** A moment in milliseconds since 1970. Errors: 400, also for a time of day that does not say where: it would be another on another machine. */
export function toMomentMs(name: string, moment: unknown): number {
  const atMs = moment instanceof Date ? moment.getTime() : typeof moment === 'string' ? parseMoment(moment) : moment;
  if (typeof atMs !== 'number' || !isWritable(atMs)) {
    throw badRequest(`${name} must be a moment in RFC 3339, like "2026-01-31T12:00:00Z", or milliseconds since 1970.`);
  }
  return atMs;
}

/** Not a number where it is none. */
function parseMoment(text: string): number {
  return RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
}

/** A day alone begins in UTC. */
const RFC_3339 = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A moment as a query has it: digits alone are milliseconds since 1970. */
export function writtenMoment(text: string): Moment {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** A span that was understood and does not go back. Errors: 400. */
export function toSpanMs(givenMs: number | undefined, unit: 'seconds' | 'milliseconds'): number {
  if (givenMs === undefined || !Number.isFinite(givenMs) || givenMs < 0) {
    throw badRequest(`advance must be a number of ${unit} from 0, or a text like "90s", "5m", "2h" or "30d".`);
  }
  return givenMs;
}

/** Whether a moment has a form in RFC 3339, which has the years 0000 to 9999. */
function isWritable(atMs: number): boolean {
  return atMs >= MIN_MOMENT_MS && atMs <= MAX_MOMENT_MS;
}

const MIN_MOMENT_MS = Date.parse('0000-01-01T00:00:00.000Z');
const MAX_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z');
