import { stopwatch, wakeAfter } from '../clock.ts';
import { ProbeAbandoned, ProbeFailure } from './failure.ts';
import type { Timings } from './result.ts';

/** The course of one probe: what it has come to, how long its steps took, and when it is over whatever happens. */
export interface Course {
  /** Aborted when the probe is over: what it has open is to be closed. */
  readonly signal: AbortSignal;
  /** Carries out a step, and keeps its time. Errors: those of the work; ProbeFailure when time is up, ProbeAbandoned when it was cut short. */
  readonly step: <T>(name: string, timing: keyof Timings | undefined, work: () => Promise<T>) => Promise<T>;
  readonly timings: () => Timings;
  readonly tookMs: () => number;
}

/** Has `work` probe within `timeoutMs`, or until `ending` is aborted. */
export async function withinCourse<T>(timeoutMs: number, ending: AbortSignal, work: (course: Course) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const cancel = wakeAfter(timeoutMs, () => over.abort());
  const signal = AbortSignal.any([over.signal, ending]);
  const timings: Record<string, number> = {};
  const tookMs = stopwatch();
  const step: Course['step'] = async (name, timing, stepWork) => {
    const stepMs = stopwatch();
    // The first to hear that time is up: what the work says of having been ended is nothing about the target.
    const cutOff = aborted(signal, name, ending);
    const result = await Promise.race([cutOff, (async () => stepWork())()]);
    if (timing !== undefined) {
      timings[timing] = rounded(stepMs());
    }
    return result;
  };
  try {
    return await work({ signal, step, timings: () => timings, tookMs: () => rounded(tookMs()) });
  } finally {
    cancel();
    over.abort();
  }
}

/** Rejects once a step has to end. */
function aborted(signal: AbortSignal, step: string, ending: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void =>
      reject(ending.aborted ? new ProbeAbandoned('the emulator ends') : new ProbeFailure('timeout', `${step} timeout`));
    if (signal.aborted) {
      end();
      return;
    }
    signal.addEventListener('abort', end, { once: true });
  });
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
