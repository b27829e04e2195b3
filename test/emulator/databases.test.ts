import { describe, expect, test } from 'vitest';
import { clusterBody, later, onlineCluster, smallest } from './database-cluster.ts';
import { activeBalancer, activeDroplet, frozenPlatform, type Json } from './platform.ts';

const HOST = /^shop-do-user-\d{8}-0\.[a-m]\.db\.ondigitalocean\.com$/;

describe('a cluster', () => {
  test('is creating, then online, and is a member of the default VPC of its region', async () => {
    await using platform = await frozenPlatform();
    const { status, body } = await platform.post('/v2/databases', clusterBody({ tags: ['shop', 'shop'], num_nodes: 2 }));
    expect(status).toBe(201);
    const cluster = body.database;
    expect(cluster).toMatchObject({
      name: 'shop',
      engine: 'pg',
      version: '16',
      semantic_version: expect.stringMatching(/^16\.\d+$/),
      status: 'creating',
      num_nodes: 2,
      storage_size_mib: 30720,
      created_at: '2026-02-10T12:00:00Z',
      db_names: ['defaultdb'],
      tags: ['shop'],
    });
    const { connection } = cluster;
    expect(connection).toMatchObject({ host: expect.stringMatching(HOST), port: 25060, user: 'doadmin', database: 'defaultdb', ssl: true });
    expect(connection.password).toMatch(/^AVNS_/);
    expect(connection.uri).toBe(`postgresql://doadmin:${connection.password}@${connection.host}:25060/defaultdb?sslmode=require`);
    expect(cluster.private_connection.host).toBe(`private-${connection.host}`);
    expect(cluster.standby_connection.host).toBe(`replica-${connection.host}`);
    expect(cluster.users).toMatchObject([{ name: 'doadmin', role: 'primary', password: connection.password }]);

    await later(platform, '239s');
    expect((await platform.get(`/v2/databases/${cluster.id}`)).body.database.status).toBe('creating');
    await later(platform, '1s');
    expect((await platform.get(`/v2/databases/${cluster.id}`)).body.database).toEqual({ ...cluster, status: 'online' });
    const { vpcs } = (await platform.get('/v2/vpcs?per_page=200')).body;
    const vpc = vpcs.find((each: Json) => each.id === cluster.private_network_uuid);
    expect(vpc).toMatchObject({ region: 'nyc3', default: true });
    const { members } = (await platform.get(`/v2/vpcs/${vpc.id}/members?resource_type=dbaas&per_page=200`)).body;
    expect(members).toContainEqual({ urn: `do:dbaas:${cluster.id}`, name: 'shop', created_at: cluster.created_at });
  });

  test('may lie in a VPC of one`s own, which then can not be deleted before it', async () => {
    await using platform = await frozenPlatform();
    await platform.post('/v2/vpcs', { name: 'first', region: 'syd1' });
    const { vpc } = (await platform.post('/v2/vpcs', { name: 'data', region: 'syd1' })).body;
    const elsewhere = await platform.post('/v2/databases', clusterBody({ private_network_uuid: vpc.id }));
    expect([elsewhere.status, elsewhere.body.message]).toEqual([422, 'the VPC could not be found in the region of the cluster']);
    const cluster = await onlineCluster(platform, { region: 'syd1', private_network_uuid: vpc.id });
    expect((await platform.del(`/v2/vpcs/${vpc.id}`)).status).toBe(409);
    expect((await platform.del(`/v2/databases/${cluster.id}`)).status).toBe(204);
    expect((await platform.del(`/v2/vpcs/${vpc.id}`)).status).toBe(204);
  });

  test.each(Object.entries(smallest))('of %s can be made, with what its engine has', async (slug, changes) => {
    await using platform = await frozenPlatform();
    const cluster = await onlineCluster(platform, changes);
    const databases: Record<string, unknown> = { mongodb: ['admin'], kafka: null, valkey: null, opensearch: null };
    expect(cluster).toMatchObject({ engine: slug, status: 'online', db_names: slug in databases ? databases[slug] : ['defaultdb'] });
    expect(cluster.connection.port).toBe({ kafka: 25073, valkey: 25061 }[slug] ?? 25060);
    expect(cluster).not.toHaveProperty('standby_connection');
    expect('ui_connection' in cluster).toBe(slug === 'opensearch');
    expect(cluster.users[0]).toMatchObject({ name: slug === 'valkey' ? 'default' : 'doadmin', role: 'primary' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown engine', { engine: 'oracle' }, 'invalid engine'],
    ['redis, which is no longer offered', { engine: 'redis', version: '7' }, 'new redis clusters can no longer be created: use valkey'],
    ['an unknown version', { version: '9' }, 'invalid version for the engine'],
    ['a closed region', { region: 'sfo1' }, 'the engine is not available in this region'],
    ['a node count without layout', { num_nodes: 4 }, 'invalid node count'],
    [
      'a size that is too small for standby nodes',
      { size: 'db-s-1vcpu-1gb', num_nodes: 2 },
      'invalid size for the engine and number of nodes',
    ],
    [
      'an underscore in the name',
      { name: 'my_shop' },
      'cluster names have 3 to 63 lower-case letters, digits and dashes, and begin and end with a letter or digit',
    ],
    ['a name that is taken', { name: 'orders' }, 'cluster name is not available'],
    ['storage below what the size brings', { storage_size_mib: 10240 }, 'storage_size_mib must be an integer from 30720 to 122880.'],
    ['storage for valkey', { engine: 'valkey', version: '8', storage_size_mib: 61440 }, 'storage can not be changed for this engine'],
    ['an unknown field', { colour: 'red' }, 'colour is not a known field.'],
    ['a node count that is text', { num_nodes: '1' }, 'num_nodes must be an integer.'],
    ['no name', { name: undefined }, 'name is required.'],
    [
      'a service name that is none',
      { do_settings: { service_cnames: ['nodot'] } },
      'do_settings.service_cnames must be at most 16 host names.',
    ],
    ['a setting of no service', { do_settings: { service_names: [] } }, 'do_settings.service_names is not a known field.'],
    ['scaling of what does not scale', { autoscale: { memory: {} } }, 'autoscale.memory is not a known field.'],
    [
      'scaling with a field of its own',
      { autoscale: { storage: { enabled: true, step_gib: 10 } } },
      'autoscale.storage.step_gib is not a known field.',
    ],
    [
      'scaling that is neither on nor off',
      { autoscale: { storage: { threshold_percent: 80 } } },
      'autoscale.storage.enabled must be true or false.',
    ],
    [
      'a project that is not there',
      { project_id: '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30' },
      'The project you specified could not be found.',
    ],
    ['a tag with a blank', { tags: ['a b'] }, expect.any(String)],
    [
      'a rule for a Droplet that is not there',
      { rules: [{ type: 'droplet', value: '7' }] },
      'a firewall rule names a Droplet that does not exist',
    ],
  ])('is refused for %s, and nothing is left behind', async (_what, changes, message) => {
    await using platform = await frozenPlatform();
    const before = (await platform.get('/v2/databases')).body;
    const { status, body } = await platform.post('/v2/databases', clusterBody({ region: 'nyc3', ...changes }));
    expect([status, body.id, body.message]).toEqual([422, 'unprocessable_entity', message]);
    expect((await platform.get('/v2/databases')).body).toEqual(before);
  });

  test('belongs to the default project, as what else is in the account does', async () => {
    await using platform = await frozenPlatform();
    const balancer = await activeBalancer(platform);
    for (const project_id of [undefined, '', balancer.project_id]) {
      const { status, body } = await platform.post('/v2/databases', clusterBody({ name: `shop-${String(project_id).length}`, project_id }));
      expect([status, body.database?.project_id]).toEqual([201, balancer.project_id]);
    }
    const { databases } = (await platform.get('/v2/databases')).body;
    expect(new Set(databases.map((each: Json) => each.project_id))).toEqual(new Set([balancer.project_id]));
  });

  test('has a name of its own, also where names read as the same number', async () => {
    await using platform = await frozenPlatform();
    for (const name of ['100', '0100', '1e2']) {
      const { status, body } = await platform.post('/v2/databases', clusterBody({ name }));
      expect([status, body.database?.name]).toEqual([201, name]);
    }
    expect((await platform.post('/v2/databases', clusterBody({ name: '1e2' }))).body.message).toBe('cluster name is not available');
  });

  test('takes the default version, and everything that the options offer', async () => {
    await using platform = await frozenPlatform();
    const { options, version_availability: availability } = (await platform.get('/v2/databases/options')).body;
    expect(Object.keys(options).sort()).toEqual(Object.keys(availability).sort());
    expect(options.redis).not.toHaveProperty('default_version');
    let made = 0;
    for (const [engine, { default_version: version, regions, layouts }] of Object.entries<Json>(options)) {
      for (const { num_nodes, sizes } of engine === 'redis' ? [] : layouts) {
        made += 1;
        const body = { name: `c-${made}`, engine, region: regions[made % regions.length], size: sizes.at(-1), num_nodes };
        const { status, body: reply } = await platform.post('/v2/databases', body);
        expect([status, reply.database?.version], JSON.stringify(body)).toEqual([201, version]);
      }
    }
  });

  test('is gone with all that is in it; the name is free again, and it costs nothing more', async () => {
    await using platform = await frozenPlatform();
    const { token } = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body;
    const mine = platform.as(token);
    await mine.post('/_emulator/clock', { freeze: true, now: '2026-03-01T00:00:00Z' });
    const cluster = await onlineCluster(mine, { tags: ['shop'], num_nodes: 2 });
    const usage = async () => (await mine.get('/v2/customers/my/balance')).body.month_to_date_usage;
    const hourly = (2 * 30.3) / 672;
    await mine.post('/_emulator/clock', { now: '2026-03-01T10:00:00Z' });
    expect(await usage()).toBe((10 * hourly).toFixed(2));
    expect((await mine.del(`/v2/databases/${cluster.id}`)).status).toBe(204);
    await mine.post('/_emulator/clock', { now: '2026-03-11T10:00:00Z' });
    expect(await usage()).toBe((10 * hourly).toFixed(2));
    for (const rest of ['', '/config', '/ca', '/firewall', '/backups', '/users', '/users/doadmin', '/online-migration']) {
      expect((await mine.get(`/v2/databases/${cluster.id}${rest}`)).status, rest).toBe(404);
    }
    expect((await mine.get('/v2/tags/shop')).body.tag.resources.databases.count).toBe(0);
    expect((await mine.get(`/v2/vpcs/${cluster.private_network_uuid}/members`)).body.members).toEqual([]);
    expect((await mine.post('/v2/databases', clusterBody())).status).toBe(201);
  });

  test('that is deleted while it is being created never comes back', async () => {
    await using platform = await frozenPlatform();
    const { database } = (await platform.post('/v2/databases', clusterBody())).body;
    expect((await platform.del(`/v2/databases/${database.id}`)).status).toBe(204);
    await later(platform, '2d');
    expect((await platform.get(`/v2/databases/${database.id}`)).status).toBe(404);
  });

  test('is found by tag, and loses a tag that is deleted', async () => {
    await using platform = await frozenPlatform();
    const cluster = await onlineCluster(platform, { tags: ['shop'] });
    const byTag = async (tag: string) => (await platform.get(`/v2/databases?tag_name=${tag}`)).body.databases.map((each: Json) => each.id);
    expect(await byTag('shop')).toEqual([cluster.id]);
    expect(await byTag('none')).toEqual([]);
    expect((await platform.get('/v2/tags/shop')).body.tag.resources.databases).toMatchObject({
      count: 1,
      last_tagged_uri: expect.stringContaining(`/v2/databases/${cluster.id}`),
    });
    await platform.del('/v2/tags/shop');
    expect((await platform.get(`/v2/databases/${cluster.id}`)).body.database.tags).toEqual([]);
    expect(await byTag('shop')).toEqual([]);
  });

  test('lists are whole, paged only where a page is asked for, and never have links', async () => {
    await using platform = await frozenPlatform();
    for (let index = 0; index < 25; index += 1) {
      await platform.post('/v2/databases', clusterBody({ name: `many-${index}` }));
    }
    const whole = (await platform.get('/v2/databases')).body;
    expect(Object.keys(whole)).toEqual(['databases']);
    expect(whole.databases.map((each: Json) => each.name).slice(0, 2)).toEqual(['many-24', 'many-23']);
    expect(whole.databases).toHaveLength(27);
    const second = (await platform.get('/v2/databases?page=2&per_page=10')).body;
    expect(second).toEqual({ databases: whole.databases.slice(10, 20) });
    expect((await platform.get('/v2/databases?page=2')).body.databases).toEqual(whole.databases.slice(20));
    expect((await platform.get('/v2/databases?page=0')).status).toBe(422);
  });
});

test('the believable account has a database with users and rules, and an old redis', async () => {
  await using platform = await frozenPlatform();
  const { databases } = (await platform.get('/v2/databases')).body;
  expect(databases.map((each: Json) => [each.name, each.engine, each.status])).toEqual([
    ['orders', 'pg', 'online'],
    ['legacy-cache', 'redis', 'online'],
  ]);
  const [orders, cache] = databases;
  expect(orders.users.map((user: Json) => user.name)).toEqual(['doadmin', 'orders-app']);
  expect((await platform.get(`/v2/databases/${orders.id}/firewall`)).body.rules).toHaveLength(2);
  expect((await platform.get(`/v2/databases/${orders.id}/backups`)).body.backups).toHaveLength(7);
  expect((await platform.get(`/v2/databases/${cache.id}/config`)).body.config).toMatchObject({ redis_persistence: 'rdb' });
  expect((await activeDroplet(platform)).vpc_uuid).toBe(orders.private_network_uuid);
});
