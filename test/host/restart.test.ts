import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../lib/host/start-host.ts';
import { isRunning } from './support/processes.ts';
import { type TestHost, talkTo, tempDir, testHost } from './support/test-host.ts';

const main = fileURLToPath(new URL('../../lib/host/main.ts', import.meta.url));

describe('a data directory', () => {
  test('keeps functions, records, namespace and credentials over a restart', async () => {
    const dataDir = tempDir();
    const first = await testHost({ dataDir });
    await first.deploy('p/f', { code: 'exports.main = () => ({ ok: 1 })', parameters: [{ key: 'E', value: 'x', init: true }] });
    const { activationId } = await first.invoke('p/f');
    await first.close();
    const second = await testHost({ dataDir });
    expect([second.namespace, second.auth]).toEqual([first.namespace, first.auth]);
    expect((await second.invoke('p/f')).response.result).toEqual({ ok: 1 });
    expect((await second.activation(activationId)).response.result).toEqual({ ok: 1 });
    expect((await second.api('GET', 'actions/p/f')).body).toMatchObject({
      version: '0.0.1',
      parameters: [{ key: 'E', value: 'x', init: true }],
    });
  });

  test('is open to its owner alone and tells clients how to connect', async () => {
    const host = await testHost();
    expect(statSync(host.dataDir).mode & 0o777).toBe(0o700);
    const file = join(host.dataDir, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      currentHost: host.url,
      currentNamespace: host.namespace,
      credentials: { [host.url]: { [host.namespace]: { api_key: host.auth } } },
    });
  });

  test('serves one host at a time', async () => {
    const host = await testHost();
    await expect(startHost({ dataDir: host.dataDir })).rejects.toThrow(/is in use by another running host: stop that one/);
  });

  test('is free again after a start that failed', async () => {
    const taken = await testHost();
    const dataDir = tempDir();
    await expect(startHost({ dataDir, port: taken.port })).rejects.toThrow(`port ${taken.port} is taken: choose another, or 0 for any`);
    expect((await testHost({ dataDir })).port).toBeGreaterThan(0);
  });
});

test.each([
  [{ maxInstances: 0 }, /maxInstances: expected a whole number from 1 to 64, got 0/],
  [{ publicUrl: 'tunnel.example' }, /publicUrl: expected an address with http/],
  [{ mounts: { hooks: 'p/f' } }, /mounts: expected a path that begins with \/, got hooks/],
])('an option that cannot be is refused: %o', async (options, message) => {
  await expect(startHost({ dataDir: tempDir(), ...options })).rejects.toThrow(message);
});

describe('a host of its own process', () => {
  test('leaves nothing running when it is asked to end', async () => {
    const { host, process: child } = await spawnHost(tempDir());
    await host.deploy('p/f', 'exports.main = () => ({ pid: process.pid })');
    const { pid } = (await host.invoke('p/f')).response.result as { pid: number };
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(isRunning(pid)).toBe(false);
  });

  test('killed by force leaves nothing running after its next start, and loses nothing that was acknowledged', async () => {
    const dataDir = tempDir();
    const { host, process: child } = await spawnHost(dataDir);
    const looping = `exports.main = ({ loop, detach }) => {
      const options = { detached: true, stdio: 'ignore' };
      const pids = [process.pid];
      if (detach) pids.push(require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options).pid);
      require('fs').writeFileSync(process.env.OUT + '/' + process.pid, pids.join(' '));
      while (loop);
      return { pids };
    }`;
    const out = tempDir();
    const env = [{ key: 'OUT', value: out, init: true }];
    await host.deploy('p/loops', { code: looping, parameters: env, limits: { timeout: 600_000 } });
    await host.deploy('p/idles', { code: looping, parameters: env });
    const idle = await host.invoke('p/idles', { detach: true });
    for (let i = 0; i < 2; i += 1) host.invoke('p/loops', { loop: true, detach: true }).catch(() => {});
    await expect.poll(() => readdirSync(out).length).toBe(3);
    const pids = readdirSync(out).flatMap((file) => readFileSync(join(out, file), 'utf8').split(' ').map(Number));
    expect(pids).toHaveLength(6);
    await host.deploy('p/late', 'exports.main = () => ({ late: true })');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(pids.filter(isRunning).length).toBeGreaterThan(0);

    const next = await spawnHost(dataDir);
    expect(pids.filter(isRunning)).toEqual([]);
    expect((await next.host.invoke('p/late')).response.result).toEqual({ late: true });
    expect((await next.host.activation(idle.activationId)).response).toEqual(idle.response);
  });

  test('killed by force has its idle instances end by themselves', async () => {
    const dataDir = tempDir();
    const { host, process: child } = await spawnHost(dataDir);
    await host.deploy('p/f', 'setInterval(() => {}, 1000); exports.main = () => ({ pid: process.pid })');
    const { pid } = (await host.invoke('p/f')).response.result as { pid: number };
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => isRunning(pid)).toBe(false);
    // For what the killed one left in the directory of temporary files.
    await spawnHost(dataDir);
  });

  test('goes on answering where its records cannot be written any more, and says so', async () => {
    const { host, process: child } = await spawnHost(tempDir(), 2048);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await host.deploy('p/f', 'exports.main = ({ n }) => { console.log("x".repeat(60_000)); return { n }; }');
    const results: unknown[] = [];
    for (let n = 0; n < 60; n += 1) results.push((await host.invoke('p/f', { n })).response.result);
    expect(results).toEqual(Array.from({ length: 60 }, (_, n) => ({ n })));
    await expect.poll(() => said).toMatch(/^internal error: /m);
    const { status, body } = await host.api('GET', 'activations?limit=200');
    expect(status).toBe(200);
    expect(body.length).toBeLessThan(60);
    expect((await host.api('DELETE', 'actions/none/f')).status).toBe(404);
  });

  test('says what is missing and ends with 1 when it is started wrong', async () => {
    const child = spawn(process.execPath, [main], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said).toBe('--data: name the directory the host keeps its state in\n');
  });
});

/** A host in a process of its own, which can write files of no more than so many KiB where that is said. */
async function spawnHost(dataDir: string, mostKib?: number): Promise<{ readonly host: TestHost; readonly process: ChildProcess }> {
  const limit = mostKib === undefined ? '' : `ulimit -f ${2 * mostKib};`;
  const command = [process.execPath, main, '--port', '0', '--data', dataDir];
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$0" "$@"`, ...command], {
    stdio: ['ignore', 'pipe', mostKib === undefined ? 'inherit' : 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const [line] = await once(child.stdout ?? child, 'data');
  const ready = JSON.parse(String(line));
  expect(existsSync(join(dataDir, 'host.sqlite'))).toBe(true);
  return { host: talkTo({ ...ready, close: async () => {} }, dataDir), process: child };
}
