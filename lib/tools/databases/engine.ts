import { path } from '../../catalogue/path.ts';
import type { PlatformCalls } from '../../catalogue/platform-calls.ts';
import { type NextCall, ToolError } from '../../errors.ts';
import { showCluster } from './recovery.ts';

/** A call that only clusters of some engines understand. */
export interface EngineCall {
  /** Id of the cluster. */
  readonly id: string;
  readonly engines: readonly string[];
  /** The call to make instead where the cluster runs another engine. */
  readonly instead?: (engine: string) => NextCall | undefined;
}

export const postgresEngines = ['pg', 'advanced_pg'];
export const mysqlEngines = ['mysql', 'advanced_mysql'];
export const redisEngines = ['redis', 'valkey'];

/**
 * Reads which engine a cluster runs, before anything that only some engines understand is asked of it.
 *
 * @throws ToolError `invalid_arguments` when it runs none of those.
 */
export async function engineOf({ id, engines, instead }: EngineCall, platform: PlatformCalls): Promise<string> {
  const cluster = await platform.record(path`/v2/databases/${id}`, 'database');
  const engine = String(cluster.engine);
  if (engines.includes(engine)) return engine;
  const expected = `a cluster that runs ${engines.join(' or ')}`;
  throw new ToolError(
    'invalid_arguments',
    `${platform.tool}: the cluster ${cluster.name} runs ${engine}; this needs ${expected}; nothing was changed`,
    {
      problems: [{ field: 'id', got: `a cluster that runs ${engine}`, expected }],
      next: [instead?.(engine) ?? showCluster({ id })],
    },
  );
}
