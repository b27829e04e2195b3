import { describe, expect, test } from 'vitest';
import { act, activeDroplet, dropletBody, frozenPlatform, type Json } from './platform.ts';

test('a new droplet is locked and without networks until its creation is over', async () => {
  await using platform = await frozenPlatform();
  const { status, body } = await platform.post(
    '/v2/droplets',
    dropletBody({ ipv6: true, monitoring: true, backups: true, tags: ['a', 'b'] }),
  );
  expect(status).toBe(202);
  const { droplet, links } = body;
  expect(droplet).toMatchObject({
    status: 'new',
    locked: true,
    networks: { v4: [], v6: [] },
    tags: ['a', 'b'],
    next_backup_window: null,
    volume_ids: [],
  });
  expect(links.actions).toEqual([{ id: expect.any(Number), rel: 'create', href: `${platform.url}/v2/actions/${links.actions[0].id}` }]);
  expect(droplet.id).toBeGreaterThan(100_000_000);

  await platform.post('/_emulator/clock', { advance: '44s' });
  expect((await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.status).toBe('new');
  await platform.post('/_emulator/clock', { advance: '1s' });
  const active = (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
  expect(active).toMatchObject({
    status: 'active',
    locked: false,
    features: ['monitoring', 'droplet_agent', 'private_networking', 'ipv6', 'backups'],
    image: { slug: 'ubuntu-24-04-x64' },
    size: { slug: 's-1vcpu-1gb', price_monthly: 6 },
    region: { slug: 'nyc3' },
    kernel: null,
  });
  expect(active.next_backup_window.start).toMatch(/^2026-02-/);
  const [outside, inside] = active.networks.v4;
  expect(outside).toMatchObject({ type: 'public', netmask: '255.255.240.0', gateway: expect.stringMatching(/\.1$/) });
  expect(inside).toMatchObject({ type: 'private', ip_address: expect.stringMatching(/^10\./) });
  expect((await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action).toMatchObject({
    type: 'create',
    status: 'completed',
    resource_id: droplet.id,
  });
});

test('several names make several droplets; the same name twice is legal', async () => {
  await using platform = await frozenPlatform();
  const { name: _one, ...rest } = dropletBody();
  const { body } = await platform.post('/v2/droplets', { ...rest, names: ['twin', 'twin', 'solo'] });
  expect(body.droplets.map((droplet: Json) => droplet.name)).toEqual(['twin', 'twin', 'solo']);
  expect(body.links.actions).toHaveLength(3);
  expect((await platform.get('/v2/droplets?name=TWIN')).body.meta.total).toBe(2);
});

describe('refuses with 422', () => {
  test.each<[string, object, string]>([
    ['a name with other characters', { name: 'under_score' }, 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)'],
    ['a name that ends with a dash', { name: 'box-' }, 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)'],
    ['no name', { name: undefined }, 'name is required.'],
    ['a name that is a number', { name: 7 }, 'name must be a string.'],
    [
      'eleven names',
      { name: undefined, names: Array.from({ length: 11 }, (_, index) => `n${index}`) },
      'You can create at most 10 Droplets at once.',
    ],
    ['an unknown image', { image: 'windows-95' }, 'You specified an invalid image for Droplet creation.'],
    ['no image', { image: undefined }, 'You specified an invalid image for Droplet creation.'],
    ['an unknown size', { size: 'huge' }, 'You specified an invalid size for Droplet creation.'],
    ['an unknown region', { region: 'moon1' }, 'You specified an invalid region for Droplet creation.'],
    ['a closed region', { region: 'sfo1' }, 'The region you specified is not available.'],
    ['a size the region lacks', { region: 'nyc2', size: 's-1vcpu-1gb-amd' }, 'Size is not available in this region.'],
    [
      'a disk too small',
      { image: 'docker-20-04', size: 's-1vcpu-512mb-10gb' },
      'The image you specified requires a larger disk than the size you selected provides.',
    ],
    ['keys that are none', { ssh_keys: [{ toString: 1 }, null] }, '{"toString":1}, null are invalid key identifiers for Droplet creation.'],
    ['unknown keys', { ssh_keys: [12, 'ab:cd'] }, '12, ab:cd are invalid key identifiers for Droplet creation.'],
    ['unknown volumes', { volumes: ['x'] }, 'One or more volumes could not be found.'],
    [
      'an unknown VPC',
      { vpc_uuid: '5a4981aa-9653-4bd1-bef5-d6bff52042e4' },
      'The VPC you specified could not be found in the selected region.',
    ],
    ['backups that are no boolean', { backups: 'yes' }, 'backups must be true or false.'],
    ['an unknown backup hour', { backups: true, backup_policy: { hour: 3 } }, 'backup_policy.hour must be one of 0, 4, 8, 12, 16, 20.'],
    [
      'a tag with a blank',
      { tags: ['a b'] },
      'Tag names may contain letters, numbers, colons, dashes, and underscores, and have at most 255 characters.',
    ],
    ['user data beyond 64 KiB', { user_data: 'x'.repeat(65_537) }, 'User data must be at most 64 KiB.'],
  ])('%s', async (_what, changes, message) => {
    await using platform = await frozenPlatform();
    const before = (await platform.get('/v2/droplets?per_page=1')).body.meta.total;
    const refused = await platform.post('/v2/droplets', dropletBody({ ...changes }));
    expect([refused.status, refused.body.id, refused.body.message]).toEqual([422, 'unprocessable_entity', message]);
    expect((await platform.get('/v2/droplets?per_page=1')).body.meta.total).toBe(before);
    expect((await platform.get('/v2/tags/a%20b')).status).toBe(404);
  });

  test('an image of another region, and takes it after a transfer', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    await act(platform, droplet.id, { type: 'snapshot', name: 's' });
    const [image] = (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.snapshot_ids;
    const refused = await platform.post('/v2/droplets', dropletBody({ region: 'lon1', image }));
    expect(refused.body.message).toBe(
      'The image you specified is not available in the selected region, you can transfer it to this region from the images pages.',
    );
    await platform.post(`/v2/images/${image}/actions`, { type: 'transfer', region: 'lon1' });
    await platform.post('/_emulator/clock', { advance: '60s' });
    expect((await platform.post('/v2/droplets', dropletBody({ region: 'lon1', image }))).status).toBe(202);
  });

  test('more droplets than the account may have', async () => {
    await using platform = await frozenPlatform();
    const { body } = await platform.post('/_emulator/accounts', { seed: 'empty', dropletLimit: 1 });
    const small = platform.as(body.token);
    expect((await small.post('/v2/droplets', { ...dropletBody(), name: undefined, names: ['a', 'b'] })).body.message).toBe(
      'creating this/these droplet(s) will exceed your droplet limit',
    );
    expect((await small.post('/v2/droplets', dropletBody())).status).toBe(202);
    expect((await small.post('/v2/droplets', dropletBody())).status).toBe(422);
  });
});

test('keys are taken by id and by fingerprint', async () => {
  await using platform = await frozenPlatform();
  const [one, two] = (await platform.get('/v2/account/keys')).body.ssh_keys;
  const made = await platform.post('/v2/droplets', dropletBody({ ssh_keys: [one.id, two.fingerprint] }));
  expect(made.status).toBe(202);
});

test('deleting a droplet frees its addresses, tags, membership and backups, and keeps its snapshots and actions', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform, {
    tags: ['gone'],
    backups: true,
    backup_policy: { plan: 'weekly', weekday: 'FRI', hour: 8 },
    ipv6: true,
  });
  const snapshot = await act(platform, droplet.id, { type: 'snapshot', name: 'stays' });
  await platform.post('/_emulator/clock', { advance: '8d' });
  const { backup_ids, snapshot_ids } = (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
  expect([backup_ids.length, snapshot_ids.length]).toEqual([1, 1]);

  expect((await platform.del(`/v2/droplets/${droplet.id}`)).status).toBe(204);
  expect((await platform.get(`/v2/droplets/${droplet.id}`)).status).toBe(404);
  expect((await platform.del(`/v2/droplets/${droplet.id}`)).status).toBe(404);
  expect((await platform.get(`/v2/images/${backup_ids[0]}`)).status).toBe(404);
  expect((await platform.get(`/v2/images/${snapshot_ids[0]}`)).status).toBe(200);
  expect((await platform.get(`/v2/actions/${snapshot.id}`)).status).toBe(200);
  expect((await platform.get('/v2/tags/gone')).body.tag.resources.droplets).toEqual({ count: 0 });
  expect((await platform.get(`/v2/vpcs/${droplet.vpc_uuid}/members?per_page=200`)).body.members).not.toContainEqual(
    expect.objectContaining({ urn: `do:droplet:${droplet.id}` }),
  );
  const next = await activeDroplet(platform, { ipv6: true });
  expect(next.networks).toEqual(droplet.networks);
  expect(next.id).toBeGreaterThan(droplet.id);
});

test('a droplet in a VPC of its own gets its address there, and the VPC can fill up', async () => {
  await using platform = await frozenPlatform();
  const { vpc } = (await platform.post('/v2/vpcs', { name: 'tiny', region: 'nyc3', ip_range: '192.168.7.0/28' })).body;
  const { name: _one, ...rest } = dropletBody({ vpc_uuid: vpc.id });
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `v${index}`);
  const first = await platform.post('/v2/droplets', { ...rest, names: names(10) });
  await platform.post('/_emulator/clock', { advance: '45s' });
  const { droplet } = (await platform.get(`/v2/droplets/${first.body.droplets[0].id}`)).body;
  expect(droplet.networks.v4).toContainEqual({ ip_address: '192.168.7.2', netmask: '255.255.255.240', gateway: 'nil', type: 'private' });
  expect((await platform.post('/v2/droplets', { ...rest, names: names(4) })).body.message).toBe(
    'The VPC you specified has no free addresses.',
  );
  expect((await platform.post('/v2/droplets', { ...rest, names: names(3) })).status).toBe(202);
});

test('the seeded account has tagged droplets, one of them off, one of 2016', async () => {
  await using platform = await frozenPlatform();
  const { droplets } = (await platform.get('/v2/droplets')).body;
  expect(droplets.map((droplet: Json) => [droplet.name, droplet.status, droplet.tags])).toEqual([
    ['db-01', 'active', ['db', 'production']],
    ['worker-01', 'active', ['worker', 'production']],
    ['staging-01', 'off', ['staging']],
    ['web-02', 'active', ['web', 'production']],
    ['web-01', 'active', ['web', 'production']],
    ['legacy-app', 'active', ['legacy']],
  ]);
});
