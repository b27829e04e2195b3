import { insightMessages, metricSteps } from '../../assumptions.ts';
import { DAY_MS, SECOND_MS } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { nowSecond } from './gauges.ts';

/** The moments that a reply has values for: every so many seconds, up to now. */
export interface Window {
  readonly seconds: readonly number[];
  readonly stepSeconds: number;
}

/** Reads `start` and `end`, in UNIX seconds. Errors: 422. */
export function parseWindow(query: URLSearchParams, account: Account): Window {
  const start = moment(query, 'start');
  const end = moment(query, 'end');
  if (end < start) {
    throw unprocessable(insightMessages.metricOrder);
  }
  const stepSeconds = stepOver(end - start);
  const first = Math.ceil(start / stepSeconds);
  const last = Math.floor(Math.min(end, nowSecond(account)) / stepSeconds);
  return { seconds: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * stepSeconds), stepSeconds };
}

/** A parameter that has to be there. Errors: 422. */
export function required(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? '';
  if (value === '') {
    throw unprocessable(`${name} is required.`);
  }
  return value;
}

/** A parameter that has to be one of a few. Errors: 422. */
export function requiredChoice<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T {
  const value = required(query, name);
  const chosen = allowed.find((each) => each === value);
  if (chosen === undefined) {
    throw unprocessable(`${name} must be one of ${allowed.join(', ')}.`);
  }
  return chosen;
}

function moment(query: URLSearchParams, name: string): number {
  const text = required(query, name);
  if (!/^\d{1,11}$/.test(text)) {
    throw unprocessable(`${name} ${insightMessages.metricMoment}`);
  }
  return Number(text);
}

/** The closest step with which a reply stays within its bound; of a very long window, whole days. */
function stepOver(spanSeconds: number): number {
  const least = spanSeconds / (metricSteps.maxPoints - 1);
  return metricSteps.seconds.find((step) => step >= least) ?? Math.ceil(least / DAY_SECONDS) * DAY_SECONDS;
}

const DAY_SECONDS = DAY_MS / SECOND_MS;
