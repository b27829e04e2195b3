import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line, Table } from '../harness/table.ts';
import { type Column, times } from './markdown.ts';

/** What was measured of one section, when and where. */
export interface Measured {
  readonly name: string;
  readonly title: string;
  readonly date: string;
  readonly machine: string;
  readonly command: string;
  readonly tables: readonly Table[];
  /** Why a later attempt brought no tables; these are then of the attempt before. */
  readonly failed?: string;
}

/** All that a page shows: the page is made from it, and the next run is compared with it. */
export interface PerformanceRecord {
  readonly sections: readonly Measured[];
}

/** What performance.json of a directory says; nothing where there is none. */
export function readRecord(directory: string): PerformanceRecord {
  const file = fileIn(directory);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { sections: [] };
}

/** Six digits say more than any machine can hold. */
export function writeRecord(directory: string, record: PerformanceRecord): void {
  const shorter = (_: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);
  writeFileSync(fileIn(directory), `${JSON.stringify(record, shorter, 2)}\n`);
}

function fileIn(directory: string): string {
  return join(directory, 'performance.json');
}

/** A record with newer measurements in it. A section that could not be measured keeps its older tables, and says so. */
export function merged({ sections }: PerformanceRecord, newer: readonly Measured[], order: readonly string[]): PerformanceRecord {
  const latest = order.flatMap((name) => {
    const [older, now] = [sections, newer].map((among) => among.find((one) => one.name === name));
    if (older && now?.failed !== undefined) return [{ ...older, failed: now.failed }];
    return now ?? older ?? [];
  });
  return { sections: latest };
}

/**
 * A column that says how many times its last figure each line is; none where nothing has been written down. Both figures are taken as times their
 * control where they have one, so that two machines compare.
 */
export function lastColumn(last: Measured | undefined, table: Table): readonly Column[] {
  const lastTable = last?.tables.find(({ title }) => title === table.title);
  if (!last || !lastTable) return [];
  const of = (line: Line): string => {
    const then = lastTable.lines.find(({ name }) => name === line.name);
    if (!then || line.name === table.control.name) return '';
    const isOverControl = line.overControl !== undefined && then.overControl !== undefined;
    const figure = ({ measured, overControl }: Line): number => (isOverControl && overControl ? overControl : measured).median;
    return times(figure(line) / figure(then));
  };
  return [{ head: `of that of ${last.date}`, of }];
}
