import type { Effort } from './effort.ts';
import { median } from './spread.ts';

/** What one measurement has seen, by the name of what it is: `{ ms: 3.1 }`, `{ perSecond: 900, p99Ms: 8 }`. */
export type Sample<Metric extends string> = Readonly<Record<Metric, number>>;

/** How each subject is measured once. One that cannot be had here is undefined, and left out. */
export type Measures<Subject extends string, Metric extends string> = Readonly<
  Record<Subject, (() => Promise<Sample<Metric>>) | undefined>
>;

/** Everything that was seen of several subjects in one run, two samples of each in every round; none of what could not be had. */
export interface Run<Subject extends string, Metric extends string> {
  readonly control: Subject;
  readonly rounds: number;
  /** By what share the control moved between the first half of the run and the second; absent where nothing took turns, so that it was not watched. */
  readonly moved?: number;
  /** How far the control moved in each run that was discarded for it. */
  readonly discarded: readonly number[];
  /** In the order in which they were taken. */
  readonly samples: ReadonlyMap<Subject, readonly Sample<Metric>[]>;
}

export interface Interleaving<Subject extends string, Metric extends string> {
  /** Told on stderr as it proceeds. */
  readonly title: string;
  /** Bare Node doing what has to be done in any case: it says how fast the machine is, and whether it stayed so. */
  readonly control: NoInfer<Subject>;
  /** By which metric the control is watched. */
  readonly watched: NoInfer<Metric>;
  readonly measures: Measures<Subject, Metric>;
}

/** A control that moves further than this share has been measured on a machine with other things to do. */
const mostMoved = 0.15;

/**
 * Measures several subjects in turn, forwards and backwards (A B B A), round after round, after one turn that warms all of them up. A run whose control
 * moved by more than 15 % is discarded and begun again, as often and as long as `effort` allows; after that the run that moved least is kept, and nothing is judged by it.
 */
export async function interleave<Subject extends string, Metric extends string>(
  effort: Effort,
  { title, control, watched, measures }: Interleaving<Subject, Metric>,
): Promise<Run<Subject, Metric>> {
  // Its own keys, each of which the type names.
  const subjects = (Object.keys(measures) as Subject[]).filter((subject) => measures[subject] !== undefined);
  for (const subject of subjects) await measures[subject]?.();
  const runs: (Omit<Run<Subject, Metric>, 'discarded'> & { readonly moved: number })[] = [];
  for (;;) {
    const startMs = performance.now();
    const samples = await takeTurns(effort.rounds, subjects, measures);
    const tookMs = performance.now() - startMs;
    const moved = movedBy((samples.get(control) ?? []).map((sample) => sample[watched]));
    runs.push({ control, rounds: effort.rounds, moved, samples });
    const isRepeated = isUnsteady(moved) && runs.length <= effort.repeats && tookMs <= effort.repeating.leftMs;
    tell(title, effort.rounds, tookMs, moved, isRepeated);
    if (!isRepeated) break;
    effort.repeating.leftMs -= tookMs;
  }
  const [kept, ...discarded] = runs.toSorted((one, other) => one.moved - other.moved);
  if (!kept) throw new Error(`${title}: nothing was measured`);
  return { ...kept, discarded: discarded.map(({ moved }) => moved) };
}

/** Whether a control moved too far for its run to count. */
export function isUnsteady(moved: number): boolean {
  return moved > mostMoved;
}

async function takeTurns<Subject extends string, Metric extends string>(
  rounds: number,
  subjects: readonly Subject[],
  measures: Measures<Subject, Metric>,
): Promise<Run<Subject, Metric>['samples']> {
  const seen = new Map<Subject, Sample<Metric>[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of [...subjects, ...subjects.toReversed()]) {
      const sample = await measures[subject]?.();
      if (sample) seen.get(subject)?.push(sample);
    }
  }
  return seen;
}

/** The larger median of a list's two halves over the smaller, less one. */
export function movedBy(values: readonly number[]): number {
  const half = Math.ceil(values.length / 2);
  const medians = [values.slice(0, half), values.slice(-half)].map(median);
  return Math.max(...medians) / Math.min(...medians) - 1;
}

function tell(title: string, rounds: number, tookMs: number, moved: number, isRepeated: boolean): void {
  const verdict = isRepeated ? ': once more' : isUnsteady(moved) ? ': more than it may' : '';
  const said = `${rounds} round${rounds === 1 ? '' : 's'} in ${(tookMs / 1000).toFixed(1)} s, the control moved by ${(moved * 100).toFixed(0)} %${verdict}`;
  process.stderr.write(`  ${title}: ${said}\n`);
}
