import type { Account } from '../store/account.ts';
import { collection } from '../store/collection.ts';

/** How something stands that an alert looks at. There is none for what is as it should be. */
export interface Watch {
  /** The alert, and what it looks at where that is one of many. */
  readonly id: string;
  /** Since when its condition holds; while an incident is open, since the incident began. */
  readonly sinceMs: number;
  /** The incident that is open. */
  readonly incident: string | null;
  /** Since when the condition of an open incident holds no more. */
  readonly calmSinceMs: number | null;
}

/** Whose a watch is, and what was asked when it began: of an alert that asks for something else by now, it says nothing. */
export interface Asked {
  readonly alert: string;
  readonly condition: string;
}

export const watches = collection<Watch, Asked>({
  table: 'alert_watches',
  key: 'text',
  id: (watch) => watch.id,
  columns: { alert: { of: (_watch, { alert }) => alert, index: 'lookup' } },
});

/** What follows from looking: the watch as it is now, undefined where nothing is wrong; and whether people are to be told. */
export interface Step {
  readonly watch: Watch | undefined;
  readonly change: 'fired' | 'recovered' | undefined;
}

/**
 * Looks once. An alert fires when its condition has held without a break for `periodMs`, once; it recovers when the condition has not held
 * without a break for `calmMs`, so that a target that goes up and down is one incident.
 */
export function step(
  id: string,
  before: Watch | undefined,
  holds: boolean,
  nowMs: number,
  spans: { readonly periodMs: number; readonly calmMs: number },
): Step {
  if (before?.incident == null) {
    const watch = { id, sinceMs: Math.min(before?.sinceMs ?? nowMs, nowMs), incident: null, calmSinceMs: null };
    return holds
      ? { watch, change: nowMs - watch.sinceMs >= spans.periodMs ? 'fired' : undefined }
      : { watch: undefined, change: undefined };
  }
  if (holds) {
    return { watch: { ...before, calmSinceMs: null }, change: undefined };
  }
  const watch = { ...before, calmSinceMs: Math.min(before.calmSinceMs ?? nowMs, nowMs) };
  return { watch, change: nowMs - watch.calmSinceMs >= spans.calmMs ? 'recovered' : undefined };
}

/** When a watch is to be looked at again, if nothing happens before. */
export function nextLookMs(
  { sinceMs, incident, calmSinceMs }: Watch,
  { periodMs, calmMs }: { readonly periodMs: number; readonly calmMs: number },
): number | undefined {
  if (incident === null) {
    return sinceMs + periodMs;
  }
  return calmSinceMs === null ? undefined : calmSinceMs + calmMs;
}

/** Keeps a watch, or forgets it where nothing is wrong. */
export function keepWatch(account: Account, asked: Asked, id: string, before: Watch | undefined, after: Watch | undefined): void {
  if (after === undefined) {
    watches.remove(account, id);
  } else if (before === undefined) {
    watches.insert(account, after, asked);
  } else {
    watches.update(account, after, asked);
  }
}
