import { describe, expect, test } from 'vitest';
import { dropletBody, frozenPlatform, type Json, type Platform, rawRequest, startPlatform } from './platform.ts';

test('answer in the place of the platform, as often as asked, without effect', async () => {
  await using platform = await startPlatform();
  await platform.post('/_emulator/faults', { method: 'POST', path: '/v2/droplets', status: 429, retryAfter: 7, times: 2 });
  for (let time = 0; time < 2; time += 1) {
    const refused = await platform.post('/v2/droplets', dropletBody());
    expect([refused.status, refused.body.id, refused.headers.get('retry-after')]).toEqual([429, 'too_many_requests', '7']);
  }
  expect((await platform.get('/v2/droplets')).status).toBe(200);
  expect((await platform.get('/v2/droplets')).body.meta.total).toBe(6);
  expect((await platform.post('/v2/droplets', dropletBody())).status).toBe(202);
});

test('match a pattern, say what they are told, and are listed and cleared', async () => {
  await using platform = await startPlatform();
  const add = async (body: object) => (await platform.post('/_emulator/faults', body)).body.fault;
  const fault = await add({ path: '/v2/droplets/*/actions', status: 503, message: 'Back soon', times: null });
  const other = await add({ path: '/v2/tags', status: 500, times: null });
  expect((await platform.get('/_emulator/faults')).body.faults).toEqual([fault, other]);
  const { body } = await platform.get('/v2/droplets/100000001/actions');
  expect([body.id, body.message]).toEqual(['service_unavailable', 'Back soon']);
  expect((await platform.get('/v2/droplets/100000001')).status).toBe(200);
  expect((await platform.del(`/_emulator/faults?id=${fault.id}`)).status).toBe(204);
  expect((await platform.get('/v2/droplets/100000001/actions')).status).toBe(200);
  expect((await platform.get('/v2/tags')).status).toBe(500);
  expect((await platform.del(`/_emulator/faults?id=${fault.id}`)).status).toBe(404);
  await platform.del('/_emulator/faults');
  expect((await platform.get('/v2/tags')).status).toBe(200);
});

test('let the next action of a type end errored', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/_emulator/faults', { action: 'errored', type: 'create' });
  const status = async (): Promise<string> => {
    const { links } = (await platform.post('/v2/droplets', dropletBody())).body;
    await platform.post('/_emulator/clock', { advance: '45s' });
    return (await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action.status;
  };
  expect([await status(), await status()]).toEqual(['errored', 'completed']);
});

test('strike no other method, and no path but the one that is meant', async () => {
  await using platform = await startPlatform();
  const statuses = async () => [
    (await platform.get('/v2/tags')).status,
    (await platform.get('/v2/tags/web/resources/x')).status,
    (await platform.post('/v2/tags', { name: 'web' })).status,
  ];
  expect(await statuses()).toEqual([200, 404, 201]);
  await platform.post('/_emulator/faults', { method: 'POST', path: '/v2/tags', status: 503, times: null });
  expect(await statuses()).toEqual([200, 404, 503]);
  await platform.del('/_emulator/faults');
  await platform.post('/_emulator/faults', { path: '/v2/tags', status: 503, times: null });
  expect(await statuses()).toEqual([503, 503, 503]);
  await platform.del('/_emulator/faults');
  await platform.post('/_emulator/faults', { path: '/v2/t*gs', status: 503, times: null });
  expect(await statuses()).toEqual([503, 404, 503]);
  const { faults } = (await platform.get('/_emulator/faults')).body;
  expect(faults).toMatchObject([{ path: '/v2/t*gs', times: null }]);
});

test('leave actions of another type, or of another resource, as they are', async () => {
  await using platform = await frozenPlatform();
  const statusOf = async (droplet: number, type: string): Promise<string> => {
    const { action } = (await platform.post(`/v2/droplets/${droplet}/actions`, { type })).body;
    await platform.post('/_emulator/clock', { advance: '60s' });
    return (await platform.get(`/v2/actions/${action.id}`)).body.action.status;
  };
  await platform.post('/_emulator/faults', { action: 'errored', type: 'power_cycle', resource_id: 100000002, times: null });
  expect(await statusOf(100000001, 'power_cycle')).toBe('completed');
  expect(await statusOf(100000002, 'reboot')).toBe('completed');
  expect(await statusOf(100000002, 'power_cycle')).toBe('errored');
  await platform.del('/_emulator/faults');
  await platform.post('/_emulator/faults', { action: 'errored' });
  expect((await platform.get('/v2/account')).status).toBe(200);
  expect([await statusOf(100000001, 'reboot'), await statusOf(100000001, 'reboot')]).toEqual(['errored', 'completed']);
});

test.each([
  ['before', 6],
  ['after', 7],
])('cut the connection %s the request was handled', async (reset, total) => {
  await using platform = await startPlatform();
  await platform.post('/_emulator/faults', { method: 'POST', reset });
  await expect(platform.post('/v2/droplets', dropletBody())).rejects.toThrow('fetch failed');
  expect((await platform.get('/v2/droplets')).body.meta.total).toBe(total);
});

test('spoil a body', async () => {
  await using platform = await startPlatform();
  await platform.post('/_emulator/faults', { path: '/v2/account', body: 'not-json' });
  const page = await rawRequest(platform.url, '/v2/account', { authorization: `Bearer ${platform.token}` });
  expect(page.body).toContain('<html>');
  await platform.post('/_emulator/faults', { path: '/v2/account', body: 'truncated' });
  await expect(platform.get('/v2/account')).rejects.toThrow();
  expect((await platform.get('/v2/account')).status).toBe(200);
});

test('send a page in place of JSON with the status and the Retry-After that were asked for', async () => {
  await using platform = await startPlatform();
  await platform.post('/_emulator/faults', { path: '/v2/account', status: 503, retryAfter: 4, body: 'not-json' });
  const { status, headers } = await fetch(`${platform.url}/v2/account`, { headers: { authorization: `Bearer ${platform.token}` } });
  expect([status, headers.get('retry-after'), headers.get('content-type')]).toEqual([503, '4', 'text/html']);
});

test.each([
  [418, 'bad_request', 'The request was not understood.'],
  [429, 'too_many_requests', 'API Rate limit exceeded.'],
  [502, 'server_error', 'Unexpected server-side error'],
])('answer %i with words that fit it', async (status, id, message) => {
  await using platform = await startPlatform();
  await platform.post('/_emulator/faults', { path: '/v2/account', status });
  expect(await platform.get('/v2/account')).toMatchObject({ status, body: { id, message } });
});

test('send a reply of 5 MiB that says the same', async () => {
  await using platform = await frozenPlatform();
  const usual = (await platform.get('/v2/account')).body;
  await platform.post('/_emulator/faults', { path: '/v2/account', body: 'huge' });
  const huge = await platform.get('/v2/account');
  expect(huge.headers.get('content-length')).toBe(String(5 * 1024 * 1024));
  expect(huge.body).toEqual(usual);
});

test('leave a reply without a body as it is', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/_emulator/faults', { method: 'DELETE', body: 'huge', bodyDelayMs: 5 });
  await platform.post('/v2/tags', { name: 'gone' });
  expect((await platform.del('/v2/tags/gone')).status).toBe(204);
});

describe('slow ones', () => {
  test('hold the headers back', async () => {
    await using platform = await startPlatform();
    await platform.post('/_emulator/faults', { path: '/v2/account', delayMs: 80 });
    const startMs = performance.now();
    expect((await platform.get('/v2/account')).status).toBe(200);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(78);
  });

  test('hold the body back behind the headers', async () => {
    await using platform = await startPlatform();
    await platform.post('/_emulator/faults', { path: '/v2/account', bodyDelayMs: 80 });
    const response = await fetch(`${platform.url}/v2/account`, { headers: { authorization: `Bearer ${platform.token}` } });
    const headersAtMs = performance.now();
    const { account }: Json = await response.json();
    expect(performance.now() - headersAtMs).toBeGreaterThanOrEqual(60);
    expect([response.status, account.droplet_limit]).toEqual([200, 25]);
  });

  test('a write that is held back finds the account that there is by then', async () => {
    await using platform = await frozenPlatform();
    await platform.post('/_emulator/faults', { path: '/v2/tags', method: 'POST', delayMs: 1000 });
    const late = platform.post('/v2/tags', { name: 'late' });
    await expect.poll(async () => (await platform.get('/_emulator/faults')).body.faults).toEqual([]);
    await platform.post('/_emulator/reset', { seed: 'empty' });
    expect((await late).status).toBe(201);
    expect((await platform.get('/v2/tags')).body.tags.map((tag: Json) => tag.name)).toEqual(['late']);
  });

  test('the emulator closes in the middle of one', async () => {
    const platform = await startPlatform();
    await platform.post('/_emulator/faults', { path: '/v2/account', delayMs: 30 });
    const late = platform.get('/v2/account').catch((error: Error) => error.message);
    await expect.poll(async () => (await platform.get('/_emulator/faults')).body.faults).toEqual([]);
    await platform[Symbol.asyncDispose]();
    expect(await late).toBe('fetch failed');
  });
});

describe('flapping ones', () => {
  const statuses = async (platform: Platform, count: number): Promise<readonly number[]> => {
    const seen: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      seen.push((await platform.get('/v2/account')).status);
    }
    return seen;
  };

  test('strike a share of the requests, the same ones again for the same seed', async () => {
    await using platform = await startPlatform();
    const run = async (seed: number): Promise<string> => {
      await platform.post('/_emulator/faults', { path: '/v2/account', status: 503, rate: 0.3, seed });
      const seen = await statuses(platform, 200);
      await platform.del('/_emulator/faults');
      const struck = seen.filter((status) => status === 503).length;
      expect(struck).toBeGreaterThan(40);
      expect(struck).toBeLessThan(80);
      return seen.join();
    };
    expect(await run(7)).toBe(await run(7));
    expect(await run(7)).not.toBe(await run(8));
  });

  test('strike always at a rate of 1, never at 0', async () => {
    await using platform = await startPlatform();
    await platform.post('/_emulator/faults', { path: '/v2/account', status: 500, rate: 0 });
    expect(new Set(await statuses(platform, 20))).toEqual(new Set([200]));
    await platform.post('/_emulator/faults', { path: '/v2/account', status: 503, rate: 1 });
    expect(new Set(await statuses(platform, 20))).toEqual(new Set([503]));
  });

  test('strike every third, as often as asked; what is spared meets the next fault', async () => {
    await using platform = await startPlatform();
    await platform.post('/_emulator/faults', { path: '/v2/account', status: 503, every: 3, times: 2 });
    await platform.post('/_emulator/faults', { path: '/v2/account', status: 500, times: 1 });
    expect(await statuses(platform, 10)).toEqual([500, 200, 503, 200, 200, 503, 200, 200, 200, 200]);
    expect((await platform.get('/_emulator/faults')).body.faults).toEqual([]);
  });
});

test.each([
  [{}, 'say what happens with status, delayMs, bodyDelayMs, reset, body, action'],
  [{ status: 200 }, 'status must be an integer from 400 to 599'],
  [{ reset: 'maybe' }, 'reset must be before or after'],
  [{ body: 'big' }, 'body must be truncated or not-json or huge'],
  [{ status: 503, colour: 'red' }, 'colour is not known; it takes method, path,'],
  [{ status: 503, retryafter: 5, tims: 2 }, 'retryafter is not known, retryAfter is; tims is not known, times is; it takes'],
  [{ status: 503, times: 0 }, 'times must be an integer from 1, or null for ever'],
  [{ status: 503, rate: 1.5 }, 'rate must be a number from 0 to 1'],
  [{ status: 503, every: 0 }, 'every must be an integer from 1 to 2147483647'],
  [{ status: 503, rate: 0.5, every: 2 }, 'rate and every exclude each other'],
  [{ status: 503, seed: 4 }, 'seed is for rate'],
])('%j is no fault', async (body, message) => {
  await using platform = await startPlatform();
  const { status, body: answer } = await platform.post('/_emulator/faults', body);
  expect([status, answer.message]).toEqual([400, expect.stringContaining(message)]);
  expect((await platform.get('/_emulator/faults')).body.faults).toEqual([]);
});
