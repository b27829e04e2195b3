/** What tells schedules the time. Milliseconds since the epoch; tests bring one that they move. */
export interface Clock {
  now(): number;
  /** Calls `wake` at that time or earlier, once; the answer takes it back. */
  wakeAt(atMs: number, wake: () => void): () => void;
}

/** Timers count no time while the machine sleeps, and not far beyond three weeks: they look again this often. */
const longestWaitMs = 30_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(atMs, wake) {
    const timer = setTimeout(wake, Math.min(Math.max(atMs - Date.now(), 0), longestWaitMs)).unref();
    return () => clearTimeout(timer);
  },
};
