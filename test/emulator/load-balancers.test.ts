import { describe, expect, test } from 'vitest';
import { customBody } from './certificate-files.ts';
import { activeBalancer, activeDroplet, balancerBody, frozenPlatform, HTTP_RULE, type Json, type Platform } from './platform.ts';

async function emptyPlatform(): Promise<Platform> {
  const platform = await frozenPlatform();
  await platform.post('/_emulator/reset', { seed: 'empty' });
  return platform;
}

async function look(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/load_balancers/${id}`)).body.load_balancer;
}

/** The whole of a load balancer as a request takes it: a tag stands for its droplets. */
function representation(balancer: Json): Json {
  return balancer.tag === '' ? balancer : { ...balancer, droplet_ids: undefined };
}

const BUSY = "Load Balancer can't be updated while it processes previous actions";

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
    await platform.put(`/v2/load_balancers/${made.id}`, { ...representation(made), name: 'renamed' });
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

describe('an update', () => {
  test('replaces everything: what it does not name is the default again', async () => {
    await using platform = await emptyPlatform();
    const before = await activeBalancer(platform, {
      size_unit: 3,
      algorithm: 'least_connections',
      health_check: { protocol: 'tcp', port: 8080, healthy_threshold: 4 },
      sticky_sessions: { type: 'cookies', cookie_name: 'DO-LB', cookie_ttl_seconds: 300 },
      redirect_http_to_https: true,
      enable_proxy_protocol: true,
      enable_backend_keepalive: true,
      http_idle_timeout_seconds: 90,
      disable_lets_encrypt_dns_records: true,
      firewall: { deny: ['cidr:1.2.0.0/16'], allow: ['ip:2001:db8::1'] },
      tls_cipher_policy: 'STRONG',
    });
    expect(before).toMatchObject({
      size: 'lb-medium',
      health_check: { protocol: 'tcp', path: '' },
      firewall: { allow: ['ip:2001:db8::1'] },
    });
    const { status, body } = await platform.put(`/v2/load_balancers/${before.id}`, balancerBody());
    expect(status).toBe(200);
    const fresh = await activeBalancer(platform, { name: 'other' });
    const same = { id: before.id, name: before.name, ip: before.ip, created_at: before.created_at };
    expect(body.load_balancer).toEqual({ ...fresh, ...same });
  });

  test('takes back the whole that a look gave, region object and all, and changes nothing by it', async () => {
    await using platform = await emptyPlatform();
    await activeDroplet(platform, { tags: ['web'] });
    const before = await activeBalancer(platform, { tag: 'web', droplet_ids: undefined, size_unit: 2 });
    const { status, body } = await platform.put(`/v2/load_balancers/${before.id}`, representation(before));
    expect([status, body.load_balancer]).toEqual([200, before]);
  });

  test('is refused while the load balancer is new, or another update is in progress', async () => {
    await using platform = await emptyPlatform();
    const { id } = (await platform.post('/v2/load_balancers', balancerBody())).body.load_balancer;
    const path = `/v2/load_balancers/${id}`;
    const attempts = async (): Promise<Json> => [
      await platform.put(path, balancerBody()),
      await platform.post(`${path}/droplets`, { droplet_ids: [1] }),
      await platform.del(`${path}/droplets`, { droplet_ids: [1] }),
      await platform.post(`${path}/forwarding_rules`, { forwarding_rules: [HTTP_RULE] }),
      await platform.del(`${path}/forwarding_rules`, { forwarding_rules: [HTTP_RULE] }),
    ];
    for (const { status, body } of await attempts()) {
      expect([status, body.id, body.message]).toEqual([403, 'forbidden', BUSY]);
    }
    await platform.post('/_emulator/clock', { advance: '60s' });
    expect((await platform.put(path, balancerBody())).status).toBe(200);
    for (const { status } of await attempts()) {
      expect(status).toBe(403);
    }
    await platform.post('/_emulator/clock', { advance: '3s' });
    expect((await platform.put(path, balancerBody({ size_unit: 2 }))).body.load_balancer.size_unit).toBe(2);
    expect((await platform.del(path)).status).toBe(204);
    await platform.post('/_emulator/clock', { advance: '1m' });
    expect((await platform.get('/v2/load_balancers')).body.meta.total).toBe(0);
  });

  test.each([
    ['its type', { type: 'REGIONAL_NETWORK' }],
    ['its region', { region: 'fra1' }],
    ['its network', { network: 'INTERNAL' }],
    ['its network stack', { network_stack: 'DUALSTACK' }],
    ['its VPC', { vpc_uuid: '4de7ac8b-495b-4884-9a69-1050c6793cd6' }],
    ['nothing, with a rule that is wrong', { forwarding_rules: [{ ...HTTP_RULE, entry_port: 0 }] }],
  ])('can not change %s', async (_what, changes) => {
    await using platform = await emptyPlatform();
    const before = await activeBalancer(platform);
    expect((await platform.put(`/v2/load_balancers/${before.id}`, balancerBody(changes))).status).toBe(422);
    expect(await look(platform, before.id)).toEqual(before);
  });

  test('goes over from droplets to a tag, and back to none', async () => {
    await using platform = await emptyPlatform();
    const one = await activeDroplet(platform);
    const two = await activeDroplet(platform, { tags: ['web'] });
    const { id } = await activeBalancer(platform, { droplet_ids: [one.id] });
    const tagged = await platform.put(`/v2/load_balancers/${id}`, balancerBody({ droplet_ids: undefined, tag: 'web' }));
    expect(tagged.body.load_balancer).toMatchObject({ tag: 'web', droplet_ids: [two.id] });
    await platform.post('/_emulator/clock', { advance: '3s' });
    const bare = await platform.put(`/v2/load_balancers/${id}`, balancerBody());
    expect(bare.body.load_balancer).toMatchObject({ tag: '', droplet_ids: [] });
  });
});

describe('the droplets behind a load balancer', () => {
  test('are added and removed one by one, and lose what is deleted', async () => {
    await using platform = await emptyPlatform();
    const [one, two] = [await activeDroplet(platform), await activeDroplet(platform)];
    const { id } = await activeBalancer(platform, { droplet_ids: [one.id] });
    const path = `/v2/load_balancers/${id}/droplets`;
    expect((await platform.post(path, { droplet_ids: [two.id, one.id] })).status).toBe(204);
    expect((await look(platform, id)).droplet_ids).toEqual([one.id, two.id]);
    expect((await platform.del(path, { droplet_ids: [one.id, 77] })).status).toBe(204);
    expect((await look(platform, id)).droplet_ids).toEqual([two.id]);
    await platform.del(`/v2/droplets/${two.id}`);
    expect((await look(platform, id)).droplet_ids).toEqual([]);
  });

  test('are refused one by one when they are unknown, elsewhere, none, or chosen by a tag', async () => {
    await using platform = await emptyPlatform();
    const foreign = await activeDroplet(platform, { region: 'fra1', tags: ['web'] });
    const { id } = await activeBalancer(platform);
    const path = `/v2/load_balancers/${id}/droplets`;
    for (const body of [{ droplet_ids: [1] }, { droplet_ids: [foreign.id] }, { droplet_ids: 'all' }, { tag: 'web' }]) {
      expect((await platform.post(path, body)).status, JSON.stringify(body)).toBe(422);
    }
    const none = await platform.post(path, { droplet_ids: [] });
    expect([none.status, none.body.message]).toEqual([422, 'need to provide either a tag or a list of droplets']);
    const tagged = await activeBalancer(platform, { name: 'tagged', tag: 'web', droplet_ids: undefined });
    const own = await activeDroplet(platform);
    expect((await platform.post(`/v2/load_balancers/${tagged.id}/droplets`, { droplet_ids: [own.id] })).status).toBe(422);
    expect((await platform.del(`/v2/load_balancers/${tagged.id}/droplets`, { droplet_ids: [own.id] })).status).toBe(422);
  });

  test('follow a tag within the region and the VPC, and are none when the tag is deleted', async () => {
    await using platform = await emptyPlatform();
    const one = await activeDroplet(platform, { tags: ['web'] });
    await activeDroplet(platform, { tags: ['web'], region: 'fra1' });
    const { id } = await activeBalancer(platform, { tag: 'web', droplet_ids: undefined });
    const members = async (): Promise<Json> => (await look(platform, id)).droplet_ids;
    expect(await members()).toEqual([one.id]);
    const two = await activeDroplet(platform);
    await platform.post('/v2/tags/web/resources', { resources: [{ resource_id: String(two.id), resource_type: 'droplet' }] });
    expect(await members()).toEqual([one.id, two.id]);
    await platform.del(`/v2/droplets/${one.id}`);
    expect(await members()).toEqual([two.id]);
    await platform.del('/v2/tags/web');
    expect(await look(platform, id)).toMatchObject({ tag: '', droplet_ids: [] });
  });

  test('may be named before any droplet has the tag', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeBalancer(platform, { tag: 'later', droplet_ids: undefined });
    const droplet = await activeDroplet(platform, { tags: ['later'] });
    expect((await look(platform, id)).droplet_ids).toEqual([droplet.id]);
  });
});

describe('a forwarding rule', () => {
  const rule = (entry: string, entry_port: number, target: string, more: Record<string, unknown> = {}) => ({
    entry_protocol: entry,
    entry_port,
    target_protocol: target,
    target_port: 8080,
    ...more,
  });

  test.each([
    ['http to http', [rule('http', 80, 'http')]],
    ['https with a certificate', [rule('https', 443, 'http', { certificate_id: 'mine' })]],
    [
      'http3 beside https on one port',
      [rule('https', 443, 'http', { certificate_id: 'mine' }), rule('http3', 443, 'http', { certificate_id: 'mine' })],
    ],
    ['https passed through', [rule('https', 443, 'https', { tls_passthrough: true })]],
    ['tcp and udp on one port', [rule('tcp', 53, 'tcp'), rule('udp', 53, 'udp')]],
  ])('is taken for %s', async (_what, rules) => {
    await using platform = await emptyPlatform();
    const { certificate } = (await platform.post('/v2/certificates', customBody())).body;
    const forwarding_rules = rules.map((each: Json) =>
      each.certificate_id === 'mine' ? { ...each, certificate_id: certificate.id } : each,
    );
    expect((await activeBalancer(platform, { forwarding_rules })).forwarding_rules).toMatchObject(forwarding_rules);
  });

  test.each([
    ['an unknown entry protocol', [rule('ftp', 21, 'tcp')]],
    ['an unknown target protocol', [rule('https', 443, 'http3', { tls_passthrough: true })]],
    ['no target port', [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http' }]],
    ['a port beyond the last', [rule('http', 65536, 'http')]],
    ['a port that is a text', [{ ...rule('http', 80, 'http'), entry_port: '80' }]],
    ['two rules on one port', [rule('http', 80, 'http'), rule('tcp', 80, 'tcp')]],
    ['https without a certificate', [rule('https', 443, 'http')]],
    ['http2 without a certificate', [rule('http2', 443, 'http')]],
    ['http3 without a certificate', [rule('http3', 443, 'http')]],
    ['a certificate that is not there', [rule('https', 443, 'http', { certificate_id: '892071a0-bb95-49bc-8021-3afd67a210bf' })]],
    ['a certificate on http', [rule('http', 80, 'http', { certificate_id: '892071a0-bb95-49bc-8021-3afd67a210bf' })]],
    ['https passed through to http', [rule('https', 443, 'http', { tls_passthrough: true })]],
    ['udp to tcp', [rule('udp', 53, 'tcp')]],
    ['http to udp', [rule('http', 80, 'udp')]],
    ['tcp to http', [rule('tcp', 80, 'http')]],
    ['an unknown field', [rule('http', 80, 'http', { colour: 'red' })]],
  ])('is refused for %s', async (_what, forwarding_rules) => {
    await using platform = await emptyPlatform();
    expect((await platform.post('/v2/load_balancers', balancerBody({ forwarding_rules }))).status).toBe(422);
  });

  test('is tcp or udp on a network load balancer', async () => {
    await using platform = await emptyPlatform();
    expect((await platform.post('/v2/load_balancers', balancerBody({ type: 'REGIONAL_NETWORK' }))).status).toBe(422);
    const made = await activeBalancer(platform, { type: 'REGIONAL_NETWORK', forwarding_rules: [rule('udp', 53, 'udp')] });
    expect(made.type).toBe('REGIONAL_NETWORK');
  });

  test('is added and removed, but never the last one', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeBalancer(platform);
    const path = `/v2/load_balancers/${id}/forwarding_rules`;
    const tcp = rule('tcp', 5432, 'tcp');
    expect((await platform.post(path, { forwarding_rules: [tcp] })).status).toBe(204);
    expect((await platform.post(path, { forwarding_rules: [tcp] })).status).toBe(422);
    expect((await platform.post(path, { forwarding_rules: [] })).status).toBe(422);
    expect((await look(platform, id)).forwarding_rules).toHaveLength(2);
    expect((await platform.del(path, { forwarding_rules: [rule('tcp', 1, 'tcp')] })).status).toBe(204);
    expect((await platform.del(path, { forwarding_rules: [HTTP_RULE] })).status).toBe(204);
    expect((await look(platform, id)).forwarding_rules).toMatchObject([tcp]);
    expect((await platform.del(path, { forwarding_rules: [tcp] })).status).toBe(422);
    expect((await look(platform, id)).forwarding_rules).toMatchObject([tcp]);
  });

  test('keeps its certificate from being deleted, until no rule shows it', async () => {
    await using platform = await emptyPlatform();
    const { certificate } = (await platform.post('/v2/certificates', customBody())).body;
    const https = rule('https', 443, 'http', { certificate_id: certificate.id });
    const { id } = await activeBalancer(platform, { forwarding_rules: [HTTP_RULE, https] });
    const held = await platform.del(`/v2/certificates/${certificate.id}`);
    expect([held.status, held.body.id]).toEqual([403, 'forbidden']);
    await platform.del(`/v2/load_balancers/${id}/forwarding_rules`, { forwarding_rules: [https] });
    await platform.post(`/v2/load_balancers/${id}/forwarding_rules`, { forwarding_rules: [https] });
    expect((await platform.del(`/v2/certificates/${certificate.id}`)).status).toBe(403);
    await platform.del(`/v2/load_balancers/${id}`);
    expect((await platform.del(`/v2/certificates/${certificate.id}`)).status).toBe(204);
  });
});
