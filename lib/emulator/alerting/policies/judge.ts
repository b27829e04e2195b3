import { alertCalmMs } from '../../assumptions.ts';
import { MINUTE_MS, SECOND_MS, spanMs } from '../../calendar.ts';
import type { Policy } from '../../resources/alert-policies/policies.ts';
import type { Gauge } from '../../resources/metrics/gauges.ts';
import { policyGauge } from '../../resources/metrics/policy-gauge.ts';
import type { Account } from '../../store/account.ts';
import { follow, withdraw } from '../incidents.ts';
import { step, type Watch, watches } from '../watches.ts';
import { conditionOf, policyFired, policyRecovered } from './message.ts';
import { nameOf, watchedIds, watchesOf } from './watched.ts';

/** Looks at everything that a policy watches; `lastMs` is when it was looked at before. */
export function judgePolicy(account: Account, policy: Policy, lastMs: number): void {
  const ids = watchedIds(account, policy);
  const watched = new Set(ids.map((entity) => watchId(policy, entity)));
  withdraw(account, policy.uuid, (id, asked) => watched.has(id) && asked === conditionOf(policy));
  const known = new Map(watches.where(account, 'alert', policy.uuid).map(({ wire }) => [wire.id, wire]));
  for (const entity of ids) {
    const gauge = policyGauge(account, policy.type, entity);
    if (gauge !== undefined) {
      judge(account, policy, entity, { gauge, lastMs, before: known.get(watchId(policy, entity)) });
    }
  }
}

interface Seen {
  readonly gauge: Gauge;
  readonly lastMs: number;
  readonly before: Watch | undefined;
}

function judge(account: Account, policy: Policy, entity: string, { gauge, lastMs, before }: Seen): void {
  const value = gauge.at(account.nowMs / SECOND_MS);
  // Nobody knows: what is measured of a resource that is off is neither good nor bad.
  if (value === undefined) {
    return;
  }
  const holds = isOver(policy, value);
  if (!holds && before === undefined) {
    return;
  }
  const id = watchId(policy, entity);
  const begun = before ?? { id, sinceMs: beginning(policy, gauge, lastMs, account.nowMs), incident: null, calmSinceMs: null };
  const spans = { periodMs: spanMs(policy.window) ?? 0, calmMs: alertCalmMs.policy };
  const kind = watchesOf(policy);
  const news = { policy, kind, entity, name: nameOf(account, kind, entity) };
  const subject = {
    alert: policy.uuid,
    condition: conditionOf(policy),
    of: entity,
    recipients: policy.alerts,
    fired: (incident: string, sinceMs: number) => policyFired({ ...news, incident }, value, sinceMs, account.nowMs),
    recovered: (incident: string, lastedMs: number) => policyRecovered({ ...news, incident }, lastedMs),
  };
  follow(account, subject, before, step(id, begun, holds, account.nowMs, spans));
}

/** Since when a condition holds that holds now, as far as that was before the last look, or a window ago. */
function beginning(policy: Policy, gauge: Gauge, lastMs: number, nowMs: number): number {
  const floorMs = Math.max(lastMs, nowMs - (spanMs(policy.window) ?? 0));
  let sinceMs = nowMs;
  while (sinceMs - MINUTE_MS >= floorMs) {
    const value = gauge.at((sinceMs - MINUTE_MS) / SECOND_MS);
    if (value === undefined || !isOver(policy, value)) {
      break;
    }
    sinceMs -= MINUTE_MS;
  }
  return sinceMs;
}

function isOver({ compare, value: limit }: Policy, value: number): boolean {
  return compare === 'GreaterThan' ? value > limit : value < limit;
}

function watchId({ uuid }: Policy, entity: string): string {
  return `${uuid} ${entity}`;
}
