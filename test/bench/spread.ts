/** A median with the least and the most that was seen. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Measures several things in turn, forwards and backwards (A B B A), `rounds` times over. */
export async function interleaved(rounds: number, measures: readonly (() => Promise<number>)[]): Promise<readonly Spread[]> {
  const seen: readonly number[][] = measures.map(() => []);
  const measure = async (index: number): Promise<void> => {
    const value = await measures[index]?.();
    if (value !== undefined) seen[index]?.push(value);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < measures.length; index += 1) await measure(index);
    for (let index = measures.length - 1; index >= 0; index -= 1) await measure(index);
  }
  return seen.map(spread);
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
