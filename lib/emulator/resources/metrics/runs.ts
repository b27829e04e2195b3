import { SECOND_MS } from '../../calendar.ts';
import type { Account } from '../../store/account.ts';
import { actionsOf } from '../actions.ts';
import type { Droplet } from '../droplets/droplets.ts';

/** A time in which something ran without a break, in seconds since 1970; one that has not ended has no end. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

const STARTS = ['create', 'power_on', 'power_cycle', 'reboot', 'rebuild', 'restore'];
const STOPS = ['power_off', 'shutdown'];

/** When a droplet ran, from one start to the next: its actions tell, which are kept for ever. Oldest first. */
export function runsOfDroplet(account: Account, { id, status, created_at }: Droplet): readonly Run[] {
  const runs: Run[] = [];
  let since: number | undefined;
  for (const { type, status: outcome, completed_at } of actionsOf(account, 'droplet', id).toReversed()) {
    const starts = STARTS.includes(type);
    if (outcome === 'completed' && completed_at !== null && (starts || STOPS.includes(type))) {
      const at = secondOf(completed_at);
      runs.push(...(since === undefined ? [] : [{ from: since, to: at }]));
      since = starts ? at : undefined;
    }
  }
  if (status === 'active') {
    // One that was stored as it is, without a past, has run since it was made.
    runs.push({ from: since ?? secondOf(created_at), to: Number.POSITIVE_INFINITY });
  }
  return runs.filter(({ from, to }) => to > from);
}

/** The run that a moment lies in. */
export function runAt(runs: readonly Run[], second: number): Run | undefined {
  return runs.find(({ from, to }) => second >= from && second < to);
}

export function secondOf(moment: string): number {
  return Date.parse(moment) / SECOND_MS;
}
