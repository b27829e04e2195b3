import { describe, expect, test } from 'vitest';
import { activeBalancer, activeDroplet, balancerBody, emptyPlatform, HTTP_RULE, type Json, type Platform } from './platform.ts';

async function look(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/load_balancers/${id}`)).body.load_balancer;
}

/** The whole of a load balancer as a request takes it: a tag stands for its droplets. */
function representation(balancer: Json): Json {
  return balancer.tag === '' ? balancer : { ...balancer, droplet_ids: undefined };
}

const BUSY = "Load Balancer can't be updated while it processes previous actions";

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
