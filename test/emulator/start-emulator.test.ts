import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { dataDirectory } from './emulator-process.ts';
import { clientOf, dropletBody, rawRequest } from './platform.ts';

test('the clock stops, is set, moves on and runs on', async () => {
  await using emulator = await startEmulator();
  const { clock } = emulator;
  expect(clock.isFrozen()).toBe(false);
  await clock.freeze('2026-02-10T12:00:00Z');
  expect([clock.now(), clock.isFrozen()]).toEqual([new Date('2026-02-10T12:00:00Z'), true]);
  await clock.advance(1500);
  await clock.advance('5m');
  expect(clock.now().toISOString()).toBe('2026-02-10T12:05:01.500Z');
  await clock.freeze(new Date('2027-01-01T00:00:00Z'));
  await clock.thaw('2031-01-01T00:00:00Z');
  expect([clock.isFrozen(), clock.now().toISOString().slice(0, 16)]).toEqual([false, '2031-01-01T00:00']);
  await clock.thaw();
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5000);
  await expect(clock.advance('soon')).rejects.toThrow('advance must be a number of milliseconds from 0');
  await expect(clock.freeze('soon')).rejects.toThrow('at must be a moment in RFC 3339');
});

test('others are answered while a clock is set to a moment years ahead, and what recurs is there after as on the way', async () => {
  await using emulator = await startEmulator();
  await emulator.clock.freeze('2026-02-10T12:00:00Z');
  const seen: number[] = [];
  let arrived = false;
  const leap = emulator.clock.freeze('2041-02-10T12:00:00Z').then(() => {
    arrived = true;
  });
  while (!arrived) {
    seen.push(emulator.clock.now().getUTCFullYear());
    await setImmediate();
  }
  await leap;
  expect(seen.filter((year) => year > 2026 && year < 2041).length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.toSorted());
  const { invoices } = (await clientOf(emulator.url, emulator.token).get('/v2/customers/my/invoices')).body;
  expect(invoices[0].invoice_period).toBe('2041-01');
  expect(emulator.clock.now().toISOString()).toBe('2041-02-10T12:00:00.000Z');
});

test('advancing has actions end', async () => {
  await using emulator = await startEmulator();
  const platform = clientOf(emulator.url, emulator.token);
  await emulator.clock.freeze();
  const { droplet } = (await platform.post('/v2/droplets', dropletBody())).body;
  const status = async () => (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.status;
  await emulator.clock.advance(44_999);
  expect(await status()).toBe('new');
  await emulator.clock.advance(1);
  expect(await status()).toBe('active');
  emulator.setSpeed(0);
  await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'power_off' });
  expect([await status(), emulator.speed()]).toEqual(['off', 0]);
  expect(() => emulator.setSpeed(-1)).toThrow('speed must be a number from 0');
});

test('faults, the log of requests and the outbox are the ones of the routes', async () => {
  await using emulator = await startEmulator();
  const platform = clientOf(emulator.url, emulator.token);
  const fault = emulator.faults.add({ method: 'get', path: '/v2/account', status: 503 });
  expect((await platform.get('/_emulator/faults')).body.faults).toEqual([fault]);
  expect((await platform.get('/v2/account')).status).toBe(503);
  expect(emulator.faults.all()).toEqual([]);
  emulator.faults.add({ status: 500, times: null });
  emulator.faults.clear();
  expect((await platform.get('/v2/account')).status).toBe(200);
  expect(emulator.requests({ path: '/v2/account' }).map(({ status }) => status)).toEqual([503, 200]);
  emulator.forgetRequests();
  expect(emulator.requests()).toEqual([]);
  await platform.post('/v2/droplets', dropletBody());
  expect(emulator.requests({ method: 'POST' })).toMatchObject([{ path: '/v2/droplets', body: { name: 'box' }, status: 202 }]);
  await emulator.clock.advance('1m');
  expect(emulator.outbox()).toEqual((await platform.get('/_emulator/outbox')).body.entries);
  expect(() => emulator.faults.add({ status: 200 })).toThrow('status must be an integer from 400 to 599');
});

test('snapshots put an account back', async () => {
  await using emulator = await startEmulator();
  const platform = clientOf(emulator.url, emulator.token);
  await emulator.clock.freeze('2026-02-10T12:00:00Z');
  const { name, at } = await emulator.snapshots.save('before');
  expect([name, at]).toEqual(['before', '2026-02-10T12:00:00.000Z']);
  await platform.post('/v2/tags', { name: 'after' });
  await emulator.snapshots.restore('before');
  expect((await platform.get('/v2/tags/after')).status).toBe(404);
  expect(emulator.snapshots.list()).toHaveLength(1);
  await emulator.snapshots.delete('before');
  await expect(emulator.snapshots.restore('before')).rejects.toThrow('There is no snapshot "before": this account has none.');
});

test('other accounts and forks have the same controls and nothing else in common', async () => {
  await using emulator = await startEmulator();
  const empty = emulator.account('empty');
  const limited = emulator.account({ seed: 'empty', dropletLimit: 1 });
  await emulator.clock.freeze('2026-02-10T12:00:00Z');
  const fork = await emulator.fork();
  await fork.clock.advance('1d');
  expect(fork.clock.now().toISOString()).toBe('2026-02-11T12:00:00.000Z');
  expect(emulator.clock.now().toISOString()).toBe('2026-02-10T12:00:00.000Z');
  expect(empty.clock.isFrozen()).toBe(false);
  empty.faults.add({ status: 503, times: null });
  const total = async (token: string) => (await clientOf(emulator.url, token).get('/v2/droplets')).body.meta?.total;
  expect([await total(emulator.token), await total(fork.token), await total(empty.token), await total(limited.token)]).toEqual([
    6,
    6,
    undefined,
    0,
  ]);
  await fork.reset({ seed: 'empty' });
  expect(await total(fork.token)).toBe(0);
  const [made] = await fork.populate({ records: { tags: 25 } });
  expect(made).toEqual({ kind: 'tags', added: 25, paths: ['/v2/tags'] });
  expect((await clientOf(emulator.url, fork.token).get('/v2/tags')).body.meta.total).toBe(25);
});

test('what is asked for at once is done one after the other', async () => {
  await using emulator = await startEmulator();
  const platform = clientOf(emulator.url, emulator.token);
  await emulator.clock.freeze('2026-02-10T12:00:00Z');
  await emulator.snapshots.save('noon');
  await platform.post('/v2/droplets', dropletBody());
  await Promise.all([
    emulator.clock.advance('10d'),
    emulator.snapshots.save('later'),
    emulator.snapshots.restore('noon'),
    emulator.clock.advance('1h'),
    emulator.reset({ seed: 'empty' }),
    emulator.clock.advance('1h'),
  ]);
  expect(emulator.snapshots.list().map(({ name, at }) => [name, at])).toEqual([
    ['later', '2026-02-20T12:00:00.000Z'],
    ['noon', '2026-02-10T12:00:00.000Z'],
  ]);
  expect(emulator.clock.now().toISOString()).toBe('2026-02-10T14:00:00.000Z');
  expect((await platform.get('/v2/droplets')).body.meta.total).toBe(0);
});

test('closing twice is closing once', async () => {
  const emulator = await startEmulator();
  await Promise.all([emulator.close(), emulator.close()]);
  await expect(fetch(emulator.url)).rejects.toThrow('fetch failed');
});

test('the example of the documentation runs', async () => {
  await using directory = await dataDirectory();
  const page = readFileSync(new URL('../../docs/emulator.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
  expect(example).toContain('assert.equal');
  const file = join(directory.path, 'example.ts');
  writeFileSync(file, example.replace("'./lib/", `'${new URL('../../lib/', import.meta.url)}`));
  await expect(promisify(execFile)(process.execPath, [file])).resolves.toMatchObject({ stderr: '' });
});

test('what is mounted answers below its path in its own way, to those who call the emulator by a name it has', async () => {
  await using emulator = await startEmulator({
    mounts: { '/v2/functions': (request, response) => response.end(`${request.method} ${request.url}`) },
  });
  const answered = await fetch(`${emulator.url}/v2/functions/namespaces?x=1`, { method: 'POST', body: 'anything' });
  expect(await answered.text()).toBe('POST /v2/functions/namespaces?x=1');
  expect((await fetch(`${emulator.url}/v2/functionsx`)).status).toBe(401);
  const { status } = await rawRequest(emulator.url, '/v2/functions', { host: 'elsewhere.example' });
  expect(status).toBe(403);
});

test('what is mounted may wait for the end of a request that has no body', async () => {
  await using emulator = await startEmulator({
    mounts: { '/v2/functions': (request, response) => request.resume().on('end', () => response.end('ended')) },
  });
  expect(await (await fetch(`${emulator.url}/v2/functions`)).text()).toBe('ended');
});

test('without a functions host it says where functions are', async () => {
  await using emulator = await startEmulator();
  const { status, body } = await clientOf(emulator.url, emulator.token).get('/v2/functions/namespaces/fn-1/triggers');
  expect([status, body]).toMatchObject([
    404,
    { id: 'not_found', message: expect.stringContaining('a functions host serves /v2/functions') },
  ]);
});
