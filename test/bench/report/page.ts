import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Table, type Verdict, verdictOf } from '../harness/table.ts';
import { toMarkdown } from './markdown.ts';
import type { Measured, PerformanceRecord } from './record.ts';

const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];
const bare = `# Performance\n\n${begin}\n${end}\n`;

/** Writes what was measured into performance.md of a directory, between its marks, and the plots it shows beside it. */
export async function writePage(directory: string, record: PerformanceRecord): Promise<void> {
  // Loaded here alone: whoever only measures draws nothing.
  const { plotSizes, plotVerdicts } = await import('./plots.ts');
  const plots: [string, string][] = [['verdicts', await plotVerdicts(record.sections)]];
  for (const { name, tables } of record.sections) {
    for (const [index, table] of tables.entries())
      if (table.sizes !== undefined) plots.push([`${name}-${index + 1}`, await plotSizes(table)]);
  }
  const folder = join(directory, 'performance');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, svg] of plots) writeFileSync(join(folder, `${name}.svg`), svg);
  writeFileSync(pageIn(directory), pageText(before(directory), record));
}

/** Whether the page of a directory says what the record says. */
export function isPageOf(directory: string, record: PerformanceRecord): boolean {
  return before(directory) === pageText(before(directory), record);
}

function before(directory: string): string {
  return existsSync(pageIn(directory)) ? readFileSync(pageIn(directory), 'utf8') : bare;
}

function pageIn(directory: string): string {
  return join(directory, 'performance.md');
}

function pageText(text: string, { sections }: PerformanceRecord): string {
  const [head, tail] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
  return `${head}${begin}\n${[summary(sections), ...sections.map(sectionText)].join('\n\n')}\n${tail}`;
}

function summary(sections: readonly Measured[]): string {
  const verdicts = sections.flatMap(({ tables }) => tables.flatMap((table) => table.lines.flatMap((line) => verdictOf(table, line) ?? [])));
  const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
  const unsteady = count('unsteady') === 0 ? '' : `; ${count('unsteady')} are unsteady and count for neither`;
  return `${count('reached')} of ${verdicts.length} marks are reached, ${count('missed')} are missed${unsteady}.\n\n![Every figure as a share of what its mark allows](performance/verdicts.svg)`;
}

function sectionText({ name, title, date, machine, command, tables, failed }: Measured): string {
  const measured = tables.length === 0 ? [] : [`Measured on ${date}, ${machine}, \`${command}\`.`];
  const told = failed === undefined ? [] : [`**The last attempt failed**: ${failed}`];
  const shown = tables.map((table, index) => `${toMarkdown(table)}${plotOf(table, `performance/${name}-${index + 1}.svg`)}`);
  return [`## ${title}`, ...told, ...measured, ...shown].join('\n\n');
}

function plotOf({ title, sizes }: Table, path: string): string {
  return sizes === undefined ? '' : `\n\n![${title}, by ${sizes}](${path})`;
}
