import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { full, quick } from './harness/effort.ts';
import { measure } from './harness/measure.ts';
import { type Section, sections } from './harness/sections.ts';
import { toMarkdown } from './report/markdown.ts';
import { writePage } from './report/page.ts';
import { lastColumn, type Measured, merged, readRecord, writeRecord } from './report/record.ts';
import { isSoak, type Soak, soak, soaks } from './soak/soaks.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
/** A host remembers its last 100,000 calls, which are counted in the end. */
const mostMinutes = 90;
/** Far more than any section takes: what lasts longer hangs. */
const mostSectionMs = 8 * 60_000;

/**
 * `npm run bench`: measures and prints tables; with the names of sections, only those; with `--write`, they go into docs/performance.json, or that of
 * another directory, and from there, with plots, into performance.md beside it; with `--quick`, all of it in under a minute, with figures that say little.
 * Never fails on a figure, nor for a section that could not be measured, which is told in its place. `npm run bench -- --soak host` runs the host for ten
 * minutes, or `--minutes`, and fails when it loses or leaves something; `--soak all` does that with everything, and with `--write` tells of it in docs/reliability.md.
 */
export async function main(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    const usage = `npm run bench -- [--quick] [--write] [--into docs] [${sections.map(({ name }) => name).join('] [')}]\nnpm run bench -- --soak ${Object.keys(soaks).join('|')} [--minutes 10] [--write]`;
    process.stderr.write(`${asked}\n${usage}\n`);
    return 1;
  }
  if (asked.soak) return soak(asked.soak, asked.minutes, asked.write);
  const measured = await measureAll(asked, ['npm run bench --', ...args].join(' '));
  if (asked.write) await write(asked.into, measured);
  return 0;
}

interface Asked {
  readonly named: readonly string[];
  readonly isQuick: boolean;
  readonly write: boolean;
  /** The directory that is written to, and whose last figures these are compared with. */
  readonly into: string;
  /** Absent: nothing is soaked. */
  readonly soak?: Soak;
  readonly minutes: number;
}

/** What the arguments ask for, or what is wrong with them. */
function readArguments(args: readonly string[]): Asked | string {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const [minute, into] = [{ type: 'string', default: '10' } as const, { type: 'string', default: docs } as const];
    const options = { quick: flag, write: flag, into, soak: { type: 'string' }, minutes: minute } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const minutes = Number(values.minutes);
    const unknown = positionals.find((name) => !sections.some((section) => section.name === name));
    if (unknown !== undefined) return `there is no section "${unknown}"`;
    if (!(minutes > 0 && minutes <= mostMinutes))
      return `--minutes: expected a number above 0, up to ${mostMinutes}, got ${values.minutes}`;
    const soaked = values.soak;
    if (soaked !== undefined && !isSoak(soaked)) return `--soak: expected ${Object.keys(soaks).join(' or ')}, got ${soaked}`;
    const directory = resolve(values.into);
    if (!existsSync(directory)) return `--into: there is no directory ${directory}`;
    if (values.quick && values.write && directory === resolve(docs))
      return '--quick --write: its figures say too little for docs/; give another directory with --into';
    return { named: positionals, isQuick: values.quick, write: values.write, into: directory, ...(soaked && { soak: soaked }), minutes };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function measureAll({ named, isQuick, into }: Asked, command: string): Promise<readonly Measured[]> {
  const last = readRecord(into);
  const all: Measured[] = [];
  for (const section of sections) {
    if (named.length > 0 && !named.includes(section.name)) continue;
    process.stderr.write(`${section.name}\n`);
    const isLeftOut = isQuick && section.slowBecause !== undefined && named.length === 0;
    const tables = isLeftOut ? [] : await measure(section, isQuick ? quick : full, mostSectionMs);
    const before = last.sections.find(({ name }) => name === section.name);
    const about = { name: section.name, title: section.title, date: new Date().toISOString().slice(0, 10), machine: machine(), command };
    const measured = typeof tables === 'string' ? { ...about, tables: [], failed: tables } : { ...about, tables };
    process.stdout.write(`${textOf(measured, before, isLeftOut ? section : undefined)}\n\n`);
    all.push(measured);
  }
  return all;
}

/** A section as it is printed, each line beside what it was when it was last written down. */
function textOf({ title, tables, failed }: Measured, before: Measured | undefined, leftOut: Section | undefined): string {
  const told = leftOut ? [`Left out of the quick form: ${leftOut.slowBecause}.`] : failed ? [`Could not be measured: ${failed}`] : [];
  return [`## ${title}`, ...told, ...tables.map((table) => toMarkdown(table, lastColumn(before, table)))].join('\n\n');
}

async function write(into: string, measured: readonly Measured[]): Promise<void> {
  const order = sections.map(({ name }) => name);
  writeRecord(into, merged(readRecord(into), measured, order));
  // As it was written, with the digits that were kept.
  await writePage(into, readRecord(into));
  process.stderr.write(`written: performance.json, performance.md and its plots in ${into}\n`);
}

function machine(): string {
  return `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
}
