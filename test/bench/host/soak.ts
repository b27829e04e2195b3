import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Host } from '../../../lib/host/start-host.ts';
import { isRunning } from '../../host/support/processes.ts';
import { answersFindings, endFinding, type Finding, finding, flatBytes, leftFinding, mib } from '../soak/finding.ts';
import { answerOf, codeOf } from '../soak/functions.ts';
import type { Holdings } from '../soak/holdings.ts';
import { keepPace } from '../soak/pace.ts';
import { childrenOf } from '../soak/processes.ts';
import { recordedBy, recordedOf } from '../soak/recorded.ts';
import { deploy, temporary } from './deployed.ts';
import { startServer } from './server-process.ts';

const functions = 100;
const callsPerMinute = 1000;
/** Four calls of five go to every fifth function, so that some stay warm and others are evicted and start cold over and over. */
const hotShare = 0.8;
const hotFunctions = 20;

/** Longer than the host holds a caller up: what takes more is lost. */
const lostAfterMs = 60_000;

interface Tally {
  right: number;
  wrong: string[];
  slowestMs: number;
}

/** Calls 100 functions a thousand times a minute, for so many minutes, with room for half of them: memory, losses, and what is left in the end. */
export async function soakHost({ minutes }: { readonly minutes: number }): Promise<readonly Finding[]> {
  const dataDir = temporary();
  // What functions run from lies in a directory of this soak's own.
  const workDir = temporary();
  const options = { dataDir, totalMemoryMib: 128 * (functions / 2) };
  const started = { nodeOptions: ['--expose-gc', '--disable-warning=ExperimentalWarning'], env: { TMPDIR: workDir } };
  const host = await startServer<Host>('./host-process.ts', [JSON.stringify(options)], started);
  try {
    const paths = await deployAll(host.ready);
    const tally: Tally = { right: 0, wrong: [], slowestMs: 0 };
    const held: Holdings[] = [];
    const made = await keepPace({
      minutes,
      perMinute: callsPerMinute,
      begin: (n) => ask(`${host.ready.url}${paths[pick(n)]}?n=${n}`, pick(n), n, tally),
      // The answer to a line on its stdin; what host-process.ts says.
      sample: async () => void held.push((await host.ask()) as Holdings),
    });
    const recorded = await recordedBy(() => recordedOf(host.ready.url, host.ready.auth), made);
    const logMib = statSync(join(dataDir, 'host.sqlite-wal')).size / mib;
    const running = childrenOf(host.pid);
    const code = await Promise.race([host.stop(), setTimeout(10_000, 'still running' as const)]);
    const left = [...running.filter(isRunning), ...readdirSync(workDir)];
    return [
      ...answersFindings(tally.right, made, tally.wrong),
      finding('recorded', `${recorded} of ${made}`, 'all', recorded === made),
      ...memoryFindings(held),
      finding("the store's log on disk", `${logMib.toFixed(1)} MiB`, 'under 48 MiB', logMib < 48),
      finding('slowest answer', `${tally.slowestMs.toFixed(0)} ms`, 'under 3000 ms', tally.slowestMs < 3000),
      endFinding('the host', code),
      leftFinding(left),
    ];
  } finally {
    for (const directory of [dataDir, workDir]) rmSync(directory, { recursive: true, force: true });
  }
}

function memoryFindings(held: readonly Holdings[]): readonly Finding[] {
  const values = (of: (holdings: Holdings) => number) => held.map(of);
  return [
    flatBytes(
      'heap in use after collection',
      values(({ heapUsed }) => heapUsed),
      mib / 2,
    ),
    flatBytes(
      'memory outside of the heap after collection',
      values(({ external }) => external),
      mib / 2,
    ),
    flatBytes(
      'resident memory of the host',
      values(({ rss }) => rss),
      8 * mib,
    ),
  ];
}

async function deployAll(host: Host): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let i = 0; i < functions; i += 1) paths.push(await deploy(host, `f${i}`, { code: codeOf(i), memory: 128 }));
  return paths;
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
    const reply = await fetch(url, { signal: AbortSignal.timeout(lostAfterMs) });
    const text = await reply.text();
    if (reply.status !== 200 || !text.startsWith(answerOf(i, n))) tally.wrong.push(`call ${n}: ${reply.status} ${text.slice(0, 200)}`);
    else tally.right += 1;
  } catch (error) {
    tally.wrong.push(`call ${n}: ${error instanceof Error ? error.message : error}`);
  }
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAt);
}
