import { rmSync } from 'node:fs';
import type { Host } from '../../../lib/host/start-host.ts';
import type { Row } from '../row.ts';
import { interleaved, percentile, type Spread, spread } from '../spread.ts';
import { deploy, emptyFunction, temporary } from './deployed.ts';
import { type Connection, open } from './requests.ts';
import { startServer } from './server-process.ts';

const callers = 32;

export interface WarmOptions {
  readonly rounds: number;
  /** Requests of the one caller in a round; the 32 together make ten times as many. */
  readonly requests: number;
}

/** Warm calls of an empty function: what one caller waits beyond calling it in process, what the slowest of 32 wait, and how many calls there are. */
export async function warmRows({ rounds, requests }: WarmOptions): Promise<readonly Row[]> {
  const dataDir = temporary();
  const host = await startServer<Host>('./host-process.ts', [JSON.stringify({ dataDir })]);
  const bare = await startServer<{ port: number }>('./bare-server.ts', []);
  const path = await deploy(host.ready, 'f');
  const toHost = await Promise.all(Array.from({ length: callers }, () => open(host.ready.port)));
  const toBare = await Promise.all(Array.from({ length: callers }, () => open(bare.ready.port)));
  try {
    return [
      ...(await oneCaller(toHost, toBare, path, { rounds, requests })),
      ...(await manyCallers(toHost, toBare, path, { rounds, requests })),
    ];
  } finally {
    for (const connection of [...toHost, ...toBare]) connection.close();
    await host.stop();
    await bare.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Connections = readonly Connection[];

async function oneCaller(
  toHost: Connections,
  toBare: Connections,
  path: string,
  { rounds, requests }: WarmOptions,
): Promise<readonly Row[]> {
  const median = async (work: () => Promise<number> | number): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < requests; i += 1) times.push(await work());
    return spread(times).median;
  };
  const throughHost = (): Promise<number> => median(() => first(toHost).ask(path));
  const inProcess = (): Promise<number> => median(callInProcess);
  const throughBare = (): Promise<number> => median(() => first(toBare).ask('/'));
  await throughHost();
  await throughBare();
  // One spread for each thing measured.
  const [ours, control, http] = (await interleaved(rounds, [throughHost, inProcess, throughBare])) as [Spread, Spread, Spread];
  const value = ours.median - control.median;
  return [
    {
      name: 'warm call through the host / main in process, 1 caller, p50',
      ours,
      control,
      unit: 'ms',
      figure: { of: 'difference', value, target: 0.7, better: 'less' },
    },
    { name: 'warm call through the host / bare node:http, 1 caller, p50', unit: 'ms', ours, control: http },
  ];
}

async function manyCallers(
  toHost: Connections,
  toBare: Connections,
  path: string,
  { rounds, requests }: WarmOptions,
): Promise<readonly Row[]> {
  const each = Math.ceil((requests * 10) / callers);
  const rates: { readonly host: number[]; readonly bare: number[] } = { host: [], bare: [] };
  const slowest = async (connections: Connections, at: string, perSecond: number[]): Promise<number> => {
    const startedAt = performance.now();
    const times = await Promise.all(connections.map((connection) => timesOf(connection, at, each)));
    perSecond.push((callers * each) / ((performance.now() - startedAt) / 1000));
    return percentile(times.flat(), 0.99);
  };
  await slowest(toHost, path, []);
  await slowest(toBare, '/', []);
  // One spread for each thing measured.
  const [ours, control] = (await interleaved(rounds, [
    () => slowest(toHost, path, rates.host),
    () => slowest(toBare, '/', rates.bare),
  ])) as [Spread, Spread];
  const [hostRate, bareRate] = [spread(rates.host), spread(rates.bare)];
  return [
    {
      name: `warm call through the host / bare node:http, ${callers} callers, p99`,
      unit: 'ms',
      ours,
      control,
      figure: { of: 'ratio', value: ours.median / control.median, target: 6, better: 'less' },
    },
    {
      name: `warm calls of an empty function through the host / bare node:http, ${callers} callers`,
      unit: '/s',
      ours: hostRate,
      control: bareRate,
      figure: { of: 'value', value: hostRate.median, target: 5000, better: 'more' },
    },
  ];
}

async function timesOf(connection: Connection, path: string, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) times.push(await connection.ask(path));
  return times;
}

function first(connections: Connections): Connection {
  const [connection] = connections;
  if (!connection) throw new Error('there is no connection');
  return connection;
}

const mainInProcess = new Function('exports', `${emptyFunction}; return exports.main;`)({}) as (event: object) => object;

function callInProcess(): number {
  const startedAt = performance.now();
  JSON.stringify(mainInProcess({}));
  return performance.now() - startedAt;
}
