import { HOUR_MS, MINUTE_MS, SECOND_MS } from './calendar.ts';

/** How many requests an account may make; source: the OpenAPI document's introduction and its list of SSH keys. */
export interface RateLimits {
  readonly perHour: number;
  readonly perMinute: number;
  readonly keyListsPerMinute: number;
}

export const platformLimits: RateLimits = { perHour: 5000, perMinute: 250, keyListsPerMinute: 10 };

/** What the headers of a reply say: `resetAt` is the second since 1970 in which the oldest counted request expires. */
export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  /** Set when the request is refused: seconds until one more is allowed. */
  readonly retryAfterSeconds?: number;
}

export interface RateLimiter {
  /** Counts a request made at `nowMs`, or refuses it; a refused request does not count. */
  readonly take: (nowMs: number) => RateStanding;
  /** The standing without counting anything. */
  readonly look: (nowMs: number) => RateStanding;
  /** Counts a list of SSH keys, or gives the seconds until one more is allowed. */
  readonly takeKeyList: (nowMs: number) => number | undefined;
}

/** Sliding windows of an hour and a minute over one ring of moments, and one more for lists of SSH keys. */
export function rateLimiter(limits: RateLimits): RateLimiter {
  const requests = slidingWindow();
  const keyLists = slidingWindow();
  const standing = (nowMs: number, retryAfterSeconds?: number): RateStanding => ({
    limit: limits.perHour,
    remaining: Math.max(0, limits.perHour - requests.count()),
    resetAt: Math.ceil(((requests.oldest(0) ?? nowMs - HOUR_MS) + HOUR_MS) / SECOND_MS),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

  return {
    take: (nowMs) => {
      requests.forget(nowMs, HOUR_MS);
      if (requests.count() >= limits.perHour) {
        return standing(nowMs, secondsUntil((requests.oldest(0) ?? nowMs) + HOUR_MS, nowMs));
      }
      const recent = requests.since(nowMs - MINUTE_MS);
      if (recent >= limits.perMinute) {
        return standing(nowMs, secondsUntil((requests.oldest(requests.count() - recent) ?? nowMs) + MINUTE_MS, nowMs));
      }
      requests.add(nowMs);
      return standing(nowMs);
    },
    look: (nowMs) => {
      requests.forget(nowMs, HOUR_MS);
      return standing(nowMs);
    },
    takeKeyList: (nowMs) => {
      keyLists.forget(nowMs, MINUTE_MS);
      if (keyLists.count() >= limits.keyListsPerMinute) {
        return secondsUntil((keyLists.oldest(0) ?? nowMs) + MINUTE_MS, nowMs);
      }
      keyLists.add(nowMs);
      return undefined;
    },
  };
}

interface SlidingWindow {
  readonly add: (atMs: number) => void;
  readonly forget: (nowMs: number, spanMs: number) => void;
  readonly count: () => number;
  readonly since: (fromMs: number) => number;
  readonly oldest: (position: number) => number | undefined;
}

/** Moments in the order of their arrival, in a ring that doubles when it is full, with a second mark for the recent ones. */
function slidingWindow(): SlidingWindow {
  let ring = new Float64Array(256);
  let head = 0;
  let tail = 0;
  let recent = 0;
  const at = (index: number): number => ring[index % ring.length] ?? 0;

  const grow = (): void => {
    const wider = new Float64Array(ring.length * 2);
    for (let index = tail; index < head; index += 1) {
      wider[index % wider.length] = at(index);
    }
    ring = wider;
  };

  return {
    add: (atMs) => {
      if (head - tail === ring.length) {
        grow();
      }
      ring[head % ring.length] = atMs;
      head += 1;
    },
    forget: (nowMs, spanMs) => {
      if (head > tail && at(head - 1) > nowMs) {
        // The account's clock was set back: what was counted in its future would never expire.
        tail = head;
      }
      while (tail < head && at(tail) <= nowMs - spanMs) {
        tail += 1;
      }
    },
    count: () => head - tail,
    since: (fromMs) => {
      recent = Math.max(recent, tail);
      while (recent < head && at(recent) <= fromMs) {
        recent += 1;
      }
      return head - recent;
    },
    oldest: (position) => (tail + position < head ? at(tail + position) : undefined),
  };
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / SECOND_MS));
}
