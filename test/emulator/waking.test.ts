import { expect, test, vi } from 'vitest';
import { advance, busyDroplet, outbox } from './alerting.ts';
import { dataDirectory } from './emulator-process.ts';
import { type Platform, startPlatform } from './platform.ts';
import { httpTarget, watched } from './probe-targets.ts';
import { chatReceiver } from './receiver.ts';

/** Another account than the first, with nothing in it. */
async function second(platform: Platform): Promise<Platform> {
  return platform.as((await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token);
}

test('the checks of every account are probed from the start on, whether anybody calls or not', async () => {
  await using directory = await dataDirectory();
  let probes = 0;
  await using target = await httpTarget((_request, response) => {
    probes += 1;
    response.end();
  });
  const before = await startPlatform({ dataDir: directory.path });
  await watched(await second(before), `http://127.0.0.1:${target.port}`);
  await before[Symbol.asyncDispose]();
  await using _after = await startPlatform({ dataDir: directory.path, probes: true });
  await expect.poll(() => probes, { timeout: 10_000 }).toBeGreaterThan(0);
});

test('the notices of every account that had not left when the emulator ended leave when it starts', async () => {
  await using directory = await dataDirectory();
  let hangs = true;
  await using receiver = await chatReceiver((_delivery, response) => hangs || response.end('ok'));
  const hooks = Array.from({ length: 7 }, (_, index) => `${receiver.url}/${index}`);
  const before = await startPlatform({ dataDir: directory.path });
  const account = await second(before);
  await account.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
  await busyDroplet(account, { chat: hooks });
  const moved = advance(account, '5m').catch(() => undefined);
  await expect.poll(() => receiver.deliveries.length).toBe(4);
  await before[Symbol.asyncDispose]();
  await moved;
  hangs = false;
  await using after = await startPlatform({ dataDir: directory.path });
  await expect.poll(() => receiver.deliveries.length, { timeout: 10_000 }).toBe(7);
  // Asked only now.
  const states = (await outbox(after.as(account.token))).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['dead', 'dead', 'dead', 'dead', 'delivered', 'delivered', 'delivered']);
});

test('an emulator that ends while its clock moves warns of nothing', async () => {
  const warned = vi.spyOn(process, 'emitWarning');
  let isOver = false;
  {
    await using receiver = await chatReceiver((_delivery, response) => void response.on('close', () => (isOver = true)));
    const platform = await startPlatform();
    await platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
    await busyDroplet(platform, { chat: [receiver.url] });
    const moved = advance(platform, '5m').catch(() => undefined);
    await expect.poll(() => receiver.deliveries.length).toBe(1);
    await platform[Symbol.asyncDispose]();
    await moved;
  }
  // The delivery that the clock waited for breaks off with its receiver; a request more over loopback, and all that follows from it is done.
  await expect.poll(() => isOver).toBe(true);
  await using other = await startPlatform();
  await other.get('/v2/account');
  expect(warned).not.toHaveBeenCalled();
});
