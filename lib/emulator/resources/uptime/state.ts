import { timestamp } from '../../calendar.ts';
import type { Account } from '../../store/account.ts';
import type { Check, Outage } from './checks.ts';
import type { CheckRegion } from './regions.ts';
import { uptimePercentage } from './spans.ts';
import { presentSpan, type Vantage, vantagesOf } from './vantages.ts';

/** How a check stands in one region. Source: the OpenAPI document, component `region_state`. */
export interface RegionState {
  readonly status: Vantage['status'];
  readonly status_changed_at: string;
  readonly thirty_day_uptime_percentage: number;
  /** Of a ping, beside the document: whether an echo was asked for, or a connection where the machine has no echo to send. */
  readonly probed_by?: string;
}

/** How a check stands: in each region it has, and when it was last down, if ever. Source: the OpenAPI document, component `state`. */
export interface CheckState {
  readonly regions: Readonly<Record<string, RegionState>>;
  readonly previous_outage?: {
    readonly region: CheckRegion;
    readonly started_at: string;
    readonly ended_at: string;
    readonly duration_seconds: number;
  };
}

/** Source: operation uptime_get_checkState. */
export function checkState(account: Account, check: Check, outage: Outage | null): CheckState {
  const vantages = vantagesOf(account, check.id).toSorted(
    (one, other) => check.regions.indexOf(one.region) - check.regions.indexOf(other.region),
  );
  const regions = vantages.map((vantage) => [vantage.region, regionState(account, check, vantage)] as const);
  return { regions: Object.fromEntries(regions), ...(outage === null ? {} : { previous_outage: shownOutage(outage) }) };
}

function regionState(account: Account, check: Check, vantage: Vantage): RegionState {
  const untilMs = vantage.pausedMs ?? account.nowMs;
  const present = presentSpan(vantage, account.nowMs);
  return {
    status: vantage.status,
    status_changed_at: timestamp(vantage.sinceMs),
    thirty_day_uptime_percentage: uptimePercentage(account, check.id, vantage.region, present, untilMs),
    ...(check.type === 'ping' && vantage.last !== null ? { probed_by: vantage.last.method } : {}),
  };
}

function shownOutage({ region, fromMs, toMs }: Outage): NonNullable<CheckState['previous_outage']> {
  return {
    region,
    started_at: timestamp(fromMs),
    ended_at: timestamp(toMs),
    duration_seconds: Math.round((toMs - fromMs) / 1000),
  };
}
