import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Host } from '../../../lib/host/start-host.ts';
import { deploy, temporary } from './deployed.ts';
import { type Growth, growthOf } from './growth.ts';
import type { Holdings } from './host-process.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const functions = 100;
const callsPerMinute = 1000;
/** Four calls of five go to every fifth function, so that some stay warm and others are evicted and start cold over and over. */
const hotShare = 0.8;
const hotFunctions = 20;
const mostSampleMs = 5000;
const leastSamples = 20;
const mib = 1024 * 1024;

export interface SoakOptions {
  readonly minutes: number;
}

/** What a soak has shown: a line of text each, and whether it is as it has to be. */
export interface SoakFinding {
  readonly name: string;
  readonly seen: string;
  readonly wanted: string;
  readonly isGood: boolean;
}

interface Tally {
  answered: number;
  wrong: string[];
  slowestMs: number;
}

/** Calls 100 functions a thousand times a minute, for so many minutes, with room for half of them: memory, losses, and what is left in the end. */
export async function soakHost({ minutes }: SoakOptions): Promise<readonly SoakFinding[]> {
  const dataDir = temporary();
  // What functions run from lies in a directory of this soak's own.
  const workDir = temporary();
  const options = { dataDir, totalMemoryMib: 128 * (functions / 2) };
  const started = { nodeOptions: ['--expose-gc', '--disable-warning=ExperimentalWarning'], env: { TMPDIR: workDir } };
  const host = await startServer<Host>('./host-process.ts', [JSON.stringify(options)], started);
  try {
    const paths = await deployAll(host.ready);
    const tally: Tally = { answered: 0, wrong: [], slowestMs: 0 };
    const held: Holdings[] = [];
    const made = await call(host, paths, minutes, tally, held);
    const recorded = await countRecords(host.ready);
    const logMib = statSync(join(dataDir, 'host.sqlite-wal')).size / mib;
    const running = childrenOf(host.pid);
    const code = await Promise.race([host.stop(), setTimeout(10_000, 'still running' as const)]);
    const left = [...running.filter(isThere), ...readdirSync(workDir)];
    return [
      finding(
        'answered as they should be',
        `${tally.answered - tally.wrong.length} of ${made}`,
        'all',
        tally.answered === made && tally.wrong.length === 0,
      ),
      ...tally.wrong.slice(0, 3).map((text) => finding('a wrong answer', text, 'none', false)),
      finding('recorded', `${recorded} of ${made}`, 'all', recorded === made),
      ...memoryFindings(held),
      finding("the store's log on disk", `${logMib.toFixed(1)} MiB`, 'under 48 MiB', logMib < 48),
      finding('slowest answer', `${tally.slowestMs.toFixed(0)} ms`, 'under 3000 ms', tally.slowestMs < 3000),
      finding('the host, told to end', code === 0 ? 'ended by itself' : String(code), 'ends by itself: no handle is left', code === 0),
      finding('processes and directories left', left.join(', ') || 'none', 'none', left.length === 0),
    ];
  } finally {
    for (const directory of [dataDir, workDir]) rmSync(directory, { recursive: true, force: true });
  }
}

function finding(name: string, seen: string, wanted: string, isGood: boolean): SoakFinding {
  return { name, seen, wanted, isGood };
}

function memoryFindings(held: readonly Holdings[]): readonly SoakFinding[] {
  const inMib = (bytes: number): string => `${(bytes / mib).toFixed(1)} MiB`;
  return [
    flat('heap in use after collection', growthOf(held.map(({ heapUsed }) => heapUsed)), mib / 2, inMib),
    flat('memory outside of the heap after collection', growthOf(held.map(({ external }) => external)), mib / 2, inMib),
    flat('resident memory of the host', growthOf(held.map(({ rss }) => rss)), 8 * mib, inMib),
  ];
}

function flat(name: string, { median, growth }: Growth, most: number, shown: (value: number) => string): SoakFinding {
  const sign = growth < 0 ? '-' : '+';
  const seen = `${shown(median)}, ${sign}${shown(Math.abs(growth))} over the second half`;
  return finding(name, seen, `grows by less than ${shown(most)}`, growth < most);
}

async function deployAll(host: Host): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let i = 0; i < functions; i += 1) paths.push(await deploy(host, `f${i}`, { code: codeOf(i), memory: 128 }));
  return paths;
}

/** Functions of different ways: at once, later, with output, with a larger answer. All tell who they are. */
function codeOf(i: number): string {
  const answer = `({ body: { i: ${i}, n: Number(new URLSearchParams(event.http.queryString).get('n')) } })`;
  const bodies = [
    `(event) => ${answer}`,
    `async (event) => { await new Promise((done) => setTimeout(done, 5)); return ${answer}; }`,
    `(event) => { for (let line = 0; line < 20; line += 1) console.log('line', line); console.error('done'); return ${answer}; }`,
    `(event) => { const answer = ${answer}; answer.body.padding = 'x'.repeat(20000); return answer; }`,
  ];
  return `exports.main = ${bodies[i % bodies.length]};`;
}

/** Sends calls at an even pace, whether or not earlier ones are answered; returns how many when all are. */
async function call(host: ServerProcess<Host>, paths: readonly string[], minutes: number, tally: Tally, held: Holdings[]): Promise<number> {
  const startedAt = performance.now();
  const total = Math.round(callsPerMinute * minutes);
  const sampleEveryMs = Math.min(mostSampleMs, (minutes * 60_000) / leastSamples);
  const underWay = new Set<Promise<void>>();
  let sampledAt = startedAt;
  for (let n = 0; n < total; n += 1) {
    const dueAt = startedAt + (n * 60_000) / callsPerMinute;
    const early = dueAt - performance.now();
    if (early > 0) await setTimeout(early);
    const i = pick(n);
    const one = ask(`${host.ready.url}${paths[i]}?n=${n}`, i, n, tally).finally(() => underWay.delete(one));
    underWay.add(one);
    if (performance.now() - sampledAt < sampleEveryMs) continue;
    await Promise.all(underWay);
    // The answer to a line on its stdin; what host-process.ts says.
    held.push((await host.ask()) as Holdings);
    sampledAt = performance.now();
  }
  await Promise.all(underWay);
  return total;
}

/** Which function the nth call goes to: evenly among the hot and among the others. */
function pick(n: number): number {
  const isHot = n % 10 < hotShare * 10;
  const round = Math.floor(n / 10);
  if (isHot) return ((round * 8 + (n % 10)) % hotFunctions) * 5;
  const cold = (round * 2 + (n % 10) - 8) % (functions - hotFunctions);
  return Math.floor(cold / 4) * 5 + (cold % 4) + 1;
}

async function ask(url: string, i: number, n: number, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  try {
    const reply = await fetch(url);
    const text = await reply.text();
    if (reply.status !== 200 || !text.startsWith(`{"i":${i},"n":${n}`))
      tally.wrong.push(`call ${n}: ${reply.status} ${text.slice(0, 200)}`);
  } catch (error) {
    tally.wrong.push(`call ${n}: ${error instanceof Error ? error.message : error}`);
  }
  tally.answered += 1;
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAt);
}

async function countRecords({ url, auth }: Host): Promise<number> {
  const headers = { authorization: `Basic ${btoa(auth)}` };
  const reply = await fetch(`${url}/api/v1/namespaces/_/activations?count=true`, { headers });
  const { activations } = (await reply.json()) as { activations: number };
  return activations;
}

function childrenOf(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(join('/proc', pid, 'stat'), 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
