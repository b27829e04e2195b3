import { DAY_MS } from '../../calendar.ts';
import type { UptimeAlert } from '../../resources/uptime/alerts.ts';
import type { Vantage } from '../../resources/uptime/vantages.ts';

/** What an alert finds in the state of its check. */
export interface Finding {
  /** Whether its condition holds; undefined while nobody knows. */
  readonly holds: boolean | undefined;
  /** The regions that it holds in. */
  readonly regions: readonly Vantage[];
}

/**
 * Holds the state of a check against an alert. Regions of which nothing is known count for nothing; `down_global` needs to know of all.
 * Source: the OpenAPI document, component `alert`: down in any region, down globally, milliseconds of latency, days until a certificate expires.
 */
export function findingOf({ type, threshold = 0 }: UptimeAlert, vantages: readonly Vantage[], nowMs: number): Finding {
  const known = vantages.filter((vantage) => KNOWN[type](vantage));
  const regions = known.filter((vantage) => HOLDS[type](vantage, threshold, nowMs));
  if (known.length === 0) {
    return { holds: undefined, regions };
  }
  if (type !== 'down_global') {
    return { holds: regions.length > 0, regions };
  }
  const isDecided = known.length === vantages.length || regions.length < known.length;
  return { holds: isDecided ? regions.length === vantages.length : undefined, regions };
}

type Type = UptimeAlert['type'];

const isProbed = ({ status }: Vantage): boolean => status !== 'CHECKING';

const KNOWN: Readonly<Record<Type, (vantage: Vantage) => boolean>> = {
  down: isProbed,
  down_global: isProbed,
  latency: ({ last, status }) => status === 'UP' && last?.latencyMs != null,
  ssl_expiry: ({ certificateExpiresAtMs }) => certificateExpiresAtMs !== null,
};

const isDown = ({ status }: Vantage): boolean => status === 'DOWN';

const HOLDS: Readonly<Record<Type, (vantage: Vantage, threshold: number, nowMs: number) => boolean>> = {
  down: isDown,
  down_global: isDown,
  latency: ({ last }, thresholdMs) => (last?.latencyMs ?? 0) > thresholdMs,
  ssl_expiry: ({ certificateExpiresAtMs }, days, nowMs) => (certificateExpiresAtMs ?? 0) - nowMs < days * DAY_MS,
};
