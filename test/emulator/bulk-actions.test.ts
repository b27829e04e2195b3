import { expect, test } from 'vitest';
import { act, activeDroplet, frozenPlatform, type Json } from './platform.ts';

test.each(['power_cycle', 'power_off', 'shutdown', 'enable_ipv6', 'enable_backups'])(
  '%s reaches every droplet under a tag',
  async (type) => {
    await using platform = await frozenPlatform();
    const one = await activeDroplet(platform, { tags: ['fleet'] });
    const two = await activeDroplet(platform, { tags: ['fleet', 'more'] });
    const { status, body } = await platform.post('/v2/droplets/actions?tag_name=fleet', { type });
    expect(status).toBe(201);
    expect(body.actions).toMatchObject([
      { type, status: 'in-progress', resource_id: two.id },
      { type, status: 'in-progress', resource_id: one.id },
    ]);
  },
);

test('leaves out droplets that are locked or in the wrong state', async () => {
  await using platform = await frozenPlatform();
  const off = await activeDroplet(platform, { tags: ['fleet'] });
  const busy = await activeDroplet(platform, { tags: ['fleet'] });
  const ready = await activeDroplet(platform, { tags: ['fleet'] });
  await act(platform, off.id, { type: 'power_off' });
  await platform.post(`/v2/droplets/${busy.id}/actions`, { type: 'snapshot', name: 's' });
  const { body } = await platform.post('/v2/droplets/actions?tag_name=fleet', { type: 'power_off' });
  expect(body.actions.map((action: Json) => action.resource_id)).toEqual([ready.id]);
  expect((await platform.post('/v2/droplets/actions?tag_name=fleet', { type: 'power_off' })).body).toEqual({ actions: [] });
});

test('a snapshot by tag gives each image the name asked for', async () => {
  await using platform = await frozenPlatform();
  await activeDroplet(platform, { tags: ['fleet'] });
  await activeDroplet(platform, { tags: ['fleet'] });
  const before = (await platform.get('/v2/snapshots')).body.meta.total;
  expect((await platform.post('/v2/droplets/actions?tag_name=fleet', { type: 'snapshot' })).status).toBe(422);
  await platform.post('/v2/droplets/actions?tag_name=fleet', { type: 'snapshot', name: 'nightly' });
  await platform.post('/_emulator/clock', { advance: '60s' });
  const { snapshots, meta } = (await platform.get('/v2/snapshots')).body;
  expect(meta.total).toBe(before + 2);
  expect(snapshots.slice(0, 2).map((snapshot: Json) => snapshot.name)).toEqual(['nightly', 'nightly']);
});

test('refuses an unknown tag, a missing tag, and a type that is not for tags', async () => {
  await using platform = await frozenPlatform();
  expect((await platform.post('/v2/droplets/actions?tag_name=none', { type: 'power_off' })).status).toBe(404);
  expect((await platform.post('/v2/droplets/actions', { type: 'power_off' })).status).toBe(422);
  for (const type of ['reboot', 'rename', 'resize', 'rebuild', 'password_reset', 'none']) {
    expect((await platform.post('/v2/droplets/actions?tag_name=web', { type, name: 'x', size: 's-1vcpu-1gb' })).status, type).toBe(422);
  }
});

test('a tag without droplets starts nothing', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/v2/tags', { name: 'lonely' });
  const { status, body } = await platform.post('/v2/droplets/actions?tag_name=lonely', { type: 'power_on' });
  expect([status, body]).toEqual([201, { actions: [] }]);
});
