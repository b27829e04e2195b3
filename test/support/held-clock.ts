import { onTestFinished, vi } from 'vitest';

/** The clock of this process while it is held: no time passes but what is let pass, however long the machine takes. */
export interface HeldClock {
  /** Lets so many milliseconds pass, with all that comes due in them. */
  pass(ms: number): Promise<void>;
  /** Lets a millisecond pass at every turn of the event loop until it is settled. Resolves to how many have passed since the clock was held. */
  passUntilSettled(awaited: Promise<unknown>): Promise<number>;
}

/** Holds the clock until the test has ended. */
export function heldClock(): HeldClock {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const heldAtMs = performance.now();
  return {
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    async passUntilSettled(awaited) {
      let settled = false;
      const settle = () => {
        settled = true;
      };
      awaited.then(settle, settle);
      while (!settled) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!settled) await vi.advanceTimersByTimeAsync(1);
      }
      return performance.now() - heldAtMs;
    },
  };
}
