import { describe, expect, test } from 'vitest';
import { later, withCluster } from './database-cluster.ts';
import { activeDroplet, type Json } from './platform.ts';

describe('firewall rules', () => {
  test('are replaced together; what stays keeps its uuid and age', async () => {
    await using made = await withCluster();
    const { platform, path, cluster } = made;
    const droplet = await activeDroplet(platform, { tags: ['web'] });
    const rules = [
      { type: 'ip_addr', value: '203.0.113.0/24', description: 'The office' },
      { type: 'droplet', value: String(droplet.id) },
      { type: 'tag', value: 'web' },
      { type: 'k8s', value: 'ff2a6c52-5a44-4b63-b99c-0e98e7a63d61' },
    ];
    const put = await platform.put(`${path}/firewall`, { rules });
    expect([put.status, put.body]).toEqual([204, undefined]);
    const first = (await platform.get(`${path}/firewall`)).body.rules;
    expect(first).toEqual(
      rules.map((rule) => ({
        ...rule,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        cluster_uuid: cluster.id,
        created_at: expect.any(String),
      })),
    );
    await later(platform, '1h');
    const uuid = '0f1e2d3c-1111-4222-8333-444455556666';
    const next = [{ type: 'ip_addr', value: '198.51.100.1' }, first[0], { type: 'app', value: uuid, uuid }, { type: 'tag', value: 'web' }];
    expect((await platform.put(`${path}/firewall`, { rules: next })).status).toBe(204);
    const second = (await platform.get(`${path}/firewall`)).body.rules;
    expect(second[1]).toEqual(first[0]);
    expect(second[2].uuid).toBe(uuid);
    expect(second[3]).toEqual(first[2]);
    expect(second[0].created_at).not.toBe(first[0].created_at);
    await platform.put(`${path}/firewall`, { rules: [] });
    expect((await platform.get(`${path}/firewall`)).body).toEqual({ rules: [] });
  });

  test('have a uuid each, also where one takes that of another', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const [office, home] = [
      { type: 'ip_addr', value: '203.0.113.7' },
      { type: 'ip_addr', value: '198.51.100.1' },
    ];
    await platform.put(`${path}/firewall`, { rules: [office] });
    const [{ uuid }] = (await platform.get(`${path}/firewall`)).body.rules;
    expect((await platform.put(`${path}/firewall`, { rules: [office, { ...home, uuid }] })).status).toBe(204);
    const { rules } = (await platform.get(`${path}/firewall`)).body;
    expect(rules[1]).toMatchObject({ ...home, uuid });
    expect(rules[0].uuid).not.toBe(uuid);
    const { status, body } = await platform.put(`${path}/firewall`, {
      rules: [
        { ...office, uuid },
        { ...home, uuid },
      ],
    });
    expect([status, body.message]).toEqual([422, 'two firewall rules have the same uuid']);
    expect((await platform.get(`${path}/firewall`)).body.rules).toEqual(rules);
  });

  test('lose the droplet or tag that is deleted', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const droplet = await activeDroplet(platform, { tags: ['web'] });
    const rules = [
      { type: 'droplet', value: String(droplet.id) },
      { type: 'tag', value: 'web' },
      { type: 'ip_addr', value: '203.0.113.7' },
    ];
    await platform.put(`${path}/firewall`, { rules });
    const types = async () => (await platform.get(`${path}/firewall`)).body.rules.map((rule: Json) => rule.type);
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect(await types()).toEqual(['tag', 'ip_addr']);
    await platform.del('/v2/tags/web');
    expect(await types()).toEqual(['ip_addr']);
  });

  test.each<[string, unknown, string]>([
    ['an IPv6 address', [{ type: 'ip_addr', value: '2001:db8::1' }], 'a firewall rule has to name an IPv4 address or network'],
    ['an address that is none', [{ type: 'ip_addr', value: '203.0.113.256' }], 'a firewall rule has to name an IPv4 address or network'],
    ['a Droplet that is not there', [{ type: 'droplet', value: '12' }], 'a firewall rule names a Droplet that does not exist'],
    ['a tag that is not there', [{ type: 'tag', value: 'none' }], 'a firewall rule names a tag that does not exist'],
    ['an app without UUID', [{ type: 'app', value: 'shop' }], 'a firewall rule for a Kubernetes cluster or an app has to name its UUID'],
    ['an unknown type', [{ type: 'instance', value: '12' }], 'type must be one of droplet, k8s, ip_addr, tag, app.'],
    ['no value', [{ type: 'ip_addr' }], 'value is required.'],
    [
      'a rule twice',
      [
        { type: 'ip_addr', value: '203.0.113.1' },
        { type: 'ip_addr', value: '203.0.113.1' },
      ],
      'two firewall rules have the same type and value',
    ],
    [
      'another cluster`s rule',
      [{ type: 'ip_addr', value: '203.0.113.1', cluster_uuid: '0f1e2d3c-1111-4222-8333-444455556666' }],
      'a firewall rule belongs to another cluster',
    ],
    [
      'more than 100',
      Array.from({ length: 101 }, (_rule, index) => ({ type: 'ip_addr', value: `203.0.113.${index}` })),
      'a cluster has at most 100 firewall rules',
    ],
    ['no list', undefined, 'rules is required: an empty array opens the cluster to all.'],
    ['a rule that is text', ['203.0.113.1'], 'rules must be an array of objects.'],
  ])('are refused with %s, and stay as they were', async (_what, rules, message) => {
    await using made = await withCluster({ rules: [{ type: 'ip_addr', value: '203.0.113.9' }] });
    const { platform, path } = made;
    const before = (await platform.get(`${path}/firewall`)).body;
    expect(before.rules).toHaveLength(1);
    const answer = await platform.put(`${path}/firewall`, { rules });
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await platform.get(`${path}/firewall`)).body).toEqual(before);
  });
});
