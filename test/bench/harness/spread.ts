/** A median with the least and the most that was seen. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The median of a list, with its ends. */
export function spread(values: readonly number[]): Spread {
  return { median: percentile(values, 0.5), least: percentile(values, 0), most: percentile(values, 1) };
}

/** The value that a share of a list, 0 to 1, does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
