import { describe, expect, test } from 'vitest';
import { act, activeDroplet, frozenPlatform, type Json, type Platform } from './platform.ts';

/** A droplet in the state an action is tried in. */
async function dropletThatIs(state: 'active' | 'off', platform: Platform, changes: Record<string, unknown> = {}): Promise<Json> {
  const droplet = await activeDroplet(platform, changes);
  if (state === 'off') {
    await act(platform, droplet.id, { type: 'power_off' });
  }
  return (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
}

async function reload(platform: Platform, droplet: Json): Promise<Json> {
  return (await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet;
}

describe('an action that fits is in progress, locks the droplet, and takes effect when its time is over', () => {
  test.each<{ type: string; from: 'active' | 'off'; seconds: number; body?: object; changes?: object; effect: object }>([
    { type: 'power_on', from: 'off', seconds: 5, effect: { status: 'active' } },
    { type: 'power_off', from: 'active', seconds: 5, effect: { status: 'off' } },
    { type: 'shutdown', from: 'active', seconds: 10, effect: { status: 'off' } },
    { type: 'reboot', from: 'active', seconds: 15, effect: { status: 'active' } },
    { type: 'power_cycle', from: 'active', seconds: 15, effect: { status: 'active' } },
    { type: 'power_cycle', from: 'off', seconds: 15, effect: { status: 'active' } },
    { type: 'rename', from: 'active', seconds: 1, body: { name: 'new.example.com' }, effect: { name: 'new.example.com' } },
    { type: 'rename', from: 'off', seconds: 1, body: { name: 'n2' }, effect: { name: 'n2', status: 'off' } },
    {
      type: 'resize',
      from: 'off',
      seconds: 40,
      body: { size: 's-2vcpu-4gb' },
      effect: { size_slug: 's-2vcpu-4gb', memory: 4096, vcpus: 2, disk: 25, status: 'off' },
    },
    {
      type: 'resize',
      from: 'off',
      seconds: 40,
      body: { size: 's-2vcpu-4gb', disk: true },
      effect: { size_slug: 's-2vcpu-4gb', disk: 80, disk_info: [{ type: 'local', size: { amount: 80, unit: 'gib' } }] },
    },
    {
      type: 'rebuild',
      from: 'active',
      seconds: 45,
      body: { image: 'debian-12-x64' },
      effect: { status: 'active', image: expect.objectContaining({ slug: 'debian-12-x64' }) },
    },
    {
      type: 'rebuild',
      from: 'off',
      seconds: 45,
      body: { image: 97000113 },
      effect: { status: 'active', image: expect.objectContaining({ slug: 'ubuntu-22-04-x64' }) },
    },
    {
      type: 'enable_backups',
      from: 'active',
      seconds: 3,
      body: { backup_policy: { plan: 'weekly', weekday: 'THU', hour: 8 } },
      effect: {
        next_backup_window: { start: '2026-02-12T08:00:00Z', end: '2026-02-12T12:00:00Z' },
        features: expect.arrayContaining(['backups']),
      },
    },
    {
      type: 'disable_backups',
      from: 'active',
      seconds: 3,
      changes: { backups: true },
      effect: { next_backup_window: null, features: expect.not.arrayContaining(['backups']) },
    },
    {
      type: 'change_backup_policy',
      from: 'active',
      seconds: 3,
      changes: { backups: true },
      body: { backup_policy: { plan: 'daily', hour: 20 } },
      effect: { next_backup_window: { start: '2026-02-10T20:00:00Z', end: '2026-02-11T00:00:00Z' } },
    },
    {
      type: 'enable_ipv6',
      from: 'active',
      seconds: 5,
      effect: {
        features: expect.arrayContaining(['ipv6']),
        networks: expect.objectContaining({
          v6: [{ ip_address: expect.stringMatching(/^2001:db8:/), netmask: 64, gateway: '2001:db8:0:1010::1', type: 'public' }],
        }),
      },
    },
    { type: 'password_reset', from: 'active', seconds: 10, effect: { status: 'active' } },
  ])('$type of a droplet that is $from', async ({ type, from, seconds, body = {}, changes = {}, effect }) => {
    await using platform = await frozenPlatform();
    const before = await dropletThatIs(from, platform, { ...changes });
    const begun = await platform.post(`/v2/droplets/${before.id}/actions`, { type, ...body });
    expect(begun.status).toBe(201);
    expect(begun.body.action).toMatchObject({
      type,
      status: 'in-progress',
      completed_at: null,
      resource_id: before.id,
      resource_type: 'droplet',
      region_slug: 'nyc3',
    });
    expect(await reload(platform, before)).toEqual({ ...before, locked: true });

    await platform.post('/_emulator/clock', { advance: seconds - 1 + 0.999 });
    expect((await reload(platform, before)).locked).toBe(true);
    await platform.post('/_emulator/clock', { advance: '1ms' });
    const over = (await platform.get(`/v2/droplets/${before.id}/actions/${begun.body.action.id}`)).body.action;
    expect(over.status).toBe('completed');
    expect(Date.parse(over.completed_at) - Date.parse(over.started_at)).toBe(seconds * 1000);
    const after = await reload(platform, before);
    expect(after).toMatchObject({ ...effect, locked: false });
    expect(after.networks.v4).toEqual(before.networks.v4);
  });
});

describe('an action that does not fit is refused with 422 and changes nothing', () => {
  test.each<[string, 'active' | 'off', object, object, string]>([
    ['power_on', 'active', {}, {}, 'Droplet is already powered on.'],
    ['power_off', 'off', {}, {}, 'Droplet is already powered off.'],
    ['shutdown', 'off', {}, {}, 'Droplet is already powered off.'],
    ['reboot', 'off', {}, {}, 'Droplet is currently powered off.'],
    ['rename', 'active', {}, {}, 'name is required.'],
    ['rename', 'active', { name: 'under_score' }, {}, 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)'],
    ['resize', 'active', { size: 's-2vcpu-4gb' }, {}, 'Droplet must be powered off before resizing.'],
    ['resize', 'off', { size: 's-1vcpu-1gb' }, {}, 'This size is not available because it is the same size as the Droplet'],
    ['resize', 'off', { size: 's-1vcpu-512mb-10gb' }, {}, "Size can not decrease size of Droplet's disk image"],
    ['resize', 'off', { size: 's-1vcpu-2gb-amd' }, { region: 'nyc2' }, 'Size is not available in this region.'],
    ['resize', 'off', { size: 'none' }, {}, 'You specified an invalid size for Droplet creation.'],
    ['resize', 'off', {}, {}, 'size is required.'],
    ['resize', 'off', { size: 's-2vcpu-4gb', disk: 'yes' }, {}, 'disk must be true or false.'],
    ['snapshot', 'active', {}, {}, 'You must specify a name for the snapshot.'],
    ['rebuild', 'active', { image: 'no-such-image' }, {}, 'You specified an invalid image for Droplet creation.'],
    ['rebuild', 'active', { image: 4711 }, {}, 'You specified an invalid image for Droplet creation.'],
    [
      'rebuild',
      'active',
      { image: 97000204 },
      { size: 's-1vcpu-512mb-10gb' },
      'The image you specified requires a larger disk than the size you selected provides.',
    ],
    ['restore', 'active', { image: 97000114 }, {}, 'The image you specified is not a backup or snapshot of this Droplet.'],
    ['restore', 'active', {}, {}, 'The image you specified is not a backup or snapshot of this Droplet.'],
    ['enable_backups', 'active', {}, { backups: true }, 'Backups are already enabled'],
    ['enable_backups', 'active', { backup_policy: { plan: 'hourly' } }, {}, 'backup_policy.plan must be daily or weekly.'],
    ['disable_backups', 'active', {}, {}, 'Backups are already disabled'],
    ['change_backup_policy', 'active', { backup_policy: { plan: 'daily' } }, {}, 'Backups are already disabled'],
    ['change_backup_policy', 'active', {}, { backups: true }, 'You must specify a backup policy.'],
    ['enable_ipv6', 'active', {}, { ipv6: true }, 'IPv6 is already enabled'],
    ['enable_private_networking', 'active', {}, {}, 'Private networking is already enabled'],
    ['change_kernel', 'active', { kernel: 7515 }, {}, 'This Droplet uses an internally managed kernel that can not be changed.'],
    ['change_kernel', 'active', {}, {}, 'kernel must be an integer.'],
    ['explode', 'active', {}, {}, 'The action type you specified is not supported.'],
  ])('%s of a droplet that is %s, with %j, made with %j', async (type, state, body, changes, message) => {
    await using platform = await frozenPlatform();
    const before = await dropletThatIs(state, platform, { ...changes });
    const actionsBefore = (await platform.get('/v2/actions?per_page=1')).body.meta.total;
    const refused = await platform.post(`/v2/droplets/${before.id}/actions`, { type, ...body });
    expect([refused.status, refused.body.id, refused.body.message]).toEqual([422, 'unprocessable_entity', message]);
    expect(await reload(platform, before)).toEqual(before);
    expect((await platform.get('/v2/actions?per_page=1')).body.meta.total).toBe(actionsBefore);
  });

  test('without a type', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    expect((await platform.post(`/v2/droplets/${droplet.id}/actions`, {})).body.message).toBe('type is required.');
  });
});

test('a droplet with a pending action takes no other and is not deleted', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform);
  await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'snapshot', name: 's' });
  for (const attempt of [
    platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'rename', name: 'x' }),
    platform.del(`/v2/droplets/${droplet.id}`),
  ]) {
    const { status, body } = await attempt;
    expect([status, body.id, body.message]).toEqual([422, 'unprocessable_entity', 'Droplet already has a pending event.']);
  }
  await platform.post('/_emulator/clock', { advance: '60s' });
  expect((await platform.del(`/v2/droplets/${droplet.id}`)).status).toBe(204);
});

test('a snapshot makes an image that the droplet, the images and the snapshots list', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform);
  await act(platform, droplet.id, { type: 'snapshot', name: 'friday' });
  const [id] = (await reload(platform, droplet)).snapshot_ids;
  expect((await platform.get(`/v2/images/${id}`)).body.image).toMatchObject({
    name: 'friday',
    type: 'snapshot',
    distribution: 'Ubuntu',
    public: false,
    regions: ['nyc3'],
    min_disk_size: 25,
    status: 'available',
  });
  expect((await platform.get(`/v2/droplets/${droplet.id}/snapshots`)).body.snapshots).toMatchObject([{ id, name: 'friday' }]);
  expect((await platform.get(`/v2/snapshots/${id}`)).body.snapshot).toMatchObject({
    id: String(id),
    resource_id: String(droplet.id),
    resource_type: 'droplet',
  });
});

test('a droplet is restored from its own snapshot and from no other', async () => {
  await using platform = await frozenPlatform();
  const mine = await activeDroplet(platform, { name: 'mine' });
  const other = await activeDroplet(platform, { name: 'other' });
  await act(platform, mine.id, { type: 'snapshot', name: 's' });
  const [image] = (await reload(platform, mine)).snapshot_ids;
  const refused = await platform.post(`/v2/droplets/${other.id}/actions`, { type: 'restore', image });
  expect(refused.status).toBe(422);
  await act(platform, mine.id, { type: 'restore', image });
  expect((await reload(platform, mine)).image.id).toBe(image);
});

test('a reset password goes by mail and nowhere else', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform, { name: 'forgetful' });
  const action = await act(platform, droplet.id, { type: 'password_reset' });
  const { entries } = (await platform.get('/_emulator/outbox')).body;
  expect(entries).toMatchObject([{ kind: 'mail', to: 'captain@example.com', subject: 'Your new password for forgetful' }]);
  const password = /Password: (\S+)/.exec(entries[0].text)?.[1] ?? '';
  expect(password).toHaveLength(24);
  expect(JSON.stringify([action, await reload(platform, droplet)])).not.toContain(password);
});

test('the old droplet lists kernels, changes to one of them and refuses others', async () => {
  await using platform = await frozenPlatform();
  const { body } = await platform.get('/v2/droplets?tag_name=legacy');
  const [droplet] = body.droplets;
  expect(droplet).toMatchObject({ created_at: '2016-03-14T09:26:53Z', kernel: { id: 2924 } });
  const { kernels } = (await platform.get(`/v2/droplets/${droplet.id}/kernels`)).body;
  const wanted = kernels[0];
  expect((await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'change_kernel', kernel: 1 })).status).toBe(422);
  await act(platform, droplet.id, { type: 'change_kernel', kernel: wanted.id });
  expect((await reload(platform, droplet)).kernel).toEqual(wanted);
});

test('a droplet without private networking gets it in the default VPC of its region', async () => {
  await using platform = await frozenPlatform();
  const [droplet] = (await platform.get('/v2/droplets?tag_name=legacy')).body.droplets;
  await act(platform, droplet.id, { type: 'enable_private_networking' });
  const after = await reload(platform, droplet);
  const { vpc } = (await platform.get(`/v2/vpcs/${after.vpc_uuid}`)).body;
  expect(vpc).toMatchObject({ name: 'default-nyc3', default: true });
  expect(after.networks.v4).toContainEqual({
    ip_address: expect.stringMatching(/^10\.100\./),
    netmask: '255.255.240.0',
    gateway: 'nil',
    type: 'private',
  });
  const { members } = (await platform.get(`/v2/vpcs/${vpc.id}/members?per_page=200`)).body;
  expect(members.map((member: Json) => member.urn)).toContain(`do:droplet:${droplet.id}`);
});

test('a fault makes the next action of its type end errored, without effect', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform);
  await platform.post('/_emulator/faults', { action: 'errored', type: 'shutdown', resource_id: droplet.id });
  expect((await act(platform, droplet.id, { type: 'shutdown' })).status).toBe('errored');
  expect(await reload(platform, droplet)).toMatchObject({ status: 'active', locked: false });
  expect((await act(platform, droplet.id, { type: 'shutdown' })).status).toBe('completed');
});

test('an action of another droplet is not found under this one', async () => {
  await using platform = await frozenPlatform();
  const one = await activeDroplet(platform);
  const other = await activeDroplet(platform);
  const { id } = await act(platform, one.id, { type: 'reboot' });
  expect((await platform.get(`/v2/droplets/${other.id}/actions/${id}`)).status).toBe(404);
  expect((await platform.get(`/v2/droplets/${one.id}/actions`)).body.actions.map((action: Json) => action.type)).toEqual([
    'reboot',
    'create',
  ]);
});
