import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { clientOf } from '../../emulator/platform.ts';
import { isRunning } from '../../host/support/processes.ts';
import { median } from '../harness/spread.ts';
import { startServer } from '../host/server-process.ts';
import { type Asking, asking, parts } from './asking.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { answersFindings, endFinding, type Finding, finding, leftFinding } from './finding.ts';
import { type Field, turnOf } from './load/load.ts';
import { mixedLoad, perMinute } from './load/mixed.ts';
import { keepPace } from './pace.ts';
import { childrenOf } from './processes.ts';
import { watchOf } from './watch.ts';

/** Of what takes its time, one is begun with so much other work. */
const slowEvery = 200;
/** So many that each stays below what the platform allows it in an hour; what is done in turn goes to each of them. */
const accounts = 11;
/** By how much the p99 of the last fifth may be above the middle of the others, where that of a bare server did not rise. */
const mostRise = 1.5;

/**
 * Runs `npm start` under everything that it is there for, for so many minutes: tools over MCP and as plain JSON, signed webhooks, functions that are deployed, called and
 * deleted, checks that fail and recover. Looks whether anything is answered wrongly or lost, and whether it stays as it was.
 */
export async function soakAll({ minutes }: { readonly minutes: number }): Promise<readonly Finding[]> {
  const control = await startServer<{ readonly port: number }>('./bare-server.ts', []);
  try {
    await using deployment = await startDeployment();
    const found = await soaked(deployment, `http://127.0.0.1:${control.ready.port}/`, minutes);
    return [...found, ...(await endFindings(deployment))];
  } finally {
    await control.stop();
  }
}

async function soaked(deployment: Deployment, controlUrl: string, minutes: number): Promise<readonly Finding[]> {
  const seen = asking();
  const field: Field = { ask: seen.ask, calls: seen.calls, deployment, accounts: await accountsOf(deployment, accounts) };
  const [watchedAccount = ''] = await accountsOf(deployment, 1);
  await using load = await mixedLoad(field, watchedAccount);
  const wrong: string[] = [];
  const done = (work: Promise<void>) => work.catch((error: Error) => void wrong.push(error.message));
  // Once through everything, so that nothing is cold any more that is not to be.
  for (const work of load.cycle) await done(work(0));
  const watch = watchOf(deployment);
  const busy = busyShare();
  const slow = new Set<Promise<void>>();
  const total = Math.round(perMinute * minutes);
  await keepPace({
    minutes,
    perMinute,
    async begin(n) {
      seen.enter(Math.floor((n * parts) / total));
      if (n % slowEvery === 0) {
        const one: Promise<void> = done(load.slow(n)).finally(() => slow.delete(one));
        slow.add(one);
      }
      await Promise.all([done(turnOf(load.cycle, n)(n)), seen.control(controlUrl)]);
    },
    async sample() {
      await Promise.all(field.accounts.map((token) => forgetRequests(deployment, token)));
      await watch.take();
      process.stderr.write(`soak: ${seen.made} requests, the machine busy for ${busy()} % of the time\n`);
    },
  });
  await Promise.all(slow);
  const lost = await load.findings();
  return [...answersFindings(seen.right, seen.made, wrong), ...lost, p99Finding(seen), ...watch.findings()];
}

/** Accounts that are alike, by their bearers. */
async function accountsOf({ ready }: Deployment, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const platform = clientOf(ready.platform, ready.token);
    tokens.push((await platform.post('/_emulator/accounts', { seed: 'default' })).body.token);
  }
  return tokens;
}

/** What the emulator tells of requests that arrived is a history with an end, which would be reached in the middle of a soak. */
async function forgetRequests({ ready }: Deployment, token: string): Promise<void> {
  await clientOf(ready.platform, token).del('/_emulator/requests');
}

/** Tells for what part of the time since it was asked last the processors were at work, in percent. */
function busyShare(): () => string {
  const reading = () => {
    const times = cpus().map((cpu) => cpu.times);
    const idle = times.reduce((sum, time) => sum + time.idle, 0);
    return { idle, all: times.reduce((sum, { user, nice, sys, idle: rest, irq }) => sum + user + nice + sys + rest + irq, 0) };
  };
  let last = reading();
  return () => {
    const now = reading();
    const share = 1 - (now.idle - last.idle) / (now.all - last.all);
    last = now;
    return (100 * share).toFixed(0);
  };
}

function p99Finding(seen: Asking): Finding {
  const { warm, control } = seen.p99s();
  const rise = riseOf(warm) / Math.max(1, riseOf(control));
  const shown = (values: readonly number[]) => values.map((ms) => ms.toFixed(1)).join(', ');
  const text = `${riseOf(warm).toFixed(2)} times the others (by fifths: ${shown(warm)} ms; a bare server ${riseOf(control).toFixed(2)} times: ${shown(control)} ms)`;
  return finding(
    'p99 of warm requests, last fifth',
    text,
    `under ${mostRise} times, where a bare server rises so much the more`,
    rise < mostRise,
  );
}

function riseOf(p99s: readonly number[]): number {
  return (p99s.at(-1) ?? Number.NaN) / median(p99s.slice(0, -1));
}

async function endFindings(deployment: Deployment): Promise<readonly Finding[]> {
  const running = childrenOf(deployment.pid);
  const code = await deployment.end();
  const left = [...running.filter(isRunning), ...readdirSync(deployment.workDir)];
  return [endFinding('the deployment', code), leftFinding(left)];
}
