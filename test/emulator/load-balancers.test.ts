import { describe, expect, test } from 'vitest';
import { activeBalancer, activeDroplet, balancerBody, emptyPlatform, HTTP_RULE, type Json, type Platform } from './platform.ts';

async function look(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/load_balancers/${id}`)).body.load_balancer;
}

describe('a load balancer', () => {
  test('is new without an address, with every default, then active with one', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { status, body } = await platform.post('/v2/load_balancers', balancerBody({ droplet_ids: [droplet.id, droplet.id] }));
    const made = body.load_balancer;
    expect(status).toBe(202);
    expect(made).toEqual({
      id: made.id,
      name: 'lb',
      project_id: made.project_id,
      ip: '',
      size: 'lb-small',
      size_unit: 1,
      algorithm: 'round_robin',
      status: 'new',
      created_at: '2026-02-10T12:00:45Z',
      forwarding_rules: [{ ...HTTP_RULE, certificate_id: '', tls_passthrough: false }],
      health_check: {
        protocol: 'http',
        port: 80,
        path: '/',
        check_interval_seconds: 10,
        response_timeout_seconds: 5,
        healthy_threshold: 3,
        unhealthy_threshold: 5,
      },
      sticky_sessions: { type: 'none' },
      redirect_http_to_https: false,
      enable_proxy_protocol: false,
      enable_backend_keepalive: false,
      http_idle_timeout_seconds: 60,
      vpc_uuid: droplet.vpc_uuid,
      disable_lets_encrypt_dns_records: false,
      firewall: { deny: [], allow: [] },
      network: 'EXTERNAL',
      network_stack: 'IPV4',
      type: 'REGIONAL',
      tls_cipher_policy: 'DEFAULT',
      tag: '',
      region: expect.objectContaining({ slug: 'nyc3', name: 'New York 3', available: true }),
      droplet_ids: [droplet.id],
    });
    await platform.post('/_emulator/clock', { advance: '59s' });
    expect((await look(platform, made.id)).status).toBe('new');
    await platform.post('/_emulator/clock', { advance: '1s' });
    const active = await look(platform, made.id);
    expect(active).toEqual({ ...made, status: 'active', ip: active.ip });
    expect(active.ip).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(active.ip).not.toBe(droplet.networks.v4[0].ip_address);
  });

  test('is a member of its VPC under its name, and leaves it', async () => {
    await using platform = await emptyPlatform();
    const made = await activeBalancer(platform);
    const path = `/v2/vpcs/${made.vpc_uuid}/members?resource_type=loadbalancer`;
    const member = { urn: `do:loadbalancer:${made.id}`, name: 'lb', created_at: made.created_at };
    expect((await platform.get(path)).body.members).toEqual([member]);
    await platform.put(`/v2/load_balancers/${made.id}`, { ...made, name: 'renamed' });
    expect((await platform.get(path)).body.members).toEqual([{ ...member, name: 'renamed' }]);
    await platform.del(`/v2/load_balancers/${made.id}`);
    expect((await platform.get(path)).body.members).toEqual([]);
  });

  test('keeps a VPC from being deleted', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/vpcs', { name: 'first', region: 'nyc3' });
    const { vpc } = (await platform.post('/v2/vpcs', { name: 'second', region: 'nyc3' })).body;
    const made = await activeBalancer(platform, { vpc_uuid: vpc.id });
    expect((await platform.del(`/v2/vpcs/${vpc.id}`)).status).toBe(409);
    await platform.del(`/v2/load_balancers/${made.id}`);
    expect((await platform.del(`/v2/vpcs/${vpc.id}`)).status).toBe(204);
  });

  test('costs by its nodes, until it is deleted', async () => {
    await using platform = await emptyPlatform();
    const usage = async (): Promise<number> => Number((await platform.get('/v2/customers/my/balance')).body.month_to_date_usage);
    const { id } = await activeBalancer(platform, { size_unit: 3 });
    await platform.post('/_emulator/clock', { advance: '100h' });
    const expected = (3 * 12 * 101) / 672;
    expect(await usage()).toBeCloseTo(expected, 1);
    await platform.del(`/v2/load_balancers/${id}`);
    const after = await usage();
    await platform.post('/_emulator/clock', { advance: '50h' });
    expect(await usage()).toBe(after);
  });

  test('gives its address back', async () => {
    await using platform = await emptyPlatform();
    const first = await activeBalancer(platform);
    await platform.del(`/v2/load_balancers/${first.id}`);
    expect((await platform.get(`/v2/load_balancers/${first.id}`)).status).toBe(404);
    expect((await activeBalancer(platform)).ip).toBe(first.ip);
  });

  test('has an address of its VPC when it is internal, and of both kinds with two stacks', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const internal = await activeBalancer(platform, { name: 'inside', network: 'INTERNAL' });
    const both = await activeBalancer(platform, { name: 'both', network_stack: 'DUALSTACK' });
    expect(internal.ip.split('.').slice(0, 2)).toEqual(droplet.networks.v4[1].ip_address.split('.').slice(0, 2));
    expect(internal).not.toHaveProperty('ipv6');
    expect(both.ipv6).toMatch(/^2001:db8:/);
    expect((await activeDroplet(platform)).networks.v4[1].ip_address).not.toBe(internal.ip);
  });

  test('ends errored when a fault says so', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/_emulator/faults', { action: 'errored', type: 'load_balancer', times: 1 });
    expect(await activeBalancer(platform)).toMatchObject({ status: 'errored', ip: '' });
  });

  test.each([
    ['no name', { name: undefined }],
    ['a name with a blank', { name: 'my lb' }],
    ['no region', { region: undefined }],
    ['a closed region', { region: 'sfo1' }],
    ['a VPC of another region', { vpc_uuid: 'foreign' }],
    ['a VPC that is not there', { vpc_uuid: '4de7ac8b-495b-4884-9a69-1050c6793cd6' }],
    ['neither droplets nor a tag', { droplet_ids: undefined }],
    ['both droplets and a tag', { droplet_ids: 'mine', tag: 'web' }],
    ['a droplet that is not there', { droplet_ids: [1] }],
    ['a droplet of another region', { droplet_ids: 'foreign' }],
    ['droplet ids that are texts', { droplet_ids: ['1'] }],
    ['a tag that can be none', { droplet_ids: undefined, tag: 'a b' }],
    ['no rules', { forwarding_rules: [] }],
    ['an unknown type', { type: 'LOCAL' }],
    ['an internal one with two stacks', { network: 'INTERNAL', network_stack: 'DUALSTACK' }],
    ['no nodes', { size_unit: 0 }],
    ['a hundred and one nodes', { size_unit: 101 }],
    ['an unknown size', { size: 'lb-huge' }],
    ['an unknown algorithm', { algorithm: 'random' }],
    ['an idle timeout of 29 seconds', { http_idle_timeout_seconds: 29 }],
    ['a project that is none', { project_id: 'mine' }],
    ['an unknown field', { colour: 'red' }],
    ['a flag that is a text', { redirect_http_to_https: 'true' }],
    ['a health check by udp', { health_check: { protocol: 'udp' } }],
    ['a health check on no port', { health_check: { port: 0 } }],
    ['a health check of a path without a slash', { health_check: { path: 'health' } }],
    ['a health check with an unknown field', { health_check: { colour: 'red' } }],
    ['cookies without a name', { sticky_sessions: { type: 'cookies', cookie_ttl_seconds: 5 } }],
    ['cookies without a life', { sticky_sessions: { type: 'cookies', cookie_name: 'x' } }],
    ['an access rule without a kind', { firewall: { deny: ['1.2.3.4'] } }],
    ['an access rule with a network as an address', { firewall: { allow: ['ip:1.2.0.0/16'] } }],
    ['settings of a global one', { glb_settings: { target_protocol: 'http', target_port: 80 } }],
    ['targets of a global one', { target_load_balancer_ids: ['4de7ac8b-495b-4884-9a69-1050c6793cd6'] }],
  ])('is refused for %s, and nothing is stored', async (_what, changes: Record<string, unknown>) => {
    await using platform = await emptyPlatform();
    const mine = await activeDroplet(platform);
    const foreign = await activeDroplet(platform, { region: 'fra1' });
    const droplets: Json = { mine: [mine.id], foreign: [foreign.id] };
    const body = {
      ...balancerBody(changes),
      ...(typeof changes.droplet_ids === 'string' ? { droplet_ids: droplets[changes.droplet_ids] } : {}),
      ...(changes.vpc_uuid === 'foreign' ? { vpc_uuid: foreign.vpc_uuid } : {}),
    };
    const { status, body: answer } = await platform.post('/v2/load_balancers', body);
    expect([status, answer.id]).toEqual([422, 'unprocessable_entity']);
    expect((await platform.get('/v2/load_balancers')).body.meta.total).toBe(0);
    expect((await platform.get('/v2/tags')).body.meta.total).toBe(0);
  });

  test('has a name of its own', async () => {
    await using platform = await emptyPlatform();
    await activeBalancer(platform);
    expect((await platform.post('/v2/load_balancers', balancerBody())).status).toBe(422);
  });

  test('that is not there is not found', async () => {
    await using platform = await emptyPlatform();
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['DELETE', '/cache'],
      ['POST', '/droplets'],
      ['DELETE', '/droplets'],
      ['POST', '/forwarding_rules'],
      ['DELETE', '/forwarding_rules'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      expect((await platform.call(method, `/v2/load_balancers/none${path}`, body)).status, `${method} ${path}`).toBe(404);
    }
  });
});
