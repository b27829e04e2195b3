import { MINUTE_MS, spanMs } from '../../calendar.ts';
import { type Policy, policies } from '../../resources/alert-policies/policies.ts';
import type { Account } from '../../store/account.ts';
import { withdraw } from '../incidents.ts';
import { watches } from '../watches.ts';
import { judgePolicy } from './judge.ts';

/** The kind of due row that has the policies of an account looked at. */
export const LOOK = 'policies.look';

const NEXT_LOOK = 'policies.next-look';
const LAST_LOOK = 'policies.last-look';

/** Looks, if the row that has come due is the one that was planned last. */
export function lookIfPlanned(account: Account): void {
  if (account.setting(NEXT_LOOK) === String(account.nowMs)) {
    lookAtPolicies(account);
  }
}

/** Looks once a policy is new, was changed or is gone: for it, what was before it was as it is does not count. */
export function lookAnew(account: Account, uuid: string): void {
  lookAtPolicies(account, uuid);
  if (!enabledPolicies(account).some((policy) => policy.uuid === uuid)) {
    withdraw(account, uuid);
  }
}

/** Plans the next look for a clock that was set back: the one that was planned is too far away. */
export function planAnew(account: Account): void {
  account.set(LAST_LOOK, String(account.nowMs));
  if (enabledPolicies(account).length > 0) {
    planLook(account, account.nowMs + MINUTE_MS);
  }
}

/** Looks at every policy that is enabled, at the one that is `fresh` as if for the first time, and plans to do so again while there is one. */
function lookAtPolicies(account: Account, fresh?: string): void {
  const enabled = enabledPolicies(account);
  const lastMs = Number(account.setting(LAST_LOOK) ?? account.nowMs);
  for (const policy of enabled) {
    judgePolicy(account, policy, policy.uuid === fresh ? account.nowMs : lastMs);
  }
  account.set(LAST_LOOK, String(account.nowMs));
  if (enabled.length > 0) {
    const stepMs = stepOf(account, enabled);
    // Moments that were missed, because the emulator or the clock was elsewhere, are looked at from the next one that was not.
    planLook(account, Math.max(account.nowMs, account.settledToMs - stepMs) + stepMs);
  }
}

/**
 * Every minute while something is wrong; before, as often as nothing can last for a window without being seen: when it began, what was
 * measured since the last look tells.
 */
function stepOf(account: Account, enabled: readonly Policy[]): number {
  return watches.total(account) > 0 ? MINUTE_MS : Math.min(...enabled.map(({ window }) => spanMs(window) ?? MINUTE_MS));
}

function planLook(account: Account, atMs: number): void {
  account.set(NEXT_LOOK, String(atMs));
  account.schedule(atMs, LOOK, '');
}

function enabledPolicies(account: Account): readonly Policy[] {
  const source = policies.source(account);
  return source
    .texts(source.total, 0)
    .map((text): Policy => JSON.parse(text))
    .filter(({ enabled }) => enabled);
}
