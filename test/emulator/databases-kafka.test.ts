import { describe, expect, test } from 'vitest';
import { later, smallest, withCluster } from './database-cluster.ts';
import type { Json } from './platform.ts';

const MAX = '9223372036854775807';

describe('a Kafka topic', () => {
  test('is configuring, then active, with all its settings', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    const { status, body } = await platform.post(`${path}/topics`, {
      name: 'orders',
      config: { retention_ms: 1000, cleanup_policy: 'compact' },
    });
    expect(status).toBe(201);
    expect(body.topic).toMatchObject({ name: 'orders', state: 'configuring', partition_count: 3, replication_factor: 2 });
    expect(body.topic.partitions).toHaveLength(3);
    expect(body.topic.partitions[2]).toEqual({ id: 2, size: 0, in_sync_replicas: 2, earliest_offset: 0, consumer_groups: null });
    expect(body.topic.config).toMatchObject({
      retention_ms: 1000,
      cleanup_policy: 'compact',
      compression_type: 'producer',
      preallocate: false,
    });
    await later(platform, '10s');
    expect((await platform.get(`${path}/topics/orders`)).body.topic).toEqual({ ...body.topic, state: 'active' });
    expect((await platform.get(`${path}/topics`)).body.topics).toEqual([
      { name: 'orders', state: 'active', replication_factor: 2, partition_count: 3 },
    ]);
  });

  test('gets more partitions and other settings, and never fewer partitions', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    await platform.post(`${path}/topics`, { name: 'orders', partition_count: 4, config: { retention_ms: 5 } });
    await later(platform, '10s');
    const put = (body: unknown) => platform.put(`${path}/topics/orders`, body);
    const grown = await put({ partition_count: 6, replication_factor: 3, config: { segment_ms: 7 } });
    expect([grown.status, grown.body.topic.state, grown.body.topic.partitions.length, grown.body.topic.replication_factor]).toEqual([
      200,
      'configuring',
      6,
      3,
    ]);
    expect(grown.body.topic.config).toMatchObject({ retention_ms: 5, segment_ms: 7 });
    await later(platform, '10s');
    expect((await platform.get(`${path}/topics/orders`)).body.topic.state).toBe('active');
    const fewer = await put({ partition_count: 5 });
    expect([fewer.status, fewer.body.message]).toEqual([422, 'the number of partitions can not be reduced']);
    expect((await put({})).body.topic).toMatchObject({ replication_factor: 3, partition_count: 6 });
  });

  test('is deleting before it is gone, and its name is free then', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    await platform.post(`${path}/topics`, { name: 'orders' });
    expect((await platform.del(`${path}/topics/orders`)).status).toBe(204);
    expect((await platform.get(`${path}/topics/orders`)).body.topic.state).toBe('deleting');
    expect((await platform.post(`${path}/topics`, { name: 'orders' })).body.message).toBe('a topic with this name already exists');
    expect((await platform.put(`${path}/topics/orders`, {})).body.message).toBe('the topic is being deleted');
    expect((await platform.del(`${path}/topics/orders`)).status).toBe(422);
    await later(platform, '10s');
    expect((await platform.get(`${path}/topics/orders`)).status).toBe(404);
    expect((await platform.post(`${path}/topics`, { name: 'orders' })).status).toBe(201);
  });

  test('is configuring as long as its latest change takes, whatever there was before', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    const stateOf = async (topic: string) => (await platform.get(`${path}/topics/${topic}`)).body.topic?.state;
    await platform.post(`${path}/topics`, { name: 'orders' });
    await platform.post(`${path}/topics`, { name: 'audit' });
    await platform.del(`${path}/topics/audit`);
    await later(platform, '6s');
    await platform.put(`${path}/topics/orders`, { partition_count: 5 });
    await platform.post(`${path}/topics`, { name: 'audit' });
    await later(platform, '9s');
    expect([await stateOf('orders'), await stateOf('audit')]).toEqual(['configuring', 'configuring']);
    await later(platform, '1s');
    expect([await stateOf('orders'), await stateOf('audit')]).toEqual(['active', 'active']);
  });

  test('keeps every digit of 64 bits', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    const raw = async () =>
      (await fetch(`${platform.url}${path}/topics/orders`, { headers: { authorization: `Bearer ${platform.token}` } })).text();
    await platform.post(`${path}/topics`, `{"name":"orders","config":{"retention_ms":${MAX},"flush_ms":9007199254740993}}`);
    expect(await raw()).toContain(`"retention_ms":${MAX},`);
    expect(await raw()).toContain('"flush_ms":9007199254740993,');
    expect(await raw()).toContain(`"flush_messages":${MAX},`);
    await platform.put(`${path}/topics/orders`, '{"config":{"segment_bytes":14}}');
    expect(await raw()).toContain('"flush_ms":9007199254740993,');
    const [topic] = (await platform.get(`${path}/topics`)).body.topics;
    expect(Object.keys(topic).sort()).toEqual(['name', 'partition_count', 'replication_factor', 'state']);
  });

  test.each<[string, unknown, string]>([
    ['no name', {}, 'name is required.'],
    ['a name with a blank', { name: 'a b' }, 'topic names have 1 to 249 letters, digits, dots, underscores and dashes'],
    ['a name that climbs', { name: '..' }, 'topic names have 1 to 249 letters, digits, dots, underscores and dashes'],
    ['a name that is taken', { name: 'taken' }, 'a topic with this name already exists'],
    ['more replicas than nodes', { name: 'a', replication_factor: 4 }, 'replication_factor can not be larger than the number of nodes'],
    ['no partitions', { name: 'a', partition_count: 0 }, 'partition_count must be an integer from 1 to 2048.'],
    ['partitions as text', { name: 'a', partition_count: '3' }, 'partition_count must be an integer from 1 to 2048.'],
    ['an unknown setting', { name: 'a', config: { speed: 1 } }, 'config.speed is not a setting of this engine.'],
    [
      'a setting out of bounds',
      { name: 'a', config: { min_cleanable_dirty_ratio: 1.5 } },
      'config.min_cleanable_dirty_ratio must be a number from 0 to 1.',
    ],
    ['settings that are none', { name: 'a', config: 'fast' }, 'config must be an object.'],
    ['an unknown field', { name: 'a', size: 3 }, 'size is not a known field.'],
  ])('is refused with %s', async (_what, body, message) => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    await platform.post(`${path}/topics`, { name: 'taken' });
    const answer = await platform.post(`${path}/topics`, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await platform.get(`${path}/topics`)).body.topics.map((topic: Json) => topic.name)).toEqual(['taken']);
  });

  test('is taken with the names that the document`s examples have', async () => {
    await using made = await withCluster(smallest.kafka);
    const { topic } = (await made.platform.post(`${made.path}/topics`, { name: 'customer-events', partitions: 5, replication: 3 })).body;
    expect(topic).toMatchObject({ partition_count: 5, replication_factor: 3 });
  });

  test('is for Kafka alone', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const answers = [
      await platform.get(`${path}/topics`),
      await platform.post(`${path}/topics`, { name: 'a' }),
      await platform.get(`${path}/topics/a`),
      await platform.put(`${path}/topics/a`, {}),
      await platform.del(`${path}/topics/a`),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.message]).toEqual([422, 'topics are only available for Kafka clusters']);
    }
  });

  test('waits for its cluster, keeps it from shrinking below its replicas, and goes with it', async () => {
    await using made = await withCluster({ ...smallest.kafka, size: 'gd-2vcpu-8gb', num_nodes: 6 });
    const { platform, path } = made;
    await platform.post(`${path}/topics`, { name: 'wide', replication_factor: 5 });
    const narrow = await platform.put(`${path}/resize`, { size: 'gd-2vcpu-8gb', num_nodes: 3 });
    expect([narrow.status, narrow.body.message]).toEqual([422, 'there are topics with more replicas than the cluster would have nodes']);
    expect((await platform.put(`${path}/resize`, { size: 'gd-4vcpu-16gb', num_nodes: 6 })).status).toBe(202);
    expect((await platform.post(`${path}/topics`, { name: 'more' })).status).toBe(412);
    expect((await platform.get(`${path}/topics/wide`)).status).toBe(200);
    await platform.del(path);
    expect((await platform.get(`${path}/topics/wide`)).status).toBe(404);
  });

  test('lists page when asked, in the order of their creation', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    for (const name of ['c', 'a', 'b']) {
      await platform.post(`${path}/topics`, { name });
    }
    const names = async (query: string) => (await platform.get(`${path}/topics${query}`)).body.topics.map((topic: Json) => topic.name);
    expect(await names('?with_projects=true')).toEqual(['c', 'a', 'b']);
    expect(await names('?page=2&per_page=2')).toEqual(['b']);
  });
});
