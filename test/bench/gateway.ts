import { fileURLToPath } from 'node:url';
import { buildAll } from '../../build/bundle.ts';
import { type Caller, throughput, wire } from './emulator/load.ts';
import { call, type Running, start } from './emulator.ts';
import { type Other, peer, startOther } from './gateway/other-server.ts';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { percentile } from './harness/spread.ts';
import { counted, type Table, tabulate } from './harness/table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bundle = fileURLToPath(new URL('../../packages/gateway/router/bundle.js', import.meta.url));
const CALLERS = 32;

/**
 * Measures the router behind a plain node:http server, beside the platform's own MCP server and beside the same tools on the official SDK, all on one
 * emulator. The quick form takes the platform's server only where it has been fetched before.
 */
export async function run(effort: Effort): Promise<readonly Table[]> {
  await buildAll(root);
  const emulator = await start('../../lib/emulator/main.ts', ['--speed', '0', '--no-limits']);
  const ending: (() => Promise<void>)[] = [emulator.stop];
  const begun = async <T extends Running | Other>(starting: Promise<T>): Promise<T> => {
    const server = await starting;
    ending.push(server.stop);
    return server;
  };
  try {
    const platformUrl = `http://127.0.0.1:${emulator.port}`;
    const { token, id } = await accountOf50(emulator);
    const ours = await begun(start('./gateway/shim.ts', [bundle], { environment: { PLATFORM_API_URL: platformUrl } }));
    const list = await answerOf(ours.port, '/mcp', token, 'tools/list', {});
    const tools = JSON.stringify(JSON.parse(list).result.tools);
    const sdk = await begun(start('./gateway/sdk-server.ts', [platformUrl, token], { input: tools }));
    const one = await answerOf(ours.port, '/mcp', token, 'tools/call', { name: 'instance-get', arguments: { ID: id } });
    const bare = await begun(start('./emulator/control.ts', ['0', '0', String(Buffer.byteLength(one))]));
    const byHand = await begun(start('./gateway/by-hand-server.ts', [platformUrl, token]));
    const other = await startOther(platformUrl, token, { mayFetch: !effort.isQuick });
    if (typeof other === 'string') process.stderr.write(`${other}: its lines are left out\n`);
    else ending.push(other.stop);
    const isThere = typeof other !== 'string';
    const startAgain = isThere ? () => startOther(platformUrl, token, { mayFetch: false }) : undefined;
    const tables = await callTables({ ours, sdk, bare, byHand, startOther: startAgain }, token, id, effort);
    return [...tables, await sizeTable({ ours, other: isThere ? other : undefined }, token, list)];
  } finally {
    for (const end of ending.toReversed()) await end();
  }
}

/** An account with fifty instances, and one of them. */
async function accountOf50(emulator: Running): Promise<{ readonly token: string; readonly id: number }> {
  const made = await call(emulator, emulator.token, 'POST', '/_emulator/accounts', { seed: 'empty' });
  const { token } = JSON.parse(await made.text());
  await call(emulator, token, 'POST', '/_emulator/populate', { droplets: 50 });
  const { droplets } = JSON.parse(await (await call(emulator, token, 'GET', '/v2/droplets')).text());
  return { token, id: droplets[0].id };
}

interface Servers {
  readonly ours: Running;
  readonly sdk: Running;
  readonly bare: Running;
  readonly byHand: Running;
  /** Absent where the platform's own server cannot be had. */
  readonly startOther: (() => Promise<Other | string>) | undefined;
}

/** `instance-get` with 32 callers. */
async function callTables(
  { ours, sdk, bare, byHand, startOther: startAgain }: Servers,
  token: string,
  id: number,
  effort: Effort,
): Promise<readonly Table[]> {
  const load = (port: number, name: string) => async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { ID: id } } };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const request = wire('POST', '/mcp', token, message, headers);
    const tookMs: number[] = [];
    let failures = 0;
    const caller: Caller = (reply) => {
      if (reply?.includes('"isError":true')) failures += 1;
      return request;
    };
    const callers = Array.from({ length: CALLERS }, () => caller);
    const perSecond = await throughput(port, callers, effort.isQuick ? 200 : 500, (ms) => tookMs.push(ms));
    if (failures > 0) throw new Error(`${failures} of ${tookMs.length} calls of ${name} failed`);
    return { perSecond, p99Ms: percentile(tookMs, 0.99) };
  };
  // A new one for each measurement. It opens a connection to the platform with every call and keeps it: after some 20,000 there is none left to open,
  // and its calls wait for 15 seconds, trying again.
  const loadOther = async (begin: () => Promise<Other | string>) => {
    const other = await begin();
    if (typeof other === 'string') throw new Error(other);
    try {
      return await load(other.port, 'droplet-get')();
    } finally {
      await other.stop();
    }
  };
  const measures = {
    bare: load(bare.port, 'instance-get'),
    ours: load(ours.port, 'instance-get'),
    byHand: load(byHand.port, 'instance-get'),
    other: startAgain && (() => loadOther(startAgain)),
    sdk: load(sdk.port, 'instance-get'),
  };
  const title = `instance-get over HTTP, ${CALLERS} callers`;
  const seen = await interleave(effort, { title, control: 'bare', watched: 'perSecond', measures });
  const names = {
    bare: { name: 'bare `node:http` with the same answer' },
    byHand: { name: 'the same call by hand, over `node:http` alone' },
    other: { name: peer },
    sdk: { name: 'the same tool on the official SDK' },
  };
  const rate = { of: 'ratio', beside: 'other', atLeast: 1.8 } as const;
  const tail = { of: 'ratio', beside: 'other', atMost: 1 } as const;
  const shownWith = (mark: typeof rate | typeof tail) => ({
    bare: names.bare,
    ours: { name: 'the router', mark },
    byHand: names.byHand,
    other: names.other,
    sdk: names.sdk,
  });
  return [
    tabulate(seen, { title, unit: '/s', metric: 'perSecond', shown: shownWith(rate) }),
    tabulate(seen, { title: `${title}, p99`, unit: 'ms', metric: 'p99Ms', shown: shownWith(tail) }),
  ];
}

/** What a model has to read. */
async function sizeTable(
  { ours, other }: { readonly ours: Running; readonly other: Other | undefined },
  token: string,
  list: string,
): Promise<Table> {
  const discover = await answerOf(ours.port, '/mcp/discover', token, 'tools/list', {});
  const fifty = await answerOf(ours.port, '/mcp', token, 'tools/call', { name: 'instance-list', arguments: { PerPage: 50 } });
  const theirs = other && (await answerOf(other.port, '/mcp', token, 'tools/list', {}));
  const run = counted<'theirs' | 'list' | 'discover' | 'fifty'>('list', {
    theirs: theirs === undefined ? undefined : Buffer.byteLength(ofSameTools(theirs)),
    list: Buffer.byteLength(list),
    discover: Buffer.byteLength(discover),
    fifty: Buffer.byteLength(textOf(fifty)),
  });
  const shown = {
    theirs: { name: `tools/list of ${peer}, of the same tools` },
    list: { name: 'tools/list of all domains', mark: { of: 'ratio', beside: 'theirs', atMost: 0.8 } },
    discover: { name: 'tools/list of `/mcp/discover`', mark: { of: 'value', atMost: 4096 } },
    fifty: { name: '50 default instances, the text of the result', mark: { of: 'value', atMost: 12_288 } },
  } as const;
  return tabulate(run, { title: 'What a model reads', unit: 'B', metric: 'bytes', shown });
}

/** The tools of its list that do what none of these tools does. */
const itsOwn: ReadonlySet<string> = new Set(['droplet-backup-policy', 'droplet-kernels', 'get-invoice', 'region-list']);

function ofSameTools(list: string): string {
  const { result, ...answer } = JSON.parse(list);
  const tools = result.tools.filter(({ name }: { readonly name: string }) => !itsOwn.has(name));
  return JSON.stringify({ ...answer, result: { ...result, tools } });
}

function textOf(answer: string): string {
  return JSON.parse(answer).result.content[0].text;
}

async function answerOf(port: number, path: string, token: string, method: string, params: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  if (!response.ok || JSON.parse(text).error) throw new Error(`${method} at ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}
