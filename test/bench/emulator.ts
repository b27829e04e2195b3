import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Caller, throughput, type Wire, wire } from './emulator/load.ts';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { onOneCore } from './harness/one-core.ts';
import { processorMs } from './harness/process-stat.ts';
import { percentile } from './harness/spread.ts';
import { type Mark, type Table, tabulate } from './harness/table.ts';

const CALLERS = 8;
/** How much of what the bare server answers the emulator is to answer. */
const SHARE = 0.35;

/** Measures the emulator in a process of its own against a bare node:http server, on one core with whoever asks them. */
export function run(effort: Effort): Promise<readonly Table[]> {
  return onOneCore(async () => {
    const emulator = await start('../../lib/emulator/main.ts', ['--speed', '0', '--no-limits']);
    try {
      return await mixed(emulator, effort);
    } finally {
      await emulator.stop();
    }
  });
}

export interface Running {
  readonly port: number;
  readonly token: string;
  /** The processor time that it has taken until now; undefined where the system does not tell. */
  readonly processorMs: () => number | undefined;
  readonly stop: () => Promise<void>;
}

/** 70 % read one droplet, 10 % list twenty, 20 % write: create, tag, rename, untag, delete in turn. */
async function mixed(emulator: Running, effort: Effort): Promise<readonly Table[]> {
  const token = await newAccount(emulator, 100);
  await call(emulator, token, 'POST', '/v2/tags', { name: 'bench-2' });
  const sample = async (path: string): Promise<string> => (await call(emulator, token, 'GET', path)).text();
  const ids: readonly number[] = JSON.parse(await sample('/v2/droplets?per_page=100')).droplets.map(
    (droplet: { id: number }) => droplet.id,
  );
  const sizes = [await sample(`/v2/droplets/${ids[0]}`), await sample(LIST), await sample(`/v2/droplets/${ids[0]}`)].map((text) =>
    String(text.length),
  );
  const control = await start('./emulator/control.ts', sizes);
  try {
    const load = (server: Running) => async () => {
      const tookMs: number[] = [];
      const callers = Array.from({ length: CALLERS }, (_, index) => mixedCaller(token, ids, index));
      const beforeMs = server.processorMs() ?? Number.NaN;
      const perSecond = await throughput(server.port, callers, effort.isQuick ? 200 : 1000, (ms) => tookMs.push(ms));
      const processorUs = ((server.processorMs() ?? Number.NaN) - beforeMs) * 1000;
      return { perSecond, p99Ms: percentile(tookMs, 0.99), processorUs: processorUs / tookMs.length };
    };
    const title = 'Mixed load: 70 % get, 10 % list, 20 % write';
    const measures = { bare: load(control), emulator: load(emulator) };
    const seen = await interleave(effort, { title, control: 'bare', watched: 'perSecond', measures });
    const shown = (mark: Mark<'bare'>) => ({
      bare: { name: 'bare `node:http` with answers of the same size' },
      emulator: { name: 'the emulator', mark },
    });
    const rate = tabulate(seen, { title, unit: '/s', metric: 'perSecond', shown: shown({ of: 'ratio', atLeast: SHARE }) });
    const tail = tabulate(seen, { title: `${title}, p99`, unit: 'ms', metric: 'p99Ms', shown: shown({ of: 'ratio', atMost: 6 }) });
    if (emulator.processorMs() === undefined) {
      return [rate, tail];
    }
    const processorTitle = `${title}, processor time of the server for each`;
    const most = Number((1 / SHARE).toFixed(2));
    return [
      rate,
      tail,
      tabulate(seen, { title: processorTitle, unit: 'us', metric: 'processorUs', shown: shown({ of: 'ratio', atMost: most }) }),
    ];
  } finally {
    await control.stop();
  }
}

const LIST = '/v2/droplets?per_page=20';

function mixedCaller(token: string, ids: readonly number[], seed: number): Caller {
  const list = wire('GET', LIST, token);
  const ones: readonly Wire[] = ids.map((id) => wire('GET', `/v2/droplets/${id}`, token));
  const writes = writesInTurn(token);
  let turn = seed;
  let id = '';
  let step = 0;
  let created = false;
  return (reply) => {
    if (created) {
      id = /^\{"droplet":\{"id":(\d+)/.exec(reply?.toString('latin1', 0, 40) ?? '')?.[1] ?? id;
    }
    created = false;
    turn += 1;
    if (turn % 10 === 0) {
      return list;
    }
    if (turn % 5 !== 3) {
      return ones[(turn * 7) % ones.length] ?? list;
    }
    const write = writes[step]?.(id) ?? list;
    created = step === 0;
    step = (step + 1) % writes.length;
    return write;
  };
}

/** The life of a droplet: created, tagged, renamed, untagged, deleted. */
function writesInTurn(token: string): readonly ((id: string) => Wire)[] {
  const body = { name: 'bench', size: 's-1vcpu-1gb', region: 'nyc3', image: 'ubuntu-24-04-x64', tags: ['bench'] };
  const tagged = (method: string) => (id: string) =>
    wire(method, '/v2/tags/bench-2/resources', token, { resources: [{ resource_id: id, resource_type: 'droplet' }] });
  return [
    () => wire('POST', '/v2/droplets', token, body),
    tagged('POST'),
    (id) => wire('POST', `/v2/droplets/${id}/actions`, token, { type: 'rename', name: 'bench-2' }),
    tagged('DELETE'),
    (id) => wire('DELETE', `/v2/droplets/${id}`, token),
  ];
}

async function newAccount(emulator: Running, droplets: number): Promise<string> {
  const made = await call(emulator, emulator.token, 'POST', '/_emulator/accounts', { seed: 'empty', dropletLimit: 10_000_000 });
  const { token } = JSON.parse(await made.text());
  await call(emulator, token, 'POST', '/_emulator/populate', { droplets });
  return token;
}

/** Errors: a reply that is no success. */
export async function call(emulator: Running, token: string, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${emulator.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
  return response;
}

export interface StartWith {
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads from its standard input. */
  readonly input?: string;
}

/** Starts a server that prints one line of JSON when it is ready. */
export async function start(file: string, args: readonly string[], { environment = {}, input = '' }: StartWith = {}): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  child.stdin?.end(input);
  const exited = once(child, 'exit');
  if (child.stdout === null) {
    throw new Error(`${file}: no output to read its port from`);
  }
  const ended = exited.then(([code]) => {
    throw new Error(`${file} ended with ${code} before it was ready; its own words are above`);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  // Later it ends because it is told to.
  ended.catch(() => {});
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { token: '', ...JSON.parse(line), processorMs: () => processorMs(child.pid ?? 0), stop };
}
