import { describe, expect, test } from 'vitest';
import { policyTypes } from '../../lib/emulator/resources/alert-policies/types.ts';
import { policyBody as cpuPolicyBody } from './alerting.ts';
import { activeDroplet, frozenPlatform, type Json, type Platform } from './platform.ts';

const policyBody = (changes: Record<string, unknown> = {}): Record<string, unknown> => cpuPolicyBody({ tags: ['production'], ...changes });

async function madePolicy(platform: Platform, changes: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await platform.post('/v2/monitoring/alerts', policyBody(changes));
  expect([status, body.message]).toEqual([200, undefined]);
  return body.policy;
}

const policyOf = async (platform: Platform, { uuid }: Json): Promise<Json> =>
  (await platform.get(`/v2/monitoring/alerts/${uuid}`)).body.policy;

describe('an alert policy', () => {
  test('is made, read, replaced whole and deleted', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const policy = await madePolicy(platform, { entities: [String(droplet.id)] });
    expect(policy).toEqual({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), ...policyBody({ entities: [String(droplet.id)] }) });
    expect(await policyOf(platform, policy)).toEqual(policy);
    expect((await platform.get('/v2/monitoring/alerts')).body.policies[0]).toEqual(policy);
    const body = policyBody({ type: 'v1/insights/droplet/load_5', value: 250, window: '1h', tags: [], alerts: { email: [], slack: [] } });
    const replaced = await platform.put(`/v2/monitoring/alerts/${policy.uuid}`, body);
    expect([replaced.status, replaced.body.policy]).toEqual([200, { uuid: policy.uuid, ...body }]);
    expect((await platform.del(`/v2/monitoring/alerts/${policy.uuid}`)).status).toBe(204);
    for (const [method, sent] of [['GET'], ['PUT', body], ['DELETE']] as const) {
      expect((await platform.call(method, `/v2/monitoring/alerts/${policy.uuid}`, sent)).status, method).toBe(404);
    }
  });

  test('can be of each of the 36 types', async () => {
    await using platform = await frozenPlatform();
    expect(policyTypes.size).toBe(36);
    for (const type of policyTypes.keys()) {
      expect(await madePolicy(platform, { type, value: 12.5 })).toMatchObject({ type, value: 12.5 });
    }
  });

  test.each(['type', 'description', 'compare', 'value', 'window', 'entities', 'tags', 'alerts', 'enabled'])(
    'is refused without %s',
    async (field) => {
      await using platform = await frozenPlatform();
      const policy = await madePolicy(platform);
      const refused = await platform.post('/v2/monitoring/alerts', policyBody({ [field]: undefined }));
      expect([refused.status, refused.body.message]).toEqual([422, `${field} is required.`]);
      expect((await platform.put(`/v2/monitoring/alerts/${policy.uuid}`, policyBody({ [field]: undefined }))).status).toBe(422);
      expect(await policyOf(platform, policy)).toEqual(policy);
    },
  );

  test.each([
    ['an unknown type', { type: 'v1/insights/droplet/mood' }],
    ['an empty description', { description: '' }],
    ['an unknown comparison', { compare: 'greater_than' }],
    ['an unknown window', { window: '7m' }],
    ['more than 100 percent', { value: 100.5 }],
    ['less than nothing', { value: -1 }],
    ['less than nothing of a load', { type: 'v1/insights/droplet/load_1', value: -1 }],
    ['a value in words', { value: '80' }],
    ['an entity that is no droplet', { entities: ['192018292'] }],
    ['an entity that is no id', { entities: ['web-01'] }],
    ['an entity that is a number', { entities: [5] }],
    ['a cluster that is none', { type: 'v1/dbaas/alerts/cpu_alerts', entities: ['9cc10173-e9ea-4176-9dbc-a4cee4c4ff30'] }],
    ['a load balancer that is none', { type: 'v1/insights/lbaas/droplet_health', entities: ['4de7ac8b-495b-4884-9a69-1050c6793cd6'] }],
    ['entities that are no list', { entities: '5' }],
    ['a tag that can be none', { tags: ['a b'] }],
    ['enabled in words', { enabled: 'yes' }],
    ['recipients without slack', { alerts: { email: [] } }],
    ['an email that is none', { alerts: { email: ['ops'], slack: [] } }],
    ['an unknown field', { colour: 'red' }],
  ])('is refused with %s', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const { total } = (await platform.get('/v2/monitoring/alerts')).body.meta;
    const refused = await platform.post('/v2/monitoring/alerts', policyBody(changes));
    expect([refused.status, refused.body.id]).toEqual([422, 'unprocessable_entity']);
    expect((await platform.get('/v2/monitoring/alerts')).body.meta.total).toBe(total);
  });

  test('takes no number that is beyond all numbers', async () => {
    await using platform = await frozenPlatform();
    const body = JSON.stringify(policyBody({ type: 'v1/insights/droplet/load_1' })).replace('"value":80', '"value":1e999');
    const answer = await platform.post('/v2/monitoring/alerts', body);
    expect([answer.status, answer.body.message]).toEqual([422, 'value must be a number from 0.']);
  });

  test('takes any number that is no percentage', async () => {
    await using platform = await frozenPlatform();
    expect((await madePolicy(platform, { type: 'v1/insights/droplet/public_inbound_bandwidth', value: 5000 })).value).toBe(5000);
    expect((await madePolicy(platform, { value: 0 })).value).toBe(0);
    expect((await madePolicy(platform, { value: 100 })).value).toBe(100);
  });

  test('of everything has neither entities nor tags', async () => {
    await using platform = await frozenPlatform();
    expect(await madePolicy(platform, { entities: [], tags: [] })).toMatchObject({ entities: [], tags: [], enabled: true });
  });
});

describe('a policy whose droplet is deleted', () => {
  test('watches the others that it names', async () => {
    await using platform = await frozenPlatform();
    const [one, other] = [await activeDroplet(platform), await activeDroplet(platform)];
    const policy = await madePolicy(platform, { entities: [String(one.id), String(other.id)], tags: [] });
    await platform.del(`/v2/droplets/${one.id}`);
    expect(await policyOf(platform, policy)).toEqual({ ...policy, entities: [String(other.id)] });
  });

  test('is disabled when it names no other, instead of watching everything', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const alone = await madePolicy(platform, { entities: [String(droplet.id)], tags: [] });
    const withTag = await madePolicy(platform, { entities: [String(droplet.id)], tags: ['web'] });
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect(await policyOf(platform, alone)).toEqual({ ...alone, entities: [], enabled: false });
    expect(await policyOf(platform, withTag)).toEqual({ ...withTag, entities: [] });
  });

  test('is left alone when it was told to watch another before', async () => {
    await using platform = await frozenPlatform();
    const [one, other] = [await activeDroplet(platform), await activeDroplet(platform)];
    const { uuid, ...policy } = await madePolicy(platform, { entities: [String(one.id)], tags: [] });
    await platform.put(`/v2/monitoring/alerts/${uuid}`, { ...policy, entities: [String(other.id)] });
    await platform.del(`/v2/droplets/${one.id}`);
    expect(await policyOf(platform, { uuid })).toEqual({ uuid, ...policy, entities: [String(other.id)] });
    await platform.put(`/v2/monitoring/alerts/${uuid}`, { ...policy, entities: [] });
    await platform.del(`/v2/droplets/${other.id}`);
    expect(await policyOf(platform, { uuid })).toEqual({ uuid, ...policy, entities: [] });
  });
});

test('a policy on load balancers or databases names those that exist, and is left by those that go', async () => {
  await using platform = await frozenPlatform();
  const rule = { entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 80 };
  const balancer = await platform.post('/v2/load_balancers', { name: 'front', region: 'nyc3', tag: 'web', forwarding_rules: [rule] });
  const order = { name: 'watched', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-1vcpu-1gb', num_nodes: 1 };
  const cluster = await platform.post('/v2/databases', order);
  const ids: readonly string[] = [balancer.body.load_balancer.id, cluster.body.database.id];
  const [onBalancer, onCluster] = [
    await madePolicy(platform, { type: 'v1/insights/lbaas/avg_cpu_utilization_percent', entities: [ids[0]], tags: [] }),
    await madePolicy(platform, { type: 'v1/dbaas/alerts/disk_utilization_alerts', entities: [ids[1]], tags: [] }),
  ];
  const mistaken = policyBody({ type: 'v1/dbaas/alerts/disk_utilization_alerts', entities: [ids[0]] });
  expect((await platform.post('/v2/monitoring/alerts', mistaken)).status).toBe(422);

  await platform.post('/_emulator/clock', { advance: '10m' });
  expect((await platform.del(`/v2/load_balancers/${ids[0]}`)).status).toBe(204);
  expect((await platform.del(`/v2/databases/${ids[1]}`)).status).toBe(204);
  expect(await policyOf(platform, onBalancer)).toEqual({ ...onBalancer, entities: [], enabled: false });
  expect(await policyOf(platform, onCluster)).toEqual({ ...onCluster, entities: [], enabled: false });
});

test('a tag that is deleted leaves the policies that name it', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/v2/tags', { name: 'short' });
  const both = await madePolicy(platform, { tags: ['short', 'web'] });
  const alone = await madePolicy(platform, { tags: ['short'] });
  await platform.del('/v2/tags/short');
  expect(await policyOf(platform, both)).toEqual({ ...both, tags: ['web'] });
  expect(await policyOf(platform, alone)).toEqual({ ...alone, tags: [], enabled: false });
});
