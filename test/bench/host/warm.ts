import { rmSync } from 'node:fs';
import type { Host } from '../../../lib/host/start-host.ts';
import type { Effort } from '../harness/effort.ts';
import { interleave } from '../harness/interleave.ts';
import { percentile } from '../harness/spread.ts';
import { type Table, tabulate } from '../harness/table.ts';
import { deploy, emptyFunction, temporary } from './deployed.ts';
import { type Connection, open } from './requests.ts';
import { startServer } from './server-process.ts';

const callers = 32;

/** Warm calls of an empty function: what one caller waits beyond calling it in process, what the slowest of 32 wait, and how many calls there are. */
export async function warmTables(effort: Effort): Promise<readonly Table[]> {
  const dataDir = temporary();
  const host = await startServer<Host>('./host-process.ts', [JSON.stringify({ dataDir })]);
  const bare = await startServer<{ port: number }>('./bare-server.ts', []);
  const path = await deploy(host.ready, 'f');
  const toHost = await Promise.all(Array.from({ length: callers }, () => open(host.ready.port)));
  const toBare = await Promise.all(Array.from({ length: callers }, () => open(bare.ready.port)));
  try {
    return [await oneCaller(toHost, toBare, path, effort), ...(await manyCallers(toHost, toBare, path, effort))];
  } finally {
    for (const connection of [...toHost, ...toBare]) connection.close();
    await host.stop();
    await bare.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Connections = readonly Connection[];

async function oneCaller(toHost: Connections, toBare: Connections, path: string, effort: Effort): Promise<Table> {
  const requests = effort.isQuick ? 50 : 300;
  const median = (work: () => Promise<number> | number) => async () => {
    const times: number[] = [];
    for (let i = 0; i < requests; i += 1) times.push(await work());
    return { p50Ms: percentile(times, 0.5) };
  };
  const measures = {
    bare: median(() => first(toBare).ask('/')),
    inProcess: median(callInProcess),
    host: median(() => first(toHost).ask(path)),
  };
  const title = 'A warm call of an empty function, 1 caller';
  const seen = await interleave(effort, { title, control: 'bare', watched: 'p50Ms', measures });
  const shown = {
    bare: { name: 'bare `node:http`' },
    inProcess: { name: '`main` in process' },
    host: { name: 'through the host', mark: { of: 'difference', beside: 'inProcess', atMost: 0.7 } },
  } as const;
  return tabulate(seen, { title: `${title}, p50`, unit: 'ms', metric: 'p50Ms', shown });
}

async function manyCallers(toHost: Connections, toBare: Connections, path: string, effort: Effort): Promise<readonly Table[]> {
  const each = effort.isQuick ? 15 : 94;
  const load = (connections: Connections, at: string) => async () => {
    const startedAt = performance.now();
    const times = await Promise.all(connections.map((connection) => timesOf(connection, at, each)));
    const perSecond = (callers * each) / ((performance.now() - startedAt) / 1000);
    return { perSecond, p99Ms: percentile(times.flat(), 0.99) };
  };
  const measures = { bare: load(toBare, '/'), host: load(toHost, path) };
  const title = `Warm calls of an empty function, ${callers} callers`;
  const seen = await interleave(effort, { title, control: 'bare', watched: 'perSecond', measures });
  const [bare, host] = [{ name: 'bare `node:http`' }, { name: 'through the host' }];
  const rate = { bare, host: { ...host, mark: { of: 'value', atLeast: 5000 } } } as const;
  const tail = { bare, host: { ...host, mark: { of: 'ratio', atMost: 6 } } } as const;
  return [
    tabulate(seen, { title, unit: '/s', metric: 'perSecond', shown: rate }),
    tabulate(seen, { title: `${title}, p99`, unit: 'ms', metric: 'p99Ms', shown: tail }),
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
