import { spanMs } from '../calendar.ts';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { Account } from '../store/account.ts';

/** The account's clock: `{now, frozen}`, the moment in RFC 3339 with milliseconds. */
export function showClock(account: Account): object {
  account.read(() => undefined);
  return { now: new Date(account.nowMs).toISOString(), frozen: account.clock.frozenAtMs !== null };
}

/**
 * Stops or starts the clock (`freeze`), sets it (`now`: RFC 3339 text or milliseconds) and moves it on (`advance`: seconds or
 * text like "5m"), in this order. Advancing goes from one due row to the next and waits at each for its effects outside.
 * `freeze: false` alone returns to the true time. Errors: 400 naming what was not understood.
 */
export async function moveClock(account: Account, body: JsonObject): Promise<object> {
  const { freeze, now, advance } = body;
  if (freeze !== undefined && typeof freeze !== 'boolean') {
    throw badRequest('freeze must be true or false.');
  }
  const atMs = now === undefined ? undefined : toMoment(now);
  const aheadMs = advance === undefined ? 0 : spanMs(advance);
  if (aheadMs === undefined || aheadMs < 0) {
    throw badRequest('advance must be a number of seconds, or a text like "90s", "5m", "2h" or "30d".');
  }
  if (freeze !== undefined || atMs !== undefined) {
    account.moveClock(atMs, freeze ?? account.clock.frozenAtMs !== null);
  }
  if (aheadMs > 0) {
    await account.advance(aheadMs);
  }
  return showClock(account);
}

function toMoment(now: unknown): number {
  const atMs = typeof now === 'string' ? Date.parse(now) : now;
  if (typeof atMs !== 'number' || !Number.isFinite(atMs) || Math.abs(atMs) > MAX_MOMENT_MS) {
    throw badRequest('now must be a moment in RFC 3339, like "2026-01-31T12:00:00Z", or milliseconds since 1970.');
  }
  return atMs;
}

/** The last moment of the year 9999: later ones have no RFC 3339 form. */
const MAX_MOMENT_MS = 253_402_300_799_999;
