import { expect, test } from 'vitest';
import { act, activeDroplet, dropletBody, frozenPlatform, type Json, type Platform } from './platform.ts';

async function backupOf(platform: Platform): Promise<{ droplet: Json; backup: number }> {
  const droplet = await activeDroplet(platform, { backups: true });
  await platform.post('/_emulator/clock', { advance: '8d' });
  const [backup] = (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.backup_ids;
  return { droplet, backup };
}

test('lists own images first, and distributions, applications and own ones apart', async () => {
  await using platform = await frozenPlatform();
  const all = (await platform.get('/v2/images?per_page=200')).body;
  expect(all.images).toHaveLength(all.meta.total);
  const own = (await platform.get('/v2/images?private=true')).body;
  expect(new Set(own.images.map((image: Json) => image.type))).toEqual(new Set(['backup', 'snapshot', 'custom']));
  expect(all.images.slice(0, own.meta.total)).toEqual(own.images);
  expect(all.images.slice(own.meta.total).every((image: Json) => image.public)).toBe(true);
  const distributions = (await platform.get('/v2/images?type=distribution&per_page=200')).body;
  expect(distributions.images.every((image: Json) => image.public && image.type === 'base' && image.slug !== null)).toBe(true);
  expect(distributions.images.map((image: Json) => image.slug)).toContain('ubuntu-24-04-x64');
  const applications = (await platform.get('/v2/images?type=application')).body;
  expect(applications.images.every((image: Json) => image.type === 'snapshot' && image.public)).toBe(true);
  expect((await platform.get('/v2/images?type=user')).status).toBe(400);
});

test('a page may begin in the own images and end in the public ones', async () => {
  await using platform = await frozenPlatform();
  const all = (await platform.get('/v2/images?per_page=200')).body.images.map((image: Json) => image.id);
  const pages: number[] = [];
  for (let page = 1; pages.length < all.length; page += 1) {
    const { images } = (await platform.get(`/v2/images?per_page=2&page=${page}`)).body;
    pages.push(...images.map((image: Json) => image.id));
  }
  expect(pages).toEqual(all);
});

test('an import is NEW, then pending, then available', async () => {
  await using platform = await frozenPlatform();
  const body = { name: 'mine', url: 'https://images.example.com/a/mine.qcow2.gz', region: 'lon1', distribution: 'Debian', tags: ['base'] };
  const { status, body: made } = await platform.post('/v2/images', body);
  expect(status).toBe(202);
  expect(made.image).toMatchObject({
    status: 'NEW',
    type: 'custom',
    distribution: 'Debian',
    regions: [],
    tags: ['base'],
    error_message: '',
  });
  const look = async () => (await platform.get(`/v2/images/${made.image.id}`)).body.image;
  await platform.post('/_emulator/clock', { advance: '5s' });
  expect((await look()).status).toBe('pending');
  const early = await platform.post('/v2/droplets', dropletBody({ region: 'lon1', image: made.image.id }));
  expect([early.status, early.body.message]).toEqual([422, 'The image you specified is not available yet.']);
  await platform.post('/_emulator/clock', { advance: '2m' });
  expect(await look()).toMatchObject({ status: 'available', regions: ['lon1'], size_gigabytes: expect.any(Number) });
  expect((await platform.post('/v2/droplets', dropletBody({ region: 'lon1', image: made.image.id }))).status).toBe(202);
  expect((await platform.get('/v2/images?tag_name=base')).body.meta.total).toBe(1);
});

test.each([
  ['a host that is invalid', 'https://host.invalid/x.img', 'The image could not be downloaded: the host could not be reached.'],
  ['a bare host name', 'https://intranet/x.img', 'The image could not be downloaded: the host could not be reached.'],
  ['no URL at all', 'x.img', 'The image could not be downloaded: the host could not be reached.'],
  ['a page', 'https://example.com/download.html', 'The file at the URL is not a disk image in the raw, qcow2, vhdx, vdi or vmdk format.'],
  ['a bare site', 'https://example.com', 'The file at the URL is not a disk image in the raw, qcow2, vhdx, vdi or vmdk format.'],
])('an import from %s is deleted later, with the reason', async (_what, url, message) => {
  await using platform = await frozenPlatform();
  const made = await platform.post('/v2/images', { name: 'bad', url, region: 'nyc3' });
  expect([made.status, made.body.image.status]).toEqual([202, 'NEW']);
  await platform.post('/_emulator/clock', { advance: '5m' });
  expect((await platform.get(`/v2/images/${made.body.image.id}`)).body.image).toMatchObject({ status: 'deleted', error_message: message });
});

test('an import needs name, url and region; an unknown distribution becomes Unknown', async () => {
  await using platform = await frozenPlatform();
  const whole = { name: 'n', url: 'https://example.com/x.iso', region: 'nyc3', distribution: 'Plan 9' };
  for (const missing of ['name', 'url', 'region']) {
    const { status, body } = await platform.post('/v2/images', { ...whole, [missing]: undefined });
    expect([status, body.message]).toEqual([422, `${missing} is required.`]);
  }
  expect((await platform.post('/v2/images', whole)).body.image.distribution).toBe('Unknown');
});

test('a transfer adds the region when it is over, once, and locks the image meanwhile', async () => {
  await using platform = await frozenPlatform();
  const { backup } = await backupOf(platform);
  const { status, body } = await platform.post(`/v2/images/${backup}/actions`, { type: 'transfer', region: 'lon1' });
  expect(status).toBe(201);
  expect(body.action).toMatchObject({
    type: 'transfer',
    status: 'in-progress',
    resource_type: 'image',
    resource_id: backup,
    region_slug: 'lon1',
  });
  const busy = await platform.post(`/v2/images/${backup}/actions`, { type: 'convert' });
  expect([busy.status, busy.body.message]).toEqual([422, 'Image already has a pending event.']);
  expect((await platform.del(`/v2/images/${backup}`)).status).toBe(422);
  await platform.post('/_emulator/clock', { advance: '60s' });
  expect((await platform.get(`/v2/images/${backup}/actions/${body.action.id}`)).body.action.status).toBe('completed');
  expect((await platform.get(`/v2/images/${backup}`)).body.image.regions).toEqual(['nyc3', 'lon1']);
  const again = await platform.post(`/v2/images/${backup}/actions`, { type: 'transfer', region: 'lon1' });
  expect([again.status, again.body.message]).toEqual([422, 'This image is already available in that region.']);
});

test('an action of no type that images have is refused', async () => {
  await using platform = await frozenPlatform();
  const [image] = (await platform.get('/v2/images?private=true')).body.images;
  for (const type of ['snapshot', 'toString', 'constructor', '__proto__']) {
    const { status, body } = await platform.post(`/v2/images/${image.id}/actions`, { type });
    expect([status, body.message], type).toEqual([422, 'The action type you specified is not supported.']);
  }
});

test('a transfer that fails leaves the image as it was', async () => {
  await using platform = await frozenPlatform();
  const { backup } = await backupOf(platform);
  await platform.post('/_emulator/faults', { action: 'errored', type: 'transfer' });
  const { body } = await platform.post(`/v2/images/${backup}/actions`, { type: 'transfer', region: 'lon1' });
  await platform.post('/_emulator/clock', { advance: '60s' });
  expect((await platform.get(`/v2/actions/${body.action.id}`)).body.action.status).toBe('errored');
  expect((await platform.get(`/v2/images/${backup}`)).body.image.regions).toEqual(['nyc3']);
});

test('a converted backup is a snapshot and outlives its droplet', async () => {
  await using platform = await frozenPlatform();
  const { droplet, backup } = await backupOf(platform);
  await platform.post(`/v2/images/${backup}/actions`, { type: 'convert' });
  await platform.post('/_emulator/clock', { advance: '5s' });
  expect((await platform.get(`/v2/images/${backup}`)).body.image.type).toBe('snapshot');
  const after = (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
  expect(after.snapshot_ids).toContain(backup);
  expect(after.backup_ids).not.toContain(backup);
  await platform.del(`/v2/droplets/${droplet.id}`);
  expect((await platform.get(`/v2/snapshots/${backup}`)).status).toBe(200);
  const twice = await platform.post(`/v2/images/${backup}/actions`, { type: 'convert' });
  expect([twice.status, twice.body.message]).toEqual([422, 'Only backups can be converted to snapshots.']);
});

test('only own images are renamed, and only custom ones described', async () => {
  await using platform = await frozenPlatform();
  const { images } = (await platform.get('/v2/images?private=true')).body;
  const ofType = (type: string): Json => images.find((image: Json) => image.type === type);
  const [snapshot, custom] = [ofType('snapshot'), ofType('custom')];
  const changes = { name: 'new', description: 'd', distribution: 'Gentoo' };
  expect((await platform.put(`/v2/images/${snapshot.id}`, changes)).body.image).toEqual({ ...snapshot, name: 'new' });
  expect((await platform.put(`/v2/images/${custom.id}`, changes)).body.image).toEqual({ ...custom, ...changes });
  expect((await platform.put('/v2/images/97000114', changes)).status).toBe(403);
  expect((await platform.put('/v2/images/4711', changes)).status).toBe(404);
  expect((await platform.del('/v2/images/97000114')).status).toBe(403);
});

test('a droplet goes on showing an image that is renamed, then deleted', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform);
  await act(platform, droplet.id, { type: 'snapshot', name: 'before' });
  const look = async () => (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
  const [image] = (await look()).snapshot_ids;
  await act(platform, droplet.id, { type: 'rebuild', image });
  await platform.put(`/v2/images/${image}`, { name: 'after' });
  expect((await look()).image).toMatchObject({ id: image, name: 'after', status: 'available' });
  await platform.del(`/v2/images/${image}`);
  expect(await look()).toMatchObject({ snapshot_ids: [], image: { id: image, name: 'after', status: 'deleted' } });
});

test('weekly backups keep four, daily ones seven', async () => {
  await using platform = await frozenPlatform();
  const weekly = await activeDroplet(platform, { backups: true, backup_policy: { plan: 'weekly', weekday: 'FRI', hour: 8 } });
  const daily = await activeDroplet(platform, { backups: true, backup_policy: { plan: 'daily', hour: 8 } });
  expect((await platform.get(`/v2/droplets/${weekly.id}/backups/policy`)).body.policy).toEqual({
    droplet_id: weekly.id,
    backup_enabled: true,
    backup_policy: { plan: 'weekly', weekday: 'FRI', hour: 8, window_length_hours: 4, retention_period_days: 28 },
    next_backup_window: { start: '2026-02-13T08:00:00Z', end: '2026-02-13T12:00:00Z' },
  });
  await platform.post('/_emulator/clock', { advance: '60d' });
  const backups = (await platform.get(`/v2/droplets/${weekly.id}/backups`)).body;
  expect(backups.meta.total).toBe(4);
  expect(backups.backups.map((backup: Json) => backup.created_at)).toEqual([
    '2026-04-10T08:00:00Z',
    '2026-04-03T08:00:00Z',
    '2026-03-27T08:00:00Z',
    '2026-03-20T08:00:00Z',
  ]);
  expect((await platform.get(`/v2/droplets/${daily.id}/backups`)).body.meta.total).toBe(7);
  const [oldest] = (await platform.get(`/v2/droplets/${weekly.id}`)).body.droplet.backup_ids;
  expect((await platform.get(`/v2/images/${oldest}`)).status).toBe(200);
});

test('backups go on from the moment that the clock was set back to', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform, { backups: true, backup_policy: { plan: 'daily', hour: 8 } });
  await platform.post('/_emulator/clock', { advance: '3d' });
  await platform.post('/_emulator/clock', { now: '2026-02-10T13:00:00Z' });
  const look = async () => (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
  const before = await look();
  expect([before.next_backup_window.start, before.backup_ids.length]).toEqual(['2026-02-11T08:00:00Z', 3]);
  await platform.post('/_emulator/clock', { advance: '1d' });
  const after = await look();
  expect([after.next_backup_window.start, after.backup_ids.length]).toEqual(['2026-02-12T08:00:00Z', 4]);
});

test('snapshots are deleted under their own path; volumes have none', async () => {
  await using platform = await frozenPlatform();
  const [snapshot] = (await platform.get('/v2/snapshots')).body.snapshots;
  expect((await platform.get('/v2/snapshots?resource_type=volume')).body).toEqual({ snapshots: [], links: {}, meta: { total: 0 } });
  expect((await platform.del(`/v2/snapshots/${snapshot.id}`)).status).toBe(204);
  expect((await platform.get(`/v2/snapshots/${snapshot.id}`)).status).toBe(404);
  expect((await platform.get(`/v2/images/${snapshot.id}`)).status).toBe(404);
  expect((await platform.get(`/v2/droplets/${snapshot.resource_id}`)).body.droplet.snapshot_ids).toEqual([]);
});
