import { choice, flag, INT64_MAX, integer, long, number, type Settings } from './setting.ts';

const FORMATS =
  '0.8.0 0.8.1 0.8.2 0.9.0 0.10.0-IV0 0.10.0-IV1 0.10.1-IV0 0.10.1-IV1 0.10.1-IV2 0.10.2-IV0 0.11.0-IV0 0.11.0-IV1 0.11.0-IV2 1.0-IV0 1.1-IV0 2.0-IV0 2.0-IV1 2.1-IV0 2.1-IV1 2.1-IV2 2.2-IV0 2.2-IV1 2.3-IV0 2.3-IV1 2.4-IV0 2.4-IV1 2.5-IV0 2.6-IV0 2.7-IV0 2.7-IV1 2.7-IV2 2.8-IV0 2.8-IV1 3.0-IV0 3.0-IV1 3.1-IV0 3.2-IV0 3.3-IV0 3.3-IV1 3.3-IV2 3.3-IV3';

/**
 * The settings of a Kafka topic. Source: the OpenAPI document, component `kafka_topic_config`; `message_timestamp_difference_max_ms`
 * and `segment_index_bytes` from the example of operation databases_get_kafka_topic. The document spells lz4 with a capital I.
 */
export const topicSettings: Settings = {
  cleanup_policy: choice(['delete', 'compact', 'compact_delete'], 'delete'),
  compression_type: choice(['producer', 'gzip', 'snappy', 'Iz4', 'lz4', 'zstd', 'uncompressed'], 'producer'),
  delete_retention_ms: long(0n, INT64_MAX, 86_400_000n),
  file_delete_delay_ms: long(0n, INT64_MAX, 60_000n),
  flush_messages: long(0n, INT64_MAX, INT64_MAX),
  flush_ms: long(0n, INT64_MAX, INT64_MAX),
  index_interval_bytes: long(0n, INT64_MAX, 4096n),
  max_compaction_lag_ms: long(1n, INT64_MAX, INT64_MAX),
  max_message_bytes: long(0n, INT64_MAX, 1_048_588n),
  message_down_conversion_enable: flag(true),
  message_format_version: choice(FORMATS.split(' '), '3.0-IV1'),
  message_timestamp_difference_max_ms: long(0n, INT64_MAX, INT64_MAX),
  message_timestamp_type: choice(['create_time', 'log_append_time'], 'create_time'),
  min_cleanable_dirty_ratio: number(0, 1, 0.5),
  min_compaction_lag_ms: long(0n, INT64_MAX, 0n),
  min_insync_replicas: integer(1, 2_147_483_647, 1),
  preallocate: flag(false),
  retention_bytes: long(-1n, INT64_MAX, -1n),
  retention_ms: long(-1n, INT64_MAX, 604_800_000n),
  segment_bytes: long(14n, INT64_MAX, 209_715_200n),
  segment_index_bytes: long(0n, INT64_MAX, 10_485_760n),
  segment_jitter_ms: long(0n, INT64_MAX, 0n),
  segment_ms: long(1n, INT64_MAX, 604_800_000n),
};
