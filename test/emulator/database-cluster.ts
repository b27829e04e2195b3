import { type Answer, frozenPlatform, type Json, type Platform } from './platform.ts';

/** A body for POST /v2/databases, with changes. */
export function clusterBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'shop', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-1vcpu-2gb', num_nodes: 1, ...changes };
}

/** What each engine can be made of, at the least. */
export const smallest: Readonly<Record<string, Record<string, unknown>>> = {
  pg: { engine: 'pg', version: '16' },
  mysql: { engine: 'mysql', version: '8' },
  valkey: { engine: 'valkey', version: '8' },
  mongodb: { engine: 'mongodb', version: '7.0' },
  kafka: { engine: 'kafka', version: '3.8', size: 'db-s-2vcpu-2gb', num_nodes: 3 },
  opensearch: { engine: 'opensearch', version: '2' },
  advanced_pg: { engine: 'advanced_pg', version: '17', size: 'gd-2vcpu-8gb' },
  advanced_mysql: { engine: 'advanced_mysql', version: '8.4.8', size: 'gd-2vcpu-8gb' },
};

export const later = (platform: Platform, span: string): Promise<Answer> => platform.post('/_emulator/clock', { advance: span });

/** Creates a cluster and lets it come online; the clock must stand still. */
export async function onlineCluster(platform: Platform, changes: Record<string, unknown> = {}): Promise<Json> {
  const created = await platform.post('/v2/databases', clusterBody(changes));
  if (created.status !== 201) {
    throw new Error(`POST /v2/databases: ${created.status} ${created.body.message}`);
  }
  await later(platform, '4m');
  return (await platform.get(`/v2/databases/${created.body.database.id}`)).body.database;
}

/** A platform with one online cluster, and a path into it. */
export async function withCluster(changes: Record<string, unknown> = {}) {
  const platform = await frozenPlatform();
  const cluster = await onlineCluster(platform, changes);
  return { platform, cluster, path: `/v2/databases/${cluster.id}`, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}
