import { choice, flag, integer, type Settings, text } from './setting.ts';

/**
 * The settings of Valkey. Source: the OpenAPI document, component `valkey_advanced_config`, its bounds and what it says in words;
 * where it names no default, the engine's own. Beside it `aof` is taken, and policies with dashes, as Caching has them.
 */
export const valkeySettings: Settings = {
  valkey_maxmemory_policy: choice(
    ['noeviction', 'allkeys_lru', 'allkeys_random', 'volatile_lru', 'volatile_random', 'volatile_ttl'],
    'noeviction',
    {
      'allkeys-lru': 'allkeys_lru',
      'allkeys-random': 'allkeys_random',
      'volatile-lru': 'volatile_lru',
      'volatile-random': 'volatile_random',
      'volatile-ttl': 'volatile_ttl',
    },
  ),
  valkey_pubsub_client_output_buffer_limit: integer(32, 512, 64),
  valkey_number_of_databases: integer(1, 128, 16),
  valkey_io_threads: integer(1, 32, 1),
  valkey_lfu_log_factor: integer(0, 100, 10),
  valkey_lfu_decay_time: integer(1, 120, 1),
  valkey_ssl: flag(true),
  valkey_timeout: integer(0, 31_536_000, 300),
  valkey_notify_keyspace_events: text({ maxLength: 32, pattern: /^(?=.*[KE]|$)[KEg$lshzxeA]*$/, absent: '' }),
  valkey_persistence: choice(['off', 'rdb', 'aof'], 'rdb'),
  valkey_acl_channels_default: choice(['allchannels', 'resetchannels'], 'allchannels'),
  frequent_snapshots: flag(true),
  valkey_active_expire_effort: integer(1, 10, 1),
};
