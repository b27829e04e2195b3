import { describe, expect, test } from 'vitest';
import { clusterBody, later, onlineCluster, smallest, withCluster } from './database-cluster.ts';
import { frozenPlatform, type Platform } from './platform.ts';

describe('while a cluster is not online', () => {
  const changes: readonly (readonly [string, string, unknown])[] = [
    ['PUT', '/resize', { size: 'db-s-2vcpu-4gb', num_nodes: 1 }],
    ['PUT', '/upgrade', { version: '17' }],
    ['PATCH', '/config', { config: { jit: false } }],
    ['POST', '/users', { name: 'app' }],
    ['PUT', '/users/doadmin', { settings: { pg_allow_replication: true } }],
    ['DELETE', '/users/doadmin', undefined],
    ['PUT', '/online-migration', { source: { host: 'db.example.com', port: 5432 } }],
  ];

  async function expectClosed(platform: Platform, path: string): Promise<void> {
    for (const [method, rest, body] of changes) {
      const answer = await platform.call(method, path + rest, body);
      expect([answer.status, answer.body.id, answer.body.message], `${method} ${rest}`).toEqual([
        412,
        'precondition_failed',
        'cluster is not available',
      ]);
    }
    for (const rest of ['', '/config', '/ca', '/firewall', '/backups', '/users', '/users/doadmin']) {
      expect((await platform.get(path + rest)).status, rest).toBe(200);
    }
  }

  test('it takes no changes but shows itself', async () => {
    await using platform = await frozenPlatform();
    const { database } = (await platform.post('/v2/databases', clusterBody())).body;
    const path = `/v2/databases/${database.id}`;
    await expectClosed(platform, path);
    await later(platform, '4m');
    await platform.put(`${path}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 1 });
    await expectClosed(platform, path);
    await later(platform, '3m');
    await platform.put(`${path}/upgrade`, { version: '17' });
    await expectClosed(platform, path);
    await later(platform, '5m');
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'online', version: '17', size: 'db-s-2vcpu-4gb' });
  });

  test('MySQL keeps its SQL modes', async () => {
    await using platform = await frozenPlatform();
    const { database } = (await platform.post('/v2/databases', clusterBody(smallest.mysql))).body;
    const path = `/v2/databases/${database.id}/sql_mode`;
    const before = await platform.get(path);
    const refused = await platform.put(path, { sql_mode: 'ANSI' });
    expect([refused.status, refused.body.message]).toEqual([412, 'cluster is not available']);
    expect(await platform.get(path)).toMatchObject({ status: 200, body: before.body });
    await later(platform, '4m');
    expect((await platform.put(path, { sql_mode: 'ANSI' })).status).toBe(204);
  });
});

describe('a resize', () => {
  test('is accepted without a body, shows as resizing, and takes effect when it is over', async () => {
    await using made = await withCluster();
    const { platform, path, cluster } = made;
    const answer = await platform.put(`${path}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 3, storage_size_mib: 81920 });
    expect([answer.status, answer.body]).toEqual([202, undefined]);
    expect((await platform.get(path)).body.database).toEqual({ ...cluster, status: 'resizing' });
    await later(platform, '3m');
    const resized = (await platform.get(path)).body.database;
    expect(resized).toMatchObject({ status: 'online', size: 'db-s-2vcpu-4gb', num_nodes: 3, storage_size_mib: 81920 });
    expect(resized.connection).toEqual(cluster.connection);
    expect(resized.standby_connection.host).toBe(`replica-${cluster.connection.host}`);
    expect(resized.metrics_endpoints).toHaveLength(2);
    await platform.put(`${path}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 1 });
    await later(platform, '3m');
    const single = (await platform.get(path)).body.database;
    expect(single).toMatchObject({ num_nodes: 1, storage_size_mib: 81920 });
    expect(single).not.toHaveProperty('standby_connection');
    expect(single).not.toHaveProperty('standby_private_connection');
  });

  test('changes what the cluster costs', async () => {
    await using platform = await frozenPlatform();
    const { token } = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body;
    const mine = platform.as(token);
    await mine.post('/_emulator/clock', { freeze: true, now: '2026-03-01T00:00:00Z' });
    const cluster = await onlineCluster(mine);
    await mine.post('/_emulator/clock', { now: '2026-03-01T01:57:00Z' });
    await mine.put(`/v2/databases/${cluster.id}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 1 });
    await mine.post('/_emulator/clock', { now: '2026-03-01T12:00:00Z' });
    const expected = (2 * 30.3 + 10 * 60.6) / 672;
    expect((await mine.get('/v2/customers/my/balance')).body.month_to_date_usage).toBe(expected.toFixed(2));
  });

  test.each<[string, unknown, string]>([
    ['no size', { num_nodes: 1 }, 'size is required.'],
    ['no node count', { size: 'db-s-4vcpu-8gb' }, 'num_nodes must be an integer.'],
    ['a smaller size', { size: 'db-s-1vcpu-2gb', num_nodes: 1 }, 'downsizing is not allowed'],
    ['less storage', { size: 'db-s-2vcpu-4gb', num_nodes: 1, storage_size_mib: 71680 }, 'storage can not be reduced'],
    [
      'more storage than fits',
      { size: 'db-s-2vcpu-4gb', num_nodes: 1, storage_size_mib: 999_999 },
      'storage_size_mib must be an integer from 61440 to 245760.',
    ],
    ['a size the engine lacks', { size: 'm3-2vcpu-16gb', num_nodes: 1 }, 'invalid size for the engine and number of nodes'],
    ['a node count without layout', { size: 'db-s-2vcpu-4gb', num_nodes: 5 }, 'invalid node count'],
    ['an unknown field', { size: 'db-s-2vcpu-4gb', num_nodes: 1, nodes: 2 }, 'nodes is not a known field.'],
  ])('is refused with %s', async (_what, body, message) => {
    await using made = await withCluster({ size: 'db-s-2vcpu-4gb', storage_size_mib: 81920 });
    const answer = await made.platform.put(`${made.path}/resize`, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await made.platform.get(made.path)).body.database).toEqual(made.cluster);
  });

  test('of valkey takes no storage', async () => {
    await using made = await withCluster(smallest.valkey);
    const answer = await made.platform.put(`${made.path}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 1, storage_size_mib: 81920 });
    expect([answer.status, answer.body.message]).toEqual([422, 'storage can not be changed for this engine']);
    expect((await made.platform.put(`${made.path}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 2 })).status).toBe(202);
  });
});

describe('an upgrade', () => {
  test('shows as migrating and ends at the new version', async () => {
    await using made = await withCluster({ version: '14' });
    const { platform, path } = made;
    const answer = await platform.put(`${path}/upgrade`, { version: '16' });
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'migrating', version: '14' });
    await later(platform, '5m');
    expect((await platform.get(path)).body.database).toMatchObject({
      status: 'online',
      version: '16',
      semantic_version: expect.stringMatching(/^16\./),
      version_end_of_life: '2028-11-09T00:00:00Z',
    });
  });

  test.each([
    ['the same version', '16', 'the version must be newer than the current one'],
    ['an older version', '14', 'the version must be newer than the current one'],
    ['an unknown version', '99', 'invalid version for the engine'],
    ['no version', undefined, 'version is required.'],
  ])('is refused to %s', async (_what, version, message) => {
    await using made = await withCluster();
    const answer = await made.platform.put(`${made.path}/upgrade`, { version });
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });
});
