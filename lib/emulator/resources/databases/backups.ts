import { databaseMessages, keptDatabaseBackups } from '../../assumptions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, timestamp } from '../../calendar.ts';
import type { Engine } from '../../catalogue/databases.ts';
import { unprocessable } from '../../errors.ts';
import { isObject, type JsonObject, onlyFields, optionalText, requiredText } from '../../fields.ts';
import { fixedSource, unlinkedReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import { type PlatformRequest, type Route, route } from '../family.ts';
import { type Cluster, type ClusterEntry, clusterNamed, clusters, engineOf, knownCluster, updateCluster } from './clusters.ts';
import type { Chosen } from './settings/settings.ts';

export const backupTables: readonly string[] = [
  'CREATE TABLE database_backups (cluster TEXT NOT NULL, at INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (cluster, at)) WITHOUT ROWID',
];

/** Source: operation databases_list_backups. */
export const backupRoutes: readonly Route[] = [route('GET /v2/databases/{cluster}/backups', {}, listBackups)];

/** What a new cluster takes over from the backup it begins with. */
export type Restore = Pick<Cluster, 'db_names'>;

/** The backup that a request names: of a cluster, the newest or the one of a moment. Errors: 422. Source: component `database_backup`. */
export function restoreOf(account: Account, engine: Engine, named: JsonObject | undefined): Restore | undefined {
  if (named === undefined) {
    return undefined;
  }
  onlyFields(named, ['database_name', 'backup_created_at'], 'backup_restore.');
  const source = clusterNamed(account, requiredText(named, 'database_name'))?.wire;
  if (source === undefined) {
    throw unprocessable(databaseMessages.restoreUnknown);
  }
  if (source.engine !== engine.slug) {
    throw unprocessable(databaseMessages.restoreEngine);
  }
  const moment = optionalText(named, 'backup_created_at');
  const momentMs = moment === undefined ? undefined : Date.parse(moment);
  if (!backupTimes(account, source.id).some((atMs) => momentMs === undefined || atMs === momentMs)) {
    throw unprocessable(databaseMessages.restoreNone);
  }
  return { db_names: source.db_names };
}

/** Plans the next daily backup; a plan made before no longer counts. */
export function scheduleBackup(account: Account, cluster: ClusterEntry): void {
  if (!engineOf(cluster.wire).hasBackups) {
    return;
  }
  const { hour, minute } = timeOfDay(cluster);
  const midnight = Math.floor(account.nowMs / DAY_MS) * DAY_MS;
  const today = midnight + hour * HOUR_MS + minute * MINUTE_MS;
  const nextBackupMs = today > account.nowMs ? today : today + DAY_MS;
  updateCluster(account, cluster, {}, { nextBackupMs });
  account.schedule(nextBackupMs, 'database.backup', cluster.wire.id);
}

/** Makes the backup that is due, if the cluster is online, drops the oldest ones and plans the next. */
export function makeBackup(account: Account, id: string): void {
  const cluster = clusters.get(account, id);
  if (cluster?.hidden.nextBackupMs !== account.nowMs) {
    return;
  }
  if (cluster.wire.status === 'online') {
    const sizeGb = backupSizeGb(cluster.wire, account.nowMs);
    const backup = { created_at: timestamp(account.nowMs), size_gigabytes: sizeGb, incremental: isIncremental(cluster, account.nowMs) };
    // There is one of this very moment where the clock was set back behind it.
    account.run('INSERT OR REPLACE INTO database_backups (cluster, at, doc) VALUES (?, ?, ?)', id, account.nowMs, JSON.stringify(backup));
    const oldestMs = backupTimes(account, id)[keptDatabaseBackups - 1];
    account.run('DELETE FROM database_backups WHERE cluster = ? AND at < ?', id, oldestMs ?? 0);
  }
  scheduleBackup(account, cluster);
}

/** Forgets the backups that lie after this moment, since the clock was set back to it, and plans the next ones from here. */
export function planBackupsAnew(account: Account): void {
  account.run('DELETE FROM database_backups WHERE at > ?', account.nowMs);
  const far = "SELECT id FROM database_clusters WHERE json_extract(hidden, '$.nextBackupMs') > ?";
  for (const { id } of account.sql(far).all(account.nowMs + DAY_MS)) {
    const cluster = clusters.get(account, String(id));
    if (cluster !== undefined) {
      scheduleBackup(account, cluster);
    }
  }
}

export function removeBackups(account: Account, cluster: string): void {
  account.run('DELETE FROM database_backups WHERE cluster = ?', cluster);
}

/** `backup_progress` is empty, since a backup here takes no time; the document hides it then, its example has it. */
function listBackups(request: PlatformRequest, account: Account): Buffer {
  const cluster = knownCluster(account, request.params.cluster);
  if (!engineOf(cluster.wire).hasBackups) {
    throw unprocessable(databaseMessages.noBackups);
  }
  const rows = account.sql('SELECT doc FROM database_backups WHERE cluster = ? ORDER BY at').all(cluster.wire.id);
  const { hour, minute } = timeOfDay(cluster);
  const scheduled = { backup_hour: hour, backup_minute: minute, backup_interval_hours: 24 };
  const more = `,"scheduled_backup_time":${JSON.stringify(scheduled)},"backup_progress":""`;
  return unlinkedReply(request, 'backups', fixedSource(rows.map((row) => String(row.doc))), more);
}

/** The newest first. */
function backupTimes(account: Account, cluster: string): readonly number[] {
  const rows = account.sql('SELECT at FROM database_backups WHERE cluster = ? ORDER BY at DESC').all(cluster);
  return rows.map((row) => Number(row.at));
}

/** As the cluster's settings have it, or as follows from its id. */
function timeOfDay({ wire, hidden }: ClusterEntry): { readonly hour: number; readonly minute: number } {
  const [hour = 0, minute = 0] = Buffer.from(wire.id.slice(9, 13), 'hex');
  return {
    hour: chosenNumber(hidden.settings, 'backup_hour') ?? hour % 24,
    minute: chosenNumber(hidden.settings, 'backup_minute') ?? minute % 60,
  };
}

function chosenNumber(settings: Chosen, name: string): number | undefined {
  const value = settings[name];
  return typeof value === 'number' ? value : undefined;
}

const FIRST_SIZE_GB = 0.0335;
const GROWTH_GB_PER_DAY = 0.0007;

function backupSizeGb({ created_at }: Cluster, nowMs: number): number {
  const days = (nowMs - Date.parse(created_at)) / DAY_MS;
  return Number((FIRST_SIZE_GB + days * GROWTH_GB_PER_DAY).toFixed(8));
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** MySQL clusters that make incremental backups make full ones on the days their settings name. */
function isIncremental({ wire, hidden }: ClusterEntry, atMs: number): boolean {
  const plan = hidden.settings.mysql_incremental_backup;
  if (!wire.engine.endsWith('mysql') || !isObject(plan) || plan.enabled !== true) {
    return false;
  }
  return !String(plan.full_backup_week_schedule)
    .split(',')
    .includes(WEEKDAYS[new Date(atMs).getUTCDay()] ?? '');
}
