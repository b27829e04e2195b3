import { describe, expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json, type Platform } from './platform.ts';

describe('VPCs', () => {
  test('the first of a region is its default, a droplet without a wish lands in it', async () => {
    await using platform = await frozenPlatform();
    const { vpc } = (await platform.post('/v2/vpcs', { name: 'mine', region: 'syd1', description: 'd' })).body;
    expect(vpc).toMatchObject({ name: 'mine', region: 'syd1', description: 'd', default: true, urn: `do:vpc:${vpc.id}` });
    expect(vpc.ip_range).toMatch(/^10\.\d+\.\d+\.0\/20$/);
    const droplet = await activeDroplet(platform, { region: 'syd1' });
    expect(droplet.vpc_uuid).toBe(vpc.id);
    const { members } = (await platform.get(`/v2/vpcs/${vpc.id}/members`)).body;
    expect(members).toEqual([{ urn: `do:droplet:${droplet.id}`, name: 'box', created_at: droplet.created_at }]);
    expect((await platform.get(`/v2/vpcs/${vpc.id}/members?resource_type=database`)).body.members).toEqual([]);
  });

  test('the default and one with members are not deleted, another is', async () => {
    await using platform = await frozenPlatform();
    const first = (await platform.post('/v2/vpcs', { name: 'first', region: 'syd1' })).body.vpc;
    const second = (await platform.post('/v2/vpcs', { name: 'second', region: 'syd1' })).body.vpc;
    expect((await platform.del(`/v2/vpcs/${first.id}`)).status).toBe(403);
    const droplet = await activeDroplet(platform, { region: 'syd1', vpc_uuid: second.id });
    const held = await platform.del(`/v2/vpcs/${second.id}`);
    expect([held.status, held.body.message]).toEqual([409, 'Can not delete VPC with members']);
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect((await platform.del(`/v2/vpcs/${second.id}`)).status).toBe(204);
  });

  test('another becomes the default, one at a time', async () => {
    await using platform = await frozenPlatform();
    const first = (await platform.post('/v2/vpcs', { name: 'first', region: 'syd1' })).body.vpc;
    const second = (await platform.post('/v2/vpcs', { name: 'second', region: 'syd1' })).body.vpc;
    const changed = await platform.put(`/v2/vpcs/${second.id}`, { name: 'better', default: true });
    expect(changed.body.vpc).toMatchObject({ name: 'better', default: true });
    const { vpcs } = (await platform.get('/v2/vpcs?per_page=200')).body;
    expect(vpcs.find((vpc: Json) => vpc.id === first.id).default).toBe(false);
  });

  test.each([
    ['a public range', { ip_range: '8.8.0.0/16' }],
    ['a range too wide', { ip_range: '10.0.0.0/15' }],
    ['a range too narrow', { ip_range: '10.0.0.0/29' }],
    ['bits behind the prefix', { ip_range: '10.0.0.1/24' }],
    ['zeros before a number', { ip_range: '010.020.0.0/16' }],
    ['no range', { ip_range: 'ten' }],
    ['a range that overlaps', { ip_range: '10.100.0.0/16' }],
    ['a name that is taken', { name: 'default-nyc3' }],
    ['a name with a blank', { name: 'a b' }],
    ['a closed region', { region: 'sfo1' }],
    ['a long description', { description: 'x'.repeat(256) }],
  ])('refuse %s', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const { status, body } = await platform.post('/v2/vpcs', { name: 'new', region: 'nyc3', ...changes });
    expect([status, body.id]).toEqual([422, 'unprocessable_entity']);
  });
});

test('a description has as many as 255 characters, whatever they take in memory', async () => {
  await using platform = await frozenPlatform();
  const described = async (length: number): Promise<number> =>
    (await platform.post('/v2/vpcs', { name: `v${length}`, region: 'nyc3', description: '🚢'.repeat(length) })).status;
  expect([await described(255), await described(256)]).toEqual([201, 422]);
});

describe('the ranges of VPCs', () => {
  const made = async (platform: Platform, changes: Record<string, unknown>): Promise<Json> =>
    (await platform.post('/v2/vpcs', { name: `net-${JSON.stringify(changes).replace(/[^a-z0-9]/gi, '')}`, region: 'syd1', ...changes }))
      .body;

  test.each(['10.0.0.0/16', '10.255.255.240/28', '172.16.0.0/16', '172.31.240.0/20', '192.168.0.0/16'])('may be %s', async (range) => {
    await using platform = await frozenPlatform();
    expect((await made(platform, { ip_range: range })).vpc.ip_range).toBe(range);
  });

  test.each(['172.32.0.0/20', '192.169.0.0/20', '11.0.0.0/16', '0.0.0.0/16'])('may not be %s, which is not private', async (range) => {
    await using platform = await frozenPlatform();
    expect((await made(platform, { ip_range: range })).message).toMatch(/^The range must be a private IPv4 network/);
  });

  test('overlap with no other in the account, from whichever side', async () => {
    await using platform = await frozenPlatform();
    await made(platform, { ip_range: '10.20.16.0/20' });
    for (const range of ['10.20.16.0/20', '10.20.0.0/16', '10.20.16.0/28', '10.20.31.240/28', '10.20.24.0/24']) {
      expect((await made(platform, { ip_range: range, region: 'fra1' })).message, range).toBe(
        'This range/size overlaps with another VPC network in your account',
      );
    }
    for (const range of ['10.20.15.240/28', '10.20.32.0/28']) {
      expect((await made(platform, { ip_range: range })).vpc.ip_range, range).toBe(range);
    }
  });

  test('are generated around what is taken, and free again with their VPC', async () => {
    await using platform = await frozenPlatform();
    const mine = platform.as((await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token);
    await made(mine, { ip_range: '10.100.0.0/16' });
    await made(mine, { ip_range: '10.101.16.128/28' });
    expect((await made(mine, { name: 'a' })).vpc.ip_range).toBe('10.101.0.0/20');
    const second = (await made(mine, { name: 'b' })).vpc;
    expect(second.ip_range).toBe('10.101.32.0/20');
    await mine.del(`/v2/vpcs/${second.id}`);
    expect((await made(mine, { name: 'c' })).vpc.ip_range).toBe('10.101.32.0/20');
  });

  test('are generated elsewhere once 10.100.0.0 and up is full', async () => {
    await using platform = await frozenPlatform();
    const mine = platform.as((await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token);
    for (let second = 100; second < 256; second += 1) {
      await mine.post('/v2/vpcs', { name: `full-${second}`, region: 'nyc3', ip_range: `10.${second}.0.0/16` });
    }
    expect((await made(mine, { name: 'next' })).vpc.ip_range).toBe('10.0.0.0/20');
  });
});

describe('changing a VPC', () => {
  async function vpcs(platform: Platform): Promise<{ first: Json; second: Json }> {
    const first = (await platform.post('/v2/vpcs', { name: 'first', region: 'syd1', description: 'one' })).body.vpc;
    const second = (await platform.post('/v2/vpcs', { name: 'second', region: 'syd1', description: 'two' })).body.vpc;
    return { first, second };
  }

  test('by PUT replaces name and description, by PATCH what is named', async () => {
    await using platform = await frozenPlatform();
    const { second } = await vpcs(platform);
    const path = `/v2/vpcs/${second.id}`;
    expect((await platform.call('PATCH', path, { name: 'renamed' })).body.vpc).toEqual({ ...second, name: 'renamed' });
    expect((await platform.call('PATCH', path, { description: 'new' })).body.vpc).toEqual({
      ...second,
      name: 'renamed',
      description: 'new',
    });
    expect((await platform.put(path, { name: 'replaced' })).body.vpc).toEqual({ ...second, name: 'replaced', description: '' });
    expect((await platform.get(path)).body.vpc).toEqual({ ...second, name: 'replaced', description: '' });
  });

  test('takes back a whole record as it was read', async () => {
    await using platform = await frozenPlatform();
    const { first } = await vpcs(platform);
    expect((await platform.put(`/v2/vpcs/${first.id}`, { ...first, name: 'again' })).body.vpc).toEqual({ ...first, name: 'again' });
  });

  test.each([
    ['a name that is taken', { name: 'first' }],
    ['no name', { description: 'x' }],
    ['another range', { name: 'second', ip_range: '10.9.0.0/20' }],
    ['another region', { name: 'second', region: 'nyc3' }],
    ['an unknown field', { name: 'second', colour: 'red' }],
    ['a default that is no flag', { name: 'second', default: 'yes' }],
  ])('by PUT is refused with %s, and changes nothing', async (_what, body) => {
    await using platform = await frozenPlatform();
    const { second } = await vpcs(platform);
    expect((await platform.put(`/v2/vpcs/${second.id}`, body)).status).toBe(422);
    expect((await platform.get(`/v2/vpcs/${second.id}`)).body.vpc).toEqual(second);
  });

  test('does not leave a region without its default', async () => {
    await using platform = await frozenPlatform();
    const { first, second } = await vpcs(platform);
    expect((await platform.call('PATCH', `/v2/vpcs/${first.id}`, { default: false })).status).toBe(422);
    expect((await platform.call('PATCH', `/v2/vpcs/${second.id}`, { default: false })).body.vpc.default).toBe(false);
    expect((await platform.call('PATCH', `/v2/vpcs/${second.id}`, { default: true })).body.vpc.default).toBe(true);
    expect((await platform.get(`/v2/vpcs/${first.id}`)).body.vpc.default).toBe(false);
    expect((await platform.del(`/v2/vpcs/${second.id}`)).status).toBe(403);
    expect((await platform.del(`/v2/vpcs/${first.id}`)).status).toBe(204);
  });
});

test('a VPC can be made the default as it is made', async () => {
  await using platform = await frozenPlatform();
  const first = (await platform.post('/v2/vpcs', { name: 'first', region: 'syd1' })).body.vpc;
  const second = (await platform.post('/v2/vpcs', { name: 'second', region: 'syd1', default: true })).body.vpc;
  expect([first.default, second.default]).toEqual([true, true]);
  expect((await platform.get(`/v2/vpcs/${first.id}`)).body.vpc.default).toBe(false);
  expect((await activeDroplet(platform, { region: 'syd1' })).vpc_uuid).toBe(second.id);
});

test('a default is made on demand beside a VPC that has its name', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/v2/vpcs', { name: 'default-syd1', region: 'fra1' });
  const droplet = await activeDroplet(platform, { region: 'syd1' });
  expect((await platform.get(`/v2/vpcs/${droplet.vpc_uuid}`)).body.vpc).toMatchObject({
    name: 'default-syd1-1',
    region: 'syd1',
    default: true,
  });
});

test('names that are equal as numbers are not the same', async () => {
  await using platform = await frozenPlatform();
  for (const name of ['1', '1.0', '01', '1e0']) {
    expect((await platform.post('/v2/vpcs', { name, region: 'syd1' })).status, name).toBe(201);
  }
  expect((await platform.post('/v2/vpcs', { name: '1.0', region: 'syd1' })).status).toBe(422);
});

test('members are renamed with their droplet and counted by kind', async () => {
  await using platform = await frozenPlatform();
  const { vpc } = (await platform.post('/v2/vpcs', { name: 'mine', region: 'syd1' })).body;
  const droplet = await activeDroplet(platform, { region: 'syd1' });
  await activeDroplet(platform, { region: 'syd1', name: 'other' });
  await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'rename', name: 'renamed' });
  await platform.post('/_emulator/clock', { advance: '1s' });
  const { body } = await platform.get(`/v2/vpcs/${vpc.id}/members?resource_type=droplet&per_page=1`);
  expect(body.meta.total).toBe(2);
  expect(body.links.pages.next).toContain('resource_type=droplet');
  const { members } = (await platform.get(`/v2/vpcs/${vpc.id}/members`)).body;
  expect(members.map((member: Json) => member.name).sort()).toEqual(['other', 'renamed']);
  expect((await platform.get('/v2/vpcs/none/members')).status).toBe(404);
});
