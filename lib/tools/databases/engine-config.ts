import { path } from '../../catalogue/path.ts';
import type { PlatformCalls } from '../../catalogue/platform-calls.ts';
import type { NextCall } from '../../errors.ts';
import { type EngineCall, engineOf } from './engine.ts';
import { withWideIntegers } from './wide-integers.ts';

/** One address serves the configuration of every engine, so the cluster is asked first which one it runs. */
type ConfigCall = Omit<EngineCall, 'instead'>;

/** The configuration as the platform has it: `{config}`. Throws `invalid_arguments` for a cluster of another engine. */
export async function readConfig(call: ConfigCall, platform: PlatformCalls): Promise<unknown> {
  await configEngine(call, platform);
  return platform.request({ method: 'GET', path: path`/v2/databases/${call.id}/config` });
}

/** Changes the given fields of the configuration; the others stay. Throws `invalid_arguments` for a cluster of another engine. */
export async function writeConfig(call: ConfigCall, config: unknown, platform: PlatformCalls): Promise<unknown> {
  await configEngine(call, platform);
  return platform.request({ method: 'PATCH', path: path`/v2/databases/${call.id}/config`, body: { config: withWideIntegers(config) } });
}

/** The engine of the cluster; another than the call needs is told with the tool that reads its configuration. */
export function configEngine(call: ConfigCall, platform: PlatformCalls): Promise<string> {
  return engineOf({ ...call, instead: (engine) => showConfig(engine, call.id) }, platform);
}

const readers: Readonly<Record<string, string>> = {
  kafka: 'db-cluster-get-kafka-config',
  mongodb: 'db-cluster-get-mongodb-config',
  opensearch: 'db-cluster-get-opensearch-config',
  pg: 'db-cluster-get-postgresql-config',
  advanced_pg: 'db-cluster-get-postgresql-config',
  redis: 'db-cluster-get-redis-config',
  valkey: 'db-cluster-get-redis-config',
};

function showConfig(engine: string, id: string): NextCall | undefined {
  if (engine === 'mysql' || engine === 'advanced_mysql') return { tool: 'db-cluster-get-mysql-config', arguments: { ID: id } };
  const tool = readers[engine];
  return tool === undefined ? undefined : { tool, arguments: { id } };
}
