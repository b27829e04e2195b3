import { hostLimits } from '../limits.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Where a caller stands after a request. `resetAt` is the second since 1970 in which the oldest request that counts no longer does. */
export interface RateStanding {
  readonly remaining: number;
  readonly resetAt: number;
  /** There where the request is one too many: the seconds until one more is allowed. */
  readonly retryAfterSeconds?: number;
}

/**
 * Counts requests to the platform's own API, up to a number in any hour and in any minute (platform reference, ground rules; OpenAPI document,
 * introduction). What comes back takes the time of a request, in milliseconds since the epoch; one that is refused does not count.
 */
export function requestRate(): (nowMs: number) => RateStanding {
  const { platformRequestsPerHour, platformRequestsPerMinute } = hostLimits;
  let counted: readonly number[] = [];
  return (nowMs) => {
    // A clock that was set back must not leave requests that never expire.
    counted = counted.filter((at) => at > nowMs - hourMs && at <= nowMs);
    const lately = counted.filter((at) => at > nowMs - minuteMs);
    const freeAt = Math.max(
      allowedAt(counted, platformRequestsPerHour, hourMs, nowMs),
      allowedAt(lately, platformRequestsPerMinute, minuteMs, nowMs),
    );
    if (freeAt <= nowMs) counted = [...counted, nowMs];
    return {
      remaining: platformRequestsPerHour - counted.length,
      resetAt: Math.ceil(((counted[0] ?? nowMs) + hourMs) / 1000),
      ...(freeAt > nowMs && { retryAfterSeconds: Math.ceil((freeAt - nowMs) / 1000) }),
    };
  };
}

/** When a request may come, where at most so many may within a span. */
function allowedAt(counted: readonly number[], most: number, spanMs: number, nowMs: number): number {
  const [oldest] = counted;
  return oldest === undefined || counted.length < most ? nowMs : oldest + spanMs;
}
