import type { RoutedCase, RunCase } from './case.ts';

const id = '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30';
const cluster = `/v2/databases/${id}`;
const user = `${cluster}/users/app-01`;
const topic = `${cluster}/topics/orders`;

export const databaseCases: readonly RoutedCase[] = [
  ['db-cluster-list', {}, { method: 'GET', path: '/v2/databases' }],
  ['db-cluster-list', { page: '2', per_page: 5 }, { method: 'GET', path: '/v2/databases?page=2&per_page=5' }],
  ['db-cluster-list', { page: 2 }, { method: 'GET', path: '/v2/databases?page=2&per_page=20' }],
  ['db-cluster-list', { per_page: '900' }, { method: 'GET', path: '/v2/databases?page=1&per_page=200' }],
  ['db-cluster-get', { id }, { method: 'GET', path: cluster }],
  ['db-cluster-get-ca', { id }, { method: 'GET', path: `${cluster}/ca` }],
  [
    'db-cluster-create',
    { name: 'backend', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-2vcpu-4gb', num_nodes: 2 },
    {
      method: 'POST',
      path: '/v2/databases',
      body: { name: 'backend', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-2vcpu-4gb', num_nodes: 2 },
    },
  ],
  [
    'db-cluster-create',
    { name: 'backend', engine: 'pg', version: '16', region: 'nyc3', size: 's', num_nodes: '1', tags: 'prod, data,', RevealSecrets: true },
    {
      method: 'POST',
      path: '/v2/databases',
      body: { name: 'backend', engine: 'pg', version: '16', region: 'nyc3', size: 's', num_nodes: 1, tags: ['prod', 'data'] },
    },
  ],
  ['db-cluster-delete', { id }, { method: 'DELETE', path: cluster }],
  ['db-cluster-list-backups', { id }, { method: 'GET', path: `${cluster}/backups` }],
  ['db-cluster-list-backups', { id, page: '1', per_page: 3 }, { method: 'GET', path: `${cluster}/backups?page=1&per_page=3` }],
  ['db-cluster-list-options', {}, { method: 'GET', path: '/v2/databases/options' }],
  ['db-cluster-upgrade-major-version', { id, version: '17' }, { method: 'PUT', path: `${cluster}/upgrade`, body: { version: '17' } }],
  [
    'db-cluster-start-online-migration',
    {
      id,
      source: { host: 'db.example.com', port: 5432, dbname: 'app', username: 'u', password: 'p' },
      disable_ssl: true,
      ignore_dbs: 'a, b',
    },
    {
      method: 'PUT',
      path: `${cluster}/online-migration`,
      body: {
        source: { host: 'db.example.com', port: 5432, dbname: 'app', username: 'u', password: 'p' },
        disable_ssl: true,
        ignore_dbs: ['a', 'b'],
      },
    },
  ],
  ['db-cluster-stop-online-migration', { id, migration_id: id }, { method: 'DELETE', path: `${cluster}/online-migration/${id}` }],
  ['db-cluster-get-migration', { id }, { method: 'GET', path: `${cluster}/online-migration` }],
  ['db-cluster-get-firewall-rules', { id }, { method: 'GET', path: `${cluster}/firewall` }],
  [
    'db-cluster-update-firewall-rules',
    {
      id,
      rules: [
        { uuid: id, cluster_uuid: '', type: 'ip_addr', value: '192.168.1.1' },
        { type: 'instance', value: 163973392 },
        { type: 'tag', value: 'backend' },
      ],
    },
    {
      method: 'PUT',
      path: `${cluster}/firewall`,
      body: {
        rules: [
          { uuid: id, type: 'ip_addr', value: '192.168.1.1' },
          { type: 'droplet', value: '163973392' },
          { type: 'tag', value: 'backend' },
        ],
      },
    },
  ],
  ['db-cluster-update-firewall-rules', { id, rules: [] }, { method: 'PUT', path: `${cluster}/firewall`, body: { rules: [] } }],
  ['db-cluster-get-user', { id, user: 'app-01' }, { method: 'GET', path: user }],
  ['db-cluster-list-users', { id }, { method: 'GET', path: `${cluster}/users` }],
  ['db-cluster-list-users', { id, page: '3' }, { method: 'GET', path: `${cluster}/users?page=3&per_page=20` }],
  ['db-cluster-create-user', { id, name: 'app-01' }, { method: 'POST', path: `${cluster}/users`, body: { name: 'app-01' } }],
  [
    'db-cluster-create-user',
    {
      id,
      name: 'app-01',
      mysql_auth_plugin: 'caching_sha2_password',
      settings: { mongo_user_settings: { databases: ['app'], role: 'readOnly' } },
    },
    {
      method: 'POST',
      path: `${cluster}/users`,
      body: {
        name: 'app-01',
        mysql_settings: { auth_plugin: 'caching_sha2_password' },
        settings: { mongo_user_settings: { databases: ['app'], role: 'readOnly' } },
      },
    },
  ],
  ['db-cluster-delete-user', { id, user: 'app-01' }, { method: 'DELETE', path: user }],
];

const read = { method: 'GET', path: cluster } as const;
const runs = (engine: string) => ({ database: { id, name: 'main', engine, size: 'db-s-2vcpu-4gb', num_nodes: 2 } });
const readConfig = [read, { method: 'GET', path: `${cluster}/config` }] as const;
const writeConfig = (config: object) => [read, { method: 'PATCH', path: `${cluster}/config`, body: { config } }] as const;
const config = { config: {} };

export const databaseRunCases: readonly RunCase[] = [
  [
    'db-cluster-resize',
    { id, storage_size_mib: 81920 },
    [runs('pg'), undefined],
    [read, { method: 'PUT', path: `${cluster}/resize`, body: { size: 'db-s-2vcpu-4gb', num_nodes: 2, storage_size_mib: 81920 } }],
  ],
  [
    'db-cluster-resize',
    { id, size: 'db-s-4vcpu-8gb' },
    [runs('pg'), undefined],
    [read, { method: 'PUT', path: `${cluster}/resize`, body: { size: 'db-s-4vcpu-8gb', num_nodes: 2 } }],
  ],
  [
    'db-cluster-resize',
    { id, size: 'db-s-4vcpu-8gb', num_nodes: 3 },
    [undefined],
    [{ method: 'PUT', path: `${cluster}/resize`, body: { size: 'db-s-4vcpu-8gb', num_nodes: 3 } }],
  ],
  [
    'db-cluster-list-topics',
    { id, with_projects: 'true', only_deployed: false, public_only: 'FALSE', usecases: 'a,b' },
    [runs('kafka'), { topics: [] }],
    [read, { method: 'GET', path: `${cluster}/topics` }],
  ],
  [
    'db-cluster-list-topics',
    { id, page: '2', per_page: 10 },
    [runs('kafka'), { topics: [] }],
    [read, { method: 'GET', path: `${cluster}/topics?page=2&per_page=10` }],
  ],
  [
    'db-cluster-create-topic',
    { id, name: 'orders', partition_count: '6', replication_factor: 2, config: { cleanup_policy: 'compact', retention_ms: '604800000' } },
    [runs('kafka'), { topic: {} }],
    [
      read,
      {
        method: 'POST',
        path: `${cluster}/topics`,
        body: {
          name: 'orders',
          partition_count: 6,
          replication_factor: 2,
          config: { cleanup_policy: 'compact', retention_ms: 604800000 },
        },
      },
    ],
  ],
  ['db-cluster-get-topic', { id, name: 'orders' }, [runs('kafka'), { topic: {} }], [read, { method: 'GET', path: topic }]],
  ['db-cluster-delete-topic', { id, name: 'orders' }, [runs('kafka'), undefined], [read, { method: 'DELETE', path: topic }]],
  [
    'db-cluster-update-topic',
    { id, name: 'orders', partition_count: 12 },
    [runs('kafka'), { topic: {} }],
    [read, { method: 'PUT', path: topic, body: { partition_count: 12 } }],
  ],
  ['db-cluster-get-kafka-config', { id }, [runs('kafka'), config], readConfig],
  [
    'db-cluster-update-kafka-config',
    { id, config: { message_max_bytes: 1048588, log_retention_hours: '168', new_field: null } },
    [runs('kafka'), undefined],
    writeConfig({ message_max_bytes: 1048588, log_retention_hours: 168, new_field: null }),
  ],
  ['db-cluster-get-mongodb-config', { id }, [runs('mongodb'), config], readConfig],
  [
    'db-cluster-update-mongodb-config',
    { id, config: { default_write_concern: '1', verbosity: 3 } },
    [runs('mongodb'), undefined],
    writeConfig({ default_write_concern: '1', verbosity: 3 }),
  ],
  ['db-cluster-get-mysql-config', { id }, [runs('mysql'), config], readConfig],
  [
    'db-cluster-update-mysql-config',
    { ID: id, config_json: '{"sql_require_primary_key": true}' },
    [runs('mysql'), undefined],
    writeConfig({ sql_require_primary_key: true }),
  ],
  [
    'db-cluster-update-mysql-config',
    { id, config: { interactive_timeout: 3600 } },
    [runs('advanced_mysql'), undefined],
    writeConfig({ interactive_timeout: 3600 }),
  ],
  [
    'db-cluster-update-mysql-config',
    { id, config_json: '{"config": {"wait_timeout": 600}}' },
    [runs('mysql'), undefined],
    writeConfig({ wait_timeout: 600 }),
  ],
  ['db-cluster-get-sql-mode', { id }, [runs('mysql'), { sql_mode: 'ANSI' }], [read, { method: 'GET', path: `${cluster}/sql_mode` }]],
  [
    'db-cluster-set-sql-mode',
    { id, modes: ' ANSI_QUOTES , STRICT_TRANS_TABLES' },
    [runs('mysql'), undefined],
    [read, { method: 'PUT', path: `${cluster}/sql_mode`, body: { sql_mode: 'ANSI_QUOTES,STRICT_TRANS_TABLES' } }],
  ],
  ['db-cluster-get-opensearch-config', { id }, [runs('opensearch'), config], readConfig],
  [
    'db-cluster-update-os-config',
    { id, config: { ism_enabled: true, reindex_remote_whitelist: ['host:443'], script_max_compilations_rate: '75/5m' } },
    [runs('opensearch'), undefined],
    writeConfig({ ism_enabled: true, reindex_remote_whitelist: ['host:443'], script_max_compilations_rate: '75/5m' }),
  ],
  ['db-cluster-get-postgresql-config', { id }, [runs('pg'), config], readConfig],
  [
    'db-cluster-update-psql-config',
    { id, config: { jit: true, timezone: 'Europe/Rome', pgbouncer: { server_idle_timeout: 600 }, 'pg_stat_statements.track': 'all' } },
    [runs('pg'), undefined],
    writeConfig({ jit: true, timezone: 'Europe/Rome', pgbouncer: { server_idle_timeout: 600 }, 'pg_stat_statements.track': 'all' }),
  ],
  ['db-cluster-get-redis-config', { id }, [runs('valkey'), config], readConfig],
  [
    'db-cluster-update-redis-config',
    { id, config: { redis_persistence: 'NONE', redis_ssl: true } },
    [runs('redis'), undefined],
    writeConfig({ redis_persistence: 'off', redis_ssl: true }),
  ],
  [
    'db-cluster-update-redis-config',
    { id, config: { redis_persistence: 'rdb', redis_timeout: 300, frequent_snapshots: true } },
    [runs('valkey'), undefined],
    writeConfig({ valkey_persistence: 'rdb', valkey_timeout: 300, frequent_snapshots: true }),
  ],
  ['db-cluster-update-user', { id, user: 'app-01' }, [{ user: { name: 'app-01' } }], [{ method: 'GET', path: user }]],
  [
    'db-cluster-update-user',
    { id, user: 'app-01', settings: { acl: [{ permission: 'consume', topic: 'orders' }] } },
    [{ user: { name: 'app-01' } }],
    [{ method: 'PUT', path: user, body: { settings: { acl: [{ permission: 'consume', topic: 'orders' }] } } }],
  ],
];
