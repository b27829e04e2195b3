import { isUnsteady } from '../harness/interleave.ts';
import type { Spread } from '../harness/spread.ts';
import { type Judged, type Line, type Table, type Unit, type Verdict, verdictOf } from '../harness/table.ts';

/** A further column: what it is headed by, and what it says of a line. */
export interface Column {
  readonly head: string;
  readonly of: (line: Line) => string;
}

/** A table in Markdown: its lines beside their control, and what their marks say of them. */
export function toMarkdown(table: Table, further: readonly Column[] = []): string {
  const heads = ['', 'median (least-most)', 'times the control', 'judged', 'to reach', '', ...further.map(({ head }) => head)];
  const rows = table.lines.map((line) => {
    const isControl = line.name === table.control.name;
    const over = isControl ? 'the control' : line.overControl ? timesText(line.overControl) : '';
    const judged = line.judged ? judgedCells(line.judged, table.unit) : ['', ''];
    const verdict = verdictTexts[verdictOf(table, line) ?? 'none'];
    const cells = [line.name, withEnds(line.measured, table.unit), over, ...judged, verdict, ...further.map(({ of }) => of(line))];
    return `| ${cells.join(' | ')} |`;
  });
  return [`### ${table.title}`, '', captionOf(table), '', `| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join(
    '\n',
  );
}

const verdictTexts: Readonly<Record<Verdict | 'none', string>> = {
  reached: 'reached',
  missed: '**missed**',
  unsteady: 'unsteady',
  none: '',
};

/** A number with three digits that say something, and its unit. */
export function withUnit(value: number, unit: Unit): string {
  return `${number(value, unit)} ${unit === 'us' ? 'µs' : unit}`;
}

export function times(value: number): string {
  return `${value.toLocaleString('en', { maximumSignificantDigits: 3 })}x`;
}

function share(value: number): string {
  return `${(value * 100).toFixed(0)} %`;
}

function captionOf(table: Table): string {
  const { unit, rounds } = table;
  const { moved, discarded } = table.control;
  if (unit === 'B') return 'Counted, not timed: the same every time.';
  if (moved === undefined) return 'One long run of all lines at once, in no rounds; how far the control moved was not watched.';
  const steady = isUnsteady(moved) ? ', more than the 15 % of a steady run' : '';
  const control = ownControls(table) ?? `the control moved by ${share(moved)}${steady}`;
  const kept = `${rounds} round${rounds === 1 ? '' : 's'}; ${control}.`;
  if (discarded.length === 0) return kept;
  return `${kept} Discarded runs, in which it moved further: ${discarded.length} (${discarded.map((run) => share(run.moved)).join(', ')}).`;
}

/** How far the controls moved where each line has one of its own; undefined where none has. */
function ownControls({ lines }: Table): string | undefined {
  const moved = lines.flatMap((line) => line.moved ?? []);
  if (moved.length === 0) return undefined;
  const ends = [Math.min(...moved), Math.max(...moved)].map(share).join(' to ');
  return `each line has a control of its own, which moved by ${ends}, for ${moved.filter(isUnsteady).length} of ${moved.length} more than the 15 % of a steady run`;
}

function judgedCells(judged: Judged, unit: Unit): readonly string[] {
  const { of, seen, beside, mark, better } = judged;
  const text = {
    ratio: () => `${timesText(seen)} of ${beside}`,
    difference: () => `${withEnds(seen, unit)} over ${beside}`,
    value: () => withUnit(seen.median, unit),
    most: () => `at most ${withUnit(seen.most, unit)}`,
  };
  const sign = better === 'less' ? '<=' : '>=';
  const target = of === 'ratio' ? times(mark) : withUnit(mark, unit);
  return [text[of](), `${sign} ${target}`];
}

function timesText({ median, least, most }: Spread): string {
  if (least === most) return times(median);
  return `${times(median)} (${times(least).slice(0, -1)}-${times(most).slice(0, -1)})`;
}

function withEnds({ median, least, most }: Spread, unit: Unit): string {
  if (least === most) return withUnit(median, unit);
  return `${withUnit(median, unit)} (${number(least, unit)}-${number(most, unit)})`;
}

function number(value: number, unit: Unit): string {
  return value.toLocaleString('en', unit === 'B' ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
