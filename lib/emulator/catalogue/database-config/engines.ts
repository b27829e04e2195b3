import type { EngineSlug } from '../databases.ts';
import { kafkaSettings } from './kafka.ts';
import { mongodbSettings } from './mongodb.ts';
import { mysqlSettings } from './mysql.ts';
import { opensearchSettings } from './opensearch.ts';
import { postgresqlSettings } from './postgresql.ts';
import { redisSettings } from './redis.ts';
import type { Settings } from './setting.ts';
import { valkeySettings } from './valkey.ts';

/** The settings that a cluster of an engine has. */
export const settingsOf: Readonly<Record<EngineSlug, Settings>> = {
  pg: postgresqlSettings,
  advanced_pg: postgresqlSettings,
  mysql: mysqlSettings,
  advanced_mysql: mysqlSettings,
  redis: redisSettings,
  valkey: valkeySettings,
  mongodb: mongodbSettings,
  kafka: kafkaSettings,
  opensearch: opensearchSettings,
};
