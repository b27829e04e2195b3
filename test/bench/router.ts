import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildAll } from '../../build/bundle.ts';
import type { Effort } from './harness/effort.ts';
import { interleave } from './harness/interleave.ts';
import { percentile } from './harness/spread.ts';
import { type Table, tabulate } from './harness/table.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bundle = at('../../packages/gateway/router/bundle.js');

/** Measures the router: cold over an empty function on the same Node, warm over the platform call alone. */
export async function run(effort: Effort): Promise<readonly Table[]> {
  await buildAll(at('../..'));
  const platform = spawn(process.execPath, [at('./router/bare-platform.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(platform.stdout), 'line');
    const url = `http://127.0.0.1:${JSON.parse(line).port}`;
    return [await cold(url, effort), await warm(url, effort)];
  } finally {
    platform.kill('SIGTERM');
    await once(platform, 'exit');
  }
}

async function cold(url: string, effort: Effort): Promise<Table> {
  const started = (what: string) => async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [at('./router/cold.cjs'), what, bundle, url]);
    return { ms: Number(stdout) };
  };
  const title = 'Cold start of the router';
  const measures = { https: started('https'), empty: started('empty'), list: started('list'), call: started('call') };
  const seen = await interleave(effort, { title, control: 'https', watched: 'ms', measures });
  return tabulate(seen, {
    title,
    unit: 'ms',
    metric: 'ms',
    shown: {
      https: { name: '`node:https` alone with the request of the call' },
      empty: { name: 'an empty function' },
      list: { name: 'load + first tools/list', mark: { of: 'difference', beside: 'empty', atMost: 12 } },
      call: { name: 'load + first tools/call', mark: { of: 'difference', beside: 'empty', atMost: 40 } },
    },
  });
}

/** The router's `main` and the bare request in one process, over kept connections. */
async function warm(url: string, effort: Effort): Promise<Table> {
  const main = loadMain(url);
  const agent = new http.Agent({ keepAlive: true });
  const calls = effort.isQuick ? 100 : 1000;
  const title = 'A warm call of the router';
  const measures = { alone: () => p99Of(calls, () => bareRequest(url, agent)), through: () => p99Of(calls, main) };
  const seen = await interleave(effort, { title, control: 'alone', watched: 'p50Ms', measures });
  agent.destroy();
  const shown = { alone: { name: 'the platform call alone, over `node:http`' }, through: { name: '`main` with the same call' } };
  const mark = { of: 'difference', atMost: 1 } as const;
  return tabulate(seen, { title: `${title}, p99`, unit: 'ms', metric: 'p99Ms', shown: { ...shown, through: { ...shown.through, mark } } });
}

async function p99Of(calls: number, work: () => Promise<unknown>): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const tookMs: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const startedAt = performance.now();
    await work();
    tookMs.push(performance.now() - startedAt);
  }
  return { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
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
