import type { Spread } from './spread.ts';

/** One line of a table: a measure beside its control, both out of one interleaved run. */
export interface Row {
  readonly name: string;
  readonly unit: 'ms' | 'us' | '/s' | 'B';
  readonly ours: Spread;
  readonly control: Spread;
  /** What the target speaks of; absent for a line that only shows a control. */
  readonly figure?: Figure;
}

export interface Figure {
  /** `value` stands for itself: its control is there to judge the machine by. */
  readonly of: 'difference' | 'ratio' | 'value';
  readonly value: number;
  readonly target: number;
  readonly better: 'less' | 'more';
}

export function isReached({ value, target, better }: Figure): boolean {
  return better === 'less' ? value <= target : value >= target;
}

/** A table in Markdown: what was measured, the control, the figure, and what it was to reach. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, unit, ours, control, figure }) => {
    const cells = [name, shown(ours, unit), shown(control, unit), ...(figure ? figureCells(figure, unit) : ['', '', ''])];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| | ours | control | figure | to reach | |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

function figureCells(figure: Figure, unit: Row['unit']): readonly string[] {
  const sign = figure.better === 'less' ? '<=' : '>=';
  const text = (value: number) => (figure.of === 'ratio' ? `${value.toFixed(2)}x` : `${value.toFixed(unit === 'B' ? 0 : 2)} ${unit}`);
  return [text(figure.value), `${sign} ${text(figure.target)}`, isReached(figure) ? 'reached' : '**missed**'];
}

function shown({ median, least, most }: Spread, unit: Row['unit']): string {
  const digits = unit === 'ms' ? 2 : 0;
  return `${median.toFixed(digits)} ${unit} (${least.toFixed(digits)}-${most.toFixed(digits)})`;
}
