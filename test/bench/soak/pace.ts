import { setTimeout } from 'node:timers/promises';

/** A sample holds the work up, so that a short run has few. */
const [leastSampleMs, mostSampleMs] = [1000, 15_000] as const;
const manySamples = 20;

export interface Pace {
  readonly minutes: number;
  readonly perMinute: number;
  /** Begins the nth piece of work; what it promises is waited for before a sample is taken. */
  readonly begin: (n: number) => Promise<void>;
  /** Taken now and then while nothing is under way. */
  readonly sample: () => Promise<void>;
}

/** Begins work at an even pace, whether or not earlier work is done, but for the moments in which samples are taken. Returns how much, when all of it is done. */
export async function keepPace({ minutes, perMinute, begin, sample }: Pace): Promise<number> {
  const total = Math.round(perMinute * minutes);
  const everyMs = 60_000 / perMinute;
  const sampleEveryMs = Math.min(mostSampleMs, Math.max(leastSampleMs, (minutes * 60_000) / manySamples));
  const underWay = new Set<Promise<void>>();
  let dueAt = performance.now();
  let sampledAt = dueAt;
  for (let n = 0; n < total; n += 1) {
    const early = dueAt - performance.now();
    if (early > 0) await setTimeout(early);
    const one = begin(n).finally(() => underWay.delete(one));
    underWay.add(one);
    dueAt += everyMs;
    if (performance.now() - sampledAt < sampleEveryMs) continue;
    await Promise.all(underWay);
    await sample();
    sampledAt = performance.now();
    // What the sample took is not made up for: that would be no even pace.
    dueAt = Math.max(dueAt, sampledAt);
  }
  await Promise.all(underWay);
  return total;
}
