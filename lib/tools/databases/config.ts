import { z } from 'zod';
import { commaSeparated } from '../../catalogue/comma-separated.ts';
import { isRecord } from '../../catalogue/is-record.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { mysqlEngines, postgresEngines, redisEngines } from './engine.ts';
import { configEngine, readConfig, writeConfig } from './engine-config.ts';
import { clusterId } from './fields.ts';
import { clusterRecovery, listClusters, showCluster } from './recovery.ts';
import { redisConfigOnWire, showRedisConfig } from './redis-config.ts';
import { lostDigits, parseWide, wideInteger, withWideIntegers } from './wide-integers.ts';

const integer = () => z.int().optional();
const number = () => z.number().optional();
const text = () => z.string().optional();
const flag = () => z.boolean().optional();

const reads = {
  hints: { readOnly: true, destructive: false, idempotent: true },
  returns: 'config',
  recover: clusterRecovery,
} as const;

const writes = {
  hints: { readOnly: false, destructive: false, idempotent: true },
  check: ({ config }: { readonly config?: unknown }) => lostDigits('config', config),
  recover: clusterRecovery,
} as const;

/** The tools of mysql call the cluster's id `ID`. */
const mysqlRecovery = [
  { when: /^404/, next: () => [listClusters] },
  { when: /^412/, next: ({ ID }: { readonly ID: string }) => [showCluster({ id: ID })] },
];

/** The object in a text; wrapped as `{"config": {...}}`, as the platform sends it, it means the same. */
function configIn(text: string): unknown {
  const parsed = parseWide(text);
  return isRecord(parsed) && isRecord(parsed.config) && Object.keys(parsed).length === 1 ? parsed.config : parsed;
}

export const configTools = [
  tool({
    name: 'db-cluster-get-kafka-config',
    title: 'Get kafka configuration',
    description: 'The configuration of a kafka cluster.',
    input: () => z.object({ id: clusterId() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/config'],
    run: ({ id }, platform) => readConfig({ id, engines: ['kafka'] }, platform),
    ...reads,
  }),
  tool({
    name: 'db-cluster-update-kafka-config',
    title: 'Configure kafka',
    description: 'Changes the given configuration fields of a kafka cluster; the others stay.',
    input: () =>
      z.object({
        id: clusterId(),
        config: z
          .looseObject({
            group_initial_rebalance_delay_ms: integer(),
            group_min_session_timeout_ms: integer(),
            group_max_session_timeout_ms: integer(),
            message_max_bytes: integer(),
            log_cleaner_delete_retention_ms: wideInteger(),
            log_cleaner_min_compaction_lag_ms: wideInteger(),
            log_flush_interval_ms: wideInteger(),
            log_index_interval_bytes: integer(),
            log_message_downconversion_enable: flag(),
            log_message_timestamp_difference_max_ms: wideInteger(),
            log_preallocate: flag(),
            log_retention_bytes: wideInteger(),
            log_retention_hours: integer(),
            log_retention_ms: wideInteger(),
            log_roll_jitter_ms: wideInteger(),
            log_segment_delete_delay_ms: integer(),
            auto_create_topics_enable: flag(),
          })
          .describe('Integers over 2^53 as text'),
      }),
    calls: ['GET /v2/databases/{id}', 'PATCH /v2/databases/{id}/config'],
    run: ({ id, config }, platform) => writeConfig({ id, engines: ['kafka'] }, config, platform),
    ...writes,
    verify: ({ id }) => ({ tool: 'db-cluster-get-kafka-config', arguments: { id } }),
  }),
  tool({
    name: 'db-cluster-get-mongodb-config',
    title: 'Get MongoDB configuration',
    description: 'The configuration of a mongodb cluster.',
    input: () => z.object({ id: clusterId() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/config'],
    run: ({ id }, platform) => readConfig({ id, engines: ['mongodb'] }, platform),
    ...reads,
  }),
  tool({
    name: 'db-cluster-update-mongodb-config',
    title: 'Configure MongoDB',
    description: 'Changes the given configuration fields of a mongodb cluster; the others stay. Some restart the database.',
    input: () =>
      z.object({
        id: clusterId(),
        config: z.looseObject({
          default_read_concern: text().describe('Such as local or majority'),
          default_write_concern: text().describe('Such as majority'),
          transaction_lifetime_limit_seconds: integer(),
          slow_op_threshold_ms: integer(),
          verbosity: z.int().min(0).max(5).optional(),
        }),
      }),
    calls: ['GET /v2/databases/{id}', 'PATCH /v2/databases/{id}/config'],
    run: ({ id, config }, platform) => writeConfig({ id, engines: ['mongodb'] }, config, platform),
    ...writes,
    verify: ({ id }) => ({ tool: 'db-cluster-get-mongodb-config', arguments: { id } }),
  }),
  tool({
    name: 'db-cluster-get-mysql-config',
    title: 'Get MySQL configuration',
    description: 'The configuration of a mysql cluster.',
    input: () => z.object({ ID: clusterId() }),
    run: ({ ID }, platform) => readConfig({ id: ID, engines: mysqlEngines }, platform),
    ...reads,
    calls: ['GET /v2/databases/{ID}', 'GET /v2/databases/{ID}/config'],
    recover: mysqlRecovery,
  }),
  tool({
    name: 'db-cluster-update-mysql-config',
    title: 'Configure MySQL',
    description: 'Changes the given configuration fields of a mysql cluster; the others stay.',
    input: () =>
      z.object({
        ID: clusterId(),
        config_json: z.string().describe('Such as {"sql_require_primary_key": true}'),
      }),
    aliases: { config: 'config_json' },
    texts: { config_json: 'object' },
    calls: ['GET /v2/databases/{ID}', 'PATCH /v2/databases/{ID}/config'],
    run: ({ ID, config_json }, platform) => writeConfig({ id: ID, engines: mysqlEngines }, configIn(config_json), platform),
    hints: writes.hints,
    verify: ({ ID }) => ({ tool: 'db-cluster-get-mysql-config', arguments: { ID } }),
    recover: mysqlRecovery,
  }),
  tool({
    name: 'db-cluster-get-sql-mode',
    title: 'Get the SQL mode of MySQL',
    description: 'The SQL modes of a mysql cluster, separated by commas.',
    input: () => z.object({ id: clusterId() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/sql_mode'],
    async run({ id }, platform) {
      await configEngine({ id, engines: mysqlEngines }, platform);
      return platform.request({ method: 'GET', path: path`/v2/databases/${id}/sql_mode` });
    },
    hints: reads.hints,
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-set-sql-mode',
    title: 'Set the SQL mode of MySQL',
    description: 'Replaces all SQL modes of a mysql cluster.',
    input: () => z.object({ id: clusterId(), modes: z.string().describe('Such as ANSI_QUOTES,STRICT_TRANS_TABLES') }),
    calls: ['GET /v2/databases/{id}', 'PUT /v2/databases/{id}/sql_mode'],
    async run({ id, modes }, platform) {
      await configEngine({ id, engines: mysqlEngines }, platform);
      const body = { sql_mode: commaSeparated(modes).join(',') };
      return platform.request({ method: 'PUT', path: path`/v2/databases/${id}/sql_mode`, body });
    },
    hints: writes.hints,
    verify: ({ id }) => ({ tool: 'db-cluster-get-sql-mode', arguments: { id } }),
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-get-opensearch-config',
    title: 'Get OpenSearch configuration',
    description: 'The configuration of an opensearch cluster.',
    input: () => z.object({ id: clusterId() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/config'],
    run: ({ id }, platform) => readConfig({ id, engines: ['opensearch'] }, platform),
    ...reads,
  }),
  tool({
    name: 'db-cluster-update-os-config',
    title: 'Configure OpenSearch',
    description: 'Changes the given configuration fields of an opensearch cluster; the others stay.',
    input: () =>
      z.object({
        id: clusterId(),
        config: z.looseObject({
          http_max_content_length_bytes: integer(),
          indices_query_bool_max_clause_count: integer(),
          ism_enabled: flag(),
          search_max_buckets: integer(),
          thread_pool_write_queue_size: integer(),
          cluster_max_shards_per_node: integer(),
          script_max_compilations_rate: text(),
          reindex_remote_whitelist: z.array(z.string()).optional(),
          plugins_alerting_filter_by_backend_roles_enabled: flag(),
        }),
      }),
    calls: ['GET /v2/databases/{id}', 'PATCH /v2/databases/{id}/config'],
    run: ({ id, config }, platform) => writeConfig({ id, engines: ['opensearch'] }, config, platform),
    ...writes,
    verify: ({ id }) => ({ tool: 'db-cluster-get-opensearch-config', arguments: { id } }),
  }),
  tool({
    name: 'db-cluster-get-postgresql-config',
    title: 'Get PostgreSQL configuration',
    description: 'The configuration of a pg cluster.',
    input: () => z.object({ id: clusterId() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/config'],
    run: ({ id }, platform) => readConfig({ id, engines: postgresEngines }, platform),
    ...reads,
  }),
  tool({
    name: 'db-cluster-update-psql-config',
    title: 'Configure PostgreSQL',
    description: 'Changes the given configuration fields of a pg cluster; the others stay.',
    input: () =>
      z.object({
        id: clusterId(),
        config: z.looseObject({
          autovacuum_max_workers: integer(),
          autovacuum_vacuum_scale_factor: number(),
          shared_buffers_percentage: number(),
          timezone: text(),
          temp_file_limit: wideInteger(),
          jit: flag(),
          pgbouncer: z.looseObject({}).optional(),
          timescaledb: z.looseObject({}).optional(),
        }),
      }),
    calls: ['GET /v2/databases/{id}', 'PATCH /v2/databases/{id}/config'],
    run: ({ id, config }, platform) => writeConfig({ id, engines: postgresEngines }, config, platform),
    ...writes,
    verify: ({ id }) => ({ tool: 'db-cluster-get-postgresql-config', arguments: { id } }),
  }),
  tool({
    name: 'db-cluster-get-redis-config',
    title: 'Get Redis or Valkey configuration',
    description: 'The configuration of a redis or valkey cluster, in redis_* fields for both.',
    input: () => z.object({ id: clusterId() }),
    calls: ['GET /v2/databases/{id}', 'GET /v2/databases/{id}/config'],
    run: async ({ id }, platform) => showRedisConfig(await readConfig({ id, engines: redisEngines }, platform)),
    ...reads,
  }),
  tool({
    name: 'db-cluster-update-redis-config',
    title: 'Configure Redis or Valkey',
    description: 'Changes the given configuration fields of a redis or valkey cluster, named redis_* for both; the others stay.',
    input: () =>
      z.object({
        id: clusterId(),
        config: z.looseObject({
          redis_maxmemory_policy: text().describe('Such as allkeys-lru'),
          redis_pubsub_client_output_buffer_limit: integer(),
          redis_number_of_databases: integer(),
          redis_io_threads: integer(),
          redis_lfu_log_factor: integer(),
          redis_lfu_decay_time: integer(),
          redis_ssl: flag(),
          redis_timeout: integer(),
          redis_notify_keyspace_events: text(),
          redis_persistence: z.enum(['aof', 'rdb', 'none']).optional(),
          redis_acl_channels_default: text(),
        }),
      }),
    calls: ['GET /v2/databases/{id}', 'PATCH /v2/databases/{id}/config'],
    async run({ id, config }, platform) {
      const engine = await configEngine({ id, engines: redisEngines }, platform);
      const body = { config: withWideIntegers(redisConfigOnWire(config, engine)) };
      return platform.request({ method: 'PATCH', path: path`/v2/databases/${id}/config`, body });
    },
    ...writes,
    verify: ({ id }) => ({ tool: 'db-cluster-get-redis-config', arguments: { id } }),
  }),
];
