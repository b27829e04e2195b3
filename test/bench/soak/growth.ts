import { percentile } from '../harness/spread.ts';

/** What was measured at even times: its median, and by how much its trend rose from the beginning to the end. */
export interface Growth {
  readonly median: number;
  readonly growth: number;
}

/** The second half of what was measured: the first is for what grows once, caches and compiled code. */
export function secondHalf<T>(values: readonly T[]): readonly T[] {
  return values.slice(Math.floor(values.length / 2));
}

/** Judges whether something grows in its second half. */
export function growthOf(values: readonly number[]): Growth {
  return growthIn(secondHalf(values));
}

/** The trend is the median of the slopes between all pairs of measurements (Theil and Sen), which neither a step nor a few outliers move. */
export function growthIn(values: readonly number[]): Growth {
  const slopes = values.flatMap((from, at) => values.slice(at + 1).map((to, after) => (to - from) / (after + 1)));
  const slope = slopes.length === 0 ? 0 : percentile(slopes, 0.5);
  return { median: percentile(values, 0.5), growth: slope * (values.length - 1) };
}
