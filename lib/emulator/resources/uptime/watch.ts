import type { Account } from '../../store/account.ts';
import type { Check } from './checks.ts';
import { planProbes } from './schedule.ts';
import { removeSpans } from './spans.ts';
import { closeSpan, freshVantage, putVantage, removeVantage, removeVantages, type Vantage, vantagesOf } from './vantages.ts';

/** Begins to watch a new check, from nothing. */
export function watchAnew(account: Account, { id, regions, enabled }: Check): void {
  stopWatching(account, id);
  const vantages = regions.map((region) => freshVantage(account, id, region, enabled));
  begin(account, vantages, enabled);
}

/** Forgets everything about a check; what is on its way is not heard any more. */
export function stopWatching(account: Account, checkId: string): void {
  removeVantages(account, checkId);
  removeSpans(account, checkId);
}

/** Whether a check is to watch something else than before: nothing that is known of it holds any more. */
export function isOther(before: Check, after: Check): boolean {
  return before.type !== after.type || before.target !== after.target;
}

/**
 * Watches on after a change that leaves the target: a check that is enabled again looks anew, one that is disabled stays as it is, and regions
 * come and go with the check's own.
 */
export function watchOn(account: Account, before: Check, after: Check): void {
  const known = vantagesOf(account, after.id);
  for (const vantage of known.filter(({ region }) => !after.regions.includes(region))) {
    closeSpan(account, vantage);
    removeVantage(account, after.id, vantage.region);
  }
  const kept = known.filter(({ region }) => after.regions.includes(region));
  const added = after.regions.filter((region) => !kept.some((vantage) => vantage.region === region));
  const fresh = added.map((region) => freshVantage(account, after.id, region, after.enabled));
  if (before.enabled === after.enabled) {
    begin(account, fresh, after.enabled);
    return;
  }
  for (const vantage of kept.filter(() => !after.enabled)) {
    putVantage(account, { ...vantage, pausedMs: account.nowMs, nextMs: null, askedMs: null });
  }
  begin(account, after.enabled ? [...resumed(account, kept), ...fresh] : fresh, after.enabled);
}

function resumed(account: Account, paused: readonly Vantage[]): readonly Vantage[] {
  return paused.map((vantage) => {
    closeSpan(account, vantage);
    return freshVantage(account, vantage.checkId, vantage.region, true);
  });
}

function begin(account: Account, vantages: readonly Vantage[], isEnabled: boolean): void {
  if (isEnabled) {
    planProbes(account, vantages);
    return;
  }
  for (const vantage of vantages) {
    putVantage(account, vantage);
  }
}
