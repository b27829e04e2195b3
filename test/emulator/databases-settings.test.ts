import { describe, expect, test } from 'vitest';
import { smallest, withCluster } from './database-cluster.ts';
import type { Platform } from './platform.ts';

const MAX = '9223372036854775807';

/** A reply as it came, for numbers that JSON.parse would round. */
async function rawGet({ url, token }: Platform, path: string): Promise<string> {
  return (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).text();
}

describe('the settings of a cluster', () => {
  test('are the defaults, and what is set over them', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const { config: before } = (await platform.get(`${path}/config`)).body;
    expect(before).toMatchObject({ jit: true, autovacuum_max_workers: 3, timezone: 'UTC', pgbouncer: { min_pool_size: 0 } });
    expect(before).not.toHaveProperty('work_mem');
    const changes = { jit: false, work_mem: 16, 'pg_stat_statements.track': 'all', pgbouncer: { min_pool_size: 5 }, wal_sender_timeout: 0 };
    const answer = await platform.call('PATCH', `${path}/config`, { config: changes });
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    const merged = { ...before, ...changes, pgbouncer: { ...before.pgbouncer, min_pool_size: 5 } };
    expect((await platform.get(`${path}/config`)).body.config).toEqual(merged);
    await platform.call('PATCH', `${path}/config`, { config: { pgbouncer: { autodb_pool_mode: 'session' } } });
    expect((await platform.get(`${path}/config`)).body.config.pgbouncer).toMatchObject({ min_pool_size: 5, autodb_pool_mode: 'session' });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['advanced_pg', 'jit', { jit: false }],
    ['mysql', 'sql_require_primary_key', { sql_require_primary_key: false, long_query_time: 2.5, innodb_flush_neighbors: 2 }],
    ['advanced_mysql', 'net_buffer_length', { net_buffer_length: 2048 }],
    ['valkey', 'valkey_timeout', { valkey_timeout: 60, valkey_persistence: 'off', valkey_notify_keyspace_events: '' }],
    ['mongodb', 'verbosity', { verbosity: 5, default_write_concern: '2' }],
    ['opensearch', 'ism_enabled', { ism_enabled: false, reindex_remote_whitelist: ['203.0.113.9:9200'] }],
    ['kafka', 'log_retention_hours', { log_retention_hours: 24, log_cleanup_policy: 'compact,delete' }],
  ])('of %s are its own', async (engine, known, changes) => {
    await using made = await withCluster(smallest[engine]);
    const { platform, path } = made;
    expect((await platform.get(`${path}/config`)).body.config).toHaveProperty([known]);
    expect((await platform.call('PATCH', `${path}/config`, { config: changes })).status).toBe(200);
    expect((await platform.get(`${path}/config`)).body.config).toMatchObject(changes);
  });

  test.each<[string, string, unknown, string]>([
    ['pg', 'an unknown name', { max_memory: 1 }, 'config.max_memory is not a setting of this engine.'],
    ['pg', 'a name of another engine', { sql_mode: 'ANSI' }, 'config.sql_mode is not a setting of this engine.'],
    ['pg', 'an unknown name in a group', { pgbouncer: { size: 1 } }, 'config.pgbouncer.size is not a setting of this engine.'],
    ['pg', 'a group that is none', { pgbouncer: 5 }, 'config.pgbouncer must be an object.'],
    ['pg', 'a number below its bound', { work_mem: 0 }, 'config.work_mem must be an integer from 1 to 1024.'],
    [
      'pg',
      'a number above its bound',
      { shared_buffers_percentage: 61 },
      'config.shared_buffers_percentage must be a number from 20 to 60.',
    ],
    ['pg', 'a fraction', { work_mem: 1.5 }, 'config.work_mem must be an integer from 1 to 1024.'],
    ['pg', 'a number as text', { work_mem: '8' }, 'config.work_mem must be an integer from 1 to 1024.'],
    [
      'pg',
      'a timeout in the gap',
      { wal_sender_timeout: 100 },
      'config.wal_sender_timeout must be an integer from 5000 to 10800000, or 0.',
    ],
    ['pg', 'text for true', { jit: 'true' }, 'config.jit must be true or false.'],
    ['pg', 'null', { jit: null }, 'config.jit must be true or false.'],
    ['pg', 'another choice', { track_functions: 'some' }, 'config.track_functions must be one of "all", "pl", "none".'],
    ['pg', 'an inherited name', JSON.parse('{"__proto__": 1}'), 'config.__proto__ is not a setting of this engine.'],
    ['mysql', 'a mode MySQL lacks', { sql_mode: 'ANSI,FAST' }, 'sql_mode has a mode that MySQL does not know: FAST.'],
    ['mysql', 'a length that is no multiple', { net_buffer_length: 1025 }, 'config.net_buffer_length must be a multiple of 1024.'],
    [
      'mysql',
      'incremental backups without days',
      { mysql_incremental_backup: { enabled: true } },
      'mysql_incremental_backup.full_backup_week_schedule is required when incremental backups are enabled',
    ],
    [
      'valkey',
      'events without a class',
      { valkey_notify_keyspace_events: 'g' },
      'config.valkey_notify_keyspace_events has a value that is not allowed: "g".',
    ],
    [
      'kafka',
      'a number beyond 64 bits',
      { log_flush_interval_ms: 1e20 },
      `config.log_flush_interval_ms must be an integer from 0 to ${MAX}.`,
    ],
    ['kafka', 'a schema registry on a shared CPU', { schema_registry: true }, 'schema_registry needs a size with dedicated CPUs'],
    ['opensearch', 'a list of numbers', { reindex_remote_whitelist: [1] }, 'config.reindex_remote_whitelist must be a string.'],
  ])('of %s refuse %s, all of a request or none', async (engine, _what, wrong, message) => {
    await using made = await withCluster(smallest[engine]);
    const { platform, path } = made;
    const before = (await platform.get(`${path}/config`)).body;
    const answer = await platform.call('PATCH', `${path}/config`, { config: wrong });
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    const good = { pg: { jit: false }, mysql: { connect_timeout: 60 } }[engine] ?? {};
    await platform.call('PATCH', `${path}/config`, { config: { ...good, ...(wrong as object) } });
    expect((await platform.get(`${path}/config`)).body).toEqual(before);
  });

  test.each([{}, { config: [] }, { config: 'jit=off' }, { config: {}, more: 1 }])('refuse the body %j', async (body) => {
    await using made = await withCluster();
    expect((await made.platform.call('PATCH', `${made.path}/config`, body)).status).toBe(422);
  });

  test('that only grow are never lowered', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const set = async (config: object) => (await platform.call('PATCH', `${path}/config`, { config })).body?.message;
    expect(await set({ max_connections: 200, max_wal_senders: 30 })).toBeUndefined();
    expect(await set({ max_connections: 199 })).toBe('config.max_connections can not be lowered from 200.');
    expect(await set({ max_wal_senders: 20 })).toBe('config.max_wal_senders can not be lowered from 30.');
    expect(await set({ max_connections: 200 })).toBeUndefined();
  });

  test('that may be null are taken away by it', async () => {
    await using made = await withCluster(smallest.mysql);
    const { platform, path } = made;
    await platform.call('PATCH', `${path}/config`, { config: { innodb_ft_user_stopword_table: 'db/words' } });
    expect((await platform.get(`${path}/config`)).body.config.innodb_ft_user_stopword_table).toBe('db/words');
    await platform.call('PATCH', `${path}/config`, { config: { innodb_ft_user_stopword_table: null } });
    expect((await platform.get(`${path}/config`)).body.config).not.toHaveProperty('innodb_ft_user_stopword_table');
  });

  test('of 64 bits keep every digit', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    expect(await rawGet(platform, `${path}/config`)).toContain(`"log_flush_interval_ms":${MAX},`);
    const patch = (text: string) => platform.call('PATCH', `${path}/config`, text);
    expect((await patch('{"config":{"log_roll_ms":9223372036854775806,"log_retention_bytes":-1}}')).status).toBe(200);
    expect(await rawGet(platform, `${path}/config`)).toContain('"log_roll_ms":9223372036854775806,');
    // What a client writes whose numbers have 53 bits.
    expect((await patch(JSON.stringify({ config: { log_roll_ms: Number(MAX) } }))).status).toBe(200);
    expect(await rawGet(platform, `${path}/config`)).toContain(`"log_roll_ms":${MAX},`);
    expect((await patch('{"config":{"log_roll_ms":9223372036854779999}}')).status).toBe(422);
  });

  test('of valkey take policies with dashes too, and show them as the document has them', async () => {
    await using made = await withCluster(smallest.valkey);
    const { platform, path } = made;
    for (const policy of ['allkeys-lru', 'allkeys_lru']) {
      expect((await platform.call('PATCH', `${path}/config`, { config: { valkey_maxmemory_policy: policy } })).status).toBe(200);
      expect((await platform.get(`${path}/config`)).body.config.valkey_maxmemory_policy).toBe('allkeys_lru');
    }
  });

  test('of an old redis are kept under its own names', async () => {
    await using made = await withCluster();
    const { databases } = (await made.platform.get('/v2/databases')).body;
    const path = `/v2/databases/${databases.find((each: { engine: string }) => each.engine === 'redis').id}/config`;
    for (const persistence of ['aof', 'off', 'rdb']) {
      expect((await made.platform.call('PATCH', path, { config: { redis_persistence: persistence } })).status).toBe(200);
      expect((await made.platform.get(path)).body.config.redis_persistence).toBe(persistence);
    }
    expect((await made.platform.call('PATCH', path, { config: { valkey_timeout: 1 } })).status).toBe(422);
  });

  test('bring a schema registry to Kafka, and take it away', async () => {
    await using made = await withCluster({ ...smallest.kafka, size: 'gd-2vcpu-8gb' });
    const { platform, path, cluster } = made;
    expect(cluster).not.toHaveProperty('schema_registry_connection');
    await platform.call('PATCH', `${path}/config`, { config: { schema_registry: true } });
    expect((await platform.get(path)).body.database.schema_registry_connection.host).toBe(cluster.connection.host);
    await platform.call('PATCH', `${path}/config`, { config: { schema_registry: false } });
    expect((await platform.get(path)).body.database).toEqual(cluster);
  });
});

describe('sql_mode', () => {
  test('is one setting, under its own path and among the others', async () => {
    await using made = await withCluster(smallest.mysql);
    const { platform, path } = made;
    const { sql_mode: before } = (await platform.get(`${path}/sql_mode`)).body;
    expect(before).toContain('STRICT_ALL_TABLES');
    expect((await platform.get(`${path}/config`)).body.config.sql_mode).toBe(before);
    const answer = await platform.put(`${path}/sql_mode`, { sql_mode: 'ANSI_QUOTES,TRADITIONAL' });
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await platform.get(`${path}/config`)).body.config.sql_mode).toBe('ANSI_QUOTES,TRADITIONAL');
    await platform.call('PATCH', `${path}/config`, { config: { sql_mode: '' } });
    expect((await platform.get(`${path}/sql_mode`)).body).toEqual({ sql_mode: '' });
  });

  test.each<[unknown, string]>([
    [{ sql_mode: 'FAST' }, 'sql_mode has a mode that MySQL does not know: FAST.'],
    [{ sql_mode: 'ansi' }, 'sql_mode has a value that is not allowed: "ansi".'],
    [{ sql_mode: ['ANSI'] }, 'sql_mode must be a string.'],
    [{}, 'sql_mode is required.'],
    [{ mode: 'ANSI' }, 'mode is not a known field.'],
  ])('refuses %j', async (body, message) => {
    await using made = await withCluster(smallest.mysql);
    const answer = await made.platform.put(`${made.path}/sql_mode`, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('is for MySQL alone', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    for (const answer of [await platform.get(`${path}/sql_mode`), await platform.put(`${path}/sql_mode`, { sql_mode: 'ANSI' })]) {
      expect([answer.status, answer.body.message]).toEqual([422, 'sql_mode is only available for MySQL clusters']);
    }
  });
});
