import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildAll } from '../../build/bundle.ts';
import type { Row } from './row.ts';
import { interleaved, percentile, type Spread, spread } from './spread.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bundle = at('../../packages/gateway/router/bundle.js');

export interface RouterBenchOptions {
  readonly rounds?: number;
  readonly warmCalls?: number;
}

/** Measures the router: cold over an empty function on the same Node, warm over the platform call alone. */
export async function run({ rounds = 15, warmCalls = 3000 }: RouterBenchOptions = {}): Promise<readonly Row[]> {
  await buildAll(at('../..'));
  const platform = spawn(process.execPath, [at('./router/bare-platform.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(platform.stdout), 'line');
    const url = `http://127.0.0.1:${JSON.parse(line).port}`;
    return [...(await coldRows(url, rounds)), ...(await warmRows(url, warmCalls))];
  } finally {
    platform.kill('SIGTERM');
    await once(platform, 'exit');
  }
}

async function coldRows(url: string, rounds: number): Promise<readonly Row[]> {
  const cold = (what: string) => async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [at('./router/cold.cjs'), what, bundle, url]);
    return Number(stdout);
  };
  const measured = await interleaved(rounds, [cold('list'), cold('call'), cold('empty'), cold('https')]);
  // One spread for each thing measured.
  const [list, call, empty, https] = measured as [Spread, Spread, Spread, Spread];
  const over = (name: string, ours: Spread, target: number): Row => {
    const value = ours.median - empty.median;
    return { name, unit: 'ms', ours, control: empty, figure: { of: 'difference', value, target, better: 'less' } };
  };
  return [
    over('router: load + first tools/list, over an empty function', list, 12),
    over('router: load + first tools/call, over an empty function', call, 40),
    { name: 'node:https alone with the same request, over an empty function', unit: 'ms', ours: https, control: empty },
  ];
}

/** The router's `main` and the bare request in turn, in one process over kept connections; compared at the 99th of a hundred. */
async function warmRows(url: string, calls: number): Promise<readonly Row[]> {
  const main = loadMain(url);
  const agent = new http.Agent({ keepAlive: true });
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const through: number[] = [];
  const alone: number[] = [];
  for (let count = 0; count < calls + 200; count += 1) {
    const [first, second] = count % 2 === 0 ? [through, alone] : [alone, through];
    for (const times of [first, second]) {
      const ms = await timed(times === through ? main : () => bareRequest(url, agent));
      // The first calls warm both up.
      if (count >= 200) times.push(ms);
    }
  }
  agent.destroy();
  const value = percentile(through, 0.99) - percentile(alone, 0.99);
  const figure = { of: 'difference', value, target: 1, better: 'less' } as const;
  return [{ name: 'warm main over the platform call, p99', unit: 'ms', ours: atP99(through), control: atP99(alone), figure }];
}

function loadMain(url: string): () => Promise<unknown> {
  process.env.PLATFORM_API_URL = url;
  const exports: { main?: (event: object, context: object) => Promise<unknown> } = {};
  const { createRequire } = process.getBuiltinModule('node:module');
  const write = 'const process = Object.create(globalThis.process, { stdout: { value: { write: () => true } } });';
  new Function('exports', 'require', `${write}${readFileSync(bundle, 'utf8')}`)(exports, createRequire(import.meta.url));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account-get-information' } });
  const headers = { authorization: 'Bearer b', 'content-type': 'application/json' };
  const event = { http: { method: 'POST', path: '/mcp', queryString: '', headers, body } };
  const { main } = exports;
  if (!main) throw new Error('the bundle exports no main');
  return () => main(event, { getRemainingTimeInMillis: () => 25_000 });
}

function bareRequest(url: string, agent: http.Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/v2/account`, { agent, headers: { authorization: 'Bearer b' } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('error', reject);
    request.end();
  });
}

/** Shown like a median: the 99th of a hundred, with the ends. */
function atP99(values: readonly number[]): Spread {
  return { ...spread(values), median: percentile(values, 0.99) };
}
