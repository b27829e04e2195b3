import { describe, expect, test } from 'vitest';
import { frozenPlatform, type Json, type Platform } from './platform.ts';

/** Three VPCs beside the default ones: two in syd1, one in fra1. */
async function threeVpcs(platform: Platform): Promise<readonly [Json, Json, Json]> {
  await platform.post('/v2/vpcs', { name: 'first-of-syd1', region: 'syd1' });
  const make = async (name: string, region: string): Promise<Json> => (await platform.post('/v2/vpcs', { name, region })).body.vpc;
  return [await make('a', 'syd1'), await make('b', 'syd1'), await make('c', 'fra1')];
}

describe('a peering', () => {
  test('is provisioned, active, deleted and gone', async () => {
    await using platform = await frozenPlatform();
    const [a, , c] = await threeVpcs(platform);
    const { status, body } = await platform.post('/v2/vpc_peerings', { name: 'a-to-c', vpc_ids: [a.id, c.id] });
    expect([status, body]).toEqual([
      202,
      {
        vpc_peering: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'a-to-c',
          vpc_ids: [a.id, c.id],
          created_at: '2026-02-10T12:00:00Z',
          status: 'PROVISIONING',
        },
      },
    ]);
    const path = `/v2/vpc_peerings/${body.vpc_peering.id}`;
    expect((await platform.get(path)).body).toEqual(body);
    await platform.post('/_emulator/clock', { advance: '30s' });
    expect((await platform.get(path)).body.vpc_peering.status).toBe('ACTIVE');

    const deleted = await platform.del(path);
    expect([deleted.status, deleted.body.vpc_peering]).toEqual([202, { ...body.vpc_peering, status: 'DELETING' }]);
    expect((await platform.call('PATCH', path, { name: 'late' })).status).toBe(409);
    await platform.post('/_emulator/clock', { advance: '29s' });
    const again = await platform.del(path);
    expect([again.status, again.body]).toEqual([202, deleted.body]);
    await platform.post('/_emulator/clock', { advance: '1s' });
    expect((await platform.get(path)).status).toBe(404);
    expect((await platform.del(path)).status).toBe(404);
  });

  test('deleted while it is provisioned, never becomes active', async () => {
    await using platform = await frozenPlatform();
    const [a, , c] = await threeVpcs(platform);
    const { id } = (await platform.post('/v2/vpc_peerings', { name: 'short', vpc_ids: [a.id, c.id] })).body.vpc_peering;
    await platform.post('/_emulator/clock', { advance: '20s' });
    await platform.del(`/v2/vpc_peerings/${id}`);
    await platform.post('/_emulator/clock', { advance: '10s' });
    expect((await platform.get(`/v2/vpc_peerings/${id}`)).body.vpc_peering.status).toBe('DELETING');
  });

  test('is renamed, to a name that is free', async () => {
    await using platform = await frozenPlatform();
    const [a, b, c] = await threeVpcs(platform);
    const { id } = (await platform.post('/v2/vpc_peerings', { name: 'one', vpc_ids: [a.id, c.id] })).body.vpc_peering;
    await platform.post('/v2/vpc_peerings', { name: 'two', vpc_ids: [b.id, c.id] });
    expect((await platform.call('PATCH', `/v2/vpc_peerings/${id}`, { name: 'one' })).status).toBe(200);
    expect((await platform.call('PATCH', `/v2/vpc_peerings/${id}`, { name: 'three' })).body.vpc_peering.name).toBe('three');
    for (const name of ['two', 'a b', '', 5]) {
      expect((await platform.call('PATCH', `/v2/vpc_peerings/${id}`, { name })).status, String(name)).toBe(422);
    }
    expect((await platform.get(`/v2/vpc_peerings/${id}`)).body.vpc_peering.name).toBe('three');
  });

  test('holds its VPCs until it is gone', async () => {
    await using platform = await frozenPlatform();
    const [a, b] = await threeVpcs(platform);
    const { id } = (await platform.post('/v2/vpc_peerings', { name: 'held', vpc_ids: [a.id, b.id] })).body.vpc_peering;
    for (const vpc of [a, b]) {
      const held = await platform.del(`/v2/vpcs/${vpc.id}`);
      expect([held.status, held.body.message]).toEqual([409, 'Can not delete VPC with peerings']);
    }
    await platform.del(`/v2/vpc_peerings/${id}`);
    expect((await platform.del(`/v2/vpcs/${a.id}`)).status).toBe(409);
    await platform.post('/_emulator/clock', { advance: '30s' });
    expect((await platform.del(`/v2/vpcs/${a.id}`)).status).toBe(204);
  });

  test('is listed, by region, and under each of its VPCs, newest first', async () => {
    await using platform = await frozenPlatform();
    const { total } = (await platform.get('/v2/vpc_peerings')).body.meta;
    const [a, b, c] = await threeVpcs(platform);
    const make = async (name: string, vpcIds: readonly string[]): Promise<string> =>
      (await platform.post('/v2/vpc_peerings', { name, vpc_ids: vpcIds })).body.vpc_peering.id;
    const inside = await make('inside', [a.id, b.id]);
    const across = await make('across', [c.id, b.id]);
    const ids = async (path: string, key: string): Promise<unknown[]> => {
      const { body } = await platform.get(path);
      return [body.meta.total, ...body[key].map((peering: Json) => peering.id)];
    };
    expect((await platform.get('/v2/vpc_peerings')).body.meta.total).toBe(total + 2);
    expect(await ids('/v2/vpc_peerings?region=syd1', 'vpc_peerings')).toEqual([2, across, inside]);
    expect(await ids('/v2/vpc_peerings?region=blr1', 'vpc_peerings')).toEqual([0]);
    expect(await ids(`/v2/vpcs/${b.id}/peerings`, 'peerings')).toEqual([2, across, inside]);
    expect(await ids(`/v2/vpcs/${c.id}/peerings`, 'peerings')).toEqual([1, across]);
    await platform.del(`/v2/vpc_peerings/${across}`);
    await platform.post('/_emulator/clock', { advance: '30s' });
    expect(await ids('/v2/vpc_peerings?region=syd1', 'vpc_peerings')).toEqual([1, inside]);
    expect(await ids(`/v2/vpcs/${c.id}/peerings`, 'peerings')).toEqual([0]);
    expect((await platform.get('/v2/vpcs/none/peerings')).status).toBe(404);
  });

  test('is made and renamed under a VPC as well', async () => {
    await using platform = await frozenPlatform();
    const [a, b, c] = await threeVpcs(platform);
    const { status, body } = await platform.post(`/v2/vpcs/${a.id}/peerings`, { name: 'below', vpc_id: b.id });
    expect([status, body.peering]).toMatchObject([202, { name: 'below', vpc_ids: [a.id, b.id], status: 'PROVISIONING' }]);
    const path = (vpc: Json): string => `/v2/vpcs/${vpc.id}/peerings/${body.peering.id}`;
    expect((await platform.call('PATCH', path(b), { name: 'above' })).body.peering.name).toBe('above');
    expect((await platform.call('PATCH', path(c), { name: 'aside' })).status).toBe(404);
    expect((await platform.post(`/v2/vpcs/${a.id}/peerings`, { name: 'self', vpc_id: a.id })).status).toBe(422);
  });
});

describe('a peering is refused', () => {
  const UNKNOWN = '997615ce-132d-4bae-9270-9ee21b395e5d';

  test.each<[string, (vpcs: readonly string[]) => Record<string, unknown>, string]>([
    ['for one VPC', ([a]) => ({ vpc_ids: [a] }), 'vpc_ids must be the ids of two different VPCs.'],
    ['for three', ([a, b, c]) => ({ vpc_ids: [a, b, c] }), 'vpc_ids must be the ids of two different VPCs.'],
    ['for a VPC and itself', ([a]) => ({ vpc_ids: [a, a] }), 'vpc_ids must be the ids of two different VPCs.'],
    ['for none', () => ({}), 'vpc_ids must be the ids of two different VPCs.'],
    ['for an unknown VPC', ([a]) => ({ vpc_ids: [a, UNKNOWN] }), 'One of the VPCs you specified could not be found.'],
    ['for what is no list', ([a]) => ({ vpc_ids: a }), 'vpc_ids must be an array.'],
    ['for what are no ids', () => ({ vpc_ids: [1, 2] }), 'vpc_ids must be an array of strings.'],
    ['for a pair that is peered', ([a, b]) => ({ vpc_ids: [b, a] }), 'These VPCs are already peered.'],
    [
      'with a name that is taken',
      ([a, , c]) => ({ vpc_ids: [a, c], name: 'there' }),
      'VPC peering names must be unique and may only contain alphanumeric characters and dashes.',
    ],
    [
      'with a dot in its name',
      ([a, , c]) => ({ vpc_ids: [a, c], name: 'a.c' }),
      'VPC peering names must be unique and may only contain alphanumeric characters and dashes.',
    ],
    ['without a name', ([a, , c]) => ({ vpc_ids: [a, c], name: undefined }), 'name is required.'],
    ['with an unknown field', ([a, , c]) => ({ vpc_ids: [a, c], region: 'nyc3' }), 'region is not a known field.'],
  ])('%s', async (_what, changes, message) => {
    await using platform = await frozenPlatform();
    const vpcs = (await threeVpcs(platform)).map((vpc) => vpc.id);
    await platform.post('/v2/vpc_peerings', { name: 'there', vpc_ids: vpcs.slice(0, 2) });
    const { total } = (await platform.get('/v2/vpc_peerings')).body.meta;
    const refused = await platform.post('/v2/vpc_peerings', { name: 'new', ...changes(vpcs) });
    expect([refused.status, refused.body.id, refused.body.message]).toEqual([422, 'unprocessable_entity', message]);
    expect((await platform.get('/v2/vpc_peerings')).body.meta.total).toBe(total);
  });
});
