import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildAll } from '../../build/bundle.ts';
import type { Host } from '../../lib/host/start-host.ts';
import { throughput, wire } from './emulator/load.ts';
import { call, type Running, start } from './emulator.ts';
import { pageOf, populated } from './emulator-store.ts';
import type { Effort } from './harness/effort.ts';
import { interleave, type Measures } from './harness/interleave.ts';
import { percentile } from './harness/spread.ts';
import { counted, type Shown, type Table, tabulate } from './harness/table.ts';
import { deploy, temporary } from './host/deployed.ts';
import { open } from './host/requests.ts';
import { startServer } from './host/server-process.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const perPage = 20;
const toolsets = ['discover', 'images', 'account', 'dns', 'insights', 'instances', 'databases', 'instances,databases,insights', ''];

/** Measures what grows with what: pages with records, a list with its tools, waiting with callers. Each table is also a plot. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  return [await pages(effort), ...(await toolLists(effort)), await waiting(effort)];
}

type Work = Measures<string, 'us'>[string];

/** One measure with the line that shows it. */
interface Measured {
  readonly key: string;
  readonly work: Work;
  readonly shown: Shown<string>;
}

async function measured(effort: Effort, control: Measured, others: readonly Measured[], title: string, sizes: string): Promise<Table> {
  const all = [control, ...others];
  const measures = Object.fromEntries(all.map(({ key, work }) => [key, work]));
  const seen = await interleave(effort, { title, control: control.key, watched: 'us', measures });
  const shown = Object.fromEntries(all.map((one) => [one.key, one.shown]));
  return tabulate(seen, { title, unit: 'us', metric: 'us', sizes, shown });
}

/** The first page of the instances and one near the end, in accounts of several sizes. */
async function pages(effort: Effort): Promise<Table> {
  const emulator = await start('../../lib/emulator/main.ts', ['--no-limits']);
  const ending = [emulator.stop];
  try {
    const others: Measured[] = [];
    let bytes = 0;
    for (const records of effort.isQuick ? [100, 1000] : [100, 1000, 10_000, 100_000]) {
      const { token, paths } = await populated(emulator, { droplets: records });
      const first = pageOf(paths[0] ?? '', 1, perPage);
      bytes = Buffer.byteLength(await (await call(emulator, token, 'GET', first)).text());
      const line = (series: string, path: string): Measured => ({
        key: `${series} ${records}`,
        work: repeated(emulator.port, wire('GET', path, token)),
        shown: { name: `${series}, ${records.toLocaleString('en')} instances`, at: { size: records, series } },
      });
      others.push(line('the first page', first), line('a page near the end', pageOf(first, records / perPage - 1, perPage)));
    }
    const bare = await start('./emulator/control.ts', [bytes, bytes, bytes].map(String));
    ending.push(bare.stop);
    const control = {
      key: 'bare',
      work: repeated(bare.port, wire('GET', '/', '')),
      shown: { name: 'bare `node:http` with as many bytes' },
    };
    return await measured(effort, control, others, 'GET /v2/droplets, 20 of them, 1 caller', 'instances of the account');
  } finally {
    for (const end of ending.toReversed()) await end();
  }
}

/** What tools/list weighs and takes with fewer tools or more. */
async function toolLists(effort: Effort): Promise<readonly Table[]> {
  await buildAll(at('../../'));
  const router = await start('./gateway/shim.ts', [at('../../packages/gateway/router/bundle.js')]);
  const ending = [router.stop];
  try {
    const lists = await Promise.all(toolsets.map((toolset) => listOf(router, toolset)));
    const whole = Math.max(...lists.map(({ bytes }) => bytes));
    const bare = await start('./emulator/control.ts', ['0', '0', String(whole)]);
    ending.push(bare.stop);
    const series = 'tools/list';
    const others = lists.map(({ path, tools, request }): Measured => {
      return {
        key: path,
        work: repeated(router.port, request),
        shown: { name: `${tools} tools, \`${path}\``, at: { size: tools, series } },
      };
    });
    const name = 'bare `node:http` with as many bytes as the longest';
    const control = { key: 'bare', work: repeated(bare.port, wire('POST', '/', '', {})), shown: { name } };
    const bytesOf = Object.fromEntries(lists.map(({ path, bytes }) => [path, bytes]));
    const shown = Object.fromEntries(others.map((one) => [one.key, one.shown]));
    const weight = { title: 'Bytes of tools/list', unit: 'B', metric: 'bytes', sizes: 'tools', shown } as const;
    return [tabulate(counted('/mcp', bytesOf), weight), await measured(effort, control, others, 'A warm tools/list, 1 caller', 'tools')];
  } finally {
    for (const end of ending.toReversed()) await end();
  }
}

async function listOf(router: Running, toolset: string) {
  const path = toolset === '' ? '/mcp' : `/mcp/${toolset}`;
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const text = await (await call(router, 'any', 'POST', path, message)).text();
  const { tools }: { readonly tools: readonly unknown[] } = JSON.parse(text).result;
  return { path, bytes: Buffer.byteLength(text), tools: tools.length, request: wire('POST', path, 'any', message, headers) };
}

/** How long a caller waits while others call the same empty function. */
async function waiting(effort: Effort): Promise<Table> {
  const dataDir = temporary();
  const host = await startServer<Host>('./host-process.ts', [JSON.stringify({ dataDir })]);
  const bare = await startServer<{ port: number }>('./bare-server.ts', []);
  try {
    const path = await deploy(host.ready, 'f');
    const others: Measured[] = [];
    for (const callers of effort.isQuick ? [1, 16] : [1, 4, 16, 64]) {
      const line = async (series: string, port: number, to: string): Promise<Measured> => ({
        key: `${series} ${callers}`,
        work: await waited(port, to, callers, effort.isQuick ? 50 : 1000),
        shown: { name: `${series}, ${callers} at once`, at: { size: callers, series } },
      });
      others.push(await line('bare `node:http`', bare.ready.port, '/'), await line('the host', host.ready.port, path));
    }
    const [control, ...rest] = others;
    if (!control) throw new Error('nobody calls');
    return await measured(effort, control, rest, 'A warm call of an empty function, p50', 'callers at once');
  } finally {
    await host.stop();
    await bare.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function repeated(port: number, request: Buffer): Work {
  return async () => ({ us: 1e6 / (await throughput(port, [() => request], 50)) });
}

/** The median of what callers wait who all call at once, over and over. */
async function waited(port: number, path: string, callers: number, calls: number): Promise<Work> {
  const connections = await Promise.all(Array.from({ length: callers }, () => open(port)));
  return async () => {
    const tookMs: number[] = [];
    const calling = connections.map(async ({ ask }) => {
      for (let count = 0; count < calls / callers; count += 1) tookMs.push(await ask(path));
    });
    await Promise.all(calling);
    return { us: percentile(tookMs, 0.5) * 1000 };
  };
}
