/**
 * The emulator's time. This is the only file of the emulator that reads the machine's clock or sets a timer;
 * everything else is told the moment it works at.
 */

/** An account's clock: standing still at a moment, or running `offsetMs` away from the true time. */
export interface ClockState {
  readonly frozenAtMs: number | null;
  readonly offsetMs: number;
}

export const trueTime: ClockState = { frozenAtMs: null, offsetMs: 0 };

/** Reads a clock that was kept as JSON; the true time where none was. */
export function parseClock(text: string | undefined): ClockState {
  return text === undefined ? trueTime : JSON.parse(text);
}

/** The moment an account's clock shows, in milliseconds since 1970. */
export function readClock(clock: ClockState): number {
  return clock.frozenAtMs ?? Date.now() + clock.offsetMs;
}

/** A clock that shows `atMs` now, standing still or running on from there. */
export function setClock(atMs: number, frozen: boolean): ClockState {
  return frozen ? { frozenAtMs: atMs, offsetMs: 0 } : { frozenAtMs: null, offsetMs: atMs - Date.now() };
}

/** A wall-clock start; calling the result gives the milliseconds since then. */
export function stopwatch(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}

/** Runs `work` after `delayMs` without keeping the process alive; the result cancels it. Longer than 24 days: it wakes early, which is harmless. */
export function wakeAfter(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(Math.max(0, delayMs), MAX_TIMER_MS)).unref();
  return () => clearTimeout(timer);
}

/** Resolves after `delayMs` of real time; does not keep the process alive. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(delayMs, MAX_TIMER_MS)).unref();
  });
}

const MAX_TIMER_MS = 2 ** 31 - 1;
