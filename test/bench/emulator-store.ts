import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bulkKinds } from '../../lib/emulator/control/populate/populate.ts';
import { throughput, wire } from './emulator/load.ts';
import { call, type Running, start } from './emulator.ts';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { onOneCore } from './harness/one-core.ts';
import { median } from './harness/spread.ts';
import { joined, type Mark, type Table, tabulate } from './harness/table.ts';

const FEW = 100;
const MANY = 100_000;
const PAGE = 20;
/** A process serves several thousand requests before it is as fast as it gets; the emulator is the same one for all lists, the control is not. */
const WARM_UP_MS = 600;
const SAMPLE_MS = 30;
const EMULATOR = '../../lib/emulator/main.ts';

/** Measures what depends on how much an account holds: its lists, the start of the process, and a copy of all of it. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  const records = effort.isQuick ? 2000 : MANY;
  const kinds = effort.isQuick ? bulkKinds.slice(0, 2) : bulkKinds;
  const lists = await onOneCore(() => measureLists(kinds, records, effort));
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-bench-'));
  try {
    return [
      joined(
        `The first page of every list, with ${shown(records)} records beside ${FEW}`,
        lists.map(({ first }) => first),
      ),
      joined(
        `A page near the end of every list with ${shown(records)} records`,
        lists.map(({ end }) => end),
      ),
      ...(await measureForks(dataDir, records, effort)),
      await measureStart(dataDir, records, effort),
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface ListTables {
  readonly first: Table;
  readonly end: Table;
}

/** Measures each list that can be long, at `records` records and at a hundred, in two accounts of one process. */
async function measureLists(kinds: readonly string[], records: number, effort: Effort): Promise<readonly ListTables[]> {
  const emulator = await start(EMULATOR, ['--no-limits']);
  try {
    const tables: ListTables[] = [];
    for (const kind of kinds) {
      // One after the other in the same two accounts: all at once would be gigabytes.
      const [few, many] = [await populated(emulator, { [kind]: FEW }), await populated(emulator, { [kind]: records })];
      for (const [index, path] of many.paths.entries()) {
        const other = { token: few.token, path: few.paths[index] ?? path };
        tables.push(await measureList(emulator, `${kind}: ${listOf(path)}`, { token: many.token, path }, other, records, effort));
      }
      await Promise.all([few, many].map(({ token }) => call(emulator, token, 'POST', '/_emulator/reset', { seed: 'empty' })));
    }
    return tables;
  } finally {
    await emulator.stop();
  }
}

interface Listed {
  readonly token: string;
  readonly path: string;
}

async function measureList(
  emulator: Running,
  name: string,
  many: Listed,
  few: Listed,
  records: number,
  effort: Effort,
): Promise<ListTables> {
  const size = Buffer.byteLength(await (await call(emulator, many.token, 'GET', many.path)).text());
  const bare = await start('./emulator/control.ts', [size, size, size].map(String));
  const load = (port: number, { token, path }: Listed) => {
    const request = wire('GET', path, token);
    return async () => {
      const tookMs: number[] = [];
      await throughput(port, [() => request], SAMPLE_MS, (ms) => tookMs.push(ms));
      // The middle of them: one that met a collection, or a core that was busy, says nothing of a list.
      return { ms: median(tookMs) };
    };
  };
  await throughput(bare.port, [() => wire('GET', many.path, many.token)], effort.isQuick ? SAMPLE_MS : WARM_UP_MS);
  const end = { ...many, path: pageOf(many.path, Math.floor(records / PAGE) - 1, PAGE) };
  const measures = {
    bare: load(bare.port, many),
    few: load(emulator.port, few),
    many: load(emulator.port, many),
    end: load(emulator.port, end),
  };
  try {
    const seen = await interleave(effort, { title: name, control: 'bare', watched: 'ms', measures });
    const bareLine = { name: 'bare `node:http` with as many bytes' };
    const first = {
      bare: bareLine,
      few: { name: `the same with ${FEW}`, isHidden: true },
      many: { name, mark: { of: 'ratio', beside: 'few', atMost: 1.5 } },
    } as const;
    const last = { bare: bareLine, end: { name, mark: { of: 'value', atMost: 60 } } } as const;
    return {
      first: tabulate(seen, { title: name, unit: 'ms', metric: 'ms', shown: first }),
      end: tabulate(seen, { title: name, unit: 'ms', metric: 'ms', shown: last }),
    };
  } finally {
    await bare.stop();
  }
}

/** The path of another page of a list. */
export function pageOf(path: string, page: number, perPage: number): string {
  const [bare = path, query] = path.split('?');
  const asked = new URLSearchParams(query);
  asked.set('page', String(page));
  asked.set('per_page', String(perPage));
  return `${bare}?${asked}`;
}

async function measureForks(dataDir: string, records: number, effort: Effort): Promise<readonly Table[]> {
  const emulator = await start(EMULATOR, ['--no-limits', '--data', join(dataDir, 'forks')]);
  try {
    const believable = await measureFork(emulator, emulator.token, dataDir, {
      title: 'A fork of the believable account',
      mark: { of: 'value', atMost: 5 },
      effort,
    });
    const { token } = await populated(emulator, { droplets: records });
    const large = await measureFork(emulator, token, dataDir, {
      title: `A fork of an account with ${shown(records)} droplets`,
      mark: { of: 'ratio', atMost: 1.5 },
      effort,
    });
    return [believable, large];
  } finally {
    await emulator.stop();
  }
}

interface Fork {
  readonly title: string;
  readonly mark: Mark<'copy'>;
  readonly effort: Effort;
}

/** Forks an account over HTTP beside copying its file, which is the largest there is. */
async function measureFork(emulator: Running, token: string, dataDir: string, { title, mark, effort }: Fork): Promise<Table> {
  // Brings everything into the one file.
  await (await call(emulator, token, 'POST', '/_emulator/fork', {})).text();
  const accounts = join(dataDir, 'forks', 'accounts');
  const [file = ''] = readdirSync(accounts)
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => join(accounts, name))
    .toSorted((one, other) => statSync(other).size - statSync(one).size);
  const fork = () =>
    timed(
      async () => JSON.parse(await (await call(emulator, token, 'POST', '/_emulator/fork', {})).text()),
      // A hundred forks of it would fill the disk.
      async (forked) => void (await call(emulator, forked.token, 'POST', '/_emulator/reset', { seed: 'empty' })),
    );
  const target = join(dataDir, 'copy');
  const copy = () =>
    timed(
      async () => copyFileSync(file, target),
      async () => rmSync(target),
    );
  const seen = await interleave(effort, { title, control: 'copy', watched: 'ms', measures: { copy, fork } });
  const names = { copy: { name: "a plain copy of the account's file by Node" }, fork: { name: 'the fork, over HTTP', mark } };
  return tabulate(seen, { title, unit: 'ms', metric: 'ms', shown: names });
}

/** From starting the process until it has answered a first list, with many records and with the believable account. */
async function measureStart(dataDir: string, records: number, effort: Effort): Promise<Table> {
  const large = join(dataDir, 'large');
  const usual = join(dataDir, 'usual');
  const first = await start(EMULATOR, ['--no-limits', '--data', large]);
  await call(first, first.token, 'POST', '/_emulator/populate', { droplets: records });
  await first.stop();
  const load = (directory: string) => () =>
    timed(
      async () => {
        const emulator = await start(EMULATOR, ['--no-limits', '--data', directory]);
        await (await call(emulator, emulator.token, 'GET', '/v2/droplets')).text();
        return emulator;
      },
      (emulator) => emulator.stop(),
    );
  const bare = () =>
    timed(
      async () => {
        const server = await start('./emulator/control.ts', ['100', '100', '100']);
        await (await call(server, '', 'GET', '/')).text();
        return server;
      },
      (server) => server.stop(),
    );
  const title = 'Start of the emulator until its first list';
  const measures = { bare, usual: load(usual), large: load(large) };
  const seen = await interleave(effort, { title, control: 'bare', watched: 'ms', measures });
  const names = {
    bare: { name: 'a bare `node:http` server until its first answer' },
    usual: { name: 'the believable account' },
    large: { name: `${shown(records)} droplets`, mark: { of: 'value', atMost: 500 } },
  } as const;
  return tabulate(seen, { title, unit: 'ms', metric: 'ms', shown: names });
}

/** A new account with so many records of each kind, and the paths of their lists. */
export async function populated(
  emulator: Running,
  records: Readonly<Record<string, number>>,
): Promise<{ readonly token: string; readonly paths: readonly string[] }> {
  const { token } = JSON.parse(await (await call(emulator, emulator.token, 'POST', '/_emulator/accounts', { seed: 'empty' })).text());
  const made = JSON.parse(await (await call(emulator, token, 'POST', '/_emulator/populate', { records, tag: 'bulk' })).text());
  return { token, paths: made.populated[0].paths };
}

/** How long something takes, in milliseconds; what comes after it does not count. */
async function timed<T>(work: () => Promise<T>, after: (result: T) => Promise<void> = async () => {}): Promise<{ readonly ms: number }> {
  const startMs = performance.now();
  const result = await work();
  const ms = performance.now() - startMs;
  await after(result);
  return { ms };
}

/** A path without the ids and the page in it. */
function listOf(path: string): string {
  return path
    .replace(/\/[0-9a-f-]{36}|\/\d[\d.]*(?=\/)/g, '/{id}')
    .replace('?page=1&', '?')
    .replace('?page=1', '');
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
