import { isRecord } from '../../catalogue/is-record.ts';

/**
 * The configuration of redis and valkey in each other's words. The specification speaks of `redis_*` and of the persistence `none`; the platform says
 * `off`, and on valkey `valkey_*`.
 */
export function redisConfigOnWire(config: Readonly<Record<string, unknown>>, engine: string): Readonly<Record<string, unknown>> {
  return renamed(config, (name, value) => [
    engine === 'valkey' ? name.replace(/^redis_/, 'valkey_') : name,
    isPersistence(name) && value === 'none' ? 'off' : value,
  ]);
}

/** A reply `{config}` in the specification's words. */
export function showRedisConfig(reply: unknown): unknown {
  if (!isRecord(reply) || !isRecord(reply.config)) return reply;
  const config = renamed(reply.config, (name, value) => [
    name.replace(/^valkey_/, 'redis_'),
    isPersistence(name) && value === 'off' ? 'none' : value,
  ]);
  return { ...reply, config };
}

function isPersistence(name: string): boolean {
  return name === 'redis_persistence' || name === 'valkey_persistence';
}

function renamed(config: Readonly<Record<string, unknown>>, rename: (name: string, value: unknown) => readonly [string, unknown]) {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => rename(name, value)));
}
