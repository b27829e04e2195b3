import { expect, test } from 'vitest';
import type { Family } from '../../lib/emulator/resources/family.ts';
import { route } from '../../lib/emulator/resources/family.ts';
import { dataDirectory, emulatorProcess } from './emulator-process.ts';
import { act, activeDroplet, dropletBody, frozenPlatform, type Json, type Platform, startPlatform } from './platform.ts';

const save = (platform: Platform, name: string) => platform.post('/_emulator/snapshots', { name });
const restore = (platform: Platform, name: string) => platform.post(`/_emulator/snapshots/${name}/restore`);
const tagNames = async (platform: Platform): Promise<readonly string[]> =>
  (await platform.get('/v2/tags?per_page=200')).body.tags.map((tag: Json) => tag.name);

test('restoring brings records, counters, what is due and the clock back, under the same token', async () => {
  await using platform = await frozenPlatform();
  const { droplet, links } = (await platform.post('/v2/droplets', dropletBody({ tags: ['kept'] }))).body;
  const before = (await platform.get('/v2/droplets?per_page=200')).body;
  const saved = await save(platform, 'begun');
  expect([saved.status, saved.body.snapshot]).toEqual([
    201,
    { name: 'begun', at: '2026-02-10T12:00:00.000Z', sizeBytes: expect.any(Number) },
  ]);

  await platform.post('/_emulator/clock', { advance: '3d' });
  await act(platform, droplet.id, { type: 'power_off' });
  await platform.del(`/v2/droplets/${droplet.id}`);
  await platform.post('/v2/tags', { name: 'later' });

  const restored = await restore(platform, 'begun');
  expect([restored.status, restored.body]).toEqual([200, saved.body]);
  expect((await platform.get('/_emulator/clock')).body).toEqual({ now: '2026-02-10T12:00:00.000Z', frozen: true });
  expect((await platform.get('/v2/droplets?per_page=200')).body).toEqual(before);
  expect(await tagNames(platform)).not.toContain('later');
  // What was in the middle of happening happens again, and the next id is the next again.
  await platform.post('/_emulator/clock', { advance: '45s' });
  expect((await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action.status).toBe('completed');
  expect((await platform.post('/v2/droplets', dropletBody())).body.droplet.id).toBe(droplet.id + 1);
});

test('a clock that ran when it was saved shows that moment again and runs on from it', async () => {
  await using platform = await startPlatform();
  await platform.post('/_emulator/clock', { freeze: false, now: '2031-05-01T00:00:00Z' });
  await save(platform, 'may');
  await platform.post('/_emulator/clock', { advance: '40d' });
  await restore(platform, 'may');
  const { now, frozen } = (await platform.get('/_emulator/clock')).body;
  expect([now.slice(0, 16), frozen]).toEqual(['2031-05-01T00:00', false]);
});

test('faults, counted requests and the log of requests are cleared, the speed stays', async () => {
  await using platform = await startPlatform({ limits: { perMinute: 10 } });
  await save(platform, 'clean');
  await platform.post('/_emulator/speed', { speed: 4 });
  await platform.post('/_emulator/faults', { path: '/v2/account', status: 503, times: null });
  await platform.get('/v2/account');
  await restore(platform, 'clean');
  const { status, headers } = await platform.get('/v2/account');
  expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '4999']);
  expect((await platform.get('/_emulator/requests')).body.requests).toHaveLength(1);
  expect((await platform.get('/_emulator/speed')).body.speed).toBe(4);
});

test('they are listed, replaced by saving again, and deleted', async () => {
  await using platform = await frozenPlatform();
  expect((await platform.get('/_emulator/snapshots')).body.snapshots).toEqual([]);
  await save(platform, 'two');
  await save(platform, 'one.1');
  await platform.post('/_emulator/clock', { advance: '1h' });
  await platform.post('/v2/tags', { name: 'newer' });
  await save(platform, 'two');
  const { snapshots } = (await platform.get('/_emulator/snapshots')).body;
  expect(snapshots.map(({ name, at }: Json) => [name, at])).toEqual([
    ['one.1', '2026-02-10T12:00:00.000Z'],
    ['two', '2026-02-10T13:00:00.000Z'],
  ]);
  await restore(platform, 'one.1');
  expect(await tagNames(platform)).not.toContain('newer');
  await restore(platform, 'two');
  expect(await tagNames(platform)).toContain('newer');
  expect((await platform.del('/_emulator/snapshots/two')).status).toBe(204);
  const gone = await restore(platform, 'two');
  expect([gone.status, gone.body.id, gone.body.message]).toEqual([404, 'not_found', 'There is no snapshot "two": there are one.1.']);
  expect((await platform.del('/_emulator/snapshots/two')).status).toBe(404);
  expect(await tagNames(platform)).toContain('newer');
});

test.each([undefined, 5, '', 'UP', '../up', '.hidden', 'a/b', 'x'.repeat(101)])('%j is no name', async (name) => {
  await using platform = await startPlatform();
  expect((await platform.post('/_emulator/snapshots', { name })).status).toBe(400);
  expect((await platform.get('/_emulator/snapshots')).body.snapshots).toEqual([]);
});

test('each account has its own; a reset keeps them', async () => {
  await using platform = await frozenPlatform();
  await save(platform, 'mine');
  const fork = platform.as((await platform.post('/_emulator/fork')).body.token);
  expect((await fork.get('/_emulator/snapshots')).body.snapshots).toEqual([]);
  expect((await restore(fork, 'mine')).status).toBe(404);
  await platform.post('/_emulator/reset', { seed: 'empty' });
  await restore(platform, 'mine');
  expect((await platform.get('/v2/droplets')).body.meta.total).toBe(6);
});

test('they outlive the emulator', async () => {
  await using directory = await dataDirectory();
  {
    await using platform = await startPlatform({ dataDir: directory.path });
    await platform.post('/_emulator/clock', { freeze: true });
    await activeDroplet(platform, { name: 'kept' });
    await save(platform, 'kept');
    await platform.post('/_emulator/reset', { seed: 'empty' });
  }
  await using platform = await startPlatform({ dataDir: directory.path });
  expect((await platform.get('/v2/droplets')).body.meta.total).toBe(0);
  await restore(platform, 'kept');
  expect((await platform.get('/v2/droplets?name=kept')).body.meta.total).toBe(1);
  expect((await platform.get('/_emulator/clock')).body.frozen).toBe(true);
});

test('requests that come in meanwhile are answered, before or after, never in between', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/v2/tags', { name: 'left' });
  await platform.post('/v2/tags', { name: 'right' });
  await save(platform, 'both');
  let going = true;
  const turns: Promise<void>[] = [];
  const serve = async (work: () => Promise<void>): Promise<void> => {
    while (going) {
      await work();
    }
  };
  turns.push(
    serve(async () => {
      const names = await tagNames(platform);
      expect(names.filter((name) => name === 'left' || name === 'right')).toHaveLength(2);
    }),
    serve(async () => {
      const { status } = await platform.post('/v2/droplets', dropletBody());
      expect([202, 422]).toContain(status);
    }),
    serve(async () => {
      expect((await platform.post('/_emulator/clock', { advance: '45s' })).status).toBe(200);
    }),
  );
  for (let round = 0; round < 20; round += 1) {
    expect((await restore(platform, 'both')).status).toBe(200);
    expect((await save(platform, 'both-again')).status).toBe(201);
  }
  going = false;
  await Promise.all(turns);
});

test('what is on its way outside arrives before an account is saved or restored', async () => {
  let ring: () => void = () => undefined;
  const family: Family = {
    routes: [
      route('POST /v2/bell', { status: 204 }, (_request, account) => {
        account.post('bell', {});
        return undefined;
      }),
    ],
    effects: {
      bell: async () => {
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
        return (account) => account.set('rung', 'yes');
      },
    },
  };
  await using platform = await frozenPlatform({ families: [family] });
  await platform.post('/v2/bell');
  const saving = save(platform, 'rung');
  const restoring = restore(platform, 'rung');
  ring();
  expect([(await saving).status, (await restoring).status]).toEqual([201, 200]);
  const { entries } = (await platform.get('/_emulator/outbox')).body;
  expect(entries).toMatchObject([{ kind: 'bell', state: 'done' }]);
});

test('killed by force in the middle of restoring, the account is the one or the other', async () => {
  await using directory = await dataDirectory();
  const first = await emulatorProcess(directory.path);
  await first.platform.post('/_emulator/clock', { freeze: true });
  for (const name of ['one', 'two']) {
    await first.platform.post('/_emulator/reset', { seed: 'empty' });
    for (let number = 0; number < 50; number += 1) {
      await first.platform.post('/v2/tags', { name: `${name}-${number}` });
    }
    await save(first.platform, name);
  }
  let rounds = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const answer = await restore(first.platform, rounds % 2 === 0 ? 'one' : 'two').catch(() => undefined);
      if (answer === undefined) {
        return;
      }
      rounds += 1;
      if (rounds === 15) {
        void first.kill();
      }
    }
  };
  await work();
  await first.kill();
  expect(rounds).toBeGreaterThanOrEqual(15);

  const second = await emulatorProcess(directory.path);
  try {
    const names = await tagNames(second.platform);
    expect(names).toHaveLength(50);
    expect(new Set(names.map((name) => name.split('-')[0])).size).toBe(1);
    expect((await second.platform.post('/v2/tags', { name: 'writable' })).status).toBe(201);
    expect((await restore(second.platform, 'two')).status).toBe(200);
    expect((await tagNames(second.platform))[0]).toBe('two-49');
  } finally {
    await second.kill();
  }
});
