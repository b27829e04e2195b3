import { unprobedUptimePercentage } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';

/** How a check stands in one region. Source: the OpenAPI document, component `region_state`. */
export interface RegionState {
  readonly status: 'CHECKING' | 'UP' | 'DOWN';
  readonly status_changed_at: string;
  readonly thirty_day_uptime_percentage: number;
}

/** How a check stands: in each region it has, and when it was last down, if ever. Source: the OpenAPI document, component `state`. */
export interface CheckState {
  readonly regions: Readonly<Record<string, RegionState>>;
  readonly previous_outage?: {
    readonly region: string;
    readonly started_at: string;
    readonly ended_at: string;
    readonly duration_seconds: number;
  };
}

/** What of a check its state depends on. */
export interface Watched {
  readonly type: string;
  readonly target: string;
  readonly regions: readonly string[];
  readonly enabled: boolean;
}

/** The state of a check that nobody has probed yet. */
export function freshState({ regions }: Watched, nowMs: number): CheckState {
  return { regions: Object.fromEntries(regions.map((region) => [region, checking(nowMs)])) };
}

/**
 * The state of a check that was changed: one that watches something else begins anew; one that is enabled again looks anew and
 * remembers its outage; one that is disabled stays as it is. Regions come and go with the check's own.
 */
export function stateAfter(before: Watched, state: CheckState, after: Watched, nowMs: number): CheckState {
  if (after.enabled && (before.type !== after.type || before.target !== after.target)) {
    return freshState(after, nowMs);
  }
  const resumed = after.enabled && !before.enabled;
  const regions = after.regions.map((region) => [region, (resumed ? undefined : state.regions[region]) ?? checking(nowMs)]);
  return { ...state, regions: Object.fromEntries(regions) };
}

function checking(nowMs: number): RegionState {
  return { status: 'CHECKING', status_changed_at: timestamp(nowMs), thirty_day_uptime_percentage: unprobedUptimePercentage };
}
