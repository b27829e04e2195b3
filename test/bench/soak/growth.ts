import { percentile } from '../harness/spread.ts';

/** The second half of what was measured at even times: its median, and by how much its trend rose from the half's beginning to its end. */
export interface Growth {
  readonly median: number;
  readonly growth: number;
}

/**
 * Judges whether something grows. The first half is for what grows once: caches, compiled code. In the second the trend is the median of the
 * slopes between all pairs of measurements (Theil and Sen), which neither a step nor a few outliers move.
 */
export function growthOf(values: readonly number[]): Growth {
  const late = values.slice(Math.floor(values.length / 2));
  const slopes = late.flatMap((from, at) => late.slice(at + 1).map((to, after) => (to - from) / (after + 1)));
  const slope = slopes.length === 0 ? 0 : percentile(slopes, 0.5);
  return { median: percentile(late, 0.5), growth: slope * (late.length - 1) };
}
