import { isUnsteady, type Run } from './interleave.ts';
import { median, type Spread, spread } from './spread.ts';

export type Unit = 'ms' | 'us' | '/s' | 'B';

/** What a measure has to reach: by its ratio to another, by its difference from another, by itself, or by the most that was seen of it. */
export type Mark<Subject extends string> = {
  readonly of: 'ratio' | 'difference' | 'value' | 'most';
  /** What it is compared with; the control where nothing is said. */
  readonly beside?: Subject;
} & ({ readonly atMost: number } | { readonly atLeast: number });

/** How one subject of a run is shown. */
export interface Shown<Subject extends string> {
  readonly name: string;
  readonly mark?: Mark<NoInfer<Subject>>;
  /** Where it lies on a plot of cost against size. */
  readonly at?: Point;
  /** Only gives its name to those that are compared with it. */
  readonly isHidden?: boolean;
}

/** A size, and which of the plot's lines it is on. */
export interface Point {
  readonly size: number;
  readonly series: string;
}

/** One line of a table; plain values, as they are written to docs/performance.json. */
export interface Line {
  readonly name: string;
  readonly measured: Spread;
  /** How many times the control's it is, round by round; absent for what is counted. */
  readonly overControl?: Spread;
  readonly judged?: Judged;
  readonly at?: Point;
  /** How far the control moved that this line was measured beside, where that is not the one of the whole table. */
  readonly moved?: number;
}

export interface Judged {
  readonly of: Mark<string>['of'];
  readonly beside: string;
  readonly seen: Spread;
  readonly mark: number;
  readonly better: 'less' | 'more';
}

export interface Table {
  readonly title: string;
  readonly unit: Unit;
  readonly rounds: number;
  readonly control: { readonly name: string; readonly moved?: number; readonly discarded: readonly Discarded[] };
  readonly lines: readonly Line[];
  /** What the sizes of its lines are, where they make a plot. */
  readonly sizes?: string;
}

/** A run that did not count, and why. */
export interface Discarded {
  readonly moved: number;
}

export interface Tabulated<Subject extends string, Metric extends string> {
  readonly title: string;
  readonly unit: Unit;
  readonly metric: NoInfer<Metric>;
  readonly sizes?: string;
  /** The subjects in the order of their lines; those that could not be measured have none. */
  readonly shown: Readonly<Partial<Record<Subject, Shown<Subject>>>>;
}

/** One metric of a run as a table: medians with their ends, ratios to the control, and what the marks say of them. */
export function tabulate<Subject extends string, Metric extends string>(
  run: Run<Subject, Metric>,
  { title, unit, metric, sizes, shown }: Tabulated<Subject, Metric>,
): Table {
  const valuesOf = (subject: Subject): readonly number[] => (run.samples.get(subject) ?? []).map((sample) => sample[metric]);
  const control = valuesOf(run.control);
  const nameOf = (subject: Subject): string => shown[subject]?.name ?? subject;
  // Its own keys, each of which the type names.
  const entries = Object.entries(shown) as [Subject, Shown<Subject>][];
  const lines = entries.flatMap(([subject, { name, mark, at, isHidden }]): readonly Line[] => {
    const values = valuesOf(subject);
    if (values.length === 0 || isHidden) return [];
    const beside = mark?.beside ?? run.control;
    const judged = mark && judge(mark, nameOf(beside), values, valuesOf(beside));
    const overControl = control.length > 0 && subject !== run.control ? { overControl: spread(ratios(values, control)) } : {};
    return [{ name, measured: spread(values), ...overControl, ...(judged && { judged }), ...(at && { at }) }];
  });
  const discarded = run.discarded.map((moved) => ({ moved }));
  const watched = { name: nameOf(run.control), ...(run.moved !== undefined && { moved: run.moved }), discarded };
  return { title, unit, rounds: run.rounds, control: watched, lines, ...(sizes !== undefined && { sizes }) };
}

/** What is counted rather than timed, as a run of one: it is the same every time. */
export function counted<Subject extends string>(
  control: NoInfer<Subject>,
  bytes: Readonly<Record<Subject, number | undefined>>,
): Run<Subject, 'bytes'> {
  // Its own keys, each of which the type names.
  const subjects = Object.keys(bytes) as Subject[];
  const samples = new Map(subjects.map((subject) => [subject, [bytes[subject] ?? []].flat().map((count) => ({ bytes: count }))]));
  return { control, rounds: 1, moved: 0, discarded: [], samples };
}

/** What is said of a mark; unsteady: the control moved too far for either. */
export type Verdict = 'reached' | 'missed' | 'unsteady';

/** What a line's mark says of it; undefined where it has none. */
export function verdictOf({ control }: Table, { judged, moved = control.moved }: Line): Verdict | undefined {
  if (!judged) return undefined;
  if (moved !== undefined && isUnsteady(moved)) return 'unsteady';
  return isReached(judged) ? 'reached' : 'missed';
}

function isReached({ seen, of, mark, better }: Judged): boolean {
  const value = of === 'most' ? seen.most : seen.median;
  return better === 'less' ? value <= mark : value >= mark;
}

/** Undefined where there is nothing to compare with. */
function judge<Subject extends string>(
  mark: Mark<Subject>,
  beside: string,
  values: readonly number[],
  others: readonly number[],
): Judged | undefined {
  if (others.length === 0) return undefined;
  const seen = {
    ratio: () => ratios(values, others),
    difference: () => differences(values, others),
    value: () => values,
    most: () => values,
  };
  const target = 'atMost' in mark ? { mark: mark.atMost, better: 'less' as const } : { mark: mark.atLeast, better: 'more' as const };
  return { of: mark.of, beside, seen: spread(seen[mark.of]()), ...target };
}

/** Round by round: within one, forwards and backwards cancel what the machine drifted. */
function ratios(values: readonly number[], others: readonly number[]): readonly number[] {
  const [ours, theirs] = [byRound(values), byRound(others)];
  if (ours.length === theirs.length) return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return [median(values) / median(others)];
}

function differences(values: readonly number[], others: readonly number[]): readonly number[] {
  const [ours, theirs] = [byRound(values), byRound(others)];
  return ours.map((value, round) => value - (theirs[round] ?? Number.NaN));
}

/** The mean of each round's two samples; a single sample stands for itself. */
function byRound(values: readonly number[]): readonly number[] {
  if (values.length % 2 === 1) return values;
  return values.flatMap((value, index) => (index % 2 === 0 ? [(value + (values[index + 1] ?? value)) / 2] : []));
}

/** Several tables of the same sort as one: their lines one after the other, each with how far its own control moved, below one control that stands for all of theirs. */
export function joined(title: string, tables: readonly Table[]): Table {
  const [first] = tables;
  if (!first) throw new Error(`${title}: nothing was measured`);
  const isControl = ({ name }: Line): boolean => name === first.control.name;
  const controls = tables.flatMap(({ lines }) => lines.filter(isControl)).map(({ measured }) => measured);
  const measured = {
    median: median(controls.map((control) => control.median)),
    least: Math.min(...controls.map(({ least }) => least)),
    most: Math.max(...controls.map(({ most }) => most)),
  };
  const moved = Math.max(...tables.flatMap(({ control }) => control.moved ?? []));
  const discarded = tables.flatMap(({ control }) => control.discarded);
  const lines = tables.flatMap(({ lines: own, control }) =>
    own.filter((line) => !isControl(line)).map((line) => ({ ...line, ...(control.moved !== undefined && { moved: control.moved }) })),
  );
  return {
    ...first,
    title,
    control: { name: first.control.name, moved, discarded },
    lines: [{ name: first.control.name, measured }, ...lines],
  };
}
