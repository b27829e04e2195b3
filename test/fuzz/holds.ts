import { appendFileSync } from 'node:fs';
import fc, { type IAsyncProperty, type IProperty } from 'fast-check';
import { vi } from 'vitest';

const { FUZZ_SEED = '1', FUZZ_TIMES = '1', FUZZ_TALLY } = process.env;

// A test here takes as long as its cases do; each of them has a bound.
vi.setConfig({ testTimeout: 0 });

/** The longest that one case may take. Not a figure of speed: what takes longer hangs. */
const hangsAfterMs = 30_000;

/**
 * Holds a property for as many cases as a short run has, times `FUZZ_TIMES`, beginning with the seed `FUZZ_SEED`. What breaks it is shown as small as it can be made, with
 * the seed and the path that lead to it again. With `FUZZ_TIMES=0` cases are only counted.
 *
 * @param subject what the cases are counted under in the file that `FUZZ_TALLY` names
 * @param cases how many a short run has
 * @returns how many were held
 */
export async function holds<Values>(subject: string, cases: number, property: IProperty<Values> | IAsyncProperty<Values>): Promise<number> {
  const numRuns = Math.ceil(cases * Number(FUZZ_TIMES));
  if (numRuns > 0) await fc.assert(property, { numRuns, seed: Number(FUZZ_SEED), timeout: hangsAfterMs });
  if (FUZZ_TALLY) appendFileSync(FUZZ_TALLY, `${JSON.stringify({ subject, cases: numRuns, short: cases })}\n`);
  return numRuns;
}
