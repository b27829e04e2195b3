import { describe, expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json, type Platform } from './platform.ts';

const order = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  prefix: '203.0.113.0/24',
  signature: 'b3BlbiBzZXNhbWU=',
  region: 'nyc3',
  ...changes,
});

/** A prefix that was validated. */
async function activePrefix(platform: Platform): Promise<Json> {
  const { uuid } = (await platform.post('/v2/byoip_prefixes', order())).body.byoip_prefix;
  await platform.post('/_emulator/clock', { advance: '1m' });
  return (await platform.get(`/v2/byoip_prefixes/${uuid}`)).body.byoip_prefix;
}

describe('a prefix', () => {
  test('is validated and active, and advertised once that is asked', async () => {
    await using platform = await frozenPlatform();
    const { status, body } = await platform.post('/v2/byoip_prefixes', order());
    expect([status, body]).toEqual([
      202,
      { byoip_prefix: { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), region: 'nyc3', status: 'in_progress' } },
    ]);
    const path = `/v2/byoip_prefixes/${body.byoip_prefix.uuid}`;
    const prefix = async (): Promise<Json> => (await platform.get(path)).body.byoip_prefix;
    expect(await prefix()).toMatchObject({
      prefix: '203.0.113.0/24',
      status: 'in_progress',
      validations: [{ name: 'SIGNATURE HASH', status: 'PENDING', note: '' }],
      failure_reason: '',
      locked: true,
      advertised: false,
    });
    expect((await platform.call('PATCH', path, { advertise: true })).status).toBe(422);
    await platform.post('/_emulator/clock', { advance: '1m' });
    expect(await prefix()).toMatchObject({ status: 'active', locked: false, advertised: false, validations: [{ status: 'PASSED' }] });
    const begun = await platform.call('PATCH', path, { advertise: true });
    expect([begun.status, begun.body.byoip_prefix]).toMatchObject([202, { locked: true, advertised: false }]);
    expect((await platform.call('PATCH', path, { advertise: false })).body.message).toBe('The BYOIP prefix already has a pending event.');
    await platform.post('/_emulator/clock', { advance: '30s' });
    expect(await prefix()).toMatchObject({ locked: false, advertised: true });
    expect((await platform.get('/v2/byoip_prefixes')).body).toMatchObject({ byoip_prefixes: [await prefix()], meta: { total: 1 } });
  });

  test.each(['', 'invalid'])('fails with the signature %j', async (signature) => {
    await using platform = await frozenPlatform();
    const { uuid } = (await platform.post('/v2/byoip_prefixes', order({ signature }))).body.byoip_prefix;
    await platform.post('/_emulator/clock', { advance: '1m' });
    const { byoip_prefix: prefix } = (await platform.get(`/v2/byoip_prefixes/${uuid}`)).body;
    const reason = 'The signature does not match the prefix.';
    expect(prefix).toMatchObject({
      status: 'failed',
      locked: false,
      failure_reason: reason,
      validations: [{ name: 'SIGNATURE HASH', status: 'FAILED', note: reason }],
    });
    const refused = await platform.call('PATCH', `/v2/byoip_prefixes/${uuid}`, { advertise: true });
    expect([refused.status, refused.body.message]).toEqual([422, 'Only an active BYOIP prefix can be advertised.']);
  });

  test('goes a little after it was deleted, and its network can be brought again', async () => {
    await using platform = await frozenPlatform();
    const { uuid } = await activePrefix(platform);
    const deleted = await platform.del(`/v2/byoip_prefixes/${uuid}`);
    expect([deleted.status, deleted.body]).toEqual([202, undefined]);
    expect((await platform.get(`/v2/byoip_prefixes/${uuid}`)).body.byoip_prefix).toMatchObject({ status: 'deleting', locked: true });
    expect((await platform.del(`/v2/byoip_prefixes/${uuid}`)).status).toBe(202);
    expect((await platform.post('/v2/byoip_prefixes', order())).status).toBe(409);
    await platform.post('/_emulator/clock', { advance: '30s' });
    expect((await platform.get(`/v2/byoip_prefixes/${uuid}`)).status).toBe(404);
    expect((await platform.get('/v2/byoip_prefixes')).body.meta.total).toBe(0);
    expect((await platform.post('/v2/byoip_prefixes', order())).status).toBe(202);
  });

  test('deleted while it is validated, never becomes active', async () => {
    await using platform = await frozenPlatform();
    const { uuid } = (await platform.post('/v2/byoip_prefixes', order())).body.byoip_prefix;
    await platform.post('/_emulator/clock', { advance: '59s' });
    await platform.del(`/v2/byoip_prefixes/${uuid}`);
    await platform.post('/_emulator/clock', { advance: '1s' });
    expect((await platform.get(`/v2/byoip_prefixes/${uuid}`)).body.byoip_prefix.status).toBe('deleting');
  });

  test('overlaps with no other', async () => {
    await using platform = await frozenPlatform();
    await activePrefix(platform);
    for (const prefix of ['203.0.113.0/24', '203.0.112.0/23', '203.0.0.0/16']) {
      const refused = await platform.post('/v2/byoip_prefixes', order({ prefix }));
      expect([refused.status, refused.body.id], prefix).toEqual([409, 'conflict']);
    }
    for (const prefix of ['203.0.112.0/24', '203.0.114.0/24']) {
      expect((await platform.post('/v2/byoip_prefixes', order({ prefix }))).status, prefix).toBe(202);
    }
  });

  test.each([
    ['a network narrower than a /24', { prefix: '203.0.113.0/25' }],
    ['a network wider than a /8', { prefix: '96.0.0.0/7' }],
    ['bits behind the prefix', { prefix: '203.0.113.1/24' }],
    ['a private network', { prefix: '10.1.0.0/16' }],
    ['a network with a private one in it', { prefix: '172.0.0.0/8' }],
    ['a shared network', { prefix: '100.64.0.0/16' }],
    ['a network that reserved IPs are from', { prefix: '192.0.2.0/24' }],
    ['a network with such a one in it', { prefix: '198.51.0.0/16' }],
    ['a network that instances have their addresses from', { prefix: '198.19.0.0/24' }],
    ['zeros before a number', { prefix: '203.000.113.0/24' }],
    ['zeros before the length', { prefix: '9.0.0.0/08' }],
    ['a multicast network', { prefix: '224.0.0.0/24' }],
    ['an IPv6 network', { prefix: '2001:db8::/32' }],
    ['no network', { prefix: 'mine' }],
    ['no prefix', { prefix: undefined }],
    ['a closed region', { region: 'sfo1' }],
    ['no signature', { signature: undefined }],
    ['a signature that is no text', { signature: 5 }],
    ['an unknown field', { name: 'mine' }],
  ])('is refused with %s', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const refused = await platform.post('/v2/byoip_prefixes', order(changes));
    expect([refused.status, refused.body.id]).toEqual([422, 'unprocessable_entity']);
    expect((await platform.get('/v2/byoip_prefixes')).body.meta.total).toBe(0);
  });

  test('is unknown to GET, PATCH, DELETE and the list of its IPs', async () => {
    await using platform = await frozenPlatform();
    const path = '/v2/byoip_prefixes/f47ac10b-58cc-4372-a567-0e02b2c3d479';
    for (const [method, rest] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/ips'],
    ] as const) {
      expect((await platform.call(method, path + rest, method === 'PATCH' ? { advertise: true } : undefined)).status).toBe(404);
    }
  });
});

describe('the addresses of a prefix', () => {
  const ips = async (platform: Platform, uuid: string): Promise<Json> => (await platform.get(`/v2/byoip_prefixes/${uuid}/ips`)).body;

  test('are assigned like reserved IPs, are listed while they are, and hold the prefix', async () => {
    await using platform = await frozenPlatform();
    const { uuid } = await activePrefix(platform);
    const droplet = await activeDroplet(platform);
    const { total } = (await platform.get('/v2/reserved_ips')).body.meta;
    const begun = await platform.post('/v2/reserved_ips/203.0.113.7/actions', { type: 'assign', droplet_id: droplet.id });
    expect(begun.status).toBe(201);
    expect(await ips(platform, uuid)).toEqual({ ips: [], links: {}, meta: { total: 0 } });
    expect((await platform.del(`/v2/byoip_prefixes/${uuid}`)).status).toBe(422);
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect(await ips(platform, uuid)).toEqual({
      ips: [
        {
          id: expect.any(Number),
          byoip: '203.0.113.7',
          region: 'nyc3',
          resource: `do:droplet:${droplet.id}`,
          assigned_at: '2026-02-10T12:01:50Z',
        },
      ],
      links: {},
      meta: { total: 1 },
    });
    expect((await platform.get('/v2/reserved_ips/203.0.113.7')).body.reserved_ip.droplet.id).toBe(droplet.id);
    const refused = await platform.del(`/v2/byoip_prefixes/${uuid}`);
    expect([refused.status, refused.body.message]).toEqual([422, 'The BYOIP prefix has IPs that are assigned: unassign them first.']);

    await platform.post('/v2/reserved_ips/203.0.113.7/actions', { type: 'unassign' });
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect((await ips(platform, uuid)).ips).toEqual([]);
    expect((await platform.get('/v2/reserved_ips/203.0.113.7')).status).toBe(404);
    expect((await platform.get('/v2/reserved_ips')).body.meta.total).toBe(total);
    expect((await platform.del(`/v2/byoip_prefixes/${uuid}`)).status).toBe(202);
  });

  test('return to it when their droplet is deleted, also when that was still to get them', async () => {
    await using platform = await frozenPlatform();
    const { uuid } = await activePrefix(platform);
    const first = await activeDroplet(platform);
    const second = await activeDroplet(platform);
    await platform.post('/v2/reserved_ips/203.0.113.8/actions', { type: 'assign', droplet_id: first.id });
    await platform.post('/_emulator/clock', { advance: '5s' });
    await platform.post('/v2/reserved_ips/203.0.113.9/actions', { type: 'assign', droplet_id: second.id });
    await platform.del(`/v2/droplets/${first.id}`);
    await platform.del(`/v2/droplets/${second.id}`);
    await platform.post('/_emulator/clock', { advance: '5s' });
    for (const ip of ['203.0.113.8', '203.0.113.9']) {
      expect((await platform.get(`/v2/reserved_ips/${ip}`)).status, ip).toBe(404);
    }
    expect((await platform.del(`/v2/byoip_prefixes/${uuid}`)).status).toBe(202);
  });

  test('reach the droplet they move to when the one they had is deleted on the way', async () => {
    await using platform = await frozenPlatform();
    await activePrefix(platform);
    const [first, second] = [await activeDroplet(platform), await activeDroplet(platform)];
    const path = '/v2/reserved_ips/203.0.113.8';
    await platform.post(`${path}/actions`, { type: 'assign', droplet_id: first.id });
    await platform.post('/_emulator/clock', { advance: '5s' });
    await platform.post(`${path}/actions`, { type: 'assign', droplet_id: second.id });
    await platform.del(`/v2/droplets/${first.id}`);
    expect((await platform.get(path)).body.reserved_ip).toMatchObject({ droplet: null, locked: true });
    await platform.post('/_emulator/clock', { advance: '5s' });
    expect((await platform.get(path)).body.reserved_ip).toMatchObject({ droplet: { id: second.id }, locked: false });
  });

  test('neither count against the limit of reserved IPs nor cost anything', async () => {
    await using platform = await frozenPlatform();
    const mine = platform.as((await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token);
    await mine.post('/_emulator/clock', { freeze: true, now: '2026-03-01T00:00:00Z' });
    await activePrefix(mine);
    const droplet = await activeDroplet(mine, { size: 'c-16' });
    await mine.post('/v2/reserved_ips/203.0.113.7/actions', { type: 'assign', droplet_id: droplet.id });
    await mine.post('/_emulator/clock', { advance: '5s' });
    await mine.post('/v2/reserved_ips/203.0.113.7/actions', { type: 'unassign' });
    await mine.post('/_emulator/clock', { advance: '5s' });
    await mine.post('/v2/reserved_ips/203.0.113.8/actions', { type: 'assign', droplet_id: droplet.id });
    const { reserved_ip_limit: limit } = (await mine.get('/v2/account')).body.account;
    await mine.post('/_emulator/clock', { now: '2026-03-01T00:30:00Z' });
    expect((await mine.get('/v2/customers/my/balance')).body.month_to_date_usage).toBe('0.50');
    for (let count = 0; count < limit; count += 1) {
      expect((await mine.post('/v2/reserved_ips', { region: 'nyc3' })).status).toBe(202);
    }
    expect((await mine.post('/v2/reserved_ips', { region: 'nyc3' })).status).toBe(422);
  });

  test.each([
    ['outside the prefix', '203.0.114.7', 404],
    ['that are no addresses', '203.0.113.256', 404],
    ['not written as usual', '203.0.113.007', 404],
  ])('%s are not found', async (_what, ip, status) => {
    await using platform = await frozenPlatform();
    await activePrefix(platform);
    const droplet = await activeDroplet(platform);
    expect((await platform.post(`/v2/reserved_ips/${ip}/actions`, { type: 'assign', droplet_id: droplet.id })).status).toBe(status);
  });

  test('are there only once it is active, and only in its region', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const body = { type: 'assign', droplet_id: droplet.id };
    await platform.post('/v2/byoip_prefixes', order({ region: 'fra1' }));
    expect((await platform.post('/v2/reserved_ips/203.0.113.7/actions', body)).status).toBe(404);
    await platform.post('/_emulator/clock', { advance: '1m' });
    const refused = await platform.post('/v2/reserved_ips/203.0.113.7/actions', body);
    expect([refused.status, refused.body.message]).toEqual([422, 'The reserved IP and the Droplet must be in the same region.']);
    expect((await platform.get('/v2/reserved_ips/203.0.113.7')).status).toBe(404);
  });
});
