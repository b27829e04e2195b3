import { timestamp } from '../calendar.ts';
import { PlatformError } from '../errors.ts';
import type { ProbeMethod, Timings } from '../probes/result.ts';
import { checks } from '../resources/uptime/checks.ts';
import { type Vantage, vantages, vantagesOf } from '../resources/uptime/vantages.ts';
import type { Account } from '../store/account.ts';

/** How a check stands in one region, and all that its latest probe found out there. */
export interface SeenProbe {
  readonly check: string;
  readonly region: string;
  readonly status: Vantage['status'];
  /** When the status last changed. */
  readonly since: string;
  /** When it is probed next, to the millisecond; null: it is not. */
  readonly next: string | null;
  /** When the certificate that was last shown expires. */
  readonly certificateExpires: string | null;
  readonly last: {
    readonly at: string;
    /** What it was sent by. */
    readonly method: ProbeMethod;
    /** `ok`, `redirect`, or the kind of the failure. */
    readonly outcome: string;
    readonly error: string | null;
    readonly httpStatus: number | null;
    /** What was measured, and what the region adds; null when there was no answer. */
    readonly latencyMs: number | null;
    readonly timings: Timings;
  } | null;
}

export interface ProbeControls {
  /** What the probes of all checks, or of one, have found out. Errors: 404 for an unknown check. */
  probes(check?: string): readonly SeenProbe[];
}

export function probeControls(account: () => Account): ProbeControls {
  return {
    probes: (check) => {
      const current = account();
      return current.read(() => {
        if (check !== undefined && checks.get(current, check) === undefined) {
          throw new PlatformError(404, 'not_found', `There is no check ${JSON.stringify(check)}.`);
        }
        return (check === undefined ? vantages(current) : vantagesOf(current, check)).map(toSeen);
      });
    },
  };
}

function toSeen({ checkId, region, status, sinceMs, nextMs, certificateExpiresAtMs, last }: Vantage): SeenProbe {
  return {
    check: checkId,
    region,
    status,
    since: timestamp(sinceMs),
    next: nextMs === null ? null : new Date(nextMs).toISOString(),
    certificateExpires: certificateExpiresAtMs === null ? null : timestamp(certificateExpiresAtMs),
    last: last === null ? null : toLast(last),
  };
}

function toLast({ atMs, ...found }: NonNullable<Vantage['last']>): NonNullable<SeenProbe['last']> {
  return { at: timestamp(atMs), ...found };
}
