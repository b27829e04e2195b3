import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { openapiPresent } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

const SERVED = /^[A-Z]+ \/v2\/(reserved_ips|reserved_ipv6|vpcs|vpc_peerings|byoip_prefixes)(\/|$)/;
const UNKNOWN = '997615ce-132d-4bae-9270-9ee21b395e5d';

describe.skipIf(!openapiPresent)('replies about networks by the platform document', () => {
  let platform: Platform;
  let api: Driver;
  let droplet: Json;
  const advance = (span: string): Promise<unknown> => platform.post('/_emulator/clock', { advance: span });

  beforeAll(async () => {
    platform = await frozenPlatform();
    api = driver(platform);
    droplet = await activeDroplet(platform, { ipv6: true, backups: true, tags: ['contract'] });
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('reserved IPv4 addresses', async () => {
    await api.drive('GET', '/v2/reserved_ips?per_page=1&page=1');
    const { body } = await api.drive('POST', '/v2/reserved_ips', { region: 'nyc3' });
    const path = `/v2/reserved_ips/${body.reserved_ip.ip}`;
    await api.refuse('DELETE', path, 422);
    await advance('3s');
    await api.drive('POST', `${path}/actions`, { type: 'assign', droplet_id: droplet.id });
    await api.drive('GET', path);
    await advance('5s');
    expect((await api.drive('GET', path)).body.reserved_ip.droplet.id).toBe(droplet.id);
    await api.drive('GET', '/v2/reserved_ips');
    await api.drive('GET', `/v2/droplets/${droplet.id}`);
    await api.refuse('POST', `${path}/actions`, 422, { type: 'assign', droplet_id: droplet.id });
    const { body: begun } = await api.drive('POST', `${path}/actions`, { type: 'unassign' });
    await advance('5s');
    await api.drive('GET', `/v2/actions/${begun.action.id}`);
    await api.drive('POST', '/v2/reserved_ips', { droplet_id: droplet.id });
    await advance('5s');
    await api.drive('DELETE', path);
    await api.refuse('GET', path, 404);
    await api.refuse('GET', '/v2/reserved_ips?page=0', 422);
    await api.refuse('POST', '/v2/reserved_ips', 422, { region: 'moon1' });
  });

  test('reserved IPv6 addresses', async () => {
    const { body } = await api.drive('POST', '/v2/reserved_ipv6', { region_slug: 'nyc3' });
    const path = `/v2/reserved_ipv6/${encodeURIComponent(body.reserved_ipv6.ip)}`;
    await api.drive('GET', path);
    await api.drive('POST', `${path}/actions`, { type: 'assign', droplet_id: droplet.id });
    await advance('5s');
    expect((await api.drive('GET', path)).body.reserved_ipv6.droplet.id).toBe(droplet.id);
    await api.drive('GET', '/v2/reserved_ipv6');
    await api.refuse('DELETE', path, 422);
    await api.drive('POST', `${path}/actions`, { type: 'unassign' });
    await advance('5s');
    await api.refuse('POST', `${path}/actions`, 422, { type: 'unassign' });
    await api.drive('DELETE', path);
    await api.refuse('GET', path, 404);
    await api.refuse('GET', '/v2/reserved_ipv6?page=0', 422);
    await api.refuse('POST', '/v2/reserved_ipv6', 422, { region_slug: 'moon1' });
  });

  test('VPCs and their members', async () => {
    await api.drive('GET', '/v2/vpcs?per_page=1&page=2');
    const order = { name: 'env.prod-vpc', region: 'syd1', ip_range: '10.10.10.0/24', description: 'VPC for production' };
    await api.drive('POST', '/v2/vpcs', order);
    const { body } = await api.drive('POST', '/v2/vpcs', { name: 'second', region: 'syd1' });
    await api.drive('GET', `/v2/vpcs/${body.vpc.id}`);
    await api.drive('GET', `/v2/vpcs/${droplet.vpc_uuid}/members`);
    await api.drive('GET', `/v2/vpcs/${droplet.vpc_uuid}/members?resource_type=droplet&per_page=1`);
    await api.drive('DELETE', `/v2/vpcs/${body.vpc.id}`);
    await api.refuse('GET', `/v2/vpcs/${body.vpc.id}`, 404);
    await api.refuse('GET', `/v2/vpcs/${body.vpc.id}/members`, 404);
    await api.refuse('DELETE', `/v2/vpcs/${droplet.vpc_uuid}`, 403);
    await api.refuse('GET', '/v2/vpcs?page=0', 422);
    await api.refuse('POST', '/v2/vpcs', 422, order);
  });

  test('VPC peerings', async () => {
    const make = async (name: string): Promise<string> => (await platform.post('/v2/vpcs', { name, region: 'lon1' })).body.vpc.id;
    const vpcIds = [await make('one'), await make('other')];
    const order = { name: 'example-vpc-peering', vpc_ids: vpcIds };
    const { body } = await api.drive('POST', '/v2/vpc_peerings', order);
    const path = `/v2/vpc_peerings/${body.vpc_peering.id}`;
    await advance('30s');
    expect((await api.drive('GET', path)).body.vpc_peering.status).toBe('ACTIVE');
    await api.drive('GET', '/v2/vpc_peerings');
    await api.drive('GET', '/v2/vpc_peerings?region=lon1&per_page=1');
    await api.refuse('POST', '/v2/vpc_peerings', 422, { ...order, name: 'again' });
    await api.refuse('DELETE', `/v2/vpcs/${vpcIds[1]}`, 409);
    await api.drive('DELETE', path);
    await advance('30s');
    await api.refuse('GET', path, 404);
    await api.refuse('DELETE', path, 404);
    await api.refuse('GET', '/v2/vpc_peerings?page=0', 422);
  });

  test('BYOIP prefixes', async () => {
    const order = { prefix: '203.0.113.0/24', signature: 'c2lnbmVk', region: 'nyc3' };
    const { body } = await api.drive('POST', '/v2/byoip_prefixes', order);
    const path = `/v2/byoip_prefixes/${body.byoip_prefix.uuid}`;
    await api.drive('GET', path);
    await advance('1m');
    await api.drive('GET', path);
    await api.drive('GET', '/v2/byoip_prefixes?per_page=1');
    await api.drive('POST', '/v2/reserved_ips/203.0.113.2/actions', { type: 'assign', droplet_id: (await activeDroplet(platform)).id });
    await advance('5s');
    expect((await api.drive('GET', `${path}/ips`)).body.ips).toHaveLength(1);
    await api.refuse('DELETE', path, 422);
    await api.refuse('POST', '/v2/byoip_prefixes', 409, order);
    await api.drive('POST', '/v2/reserved_ips/203.0.113.2/actions', { type: 'unassign' });
    await advance('5s');
    await api.drive('DELETE', path);
    await advance('30s');
    await api.refuse('GET', path, 404);
    await api.refuse('GET', `${path}/ips`, 404);
    await api.refuse('GET', '/v2/byoip_prefixes?page=0', 422);
    await api.refuse('DELETE', `/v2/byoip_prefixes/${UNKNOWN}`, 404);
  });

  test('every operation succeeded and was refused', () => {
    expect(api.missed(SERVED)).toEqual([]);
  });
});
