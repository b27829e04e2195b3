import { type ChildProcess, spawn } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endMarked } from '../../lib/host/instances/marked-processes.ts';
import type { Host } from '../../lib/host/start-host.ts';
import { deploy } from '../bench/host/deployed.ts';
import { startServer } from '../bench/host/server-process.ts';
import type { Holdings } from '../bench/soak/holdings.ts';
import { tempDir } from './support/test-host.ts';

const mib = 1024 * 1024;

test('a function that starts cold over and over leaves no object behind', async () => {
  const options = { dataDir: tempDir(), totalMemoryMib: 128 };
  const host = await startServer<Host>('./host-process.ts', [JSON.stringify(options)], {
    nodeOptions: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
  });
  onTestFinished(async () => {
    await host.stop();
  });
  // There is room for one instance: each call of one function ends that of the other.
  const paths = await Promise.all(['f', 'g'].map((name) => deploy(host.ready, name, { memory: 128 })));
  const startCold = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await (await fetch(`${host.ready.url}${paths[n % 2]}`)).text();
  };
  // What host-process.ts says.
  const count = async (): Promise<number> => ((await host.ask()) as Holdings).objects;
  await startCold(20);
  const before = await count();
  await startCold(80);
  // A single object kept of each would be 80 of them.
  await expect.poll(async () => (await count()) - before, { timeout: 10_000 }).toBeLessThan(40);
});

test.runIf(process.platform === 'linux')('looking for what a function left running takes no buffer for each process there is', async () => {
  const others = Array.from({ length: 30 }, () => spawn('sleep', ['600'], { stdio: 'ignore' }));
  onTestFinished(() => {
    for (const other of others) other.kill('SIGKILL');
  });
  await Promise.all(others.map(isUp));
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  let isOver = false;
  const looking = endMarked(new Set(['of-nobody'])).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
    await setImmediate();
  }
  expect(await looking).toBe(0);
  expect(most - before).toBeLessThan(mib / 2);
});

function isUp(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
}
