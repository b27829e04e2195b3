import { randomUUID } from 'node:crypto';
import { databaseMessages } from '../../../assumptions.ts';
import { timestamp } from '../../../calendar.ts';
import { conflict, notFound, unprocessable } from '../../../errors.ts';
import { flag, integerFrom, type JsonObject, onlyFields, optionalObject, optionalText, requiredText, texts } from '../../../fields.ts';
import type { Account } from '../../../store/account.ts';
import { durationMs } from '../../actions.ts';
import { type PlatformRequest, type Route, route } from '../../family.ts';
import { type ClusterEntry, clusters, engineOf, knownCluster, onlineCluster, updateCluster } from '../clusters.ts';
import type { Migration } from './migration.ts';

/** Source: operations databases_get_migrationStatus, _update_onlineMigration and _delete_onlineMigration. */
export const migrationRoutes: readonly Route[] = [
  route('GET /v2/databases/{cluster}/online-migration', {}, ({ params }, account) => {
    const { migration } = knownCluster(account, params.cluster).hidden;
    if (migration === null) {
      throw notFound();
    }
    return migration;
  }),
  route('PUT /v2/databases/{cluster}/online-migration', {}, startMigration),
  route('DELETE /v2/databases/{cluster}/online-migration/{migration}', { status: 204 }, ({ params }, account) => {
    const cluster = knownCluster(account, params.cluster);
    const { migration } = cluster.hidden;
    if (migration === null || migration.id !== params.migration) {
      throw notFound();
    }
    if (!isActive(migration)) {
      throw unprocessable(databaseMessages.migrationOver);
    }
    endMigration(account, cluster, { ...migration, status: 'canceled' });
    return undefined;
  }),
];

/** What the steps of a migration are told. */
interface Plan {
  readonly id: string;
  readonly host: string;
  /** The database that is copied, unless it is one of those to be ignored. */
  readonly database: string | null;
}

/** The copying is over: from now on the changes of the source follow. Or the source could not be reached. */
export function syncMigration(account: Account, ref: string, data: unknown): void {
  const plan = toPlan(data);
  const cluster = inProgress(account, ref, plan);
  if (cluster === undefined) {
    return;
  }
  const { entry, migration } = cluster;
  if (isUnreachable(plan.host)) {
    endMigration(account, entry, { ...migration, status: 'error' });
    return;
  }
  updateCluster(account, entry, {}, { migration: { ...migration, status: 'syncing' } });
  account.schedule(account.nowMs + durationMs(account, 'databaseMigrationSync'), 'database.migration-done', ref, plan);
}

/** Everything is there: the database that was copied is one of the cluster's. */
export function finishMigration(account: Account, ref: string, data: unknown): void {
  const plan = toPlan(data);
  const cluster = inProgress(account, ref, plan);
  if (cluster === undefined) {
    return;
  }
  const { entry, migration } = cluster;
  const names = entry.wire.db_names;
  const isNew = names !== null && plan.database !== null && !names.includes(plan.database);
  endMigration(account, entry, { ...migration, status: 'done' }, isNew && plan.database !== null ? [...names, plan.database] : names);
}

function startMigration({ params, body }: PlatformRequest, account: Account): Migration {
  const known = knownCluster(account, params.cluster);
  if (!engineOf(known.wire).canMigrate) {
    throw unprocessable(databaseMessages.noMigration);
  }
  if (known.hidden.migration !== null && isActive(known.hidden.migration)) {
    throw conflict(databaseMessages.migrationRuns);
  }
  const cluster = onlineCluster(account, params.cluster);
  const source = readSource(body);
  const migration: Migration = { id: randomUUID(), status: 'running', created_at: timestamp(account.nowMs) };
  const plan: Plan = { id: migration.id, ...source };
  updateCluster(account, cluster, { status: 'migrating' }, { migration });
  account.schedule(account.nowMs + durationMs(account, 'databaseMigrationCopy'), 'database.migration-sync', cluster.wire.id, plan);
  return migration;
}

/** Source: component `source_database`. */
function readSource(body: JsonObject): Omit<Plan, 'id'> {
  onlyFields(body, ['source', 'disable_ssl', 'ignore_dbs']);
  const source = optionalObject(body, 'source');
  if (source === undefined) {
    throw unprocessable('source is required.');
  }
  onlyFields(source, ['host', 'port', 'dbname', 'username', 'password'], 'source.');
  flag(body, 'disable_ssl');
  const ignored = texts(body, 'ignore_dbs');
  const host = requiredText(source, 'host');
  integerFrom(source, 'port', 1, 65_535);
  optionalText(source, 'username');
  optionalText(source, 'password');
  const database = optionalText(source, 'dbname') ?? '';
  return { host, database: database === '' || ignored.includes(database) ? null : database };
}

function endMigration(account: Account, cluster: ClusterEntry, migration: Migration, names = cluster.wire.db_names): void {
  updateCluster(account, cluster, { status: 'online', db_names: names }, { migration });
}

/** The cluster and its migration, if that is still the one that was planned and not over. */
function inProgress(account: Account, id: string, plan: Plan): { readonly entry: ClusterEntry; readonly migration: Migration } | undefined {
  const entry = clusters.get(account, id);
  const migration = entry?.hidden.migration;
  return entry !== undefined && migration?.id === plan.id && isActive(migration) ? { entry, migration } : undefined;
}

function isActive({ status }: Migration): boolean {
  return status === 'running' || status === 'syncing';
}

/** Nothing is connected: a host is judged by its name alone. Source: RFC 6761, names that no resolver answers for. */
function isUnreachable(host: string): boolean {
  return !host.includes('.') || /(^|\.)(invalid|localhost|test|local)$/i.test(host);
}

function toPlan(data: unknown): Plan {
  // It was stored by this file.
  return data as Plan;
}
