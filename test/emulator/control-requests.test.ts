import { expect, test } from 'vitest';
import { frozenPlatform, type Json, type Platform, startPlatform } from './platform.ts';

const requests = async (platform: Platform, query = ''): Promise<Json[]> =>
  (await platform.get(`/_emulator/requests${query}`)).body.requests;

test('the last requests can be read, with their bodies, what came of them and how long it took', async () => {
  await using platform = await frozenPlatform();
  await platform.del('/_emulator/requests');
  await platform.post('/v2/tags?x=1', { name: 'seen' });
  await platform.get('/v2/droplets/1');
  expect(await requests(platform)).toEqual([
    {
      at: '2026-02-10T12:00:00Z',
      method: 'POST',
      path: '/v2/tags',
      query: 'x=1',
      body: { name: 'seen' },
      status: 201,
      ms: expect.any(Number),
    },
    { at: '2026-02-10T12:00:00Z', method: 'GET', path: '/v2/droplets/1', query: '', body: {}, status: 404, ms: expect.any(Number) },
  ]);
  expect((await requests(platform)).every(({ ms }) => ms > 0 && ms < 60_000)).toBe(true);
  await platform.del('/_emulator/requests');
  expect(await requests(platform)).toEqual([]);
});

test('what was refused, late or cut off is there too, with the fault it met', async () => {
  await using platform = await startPlatform();
  await platform.del('/_emulator/requests');
  await platform.post('/v2/tags', JSON.stringify({ name: 'x'.repeat(1024 * 1024) })).catch(() => undefined);
  await platform.post('/v2/tags', '{');
  const { fault: late } = (await platform.post('/_emulator/faults', { path: '/v2/account', delayMs: 40 })).body;
  await platform.get('/v2/account');
  const { fault: cut } = (await platform.post('/_emulator/faults', { path: '/v2/account', reset: 'before' })).body;
  await platform.get('/v2/account').catch(() => undefined);
  const seen = await requests(platform);
  expect(seen.map(({ path, status, fault }) => [path, status, fault])).toEqual([
    ['/v2/tags', 413, undefined],
    ['/v2/tags', 400, undefined],
    ['/v2/account', 200, late.id],
    ['/v2/account', null, cut.id],
  ]);
  expect(seen[2].ms).toBeGreaterThanOrEqual(38);
});

test('a body that arrived is told also of a request that met a fault, or was refused before it was read', async () => {
  await using platform = await frozenPlatform();
  await platform.del('/_emulator/requests');
  for (const fault of [{ status: 503 }, { reset: 'before' }, { reset: 'after' }, { body: 'not-json' }]) {
    await platform.post('/_emulator/faults', { method: 'POST', ...fault });
    await platform.post('/v2/tags', { name: 'seen' }).catch(() => undefined);
  }
  await platform.put('/v2/tags', { name: 'seen' });
  await platform.post('/v2/tags', '{"name": "cut sho');
  expect((await requests(platform)).map(({ status, body }) => [status, body])).toEqual([
    [503, { name: 'seen' }],
    [null, { name: 'seen' }],
    [201, { name: 'seen' }],
    [201, { name: 'seen' }],
    [405, { name: 'seen' }],
    [400, {}],
  ]);
});

test('they are found by method, by the beginning of their path, since a moment, and the newest', async () => {
  await using platform = await frozenPlatform();
  await platform.del('/_emulator/requests');
  await platform.post('/v2/tags', { name: 'one' });
  await platform.get('/v2/tags/one');
  await platform.post('/_emulator/clock', { advance: '1m' });
  await platform.get('/v2/tags');
  await platform.get('/v2/account');
  const found = async (query: string) => (await requests(platform, query)).map(({ method, path }) => `${method} ${path}`);
  expect(await found('?method=post')).toEqual(['POST /v2/tags']);
  expect(await found('?path=/v2/tags')).toEqual(['POST /v2/tags', 'GET /v2/tags/one', 'GET /v2/tags']);
  expect(await found('?path=/v2/tags&since=2026-02-10T12:00:30Z')).toEqual(['GET /v2/tags']);
  expect(await found(`?since=${Date.parse('2026-02-10T12:01:00Z')}`)).toEqual(['GET /v2/tags', 'GET /v2/account']);
  expect(await found('?method=GET&limit=1')).toEqual(['GET /v2/account']);
});

test.each(['?since=soon', '?limit=0', '?limit=many', '?pth=/v2'])('%s finds nothing', async (query) => {
  await using platform = await startPlatform();
  expect((await platform.get(`/_emulator/requests${query}`)).status).toBe(400);
});

test('a thousand are kept, a long body not', async () => {
  await using platform = await startPlatform();
  for (let number = 0; number < 1005; number += 1) {
    await platform.get(`/v2/droplets/${number}`);
  }
  const paths = (await requests(platform)).map(({ path }) => path);
  expect([paths.length, paths[0], paths.at(-1)]).toEqual([1000, '/v2/droplets/5', '/v2/droplets/1004']);
  await platform.post('/v2/tags', { name: 'x'.repeat(20_000) });
  expect((await requests(platform, '?limit=1'))[0].body).toEqual({ left_out: '20011 characters' });
});
