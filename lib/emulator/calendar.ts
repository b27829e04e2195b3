export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** RFC 3339 in UTC with whole seconds, as the platform writes every moment: `2020-07-21T18:37:44Z`. */
export function timestamp(atMs: number): string {
  const second = Math.floor(atMs / SECOND_MS);
  if (second !== lately.second) {
    lately = { second, text: `${new Date(second * SECOND_MS).toISOString().slice(0, 19)}Z` };
  }
  return lately.text;
}

/** What was written last: most of what one request writes down is of one second. */
let lately = { second: 0, text: '1970-01-01T00:00:00Z' };

/** The first moment of the month `monthsAhead` after the one `atMs` lies in, UTC. */
export function monthStart(atMs: number, monthsAhead = 0): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsAhead, 1);
}

/** The month as invoices name it: `2020-07`. */
export function monthName(atMs: number): string {
  return timestamp(atMs).slice(0, 7);
}

/** The month as people read it: `July 2020`. */
export function monthTitle(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** A span of time as a number of seconds or as text like `90s`, `5m`, `2h`, `30d`, in milliseconds; undefined when it is neither. */
export function spanMs(value: unknown): number | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value * SECOND_MS : undefined;
  }
  const parts = typeof value === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value) : null;
  if (parts === null) {
    return undefined;
  }
  return Number(parts[1]) * (UNITS_MS[parts[2] ?? ''] ?? 0);
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
