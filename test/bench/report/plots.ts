import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { type Judged, type Line, type Table, type Verdict, verdictOf } from '../harness/table.ts';
import type { Measured } from './record.ts';

/** The most lines of one table that stand in the plot of verdicts; of a longer one only the line nearest to missing its mark does, of those that are steady. */
const mostOfOneTable = 6;
/** Where the plot of verdicts begins: what is less is shown as this. */
const leastShare = 0.01;
const unitNames = { ms: 'milliseconds', us: 'microseconds', '/s': 'a second', B: 'bytes' };
const colours: Readonly<Record<Verdict, string>> = { reached: '#2a7f62', missed: '#c0392b', unsteady: '#9a9a9a' };
const seriesColours = ['#1f5fa8', '#d98200', '#2a7f62', '#8a4fa3'];

/** Every mark as a bar from 1, on a logarithmic scale: left of it what was reached with room to spare, right of it what was missed, grey what is unsteady, with its ends. */
export async function plotVerdicts(sections: readonly Measured[]): Promise<string> {
  const values = sections.flatMap(({ title, tables }) =>
    tables.flatMap((table) => worstOf(table).map((judged) => ({ section: title, ...verdict(table, judged) }))),
  );
  const x = {
    type: 'quantitative',
    scale: { type: 'log', domainMin: leastShare, clamp: true, nice: false },
    title: 'share of what the mark allows (1 = just reached)',
  } as const;
  const y = { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 640 } } as const;
  const color = {
    field: 'verdict',
    type: 'nominal',
    scale: { domain: Object.keys(colours), range: Object.values(colours) },
    legend: { title: null, orient: 'top' },
  } as const;
  return toSvg({
    width: 420,
    data: { values },
    encoding: { y },
    layer: [
      { mark: { type: 'bar', height: 9 }, encoding: { x: { field: 'share', ...x }, x2: { datum: 1 }, color } },
      { mark: { type: 'rule', color: '#555555' }, encoding: { x: { field: 'least', ...x }, x2: { field: 'most' } } },
      { mark: { type: 'rule', color: '#000000' }, encoding: { x: { datum: 1, ...x }, y: null } },
    ],
  });
}

/** Cost against size: the lines of a table that have a size, with what least and most was seen. */
export async function plotSizes({ lines, unit, sizes }: Table): Promise<string> {
  const values = lines.flatMap(({ at, measured }) => (at ? [{ ...measured, size: at.size, series: at.series.replaceAll('`', '') }] : []));
  const ticks = { values: [...new Set(values.map(({ size }) => size))], format: ',', labelOverlap: true };
  const x = {
    field: 'size',
    type: 'quantitative',
    scale: { type: 'log', nice: false, padding: 12 },
    title: sizes ?? 'size',
    axis: ticks,
  } as const;
  const y = { type: 'quantitative', scale: { type: 'log', nice: false, padding: 12 }, axis: { format: ',', gridOpacity: 0.4 } } as const;
  const color = {
    field: 'series',
    type: 'nominal',
    sort: null,
    scale: { range: seriesColours },
    legend: { title: null, orient: 'top' },
  } as const;
  return toSvg({
    width: 480,
    height: 240,
    data: { values },
    encoding: { x, color },
    layer: [
      { mark: { type: 'line', point: true }, encoding: { y: { field: 'median', ...y, title: unitNames[unit] } } },
      { mark: { type: 'rule', opacity: 0.5 }, encoding: { y: { field: 'least', ...y }, y2: { field: 'most' } } },
    ],
  });
}

interface JudgedLine {
  readonly line: Line;
  readonly judged: Judged;
}

function worstOf(table: Table): readonly JudgedLine[] {
  const judged = table.lines.flatMap((line) => (line.judged ? [{ line, judged: line.judged }] : []));
  if (judged.length <= mostOfOneTable) return judged;
  const steady = judged.filter(({ line }) => verdictOf(table, line) !== 'unsteady');
  return (steady.length > 0 ? steady : judged)
    .toSorted((one, other) => shareOf(other.judged).share - shareOf(one.judged).share)
    .slice(0, 1);
}

function verdict(table: Table, { line, judged }: JudgedLine): object {
  const name = line.name === table.title ? line.name : `${table.title}: ${line.name}`;
  return { name: name.replaceAll('`', ''), ...shareOf(judged), verdict: verdictOf(table, line) };
}

function shareOf({ seen, of, mark, better }: Judged): { readonly share: number; readonly least: number; readonly most: number } {
  const part = (value: number): number => (better === 'less' ? value / mark : mark / value);
  // A logarithm has no place for what cost nothing, or less than what it is compared with.
  const [median, least, most] = [of === 'most' ? seen.most : seen.median, seen.least, seen.most].map((value) =>
    Math.max(part(value), 1e-3),
  );
  return { share: median ?? Number.NaN, least: least ?? Number.NaN, most: most ?? Number.NaN };
}

async function toSvg(spec: object): Promise<string> {
  // Safe: written above as the library's documentation has it; its own type of a specification is too wide to be inferred into.
  const { spec: compiled } = compile({ background: 'white', padding: 12, config: { font: 'sans-serif' }, ...spec } as TopLevelSpec);
  return `${await new View(parse(compiled), { renderer: 'none' }).toSVG()}\n`;
}
