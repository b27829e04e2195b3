import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bulkKinds } from '../../lib/emulator/control/populate/populate.ts';
import { throughput, wire } from './emulator/load.ts';
import { call, type Running, start } from './emulator.ts';
import type { Row } from './row.ts';
import { interleaved, type Spread } from './spread.ts';

export interface BenchOptions {
  readonly rounds?: number;
  readonly roundMs?: number;
  readonly records?: number;
  /** The kinds of records whose lists are measured; all of them by default. */
  readonly kinds?: readonly string[];
}

const FEW = 100;
const PAGE = 20;
const EMULATOR = '../../lib/emulator/main.ts';

/** Measures what depends on how much an account holds: its lists, the start of the process, and a copy of all of it. */
export async function run({ rounds = 7, roundMs = 30, records = 100_000, kinds = bulkKinds }: BenchOptions = {}): Promise<readonly Row[]> {
  const lists = await measureLists({ rounds, roundMs, records, kinds });
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-bench-'));
  try {
    return [
      worst(lists.map(({ first }) => first)),
      worst(lists.map(({ end }) => end)),
      ...(await measureForks(dataDir, rounds, records)),
      await measureStart(dataDir, rounds, records),
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The rows of one list: its first page, and a page near its end. */
export interface ListRows {
  readonly first: Row;
  readonly end: Row;
}

/** Measures each list that can be long, at `records` records and at a hundred, in two accounts of one process. */
export async function measureLists({ rounds, roundMs, records, kinds }: Required<BenchOptions>): Promise<readonly ListRows[]> {
  const emulator = await start(EMULATOR, ['--no-limits']);
  try {
    const rows: ListRows[] = [];
    for (const kind of kinds) {
      // One after the other in the same two accounts: all at once would be gigabytes.
      const [few, many] = [await populated(emulator, { [kind]: FEW }), await populated(emulator, { [kind]: records })];
      for (const [index, path] of many.paths.entries()) {
        const other = few.paths[index] ?? path;
        const first = await firstPage(emulator, { token: many.token, path }, { token: few.token, path: other }, rounds, roundMs);
        rows.push({ first: { ...first, name: `${kind}: ${first.name}` }, end: await endPage(emulator, many.token, path, records) });
      }
      await Promise.all([few, many].map(({ token }) => call(emulator, token, 'POST', '/_emulator/reset', { seed: 'empty' })));
    }
    return rows;
  } finally {
    await emulator.stop();
  }
}

interface Listed {
  readonly token: string;
  readonly path: string;
}

async function firstPage(emulator: Running, many: Listed, few: Listed, rounds: number, roundMs: number): Promise<Row> {
  const load = async ({ token, path }: Listed): Promise<number> =>
    1e6 / (await throughput(emulator.port, [() => wire('GET', path, token)], roundMs));
  await load(few);
  await load(many);
  // One spread for each thing measured.
  const [large, small] = (await interleaved(rounds, [() => load(many), () => load(few)])) as [Spread, Spread];
  const figure = { of: 'ratio', value: large.median / small.median, target: 1.5, better: 'less' } as const;
  return { name: `GET ${listOf(many.path)}, first page, at many / at ${FEW}`, unit: 'us', ours: large, control: small, figure };
}

async function endPage(emulator: Running, token: string, path: string, records: number): Promise<Row> {
  const time = (number: number) => (): Promise<number> => {
    const [bare = path, query] = path.split('?');
    const asked = new URLSearchParams(query);
    asked.set('page', String(number));
    asked.set('per_page', String(PAGE));
    return timed(() => call(emulator, token, 'GET', `${bare}?${asked}`).then((reply) => reply.text()));
  };
  // One spread for each thing measured.
  const [end, begin] = (await interleaved(3, [time(Math.floor(records / PAGE) - 1), time(1)])) as [Spread, Spread];
  const figure = { of: 'difference', value: end.median, target: 60, better: 'less' } as const;
  return { name: `GET ${listOf(path)}, a page near the end / the first`, unit: 'ms', ours: end, control: begin, figure };
}

/** The row that is nearest to missing its target, or misses it by most. */
function worst(rows: readonly Row[]): Row {
  const [row] = rows.toSorted((one, other) => (other.figure?.value ?? 0) - (one.figure?.value ?? 0));
  if (row === undefined) {
    throw new Error('no list was measured: name kinds of records that there are');
  }
  return { ...row, name: `${row.name} (the slowest of ${rows.length} lists)` };
}

async function measureForks(dataDir: string, rounds: number, records: number): Promise<readonly Row[]> {
  const emulator = await start(EMULATOR, ['--no-limits', '--data', join(dataDir, 'forks')]);
  try {
    const believable = await measureFork(emulator, emulator.token, dataDir, rounds * 5);
    const { token } = await populated(emulator, { droplets: records });
    const large = await measureFork(emulator, token, dataDir, rounds);
    const ratio = large.ours.median / large.control.median;
    return [
      {
        name: 'fork of the believable account / a copy of its file',
        unit: 'ms',
        ...believable,
        figure: { of: 'difference', value: believable.ours.median, target: 5, better: 'less' },
      },
      {
        name: `fork of ${records} droplets / a copy of the file`,
        unit: 'ms',
        ...large,
        figure: { of: 'ratio', value: ratio, target: 1.5, better: 'less' },
      },
    ];
  } finally {
    await emulator.stop();
  }
}

/** Forks an account over HTTP beside copying its file, which is the largest there is. */
async function measureFork(
  emulator: Running,
  token: string,
  dataDir: string,
  rounds: number,
): Promise<{ readonly ours: Spread; readonly control: Spread }> {
  const fork = (): Promise<number> => timed(() => call(emulator, token, 'POST', '/_emulator/fork', {}).then((reply) => reply.text()));
  await fork();
  const accounts = join(dataDir, 'forks', 'accounts');
  const [file = ''] = readdirSync(accounts)
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => join(accounts, name))
    .toSorted((one, other) => statSync(other).size - statSync(one).size);
  let copies = 0;
  const copy = (): Promise<number> =>
    timed(async () => {
      copies += 1;
      copyFileSync(file, join(dataDir, `copy-${copies}`));
    });
  // One spread for each thing measured.
  const [ours, control] = (await interleaved(rounds, [fork, copy])) as [Spread, Spread];
  for (let number = 1; number <= copies; number += 1) {
    rmSync(join(dataDir, `copy-${number}`));
  }
  return { ours, control };
}

/** From starting the process until it has answered a first list, with many records and with the believable account. */
async function measureStart(dataDir: string, rounds: number, records: number): Promise<Row> {
  const large = join(dataDir, 'large');
  const usual = join(dataDir, 'usual');
  const first = await start(EMULATOR, ['--no-limits', '--data', large]);
  await call(first, first.token, 'POST', '/_emulator/populate', { droplets: records });
  await first.stop();
  const load = (directory: string) => (): Promise<number> =>
    timed(
      async () => {
        const emulator = await start(EMULATOR, ['--no-limits', '--data', directory]);
        await (await call(emulator, emulator.token, 'GET', '/v2/droplets')).text();
        return emulator;
      },
      (emulator) => emulator.stop(),
    );
  await load(usual)();
  // One spread for each thing measured.
  const [ours, control] = (await interleaved(rounds, [load(large), load(usual)])) as [Spread, Spread];
  const figure = { of: 'difference', value: ours.median, target: 500, better: 'less' } as const;
  return { name: `start and first list with ${records} droplets / with the believable account`, unit: 'ms', ours, control, figure };
}

async function populated(
  emulator: Running,
  records: Readonly<Record<string, number>>,
): Promise<{ readonly token: string; readonly paths: readonly string[] }> {
  const { token } = JSON.parse(await (await call(emulator, emulator.token, 'POST', '/_emulator/accounts', { seed: 'empty' })).text());
  const made = JSON.parse(await (await call(emulator, token, 'POST', '/_emulator/populate', { records, tag: 'bulk' })).text());
  return { token, paths: made.populated[0].paths };
}

/** How long something takes, in milliseconds; what comes after it does not count. */
async function timed<T>(work: () => Promise<T>, after: (result: T) => Promise<void> = async () => {}): Promise<number> {
  const startMs = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - startMs;
  await after(result);
  return elapsedMs;
}

/** A path without the ids and the page in it. */
function listOf(path: string): string {
  return path
    .replace(/\/[0-9a-f-]{36}|\/\d[\d.]*(?=\/)/g, '/{id}')
    .replace('?page=1&', '?')
    .replace('?page=1', '');
}
