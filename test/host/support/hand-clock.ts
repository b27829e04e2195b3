import type { Clock } from '../../../lib/host/start-host.ts';

/** A clock that stands until it is moved, and then wakes who is due. */
export interface HandClock extends Clock {
  /** Moves the clock to a time, at once: what lies between is passed over, as when a machine sleeps. */
  jump(at: string): void;
}

export function handClock(start: string): HandClock {
  let nowMs = Date.parse(start);
  let waiting: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    now: () => nowMs,
    wakeAt(atMs, wake) {
      const entry = { atMs, wake };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    jump(at) {
      nowMs = Date.parse(at);
      const due = waiting.filter(({ atMs }) => atMs <= nowMs);
      waiting = waiting.filter(({ atMs }) => atMs > nowMs);
      for (const { wake } of due) wake();
    },
  };
}
