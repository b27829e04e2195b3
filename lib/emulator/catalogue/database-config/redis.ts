import { choice, flag, integer, type Settings, text } from './setting.ts';

/**
 * The settings of Redis, which the platform calls Caching. Source: the OpenAPI document, component `redis_advanced_config`, its bounds and what it says in words;
 * where it names no default, the engine's own. Policies with underscores are taken too, as Valkey has them.
 */
export const redisSettings: Settings = {
  redis_maxmemory_policy: choice(
    ['noeviction', 'allkeys-lru', 'allkeys-random', 'volatile-lru', 'volatile-random', 'volatile-ttl'],
    'noeviction',
    {
      allkeys_lru: 'allkeys-lru',
      allkeys_random: 'allkeys-random',
      volatile_lru: 'volatile-lru',
      volatile_random: 'volatile-random',
      volatile_ttl: 'volatile-ttl',
    },
  ),
  redis_pubsub_client_output_buffer_limit: integer(32, 512, 64),
  redis_number_of_databases: integer(1, 128, 16),
  redis_io_threads: integer(1, 32, 1),
  redis_lfu_log_factor: integer(0, 100, 10),
  redis_lfu_decay_time: integer(1, 120, 1),
  redis_ssl: flag(true),
  redis_timeout: integer(0, 31_536_000, 300),
  redis_notify_keyspace_events: text({ maxLength: 32, pattern: /^(?=.*[KE]|$)[KEg$lshzxeA]*$/, absent: '' }),
  redis_persistence: choice(['off', 'rdb', 'aof'], 'rdb'),
  redis_acl_channels_default: choice(['allchannels', 'resetchannels'], 'allchannels'),
};
