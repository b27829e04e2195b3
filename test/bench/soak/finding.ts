import { type Growth, growthOf } from './growth.ts';

/** What a soak has shown: a line of text each, and whether it is as it has to be. */
export interface Finding {
  readonly name: string;
  readonly seen: string;
  readonly wanted: string;
  readonly isGood: boolean;
}

export const mib = 1024 * 1024;

export function finding(name: string, seen: string, wanted: string, isGood: boolean): Finding {
  return { name, seen, wanted, isGood };
}

/** How many of the requests that were made had an answer as it should be, and the first of what went wrong. */
export function answersFindings(right: number, made: number, wrong: readonly string[]): readonly Finding[] {
  const isGood = right === made && wrong.length === 0;
  return [
    finding('answered as they should be', `${right} of ${made}`, 'all', isGood),
    ...wrong.slice(0, 3).map((text) => finding('a wrong answer', text, 'none', false)),
  ];
}

/** Whether a server that was told to end did so by itself, with this exit code. */
export function endFinding(server: string, code: number | null | string): Finding {
  const seen = code === 0 ? 'ended by itself' : String(code);
  return finding(`${server}, told to end`, seen, 'ends by itself: no handle is left', code === 0);
}

/** What is left of a server that has ended: the numbers of processes, the names of directories. */
export function leftFinding(left: readonly (string | number)[]): Finding {
  return finding('processes and directories left', left.join(', ') || 'none', 'none', left.length === 0);
}

/** Whether bytes that were measured at even times stay as many, or grow by no more than `most` over the second half. */
export function flatBytes(name: string, values: readonly number[], most: number): Finding {
  return flat(name, growthOf(values), most, (bytes) => `${(bytes / mib).toFixed(1)} MiB`);
}

/** The same for what is counted. */
export function flatCount(name: string, values: readonly number[], most: number): Finding {
  return flat(name, growthOf(values), most, (count) => count.toFixed(0));
}

function flat(name: string, { median, growth }: Growth, most: number, shown: (value: number) => string): Finding {
  const sign = growth < 0 ? '-' : '+';
  const seen = `${shown(median)}, ${sign}${shown(Math.abs(growth))} over the second half`;
  return finding(name, seen, `grows by less than ${shown(most)}`, growth < most);
}

/** Findings as a table in Markdown. */
export function findingTable(findings: readonly Finding[]): string {
  const lines = findings.map(({ name, seen, wanted, isGood }) => `| ${name} | ${seen} | ${wanted} | ${isGood ? 'held' : '**broken**'} |`);
  return ['| | seen | to hold | |', '|---|---|---|---|', ...lines].join('\n');
}
