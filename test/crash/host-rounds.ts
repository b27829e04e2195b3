import { setTimeout as after } from 'node:timers/promises';
import { dataDirectory } from '../emulator/emulator-process.ts';
import { isRunning } from '../host/support/processes.ts';
import { type HostProcess, hostProcess } from './host-process.ts';
import { type Ledger, ledger } from './ledger.ts';
import type { Rounds } from './rounds.ts';

const functions = ['one', 'two', 'three'];

/** The longest that a function of a killed host may outlive the next start. */
const goneWithinMs = 10_000;

/** Code that is long enough to be written in parts, and tells from its beginning and its end which version it is. */
const codeOf = (version: string) =>
  `const begins = '${version}';\n//${'x'.repeat(300_000)}\nexports.main = () => ({ begins, ends: '${version}', pid: process.pid });\n`;

/**
 * Kills a host by force, again and again on one data directory, while three clients deploy a function each and call it. After each restart every function serves, whole,
 * the version that was acknowledged last or the one that was on its way, and no process is left of before.
 */
export async function hostRounds(rounds: number, random: () => number): Promise<Rounds> {
  await using data = await dataDirectory();
  const versions = ledger<string>();
  const broken: string[] = [];
  let running = await hostProcess(data.path);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const pids = new Set<number>();
      const load = functions.map((name) => work(running, versions, name, `r${round}`, pids, broken));
      await after(50 + random() * 700);
      await running.kill();
      await Promise.all(load);
      running = await hostProcess(data.path);
      const found = [...(await served(running, versions)), ...(await left(pids))];
      for (const problem of found) broken.push(`round ${round}: ${problem}`);
    }
  } finally {
    await running.kill();
  }
  return { rounds, acknowledged: versions.acknowledged, broken };
}

/** Deploys version after version, and calls each, until the host is gone. */
async function work(
  host: HostProcess,
  versions: Ledger<string>,
  name: string,
  round: string,
  pids: Set<number>,
  broken: string[],
): Promise<void> {
  try {
    for (let turn = 0; ; turn += 1) {
      const version = `${round}-t${turn}`;
      versions.intend(name, version);
      const exec = { kind: 'nodejs:24', code: codeOf(version) };
      const { status, body } = await host.api('PUT', `actions/${name}?overwrite=true`, { exec });
      versions.answered(name, status === 200);
      if (status !== 200) broken.push(`${name} ${version}: deploying was answered ${status} ${JSON.stringify(body)}`);
      const called = await host.api('POST', `actions/${name}?blocking=true&result=true`, {});
      if (called.body?.begins !== version || called.body.ends !== version)
        broken.push(`${name}: serves ${JSON.stringify(called.body)} when ${version} was deployed`);
      pids.add(called.body?.pid);
    }
  } catch (failure) {
    // The connection broke with the host.
    if (!(failure instanceof TypeError)) throw failure;
  }
}

async function served(host: HostProcess, versions: Ledger<string>): Promise<readonly string[]> {
  const problems: (string | undefined)[] = [];
  for (const name of versions.names) {
    const { status } = await host.api('GET', `actions/${name}`);
    const { body } = status === 200 ? await host.api('POST', `actions/${name}?blocking=true&result=true`, {}) : { body: undefined };
    if (body?.begins !== body?.ends) problems.push(`${name}: begins as ${body.begins} and ends as ${body.ends}`);
    problems.push(versions.settle(name, body?.ends));
  }
  return problems.filter((problem) => problem !== undefined);
}

async function left(pids: ReadonlySet<number>): Promise<readonly string[]> {
  for (const until = performance.now() + goneWithinMs; performance.now() < until; await after(20)) {
    if (![...pids].some(isRunning)) return [];
  }
  return [...pids].filter(isRunning).map((pid) => `the function's process ${pid} is still there`);
}
