import { didYouMean } from '../../../deployer/nearest-name.ts';
import { CliError } from '../../cli-error.ts';
import type { ListOptions } from '../options.ts';
import { emphasized, printJson, printLine } from './print.ts';

/** A column of a list: the name that `--format` knows it by, its heading, and what it shows of an item. */
export interface Column<T> {
  readonly key: string;
  readonly heading: string;
  readonly value: (item: T) => string;
}

const GAP = '    ';

/** Prints a list as the options want it: a table, chosen columns of it, or JSON. CliError for a column that does not exist. */
export function printList<T>(items: readonly T[], columns: readonly Column<T>[], options: ListOptions): void {
  if (options.output === 'json') {
    printJson(items);
    return;
  }
  const shown = options.format === undefined ? columns : options.format.split(',').map((key) => columnNamed(key.trim(), columns));
  for (const line of table(items, shown, options.header)) printLine(line);
}

/** The lines of a table; its heading among them if wanted. */
export function table<T>(items: readonly T[], columns: readonly Column<T>[], header = true): readonly string[] {
  const rows = items.map((item) => columns.map((column) => column.value(item)));
  const headings = columns.map(({ heading }) => heading);
  const widths = columns.map((_, index) => Math.max(...[...(header ? [headings] : []), ...rows].map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  return [...(header ? [emphasized(line(headings))] : []), ...rows.map(line)];
}

function columnNamed<T>(key: string, columns: readonly Column<T>[]): Column<T> {
  const column = columns.find((candidate) => candidate.key.toLowerCase() === key.toLowerCase());
  if (column) return column;
  const keys = columns.map((candidate) => candidate.key);
  throw new CliError(`--format: there is no column ${key}${didYouMean(key, keys)} (columns: ${keys.join(', ')})`);
}
