import { choice, integer, type Settings, text } from './setting.ts';

/**
 * The settings of MongoDB. Source: the OpenAPI document, component `mongo_advanced_config`, its bounds and what it says in words;
 * where it names no default, the engine's own.
 */
export const mongodbSettings: Settings = {
  default_read_concern: choice(['local', 'available', 'majority'], 'local'),
  default_write_concern: text({ pattern: /^(majority|\d{1,2})$/, absent: 'majority' }),
  transaction_lifetime_limit_seconds: integer(1, 2_147_483_647, 60),
  slow_op_threshold_ms: integer(0, 2_147_483_647, 100),
  verbosity: integer(0, 5, 0),
};
