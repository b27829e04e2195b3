import { everyTool } from '../support/call-of.ts';
import { type Cell, nameOf } from './cell.ts';
import { troubles } from './faults.ts';
import type { Outcome } from './hold.ts';

/** What a sweep, or a share of it, has come to; it can be sent from process to process. */
export interface Tally {
  /** By trouble and toolset. */
  readonly counts: Readonly<Record<string, Count>>;
  /** How calls ended, by trouble: `outcome_unknown`, and how often. */
  readonly endings: Readonly<Record<string, number>>;
  /** By budget: the least that was left of it when an answer came. */
  readonly leastSpareMs: Readonly<Record<string, number>>;
  readonly ranOut: number;
  /** What was not held, each with the name of its cell. */
  readonly broken: readonly string[];
  /** The memory in use, in bytes: when the sweep was warm, and at its end; absent when it was too short to tell. */
  readonly heap?: { readonly warm: number; readonly end: number; readonly cells: number };
}

export interface Count {
  readonly held: number;
  readonly broken: number;
}

const none: Count = { held: 0, broken: 0 };

/** Counts outcomes as they come, and keeps none of them. */
export interface Counting {
  add(outcome: Outcome): void;
  sum(heap: Tally['heap']): Tally;
}

export function counting(): Counting {
  const counts: Record<string, Count> = {};
  const endings: Record<string, number> = {};
  const leastSpareMs: Record<string, number> = {};
  const allBroken: string[] = [];
  let ranOutCount = 0;
  return {
    add({ cell, ending, spareMs, ranOut, broken }) {
      const isHeld = broken.length === 0;
      const place = `${cell.trouble.name} / ${everyTool.toolsetOf(cell.tool)}`;
      const before = counts[place] ?? none;
      counts[place] = { held: before.held + (isHeld ? 1 : 0), broken: before.broken + (isHeld ? 0 : 1) };
      const end = `${cell.trouble.name} / ${ending}`;
      endings[end] = (endings[end] ?? 0) + 1;
      leastSpareMs[cell.budgetMs] = Math.min(leastSpareMs[cell.budgetMs] ?? spareMs, spareMs);
      ranOutCount += ranOut ? 1 : 0;
      if (!isHeld) allBroken.push(brokenLine(cell, broken));
    },
    sum: (heap) => ({ counts, endings, leastSpareMs, ranOut: ranOutCount, broken: allBroken, ...(heap && { heap }) }),
  };
}

export function brokenLine(cell: Cell, broken: readonly string[]): string {
  return `${nameOf(cell)}: ${broken.join('; ')}`;
}

/** The shares of a sweep as one; memory is the worst share's. */
export function joined(tallies: readonly Tally[]): Tally {
  const add = (one: number | undefined, other: number) => (one ?? 0) + other;
  return {
    counts: merged(
      tallies.map(({ counts }) => counts),
      (one = none, other) => ({ held: one.held + other.held, broken: one.broken + other.broken }),
    ),
    endings: merged(
      tallies.map(({ endings }) => endings),
      add,
    ),
    leastSpareMs: merged(
      tallies.map((tally) => tally.leastSpareMs),
      (one = Number.POSITIVE_INFINITY, other) => Math.min(one, other),
    ),
    ranOut: tallies.reduce((sum, { ranOut }) => sum + ranOut, 0),
    broken: tallies.flatMap(({ broken }) => broken),
    heap: tallies
      .flatMap(({ heap }) => heap ?? [])
      .sort((one, other) => other.end - other.warm - (one.end - one.warm))
      .at(0),
  };
}

function merged<T>(parts: readonly Readonly<Record<string, T>>[], join: (one: T | undefined, other: T) => T): Record<string, T> {
  const whole: Record<string, T> = {};
  for (const part of parts) for (const [key, value] of Object.entries(part)) whole[key] = join(whole[key], value);
  return whole;
}

/** By how much the memory of a process may have grown, and still counts as flat: what compiled code and full caches take. */
const flatBytes = 8 * 1024 * 1024;

export function heldCount({ counts }: Tally): number {
  return Object.values(counts).reduce((sum, { held }) => sum + held, 0);
}

export function isHeld(tally: Tally): boolean {
  return tally.broken.length === 0 && isFlat(tally);
}

function isFlat({ heap }: Tally): boolean {
  return !heap || heap.end - heap.warm <= flatBytes;
}

/** The verdicts in Markdown: troubles by toolsets, how calls ended, time and memory. */
export function report(tally: Tally): string {
  const toolsets = [...new Set(everyTool.names.map((name) => everyTool.toolsetOf(everyTool.tool(name))))];
  const rows = troubles.flatMap(({ name }) => {
    const counts = toolsets.map((toolset) => tally.counts[`${name} / ${toolset}`] ?? none);
    return counts.every((count) => count === none) ? [] : [`| ${[name, ...counts.map(shown), endingsOf(tally, name)].join(' | ')} |`];
  });
  return [
    `| | ${toolsets.join(' | ')} | calls ended |`,
    `|---|${toolsets.map(() => '---:|').join('')}---|`,
    ...rows,
    '',
    ...timeAndMemory(tally),
    '',
    `**${heldCount(tally)} cells held, ${tally.broken.length} broken.**`,
  ].join('\n');
}

function shown({ held, broken }: Count): string {
  return broken === 0 ? String(held) : `**${broken} of ${held + broken} broken**`;
}

function endingsOf({ endings }: Tally, trouble: string): string {
  return Object.entries(endings)
    .filter(([key]) => key.startsWith(`${trouble} / `))
    .sort(([, one], [, other]) => other - one)
    .map(([key, count]) => `${key.slice(trouble.length + 3)} ${count}`)
    .join(', ');
}

function timeAndMemory(tally: Tally): readonly string[] {
  const { leastSpareMs, ranOut, heap } = tally;
  const spare = Object.entries(leastSpareMs).map(([budgetMs, spareMs]) => `${Math.round(spareMs)} of ${budgetMs}`);
  const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  const verdict = isFlat(tally) ? '' : `: **broken, it may grow by ${mib(flatBytes)} MiB**`;
  return [
    `Left of the budget when the latest answer came, time that the machine gave to others aside, in ms: ${spare.join(', ')}.`,
    `In ${ranOut} cells the time was over before the call could see what goes wrong; it says so then.`,
    ...(heap ? [`Memory in use: ${mib(heap.warm)} MiB when warm, ${mib(heap.end)} MiB ${heap.cells} cells later${verdict}.`] : []),
  ];
}
