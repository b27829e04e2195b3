import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from './support/processes.ts';
import { type TestFunction, type TestHost, tempDir, testHost } from './support/test-host.ts';

const sleeps =
  'exports.main = async ({ ms = 0, n }) => { await new Promise((done) => setTimeout(done, ms)); return { n, pid: process.pid }; }';

describe('instances', () => {
  test('stay warm: one call after another meets the same process and its state', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'let calls = 0; exports.main = () => ({ calls: ++calls })');
    for (let calls = 1; calls <= 5; calls += 1) expect((await host.invoke('p/f')).response.result).toEqual({ calls });
  });

  test('make one call at a time, and no more of them start than allowed', async () => {
    const host = await testHost({ maxInstances: 3 });
    await host.deploy(
      'p/f',
      'let busy = 0; exports.main = async () => { busy += 1; const most = busy; await new Promise((done) => setTimeout(done, 20)); busy -= 1; return { most, pid: process.pid }; }',
    );
    const results = await Promise.all(Array.from({ length: 12 }, () => resultOf(host, 'p/f')));
    expect(results.every(({ most }) => most === 1)).toBe(true);
    expect(new Set(results.map(({ pid }) => pid)).size).toBe(3);
  });

  test('take the waiting calls in the order they came', async () => {
    const host = await testHost({ maxInstances: 1 });
    await host.deploy(
      'p/f',
      'let order = 0; exports.main = async ({ ms = 0 }) => { await new Promise((done) => setTimeout(done, ms)); return { order: order++ }; }',
    );
    const ids: string[] = [];
    // The first takes long enough for the others to queue up, each once the one before was accepted.
    for (const ms of [500, 0, 0, 0, 0, 0]) ids.push((await host.api('POST', 'actions/p/f', { ms })).body.activationId);
    expect((await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 0 });
    const records = await Promise.all(ids.map((id) => whenRecorded(host, id)));
    expect(records.map(({ response }) => response.result?.order)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('leave a call that waits to whichever is free first', async () => {
    const host = await testHost({ maxInstances: 2 });
    await host.deploy('p/f', { code: sleeps, limits: { timeout: 20_000 } });
    const slow = host.invoke('p/f', { ms: 3000 });
    const quick = await Promise.all([
      resultOf(host, 'p/f', { ms: 100 }),
      resultOf(host, 'p/f'),
      resultOf(host, 'p/f'),
      resultOf(host, 'p/f'),
    ]);
    expect(new Set(quick.map(({ pid }) => pid)).size).toBe(1);
    expect((await slow).response.success).toBe(true);
  });

  test('end when nobody calls for long, the prelaunched ones as well', async () => {
    const host = await testHost({ idleTimeoutMs: 100 });
    await host.deploy('p/f', sleeps);
    const { pid } = await resultOf(host, 'p/f');
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await resultOf(host, 'p/f')).pid).not.toBe(pid);
  });

  test('of the longest unused function make room where memory is short', async () => {
    const host = await testHost({ totalMemoryMib: 512 });
    for (const name of ['p/a', 'p/b', 'p/c']) await host.deploy(name, sleeps);
    const [a, b] = [await resultOf(host, 'p/a'), await resultOf(host, 'p/b')];
    await resultOf(host, 'p/c');
    await expect.poll(() => isRunning(a.pid)).toBe(false);
    expect(await resultOf(host, 'p/b')).toEqual(b);
  });

  test('of one function are waited for by another where memory is short', async () => {
    const host = await testHost({ totalMemoryMib: 256 });
    await host.deploy('p/a', sleeps);
    await host.deploy('p/b', sleeps);
    const results = await Promise.all([1, 2, 3, 4].map((n) => resultOf(host, n % 2 ? 'p/a' : 'p/b', { n, ms: 20 })));
    expect(results.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  });

  test('of a version finish their calls after the next one is deployed, and take no new ones', async () => {
    const host = await testHost();
    await host.deploy('p/f', sleeps);
    const warm = await resultOf(host, 'p/f');
    const running = host.invoke('p/f', { ms: 300, n: 'old' });
    await expect.poll(async () => (await host.api('GET', 'actions/p/f?code=false')).status).toBe(200);
    await host.deploy('p/f', 'exports.main = () => ({ n: "new", pid: process.pid })');
    const fresh = await resultOf(host, 'p/f');
    expect(fresh.n).toBe('new');
    const old = await running;
    expect(old).toMatchObject({ version: '0.0.1', response: { success: true, result: { n: 'old' } } });
    await expect.poll(() => isRunning(warm.pid)).toBe(false);
    expect((await resultOf(host, 'p/f')).pid).toBe(fresh.pid);
  });

  test('serve every call while new versions are deployed under load', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => ({ version: 0 })');
    let deploying = true;
    const callers = Array.from({ length: 3 }, async () => {
      const seen: number[] = [];
      while (deploying) seen.push((await resultOf(host, 'p/f')).version);
      return seen;
    });
    for (let version = 1; version <= 8; version += 1) await host.deploy('p/f', `exports.main = () => ({ version: ${version} })`);
    deploying = false;
    for (const seen of await Promise.all(callers)) expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect((await resultOf(host, 'p/f')).version).toBe(8);
  });

  test('start cold with a prelaunched process of their kind and size when there is one', async () => {
    const host = await testHost();
    await host.deploy('p/first', sleeps);
    await host.deploy('p/second', 'exports.main = () => ({ upMs: process.uptime() * 1000, pid: process.pid })');
    await resultOf(host, 'p/first');
    const idleMs = 200;
    await new Promise((done) => setTimeout(done, idleMs));
    expect((await resultOf(host, 'p/second')).upMs).toBeGreaterThan(idleMs / 2);
  });
});

describe('a client that goes away', () => {
  test('while its call waits has it dropped, and while it runs loses only the answer', async () => {
    const host = await testHost({ maxInstances: 1 });
    const begun = join(tempDir(), 'begun');
    await host.deploy('p/f', marks(begun));
    const running = abandoned(host, 'p/f?ms=300');
    await expect.poll(() => existsSync(begun)).toBe(true);
    const waiting = abandoned(host, 'p/f?ms=300');
    running.abort();
    waiting.abort();
    await Promise.all([running.gone, waiting.gone]);
    expect((await resultOf(host, 'p/f', { n: 'next' })).n).toBe('next');
    expect((await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 2 });
  });

  test('in the middle of its request holds no instance', async () => {
    const host = await testHost({ maxInstances: 1 });
    await host.deploy('p/f', sleeps);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(host.port, '127.0.0.1');
      socket.write(`POST /api/v1/web/${host.namespace}/p/f HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf`);
      return socket;
    });
    expect((await resultOf(host, 'p/f', { n: 1 })).n).toBe(1);
    for (const socket of sockets) socket.destroy();
    expect((await resultOf(host, 'p/f', { n: 2 })).n).toBe(2);
  });
});

test('closing ends every process and answers what was under way', async () => {
  const host = await testHost();
  const begun = join(tempDir(), 'begun');
  await host.deploy('p/f', marks(begun));
  const { pid } = await resultOf(host, 'p/f');
  const running = host.web('p/f?ms=5000');
  const sending = connect(host.port, '127.0.0.1');
  sending.write('POST /api/v1/namespaces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf');
  await expect.poll(() => existsSync(begun)).toBe(true);
  await host.close();
  expect((await running).status).toBe(400);
  expect(isRunning(pid)).toBe(false);
  await host.close();
});

/** A function that leaves a file behind as soon as it is asked to take its time. */
function marks(file: string): TestFunction {
  const code = `exports.main = async ({ ms, n }) => {
    if (ms) require('fs').writeFileSync(${JSON.stringify(file)}, '');
    await new Promise((done) => setTimeout(done, ms ?? 0));
    return { n, pid: process.pid };
  }`;
  return { code, limits: { timeout: 10_000 } };
}

// biome-ignore lint/suspicious/noExplicitAny: results of every shape
async function resultOf(host: TestHost, fullName: string, inputs: object = {}): Promise<any> {
  return (await host.invoke(fullName, inputs)).response.result;
}

async function whenRecorded(host: TestHost, id: string): ReturnType<TestHost['activation']> {
  await expect.poll(async () => (await host.api('GET', `activations/${id}`)).status).toBe(200);
  return host.activation(id);
}

function abandoned(host: TestHost, path: string): { abort(): void; readonly gone: Promise<unknown> } {
  const controller = new AbortController();
  const gone = host.web(path, { signal: controller.signal }).catch(() => {});
  return { abort: () => controller.abort(), gone };
}
