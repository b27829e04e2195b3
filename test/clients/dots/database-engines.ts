import { expect, it } from 'vitest';
import { smallest } from '../../emulator/database-cluster.ts';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

/** Some settings of each engine. */
const SETTINGS: Readonly<Record<string, Json>> = {
  pg: { work_mem: 16, jit: false, timezone: 'Europe/Paris' },
  mysql: { long_query_time: 2.5, sql_require_primary_key: false },
  valkey: { valkey_timeout: 60, valkey_persistence: 'off' },
  mongodb: { verbosity: 3 },
  kafka: { log_cleanup_policy: 'compact', auto_create_topics_enable: false },
  opensearch: { ism_enabled: false, reindex_remote_whitelist: ['203.0.113.9:9200'] },
  advanced_pg: { jit: false },
  advanced_mysql: { net_buffer_length: 2048 },
};

export function databaseEngineStories(enter: Enter): void {
  it.each(Object.entries(SETTINGS))('makes and sets up a cluster of %s', async (engine, settings) => {
    const { v2, later } = await enter();
    const { version, size = 'db-s-1vcpu-2gb', num_nodes: numNodes = 1 } = smallest[engine] ?? {};
    const order = { name: `of-${engine.replace('_', '-')}`, engine, version, region: 'nyc3', size, numNodes };
    const { database } = await v2.databases.post(order);
    expect(database).toMatchObject({ engine, status: 'creating', size, numNodes });
    await later('5m');
    const cluster = v2.databases.byDatabase_cluster_uuid(database.id);
    expect((await cluster.get()).database).toMatchObject({
      engine,
      status: 'online',
      connection: { host: expect.stringContaining(order.name) },
    });
    // In its own field for them the client adds defaults of MongoDB to the settings of every engine, and those of MySQL for its logs.
    await cluster.config.patch({ additionalData: { config: settings } });
    const { config } = await cluster.config.get();
    for (const [name, value] of Object.entries(settings)) {
      expect(asSettings(config)[name], name).toEqual(value);
    }
    expect(await refusal(cluster.config.patch({ additionalData: { config: { no_such: 1 } } }))).toMatchObject({ status: 422 });
  });

  it('gives the users of MongoDB and OpenSearch their roles', async () => {
    const { v2, later } = await enter();
    const place = { region: 'nyc3', size: 'db-s-1vcpu-2gb', numNodes: 1 };
    const mongo = (await v2.databases.post({ ...place, name: 'papers', engine: 'mongodb', version: '7.0' })).database;
    const search = (await v2.databases.post({ ...place, name: 'finder', engine: 'opensearch', version: '2' })).database;
    await later('5m');
    const writer = { mongoUserSettings: { databases: ['papers'], role: 'readWrite' } };
    const { user } = await v2.databases.byDatabase_cluster_uuid(mongo.id).users.post({ name: 'writer', settings: writer });
    expect(user.settings).toEqual(writer);
    const finder = v2.databases.byDatabase_cluster_uuid(search.id).users;
    const reader = { opensearchAcl: [{ index: 'logs-*', permission: 'read' }] };
    expect((await finder.post({ name: 'reader', settings: reader })).user.settings).toEqual(reader);
    expect(await refusal(finder.post({ name: 'other', settings: writer }))).toMatchObject({ status: 422 });
  });

  it('has no users in Valkey, and no modes but in MySQL', async () => {
    const { v2, later } = await enter();
    const order = { name: 'cache', engine: 'valkey', version: '8', region: 'nyc3', size: 'db-s-1vcpu-1gb', numNodes: 1 };
    const { database } = await v2.databases.post(order);
    await later('5m');
    const cache = v2.databases.byDatabase_cluster_uuid(database.id);
    expect(await refusal(cache.users.post({ name: 'nobody' }))).toMatchObject({ status: 422 });
    expect(await refusal(cache.sql_mode.get())).toMatchObject({ status: 422 });
    expect(await refusal(cache.backups.get())).toMatchObject({ status: 422, message: 'backups are not supported for this engine' });
  });
}

/** The client reads the settings of every engine as Kafka's, under its own names; what Kafka does not have is kept beside, as it came. */
function asSettings({ additionalData, ...known }: Json): Json {
  const wired = Object.entries(known).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]);
  return { ...additionalData, ...Object.fromEntries(wired) };
}
