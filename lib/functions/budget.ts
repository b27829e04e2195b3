import type { Context } from './context.ts';

/** The time a call may take. It ends before the platform would end the function, so that an answer can still be given. */
export interface Budget {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
  /** Lets go of the timer behind the signal. */
  end(): void;
}

/** Kept back from the remaining time, to write the answer in. */
export const reserveMs = 300;

/** Web calls are answered 202 by the platform after 30 seconds, whatever the function's own timeout. */
const longestMs = 28_000;

/**
 * The budget of one invocation: what `getRemainingTimeInMillis()` leaves, or what `deadline` says where there is no such method, less a reserve,
 * and at most 28 seconds.
 */
export function budget(context: Context): Budget {
  const allowedMs = Math.max(0, Math.min(remainingOf(context) - reserveMs, longestMs));
  const endsAt = performance.now() + allowedMs;
  const aborter = new AbortController();
  // A timer of nothing would let a request leave first.
  if (allowedMs === 0) aborter.abort();
  const timer = setTimeout(() => aborter.abort(), allowedMs);
  timer.unref();
  return {
    signal: aborter.signal,
    remainingMs: () => Math.max(0, endsAt - performance.now()),
    end: () => clearTimeout(timer),
  };
}

function remainingOf(context: Context): number {
  const remaining = context.getRemainingTimeInMillis?.();
  if (typeof remaining === 'number' && Number.isFinite(remaining)) return remaining;
  if (typeof context.deadline === 'number' && Number.isFinite(context.deadline)) return context.deadline - Date.now();
  return longestMs + reserveMs;
}
