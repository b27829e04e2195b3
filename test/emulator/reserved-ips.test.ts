import { describe, expect, test } from 'vitest';
import { activeDroplet, dropletBody, emptyPlatform, frozenPlatform, type Json, type Platform } from './platform.ts';

/** Reserves an IPv4 to a region and lets that finish. */
async function reserved(platform: Platform, region = 'nyc3'): Promise<string> {
  const { body } = await platform.post('/v2/reserved_ips', { region });
  await platform.post('/_emulator/clock', { advance: '3s' });
  return body.reserved_ip.ip;
}

/** Begins an assignment and lets it finish. */
async function assign(platform: Platform, ip: string, dropletId: number): Promise<Json> {
  const begun = await platform.post(`${pathOf(ip)}/actions`, { type: 'assign', droplet_id: dropletId });
  expect([begun.status, begun.body.message]).toEqual([201, undefined]);
  await platform.post('/_emulator/clock', { advance: '5s' });
  return (await platform.get(`/v2/actions/${begun.body.action.id}`)).body.action;
}

const pathOf = (ip: string): string => (ip.includes(':') ? `/v2/reserved_ipv6/${encodeURIComponent(ip)}` : `/v2/reserved_ips/${ip}`);
const shownAddresses = async (platform: Platform, id: number): Promise<string[]> =>
  (await platform.get(`/v2/droplets/${id}`)).body.droplet.networks.v4.map((network: Json) => network.ip_address);

/** An account with nothing in it, its clock standing still with the emulator's. */
async function emptyAccount(platform: Platform): Promise<Platform> {
  const mine = platform.as((await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token);
  await mine.post('/_emulator/clock', { freeze: true, now: '2026-03-01T00:00:00Z' });
  return mine;
}

describe('a reserved IPv4', () => {
  test('is reserved to a region, locked until that is done', async () => {
    await using platform = await frozenPlatform();
    const mine = await emptyAccount(platform);
    const { status, body } = await mine.post('/v2/reserved_ips', { region: 'ams3' });
    expect(status).toBe(202);
    expect(body).toEqual({
      reserved_ip: {
        ip: expect.stringMatching(/^192\.0\.2\.\d+$/),
        droplet: null,
        region: expect.objectContaining({ slug: 'ams3', available: true }),
        locked: true,
        project_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      links: {},
    });
    const { ip } = body.reserved_ip;
    expect((await mine.del(`/v2/reserved_ips/${ip}`)).body.message).toBe('The floating IP already has a pending event.');
    await mine.post('/_emulator/clock', { advance: '3s' });
    expect((await mine.get(`/v2/reserved_ips/${ip}`)).body.reserved_ip).toEqual({ ...body.reserved_ip, locked: false });
    expect((await mine.get('/v2/reserved_ips')).body).toMatchObject({ reserved_ips: [{ ip }], links: {}, meta: { total: 1 } });
    expect((await mine.del(`/v2/reserved_ips/${ip}`)).status).toBe(204);
    expect((await mine.get(`/v2/reserved_ips/${ip}`)).status).toBe(404);
    expect((await mine.get('/v2/reserved_ips')).body.meta.total).toBe(0);
  });

  test('is reserved for a droplet, which it reaches with an action', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const { status, body } = await platform.post('/v2/reserved_ips', { droplet_id: droplet.id });
    expect(status).toBe(202);
    const { ip } = body.reserved_ip;
    expect(body.reserved_ip).toMatchObject({ droplet: null, locked: true, region: { slug: 'nyc3' } });
    const [action] = body.links.actions;
    expect(body.links).toEqual({
      droplets: [{ id: droplet.id, rel: 'droplet', href: `${platform.url}/v2/droplets/${droplet.id}` }],
      actions: [{ id: action.id, rel: 'assign_ip', href: `${platform.url}/v2/actions/${action.id}` }],
    });
    expect((await platform.get(`/v2/actions/${action.id}`)).body.action).toMatchObject({
      status: 'in-progress',
      type: 'assign_ip',
      resource_type: 'reserved_ip',
      region_slug: 'nyc3',
    });
    await platform.post('/_emulator/clock', { advance: '5s' });
    const { reserved_ip: after } = (await platform.get(`/v2/reserved_ips/${ip}`)).body;
    expect([after.locked, after.droplet.id, after.droplet.size.slug]).toEqual([false, droplet.id, 's-1vcpu-1gb']);
    expect((await platform.get(`/v2/actions/${action.id}`)).body.action.status).toBe('completed');
  });

  test('shows on its droplet as one more public address, behind its own', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const before = await shownAddresses(platform, droplet.id);
    const ip = await reserved(platform);
    await assign(platform, ip, droplet.id);
    expect(await shownAddresses(platform, droplet.id)).toEqual([...before, ip]);
    await platform.post(`/v2/reserved_ips/${ip}/actions`, { type: 'unassign' });
    expect(await shownAddresses(platform, droplet.id)).toEqual([...before, ip]);
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect(await shownAddresses(platform, droplet.id)).toEqual(before);
    expect((await platform.get(`/v2/reserved_ips/${ip}`)).body.reserved_ip.droplet).toBeNull();
  });

  test('moves from one droplet to another', async () => {
    await using platform = await frozenPlatform();
    const one = await activeDroplet(platform, { name: 'one' });
    const other = await activeDroplet(platform, { name: 'other' });
    const ip = await reserved(platform);
    await assign(platform, ip, one.id);
    expect(await assign(platform, ip, other.id)).toMatchObject({ status: 'completed', type: 'assign_ip' });
    expect((await platform.get(`/v2/reserved_ips/${ip}`)).body.reserved_ip.droplet.id).toBe(other.id);
    expect(await shownAddresses(platform, one.id)).not.toContain(ip);
    expect(await shownAddresses(platform, other.id)).toContain(ip);
  });

  test('is named by its own number in its actions, which outlive it', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const ip = await reserved(platform);
    const begun = await platform.post(`/v2/reserved_ips/${ip}/actions`, { type: 'assign', droplet_id: droplet.id });
    const { reserved_ip: record } = (await platform.get(`/v2/reserved_ips/${ip}`)).body;
    const number = ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
    expect(begun.body.action).toMatchObject({ resource_id: number, project_id: record.project_id, completed_at: null });
    await platform.post('/_emulator/clock', { advance: '5s' });
    const { actions } = (await platform.get(`/v2/reserved_ips/${ip}/actions`)).body;
    expect(actions).toHaveLength(1);
    expect((await platform.get(`/v2/reserved_ips/${ip}/actions/${actions[0].id}`)).body.action).toEqual(actions[0]);
    expect((await platform.get(`/v2/droplets/${droplet.id}/actions/${actions[0].id}`)).status).toBe(404);
    await platform.del(`/v2/reserved_ips/${ip}`);
    expect((await platform.get(`/v2/actions/${actions[0].id}`)).body.action).toMatchObject({ id: actions[0].id, resource_id: number });
  });

  test('is released while assigned: the droplet loses it, the next reservation may get it', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const ip = await reserved(platform);
    await assign(platform, ip, droplet.id);
    expect((await platform.del(`/v2/reserved_ips/${ip}`)).status).toBe(204);
    expect(await shownAddresses(platform, droplet.id)).not.toContain(ip);
    expect(await reserved(platform, 'fra1')).toBe(ip);
  });

  test('stays, free, when its droplet is deleted', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const ip = await reserved(platform);
    await assign(platform, ip, droplet.id);
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect((await platform.get(`/v2/reserved_ips/${ip}`)).body.reserved_ip).toMatchObject({ droplet: null, locked: false });
    const next = await activeDroplet(platform);
    expect(await assign(platform, ip, next.id)).toMatchObject({ status: 'completed' });
  });

  test('ends its assignment errored when the droplet goes meanwhile, or a fault is set', async () => {
    await using platform = await frozenPlatform();
    const one = await activeDroplet(platform, { name: 'one' });
    const other = await activeDroplet(platform, { name: 'other' });
    const ip = await reserved(platform);
    await assign(platform, ip, one.id);
    const begun = await platform.post(`/v2/reserved_ips/${ip}/actions`, { type: 'assign', droplet_id: other.id });
    await platform.del(`/v2/droplets/${other.id}`);
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect((await platform.get(`/v2/actions/${begun.body.action.id}`)).body.action.status).toBe('errored');
    const still = (await platform.get(`/v2/reserved_ips/${ip}`)).body.reserved_ip;
    expect([still.locked, still.droplet.id]).toEqual([false, one.id]);

    await platform.post('/_emulator/faults', { action: 'errored', type: 'unassign_ip', times: 1 });
    const spoiled = await platform.post(`/v2/reserved_ips/${ip}/actions`, { type: 'unassign' });
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect((await platform.get(`/v2/actions/${spoiled.body.action.id}`)).body.action.status).toBe('errored');
    expect((await platform.get(`/v2/reserved_ips/${ip}`)).body.reserved_ip.droplet.id).toBe(one.id);
  });

  test('costs what it costs only while no droplet has it', async () => {
    await using platform = await frozenPlatform();
    const mine = await emptyAccount(platform);
    const usage = async (): Promise<number> => Number((await mine.get('/v2/customers/my/balance')).body.month_to_date_usage);
    const ip = await reserved(mine);
    await mine.post('/_emulator/clock', { now: '2026-03-11T00:00:00Z' });
    expect(await usage()).toBe(1.79); // 240 hours at 0.00744
    const droplet = await activeDroplet(mine); // 0.00893 an hour
    await assign(mine, ip, droplet.id);
    await mine.post('/_emulator/clock', { now: '2026-03-21T00:00:00Z' });
    const assigned = await usage();
    expect(assigned).toBeCloseTo(241 * 0.00744 + 240 * 0.00893, 2);
    await mine.del(`/v2/droplets/${droplet.id}`);
    await mine.post('/_emulator/clock', { now: '2026-03-31T00:00:00Z' });
    expect(await usage()).toBeCloseTo(assigned + 240 * 0.00744, 1);
    await mine.del(`/v2/reserved_ips/${ip}`);
    const released = await usage();
    await mine.post('/_emulator/clock', { now: '2026-03-31T20:00:00Z' });
    expect(await usage()).toBe(released);
  });

  test('costs nothing more when it moves', async () => {
    await using platform = await frozenPlatform();
    const mine = await emptyAccount(platform);
    const usage = async (): Promise<string> => (await mine.get('/v2/customers/my/balance')).body.month_to_date_usage;
    const one = await activeDroplet(mine, { name: 'one', size: 'c-16' });
    const other = await activeDroplet(mine, { name: 'other', size: 'c-16' });
    const ip = await reserved(mine);
    await assign(mine, ip, one.id);
    const before = await usage();
    for (let move = 0; move < 10; move += 1) {
      await assign(mine, ip, move % 2 === 0 ? other.id : one.id);
    }
    expect(await usage()).toBe(before);
  });
});

describe('reserving an IPv4 is refused', () => {
  test.each([
    ['without a place', {}, 'You must specify either a region or a Droplet.'],
    ['for both', { region: 'nyc3', droplet_id: 1 }, 'You must specify either a region or a Droplet.'],
    ['in an unknown region', { region: 'moon1' }, 'The region you specified is not available.'],
    ['in a closed region', { region: 'sfo1' }, 'The region you specified is not available.'],
    ['for no droplet', { droplet_id: 1 }, 'The Droplet you specified could not be found.'],
    ['for a droplet in words', { droplet_id: 'one' }, 'droplet_id must be an integer.'],
    [
      'in an unknown project',
      { region: 'nyc3', project_id: '746c6152-2fa2-11ed-92d3-27aaa54e4988' },
      'The project you specified could not be found.',
    ],
    ['with an unknown field', { region: 'nyc3', colour: 'red' }, 'colour is not a known field.'],
  ])('%s', async (_what, body, message) => {
    await using platform = await frozenPlatform();
    const before = (await platform.get('/v2/reserved_ips')).body.meta.total;
    const refused = await platform.post('/v2/reserved_ips', body);
    expect([refused.status, refused.body.id, refused.body.message]).toEqual([422, 'unprocessable_entity', message]);
    expect((await platform.get('/v2/reserved_ips')).body.meta.total).toBe(before);
  });

  test('beyond the account’s limit', async () => {
    await using platform = await frozenPlatform();
    const mine = await emptyAccount(platform);
    const { reserved_ip_limit: limit } = (await mine.get('/v2/account')).body.account;
    for (let count = 0; count < limit; count += 1) {
      expect((await mine.post('/v2/reserved_ips', { region: 'nyc3' })).status).toBe(202);
    }
    expect((await mine.post('/v2/reserved_ips', { region: 'nyc3' })).body.message).toBe(
      'Reserving this IP will exceed your reserved IP limit',
    );
  });
});

describe.each(['IPv4', 'IPv6'])('an action on a reserved %s is refused', (kind) => {
  /** A reserved address in nyc3 and a droplet there. */
  async function setting(platform: Platform): Promise<{ ip: string; droplet: Json }> {
    const droplet = await activeDroplet(platform);
    return { droplet, ip: await anotherAddress(platform) };
  }
  const anotherAddress = async (platform: Platform, region = 'nyc3'): Promise<string> =>
    kind === 'IPv4'
      ? reserved(platform, region)
      : (await platform.post('/v2/reserved_ipv6', { region_slug: region })).body.reserved_ipv6.ip;
  const refusal = async (platform: Platform, ip: string, body: unknown): Promise<unknown[]> => {
    const total = (await platform.get('/v2/actions')).body.meta.total;
    const refused = await platform.post(`${pathOf(ip)}/actions`, body);
    expect((await platform.get('/v2/actions')).body.meta.total).toBe(total);
    return [refused.status, refused.body.message];
  };

  test('when it is not of a known type, or has other fields', async () => {
    await using platform = await frozenPlatform();
    const { ip, droplet } = await setting(platform);
    expect(await refusal(platform, ip, { type: 'give' })).toEqual([422, 'type must be one of assign, unassign.']);
    expect(await refusal(platform, ip, {})).toEqual([422, 'type must be one of assign, unassign.']);
    expect(await refusal(platform, ip, { type: 'assign' })).toEqual([422, 'droplet_id must be an integer.']);
    expect(await refusal(platform, ip, { type: 'unassign', droplet_id: droplet.id })).toEqual([422, 'droplet_id is not a known field.']);
  });

  test('while another is in progress on it', async () => {
    await using platform = await frozenPlatform();
    const { ip, droplet } = await setting(platform);
    await platform.post(`${pathOf(ip)}/actions`, { type: 'assign', droplet_id: droplet.id });
    expect(await refusal(platform, ip, { type: 'unassign' })).toEqual([422, 'The floating IP already has a pending event.']);
    const deleted = await platform.del(pathOf(ip));
    expect([deleted.status, deleted.body.message]).toEqual([422, 'The floating IP already has a pending event.']);
  });

  test('while the droplet is busy, was never started, or is none', async () => {
    await using platform = await frozenPlatform();
    const { ip, droplet } = await setting(platform);
    await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'reboot' });
    expect(await refusal(platform, ip, { type: 'assign', droplet_id: droplet.id })).toEqual([422, 'Droplet already has a pending event.']);
    await platform.post('/_emulator/faults', { action: 'errored', type: 'create', times: 1 });
    const stillborn = (await platform.post('/v2/droplets', dropletBody())).body.droplet;
    await platform.post('/_emulator/clock', { advance: '45s' });
    expect(await refusal(platform, ip, { type: 'assign', droplet_id: stillborn.id })).toEqual([
      422,
      'The Droplet you specified is not running yet.',
    ]);
    expect(await refusal(platform, ip, { type: 'assign', droplet_id: 7 })).toEqual([422, 'The Droplet you specified could not be found.']);
  });

  test('off a droplet that is busy', async () => {
    await using platform = await frozenPlatform();
    const { ip, droplet } = await setting(platform);
    await platform.post(`${pathOf(ip)}/actions`, { type: 'assign', droplet_id: droplet.id });
    await platform.post('/_emulator/clock', { advance: '5s' });
    await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'reboot' });
    expect(await refusal(platform, ip, { type: 'unassign' })).toEqual([422, 'Droplet already has a pending event.']);
    await platform.post('/_emulator/clock', { advance: '15s' });
    expect((await platform.post(`${pathOf(ip)}/actions`, { type: 'unassign' })).status).toBe(201);
  });

  test('across regions', async () => {
    await using platform = await frozenPlatform();
    const { droplet } = await setting(platform);
    const elsewhere = await anotherAddress(platform, 'fra1');
    expect(await refusal(platform, elsewhere, { type: 'assign', droplet_id: droplet.id })).toEqual([
      422,
      'The reserved IP and the Droplet must be in the same region.',
    ]);
  });

  test('when the droplet has it already, has another, or is getting another', async () => {
    await using platform = await frozenPlatform();
    const { ip, droplet } = await setting(platform);
    const second = await anotherAddress(platform);
    await platform.post(`${pathOf(ip)}/actions`, { type: 'assign', droplet_id: droplet.id });
    const taken = [422, 'The Droplet already has a reserved IP of this kind.'];
    expect(await refusal(platform, second, { type: 'assign', droplet_id: droplet.id })).toEqual(taken);
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect(await refusal(platform, second, { type: 'assign', droplet_id: droplet.id })).toEqual(taken);
    expect(await refusal(platform, ip, { type: 'assign', droplet_id: droplet.id })).toEqual([
      422,
      'The reserved IP is already assigned to this Droplet.',
    ]);
  });

  test('when there is nothing to unassign, and where there is no such address', async () => {
    await using platform = await frozenPlatform();
    const { ip } = await setting(platform);
    expect(await refusal(platform, ip, { type: 'unassign' })).toEqual([422, 'The reserved IP is not assigned to a Droplet.']);
    const unknown = kind === 'IPv4' ? '203.0.113.9' : '2001:db8::9';
    expect((await refusal(platform, unknown, { type: 'unassign' }))[0]).toBe(404);
  });
});

test('an IPv4 is reserved for no droplet that has one', async () => {
  await using platform = await frozenPlatform();
  const droplet = await activeDroplet(platform);
  await platform.post('/v2/reserved_ips', { droplet_id: droplet.id });
  const second = await platform.post('/v2/reserved_ips', { droplet_id: droplet.id });
  expect([second.status, second.body.message]).toEqual([422, 'The Droplet already has a reserved IP of this kind.']);
});

describe('a reserved IPv6', () => {
  test('is reserved at once and found in every form it is written in', async () => {
    await using platform = await frozenPlatform();
    const { status, body } = await platform.post('/v2/reserved_ipv6', { region_slug: 'nyc3' });
    expect(status).toBe(201);
    expect(body.reserved_ipv6).toEqual({
      ip: expect.stringMatching(/^2001:db8:0:2020::[0-9a-f]+$/),
      region_slug: 'nyc3',
      reserved_at: '2026-02-10T12:00:00Z',
      droplet: null,
    });
    const { ip } = body.reserved_ipv6;
    for (const written of [ip, encodeURIComponent(ip), ip.toUpperCase(), ip.replace('::', ':0000:0:0:'), ip.replace(':0:', ':0000:')]) {
      expect((await platform.get(`/v2/reserved_ipv6/${written}`)).body, written).toEqual(body);
    }
    for (const wrong of ['192.0.2.2', '2001:db8::zz', `${ip}%25eth0`]) {
      expect((await platform.get(`/v2/reserved_ipv6/${wrong}`)).status, wrong).toBe(404);
    }
    expect((await platform.get('/v2/reserved_ipv6')).body.reserved_ipv6s).toContainEqual(body.reserved_ipv6);
  });

  test('comes to a droplet and goes again, by actions of its own type', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform, { ipv6: true });
    const { ip } = (await platform.post('/v2/reserved_ipv6', { region_slug: 'nyc3' })).body.reserved_ipv6;
    expect(await assign(platform, ip, droplet.id)).toMatchObject({
      status: 'completed',
      type: 'assign_ip',
      resource_type: 'reserved_ipv6',
      region_slug: 'nyc3',
    });
    expect((await platform.get(pathOf(ip))).body.reserved_ipv6.droplet.id).toBe(droplet.id);
    const refused = await platform.del(pathOf(ip));
    expect([refused.status, refused.body.message]).toEqual([422, 'The reserved IPv6 is assigned to a Droplet: unassign it first.']);
    await platform.post(`${pathOf(ip)}/actions`, { type: 'unassign' });
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect((await platform.get(pathOf(ip))).body.reserved_ipv6.droplet).toBeNull();
    expect((await platform.del(pathOf(ip))).status).toBe(204);
    expect((await platform.post('/v2/reserved_ipv6', { region_slug: 'fra1' })).body.reserved_ipv6.ip).toBe(ip);
  });

  test('is free again when its droplet is deleted', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const { ip } = (await platform.post('/v2/reserved_ipv6', { region_slug: 'nyc3' })).body.reserved_ipv6;
    await assign(platform, ip, droplet.id);
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect((await platform.del(pathOf(ip))).status).toBe(204);
  });

  test.each([
    ['a closed region', { region_slug: 'sfo1' }],
    ['no region', {}],
    ['a region that is no text', { region_slug: 5 }],
    ['the field of the other kind', { region: 'nyc3' }],
  ])('is refused for %s', async (_what, body) => {
    await using platform = await frozenPlatform();
    const refused = await platform.post('/v2/reserved_ipv6', body);
    expect([refused.status, refused.body.id]).toEqual([422, 'unprocessable_entity']);
  });
});

test('addresses that were made by the thousand leave nothing behind for the next to be reserved', async () => {
  await using platform = await emptyPlatform();
  await platform.post('/_emulator/populate', { records: { reserved_ips: 1, reserved_ipv6s: 1 } });
  const [{ ip }] = (await platform.get('/v2/reserved_ips')).body.reserved_ips;
  const [{ ip: ipv6 }] = (await platform.get('/v2/reserved_ipv6')).body.reserved_ipv6s;
  expect((await platform.del(`/v2/reserved_ips/${ip}`)).status).toBe(204);
  expect((await platform.del(`/v2/reserved_ipv6/${ipv6}`)).status).toBe(204);
  expect((await platform.post('/v2/reserved_ips', { region: 'nyc3' })).body.reserved_ip.ip).toBe('192.0.2.2');
  expect((await platform.post('/v2/reserved_ipv6', { region_slug: 'nyc3' })).body.reserved_ipv6.ip).toBe('2001:db8:0:2020::1');
});
