import { databaseMessages } from '../../assumptions.ts';
import { type Engine, type EngineSlug, findEngine } from '../../catalogue/databases.ts';
import { notFound, preconditionFailed } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { durationMs } from '../actions.ts';
import { type Connections, connectionsOf } from './connections.ts';
import type { Migration } from './migration/migration.ts';
import type { Chosen } from './settings/settings.ts';
import { usersText } from './users/users.ts';

/** A database cluster as it is stored; its users are spliced in when it is shown. Source: the OpenAPI document, component `database_cluster_read`. */
export interface Cluster extends Connections {
  readonly id: string;
  readonly name: string;
  readonly engine: EngineSlug;
  readonly version: string;
  readonly semantic_version: string;
  readonly num_nodes: number;
  readonly size: string;
  readonly storage_size_mib: number;
  readonly region: string;
  /** A major upgrade and an online migration both show as migrating. */
  readonly status: 'creating' | 'online' | 'resizing' | 'migrating' | 'forking';
  readonly created_at: string;
  readonly private_network_uuid: string;
  readonly tags: readonly string[];
  readonly db_names: readonly string[] | null;
  readonly maintenance_window: MaintenanceWindow;
  readonly project_id: string;
  readonly version_end_of_life: string;
  readonly version_end_of_availability: string;
  readonly do_settings: { readonly service_cnames: readonly string[] };
}

export interface MaintenanceWindow {
  readonly day: string;
  readonly hour: string;
  readonly pending: boolean;
  readonly description: readonly string[];
}

export interface ClusterHidden {
  readonly settings: Chosen;
  /** The most recent one, over or not. */
  readonly migration: Migration | null;
  /** When the next backup is due; a row for another moment no longer counts. */
  readonly nextBackupMs: number | null;
}

export type ClusterEntry = Entry<Cluster, ClusterHidden>;

export const clusters = collection<Cluster, ClusterHidden>({
  table: 'database_clusters',
  key: 'text',
  id: (cluster) => cluster.id,
  columns: {
    uuid: { of: (cluster) => cluster.id },
    name: { of: (cluster) => cluster.name, index: 'lookup' },
  },
  present: (account, text, { uuid }) => `${text.slice(0, -1)},"users":${usersText(account, String(uuid))}}`,
});

/** The cluster that a path names. Errors: 404. */
export function knownCluster(account: Account, id = ''): ClusterEntry {
  const cluster = clusters.get(account, id);
  if (cluster === undefined) {
    throw notFound();
  }
  return cluster;
}

/** The cluster of a name. Names that read as the same number, 100 and 1e2, are one to the column. */
export function clusterNamed(account: Account, name: string): ClusterEntry | undefined {
  return clusters.where(account, 'name', name).find(({ wire }) => wire.name === name);
}

/** The cluster that a path names, to be changed. Errors: 404, and 412 while it is not online. */
export function onlineCluster(account: Account, id: string | undefined): ClusterEntry {
  const cluster = knownCluster(account, id);
  if (cluster.wire.status !== 'online') {
    throw preconditionFailed(databaseMessages.unavailable);
  }
  return cluster;
}

/** `{"database": {...}}`. Errors: 404. */
export function clusterReply(account: Account, id = ''): string {
  const text = clusters.text(account, id);
  if (text === undefined) {
    throw notFound();
  }
  return `{"database":${text}}`;
}

export function engineOf({ engine: slug }: Cluster): Engine {
  const engine = findEngine(slug);
  if (engine === undefined) {
    throw new Error(`the catalogue lacks the engine ${slug} of a stored cluster: add it`);
  }
  return engine;
}

/** Stores what has changed of a cluster; its connections follow from the rest. */
export function updateCluster(
  account: Account,
  entry: ClusterEntry,
  changes: Partial<Cluster>,
  hiddenChanges: Partial<ClusterHidden> = {},
): void {
  const wire = { ...entry.wire, ...changes };
  const hidden = { ...entry.hidden, ...hiddenChanges };
  const { host, password } = wire.connection;
  const registry = wire.engine === 'kafka' && hidden.settings.schema_registry === true;
  const connections = connectionsOf({ engine: engineOf(wire), nodes: wire.num_nodes, host, password, registry });
  clusters.update(account, { ...wire, ...connections }, hidden);
}

/** Has a cluster be online, with these changes, once `step` has taken its time. */
export function onlineLater(account: Account, id: string, step: string, changes: Partial<Cluster> = {}): void {
  account.schedule(account.nowMs + durationMs(account, step), 'database.online', id, changes);
}

export function clusterUrn(id: string): string {
  return `do:dbaas:${id}`;
}

export function clusterChargeRef(id: string): string {
  return `database:${id}`;
}
