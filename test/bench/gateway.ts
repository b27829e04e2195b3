import { fileURLToPath } from 'node:url';
import { buildAll } from '../../build/bundle.ts';
import { throughput, wire } from './emulator/load.ts';
import { call, type Running, start } from './emulator.ts';
import { type Other, startOther } from './gateway/other-server.ts';
import type { Row } from './row.ts';
import { interleaved, percentile, type Spread, spread } from './spread.ts';

export interface GatewayBenchOptions {
  readonly rounds?: number;
  readonly roundMs?: number;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const bundle = fileURLToPath(new URL('../../packages/gateway/router/bundle.js', import.meta.url));
const CALLERS = 32;

/** Measures the router behind a plain node:http server, beside the platform's own MCP server and beside the same tools on the official SDK, all on one emulator. */
export async function run({ rounds = 7, roundMs = 1000 }: GatewayBenchOptions = {}): Promise<readonly Row[]> {
  await buildAll(root);
  const emulator = await start('../../lib/emulator/main.ts', ['--speed', '0', '--no-limits']);
  const ending: (() => Promise<void>)[] = [emulator.stop];
  try {
    const platformUrl = `http://127.0.0.1:${emulator.port}`;
    const { token, id } = await accountOf50(emulator);
    const ours = await start('./gateway/shim.ts', [bundle], { environment: { PLATFORM_API_URL: platformUrl } });
    ending.push(ours.stop);
    const list = await answerOf(ours.port, '/mcp', token, 'tools/list', {});
    const tools = JSON.stringify(JSON.parse(list).result.tools);
    const sdk = await start('./gateway/sdk-server.ts', [platformUrl, token], { input: tools });
    ending.push(sdk.stop);
    const other = await startOther(platformUrl, token);
    if (typeof other === 'string') process.stderr.write(`${other}: its rows are left out\n`);
    else ending.push(other.stop);
    const sizes = await sizeRows(ours.port, token, list, typeof other === 'string' ? undefined : other);
    return [...(await callRows({ ours, sdk, other: typeof other === 'string' ? undefined : other }, token, id, rounds, roundMs)), ...sizes];
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
  readonly other: Other | undefined;
}

/** `instance-get` with 32 callers. */
async function callRows(
  { ours, sdk, other }: Servers,
  token: string,
  id: number,
  rounds: number,
  roundMs: number,
): Promise<readonly Row[]> {
  const tails = new Map<number, number[]>();
  const load = async (port: number, path: string, name: string): Promise<number> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { ID: id } } };
    const request = wire('POST', path, token, message, {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    const tookMs: number[] = [];
    const perSecond = await throughput(
      port,
      Array.from({ length: CALLERS }, () => () => request),
      roundMs,
      (ms) => tookMs.push(ms),
    );
    tails.set(port, [...(tails.get(port) ?? []), percentile(tookMs, 0.99)]);
    return perSecond;
  };
  const measures = [
    () => load(ours.port, '/mcp', 'instance-get'),
    () => load(sdk.port, '/mcp', 'instance-get'),
    ...(other ? [() => load(other.port, '/mcp', 'droplet-get')] : []),
  ];
  for (const measure of measures) await measure();
  tails.clear();
  // One spread for each thing measured.
  const [mine, control, theirs] = (await interleaved(rounds, measures)) as [Spread, Spread, Spread | undefined];
  const tail = (port: number): Spread => spread(tails.get(port) ?? []);
  const name = 'instance-get, 32 callers';
  const rows: Row[] = [{ name: `${name} / the same tools on the official SDK`, unit: '/s', ours: mine, control }];
  if (!other || !theirs) return rows;
  const rate = { of: 'ratio', value: mine.median / theirs.median, target: 1.8, better: 'more' } as const;
  const [mineTail, theirTail] = [tail(ours.port), tail(other.port)];
  const p99 = { of: 'ratio', value: mineTail.median / theirTail.median, target: 1, better: 'less' } as const;
  return [
    { name: `${name} / @digitalocean/mcp`, unit: '/s', ours: mine, control: theirs, figure: rate },
    { name: `${name} / @digitalocean/mcp, p99`, unit: 'ms', ours: mineTail, control: theirTail, figure: p99 },
    ...rows,
  ];
}

/** What a model has to read. */
async function sizeRows(port: number, token: string, list: string, other: Other | undefined): Promise<readonly Row[]> {
  const discover = await answerOf(port, '/mcp/discover', token, 'tools/list', {});
  const fifty = await answerOf(port, '/mcp', token, 'tools/call', { name: 'instance-list', arguments: { PerPage: 50 } });
  const rows: Row[] = [
    size('/mcp/discover: tools/list', discover, list, {
      of: 'difference',
      value: Buffer.byteLength(discover),
      target: 4096,
      better: 'less',
    }),
    size('50 default instances: text of the result', textOf(fifty), fifty, {
      of: 'difference',
      value: Buffer.byteLength(textOf(fifty)),
      target: 12_288,
      better: 'less',
    }),
  ];
  if (!other) return rows;
  const theirs = await answerOf(other.port, '/mcp', token, 'tools/list', {});
  const value = Buffer.byteLength(list) / Buffer.byteLength(theirs);
  return [
    size('tools/list of all domains / @digitalocean/mcp', list, theirs, { of: 'ratio', value, target: 0.8, better: 'less' }),
    ...rows,
  ];
}

function size(name: string, text: string, beside: string, figure: Row['figure']): Row {
  return { name, unit: 'B', ours: spread([Buffer.byteLength(text)]), control: spread([Buffer.byteLength(beside)]), figure };
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
