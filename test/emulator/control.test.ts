import { describe, expect, test } from 'vitest';
import { bulkKinds } from '../../lib/emulator/control/populate/populate.ts';
import { activeDroplet, dropletBody, emptyPlatform, frozenPlatform, type Json, rawRequest, startPlatform } from './platform.ts';

describe('the clock', () => {
  test('runs true until it is stopped, set or moved on', async () => {
    await using platform = await startPlatform();
    const shown = (await platform.get('/_emulator/clock')).body;
    expect(shown.frozen).toBe(false);
    expect(Math.abs(Date.parse(shown.now) - Date.now())).toBeLessThan(5000);
    const set = async (body: object) => (await platform.post('/_emulator/clock', body)).body;
    expect(await set({ freeze: true, now: '2030-01-01T00:00:00Z' })).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    expect(await set({ advance: 90 })).toEqual({ now: '2030-01-01T00:01:30.000Z', frozen: true });
    expect(await set({ advance: '2h' })).toEqual({ now: '2030-01-01T02:01:30.000Z', frozen: true });
    expect((await set({ freeze: false, now: '2031-01-01T00:00:00Z' })).now).toMatch(/^2031-01-01T00:00:0/);
    expect(Math.abs(Date.parse((await set({ freeze: false })).now) - Date.now())).toBeLessThan(5000);
  });

  test.each([{ freeze: 'yes' }, { now: 'soon' }, { now: 1e18 }, { advance: '5 minutes' }, { advance: -1 }, { advance: {} }])(
    'refuses %j',
    async (body) => {
      await using platform = await startPlatform();
      expect((await platform.post('/_emulator/clock', body)).status).toBe(400);
    },
  );

  test.each([{ advance: '9999999d' }, { now: '9999-12-31T23:00:00Z', advance: '2h' }])(
    'does not go beyond the year 9999: %j leaves it where it is',
    async (body) => {
      await using platform = await frozenPlatform();
      expect((await platform.post('/_emulator/clock', body)).status).toBe(400);
      expect((await platform.get('/_emulator/clock')).body).toEqual({ now: '2026-02-10T12:00:00.000Z', frozen: true });
    },
  );

  test('what comes due happens in order of time, each at its own moment, however far the clock jumps', async () => {
    await using platform = await frozenPlatform();
    const { droplet, links } = (
      await platform.post('/v2/droplets', dropletBody({ backups: true, backup_policy: { plan: 'daily', hour: 16 } }))
    ).body;
    await platform.post('/_emulator/clock', { now: '2026-02-13T00:00:00Z' });
    const action = (await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action;
    expect(action.completed_at).toBe('2026-02-10T12:00:45Z');
    const { backups } = (await platform.get(`/v2/droplets/${droplet.id}/backups`)).body;
    expect(backups.map((backup: Json) => backup.created_at)).toEqual([
      '2026-02-12T16:00:00Z',
      '2026-02-11T16:00:00Z',
      '2026-02-10T16:00:00Z',
    ]);
  });

  test.each([
    ['2026-02-10T12:00:00Z', '2026-02-10T12:00:00Z'],
    ['2026-02-10T12:00:00.250+05:45', '2026-02-10T06:15:00Z'],
    ['2026-02-10 12:00Z', '2026-02-10T12:00:00Z'],
    ['2026-02-10', '2026-02-10T00:00:00Z'],
  ])('set to "%s" shows %s', async (now, shown) => {
    await using platform = await emptyPlatform();
    expect((await platform.post('/_emulator/clock', { freeze: true, now })).status).toBe(200);
    expect((await platform.post('/v2/domains', { name: 'example.com' })).status).toBe(201);
    const { requests } = (await platform.get('/_emulator/requests?limit=1')).body;
    expect(requests[0].at).toMatch(shown.slice(0, -1));
  });

  test.each(['2026-02-10T12:00:00', '2026-02-10 12:00', 'Feb 10 2026', '10/02/2026', '2026-02-30T12:00:00+99:00'])(
    'can not be set to "%s", which is no moment or another one on another machine',
    async (now) => {
      await using platform = await emptyPlatform();
      const { status, body } = await platform.post('/_emulator/clock', { now });
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^now must be a moment in RFC 3339/)]);
    },
  );

  test('can not be set before the year 0000, which no moment of a reply has', async () => {
    await using platform = await emptyPlatform();
    const { status, body } = await platform.post('/_emulator/clock', { now: '-000001-12-31T23:59:59Z' });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^now must be a moment in RFC 3339/)]);
    await platform.post('/_emulator/clock', { now: '0000-01-01T00:00:00Z' });
    expect((await platform.get('/v2/customers/my/balance')).body.generated_at).toBe('0000-01-01T00:00:00Z');
  });

  test('moved far on, lets others be answered on the way', async () => {
    await using platform = await frozenPlatform({ probes: true });
    const seen = new Set<string>();
    const [begin, end] = ['2026-02-10T12:00:00.000Z', '2026-02-15T12:00:00.000Z'];
    const moved = platform.post('/_emulator/clock', { advance: '5d' });
    while (!seen.has(end)) {
      seen.add((await platform.get('/_emulator/clock')).body.now);
    }
    await moved;
    expect([...seen].filter((now) => now > begin && now < end)).not.toEqual([]);
  });

  test('set back, what is due waits for its moment', async () => {
    await using platform = await frozenPlatform();
    const { links } = (await platform.post('/v2/droplets', dropletBody())).body;
    const status = async () => (await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action.status;
    await platform.post('/_emulator/clock', { now: '2020-01-01T00:00:00Z' });
    expect(await status()).toBe('in-progress');
    await platform.post('/_emulator/clock', { now: '2026-02-10T12:00:45Z' });
    expect(await status()).toBe('completed');
  });
});

describe('the speed', () => {
  test('0 completes an action with the request that begins it, whose answer still shows it under way', async () => {
    await using platform = await startPlatform({ speed: 0 });
    const { droplet } = (await platform.post('/v2/droplets', dropletBody())).body;
    expect(droplet.status).toBe('new');
    expect((await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.status).toBe('active');
  });

  test('divides the duration of actions that begin after it was set', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    expect((await platform.post('/_emulator/speed', { speed: 10 })).body).toEqual({ speed: 10 });
    await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'snapshot', name: 's' }); // 60 s at speed 1
    const locked = async () => (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.locked;
    await platform.post('/_emulator/clock', { advance: 5.9 });
    expect(await locked()).toBe(true);
    await platform.post('/_emulator/clock', { advance: 0.1 });
    expect(await locked()).toBe(false);
    expect((await platform.post('/_emulator/speed', { speed: -1 })).status).toBe(400);
  });
});

describe('accounts', () => {
  test('a fork begins alike, in the middle of an action, and goes its own way', async () => {
    await using platform = await frozenPlatform();
    const { droplet } = (await platform.post('/v2/droplets', dropletBody())).body;
    const { status, body } = await platform.post('/_emulator/fork');
    expect(status).toBe(201);
    const fork = platform.as(body.token);
    expect((await fork.get('/v2/droplets')).body.droplets).toEqual((await platform.get('/v2/droplets')).body.droplets);
    await fork.post('/_emulator/clock', { advance: '45s' });
    expect((await fork.get(`/v2/droplets/${droplet.id}`)).body.droplet.status).toBe('active');
    expect((await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.status).toBe('new');
    await fork.del(`/v2/droplets/${droplet.id}`);
    expect((await fork.get(`/v2/droplets/${droplet.id}`)).status).toBe(404);
    expect((await platform.get(`/v2/droplets/${droplet.id}`)).status).toBe(200);
  });

  test('an empty account has nothing but itself and the catalogue', async () => {
    await using platform = await startPlatform();
    const { token } = (await platform.post('/_emulator/accounts', { seed: 'empty', dropletLimit: 3 })).body;
    const empty = platform.as(token);
    expect((await empty.get('/v2/account')).body.account.droplet_limit).toBe(3);
    for (const list of [
      'droplets',
      'images?private=true',
      'account/keys',
      'actions',
      'tags',
      'vpcs',
      'customers/my/billing_history',
      'customers/my/invoices',
    ]) {
      expect((await empty.get(`/v2/${list}`)).body.meta.total, list).toBe(0);
    }
  });

  test('reset begins anew under the same token and clock', async () => {
    await using platform = await frozenPlatform();
    await activeDroplet(platform);
    await platform.post('/_emulator/faults', { status: 503, times: null });
    expect((await platform.post('/_emulator/reset', { seed: 'empty' })).status).toBe(204);
    expect((await platform.get('/v2/droplets')).body.meta.total).toBe(0);
    await platform.post('/_emulator/reset');
    expect((await platform.get('/v2/droplets')).body.meta.total).toBe(6);
    expect((await platform.get('/_emulator/clock')).body.frozen).toBe(true);
  });

  test.each([{ seed: 'huge' }, { dropletLimit: -1 }, { status: 'angry' }])('%j makes no account', async (body) => {
    await using platform = await startPlatform();
    expect((await platform.post('/_emulator/accounts', body)).status).toBe(400);
  });

  test('the first account answers a caller of /_emulator without a token, another token has its own', async () => {
    await using platform = await frozenPlatform();
    const bare = async (path: string, headers = {}) => JSON.parse((await rawRequest(platform.url, path, headers)).body);
    expect((await bare('/_emulator/clock')).frozen).toBe(true);
    const { token } = (await platform.post('/_emulator/accounts', {})).body;
    expect((await bare('/_emulator/clock', { authorization: `Bearer ${token}` })).frozen).toBe(false);
    expect((await rawRequest(platform.url, '/_emulator/clock', { authorization: 'Bearer nobody' })).status).toBe(401);
  });

  test('a page of another origin controls nothing', async () => {
    await using platform = await startPlatform();
    const from = (origin: string) => rawRequest(platform.url, '/_emulator/reset', { origin }, 'POST');
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('http://localhost:3000')).status).toBe(204);
  });
});

test.each([
  {},
  { records: {} },
  { records: 5 },
  { records: { ships: 1 } },
  { records: { tags: 0 } },
  { droplets: 0 },
  { droplets: 1_000_001 },
  { droplets: 'many' },
  { droplets: 1, tag: 5 },
])('%j populates nothing', async (body) => {
  await using platform = await startPlatform();
  expect((await platform.post('/_emulator/populate', body)).status).toBe(400);
});

test.each(bulkKinds.map((kind) => [kind]))('populates %s, by every path it names', async (kind) => {
  await using platform = await emptyPlatform();
  const { status, body } = await platform.post('/_emulator/populate', { records: { [kind]: 30 }, tag: 'bulk' });
  expect(status).toBe(201);
  expect(body.populated).toMatchObject([{ kind, added: 30 }]);
  for (const path of body.populated[0].paths) {
    const reply = (await platform.get(`${path}${path.includes('?') ? '&' : '?'}per_page=200`)).body;
    const items: Json[] = Object.values<Json>(reply).find(Array.isArray) ?? [];
    expect(items.length, path).toBeGreaterThanOrEqual(30);
    expect(reply.meta?.total ?? items.length, path).toBe(items.length);
  }
});

test.each([
  ['clock', { advnce: 5 }, 'advnce is not known, advance is; it takes freeze, now, advance.'],
  ['speed', { sped: 5 }, 'sped is not known, speed is; it takes speed.'],
  ['accounts', { seeds: 'empty' }, 'seeds is not known, seed is; it takes seed, dropletLimit, status.'],
  ['reset', { colour: 'red' }, 'colour is not known; it takes seed, dropletLimit, status.'],
  ['snapshots', { nam: 'x' }, 'nam is not known, name is; it takes name.'],
])('%s refuses %j and says what was meant', async (route, body, message) => {
  await using platform = await startPlatform();
  const refused = await platform.post(`/_emulator/${route}`, body);
  expect([refused.status, refused.body.id, refused.body.message]).toEqual([400, 'bad_request', expect.stringContaining(message)]);
});

test('what is unknown under /_emulator is 404, another method 405', async () => {
  await using platform = await startPlatform();
  expect((await platform.get('/_emulator/nothing')).status).toBe(404);
  expect((await platform.get('/_emulator/fork')).status).toBe(405);
});
