import { type ClockState, readClock, wakeAfter } from '../clock.ts';

/** Wakes an account when its next row is due. */
export interface Alarm {
  /** Has it ring when `clock` shows `dueAtMs`: not at all on a clock that stands still. */
  readonly set: (clock: ClockState, dueAtMs: number) => void;
  readonly stop: () => void;
}

/** A request that comes sooner settles what is due together with its own work. */
const MIN_DELAY_MS = 50;

/** One timer of real time. One that would ring too early is kept: whoever is woken finds nothing, and sets it again. */
export function alarm(ring: () => void): Alarm {
  let armed: { readonly atMs: number; readonly cancel: () => void } | undefined;
  const stop = (): void => {
    armed?.cancel();
    armed = undefined;
  };
  return {
    set: (clock, dueAtMs) => {
      const running = clock.frozenAtMs === null;
      const atMs = running ? dueAtMs - clock.offsetMs : Number.POSITIVE_INFINITY;
      if (armed !== undefined && running && armed.atMs <= atMs) {
        return;
      }
      stop();
      if (Number.isFinite(atMs)) {
        const delayMs = Math.max(MIN_DELAY_MS, dueAtMs - readClock(clock));
        const wake = (): void => {
          armed = undefined;
          ring();
        };
        armed = { atMs, cancel: wakeAfter(delayMs, wake) };
      }
    },
    stop,
  };
}
