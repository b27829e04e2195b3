import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { type Connection, open } from './host/requests.ts';
import type { Row } from './row.ts';
import { interleaved, type Spread, spread } from './spread.ts';

export interface HostBenchOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
}

/** Until an ended instance is gone and a spare one, where there is room for it, is up. */
const settleMs = 150;

const code = 'exports.main = () => ({ body: { ok: true } })';

/** Measures the host: a warm call over calling `main` in process, and cold starts over a bare `node -e 0`. */
export async function run({ rounds = 15, requestsPerRound = 300 }: HostBenchOptions = {}): Promise<readonly Row[]> {
  return [...(await warmRows(rounds, requestsPerRound)), ...(await coldRows(rounds))];
}

async function warmRows(rounds: number, requests: number): Promise<readonly Row[]> {
  const dataDir = temporary();
  const host = await startProcess('../../lib/host/main.ts', ['--data', dataDir]);
  const bare = await startProcess('./host/bare-server.ts', []);
  try {
    const path = await deploy(host.ready.url, host.ready.namespace, host.ready.auth, 'f');
    const [toHost, toBare] = [await open(host.ready.port), await open(bare.ready.port)];
    const median = async (work: () => Promise<number> | number): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < requests; i += 1) times.push(await work());
      return spread(times).median;
    };
    const throughHost = (): Promise<number> => median(() => toHost.ask(path));
    const inProcess = (): Promise<number> => median(callInProcess);
    const throughBare = (): Promise<number> => median(() => toBare.ask('/'));
    await throughHost();
    await throughBare();
    // One spread for each thing measured.
    const [ours, control, http] = (await interleaved(rounds, [throughHost, inProcess, throughBare])) as [Spread, Spread, Spread];
    toHost.close();
    toBare.close();
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
  } finally {
    await host.stop();
    await bare.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const mainInProcess = new Function('exports', `${code}; return exports.main;`)({}) as (event: object) => object;

function callInProcess(): number {
  const startedAt = performance.now();
  JSON.stringify(mainInProcess({}));
  return performance.now() - startedAt;
}

async function coldRows(rounds: number): Promise<readonly Row[]> {
  const [crowded, roomy] = [await crowdedHost(), await roomyHost()];
  try {
    const seen = await interleaved(rounds, [crowded.coldCall, roomy.coldCall, bareNode]);
    // One spread for each thing measured.
    const [fresh, prelaunched, control] = seen as [Spread, Spread, Spread];
    const row = (name: string, ours: Spread, target: number): Row => {
      const value = ours.median / control.median;
      return { name, unit: 'ms', ours, control, figure: { of: 'ratio', value, target, better: 'less' } };
    };
    return [
      row('cold start through the host, not prelaunched / node -e 0', fresh, 1.4),
      row('cold start through the host, prelaunched / node -e 0', prelaunched, 0.4),
    ];
  } finally {
    await crowded.stop();
    await roomy.stop();
  }
}

interface ColdHost {
  readonly coldCall: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** A host with room for one instance: there is never a spare one, and of two functions called in turn each evicts the other. */
async function crowdedHost(): Promise<ColdHost> {
  const { host, connection, stop } = await hostInProcess({ totalMemoryMib: 256 });
  let [next, other] = [await deploy(host.url, host.namespace, host.auth, 'f'), await deploy(host.url, host.namespace, host.auth, 'g')];
  const coldCall = async (): Promise<number> => {
    [next, other] = [other, next];
    const ms = await connection.ask(next);
    await setTimeout(settleMs);
    return ms;
  };
  await coldCall();
  await coldCall();
  return { coldCall, stop };
}

/** A host with room for spare instances: one is up whenever a new version is called for the first time. */
async function roomyHost(): Promise<ColdHost> {
  const { host, connection, stop } = await hostInProcess({});
  const coldCall = async (): Promise<number> => {
    const path = await deploy(host.url, host.namespace, host.auth, 'f');
    await setTimeout(settleMs);
    return connection.ask(path);
  };
  await coldCall();
  return { coldCall, stop };
}

async function hostInProcess(options: {
  readonly totalMemoryMib?: number;
}): Promise<{ readonly host: Host; readonly connection: Connection; readonly stop: () => Promise<void> }> {
  const dataDir = temporary();
  const host = await startHost({ dataDir, callsPerMinute: Number.POSITIVE_INFINITY, ...options });
  const connection = await open(host.port);
  const stop = async (): Promise<void> => {
    connection.close();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { host, connection, stop };
}

async function bareNode(): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - startedAt;
}

async function deploy(url: string, namespace: string, auth: string, name: string): Promise<string> {
  const annotations = [
    { key: 'web-export', value: true },
    { key: 'raw-http', value: true },
  ];
  const reply = await fetch(`${url}/api/v1/namespaces/_/actions/${name}?overwrite=true`, {
    method: 'PUT',
    headers: { authorization: `Basic ${btoa(auth)}` },
    body: JSON.stringify({ exec: { kind: 'nodejs:24', code }, annotations }),
  });
  if (!reply.ok) throw new Error(`deploying ${name}: ${reply.status} ${await reply.text()}`);
  return `/api/v1/web/${namespace}/default/${name}`;
}

interface Ready {
  readonly port: number;
  readonly url: string;
  readonly namespace: string;
  readonly auth: string;
}

/** Starts a server that prints one line of JSON when it is ready. */
async function startProcess(file: string, args: readonly string[]): Promise<{ readonly ready: Ready; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { ready: JSON.parse(line), stop };
}

function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'deckhand-bench-'));
}
