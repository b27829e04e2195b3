import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { percentile } from '../harness/spread.ts';

const context = { getRemainingTimeInMillis: () => 25_000 };

/** The `main` of a bundle, which says nothing in the log. */
export function loadMain(bundle: string): (event: object) => Promise<unknown> {
  const exports: { main?: (event: object, context: object) => Promise<unknown> } = {};
  const write = 'const process = Object.create(globalThis.process, { stdout: { value: { write: () => true } } });';
  new Function('exports', 'require', `${write}${readFileSync(bundle, 'utf8')}`)(exports, createRequire(import.meta.url));
  const { main } = exports;
  if (!main) throw new Error('the bundle exports no main');
  return (event) => main(event, context);
}

/** What a share of some calls, one after the other, does not exceed. */
export async function p99Of(calls: number, work: () => Promise<unknown>): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const tookMs: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const startedAt = performance.now();
    await work();
    tookMs.push(performance.now() - startedAt);
  }
  return { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
}

/** The request of a call, without the function. */
export function bareRequest(url: string, agent: http.Agent): Promise<unknown> {
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
