import { databaseMessages } from '../../../assumptions.ts';
import { settingsOf } from '../../../catalogue/database-config/engines.ts';
import { sqlModes } from '../../../catalogue/database-config/sql-modes.ts';
import { unprocessable } from '../../../errors.ts';
import { isObject, onlyFields } from '../../../fields.ts';
import type { Account } from '../../../store/account.ts';
import { type PlatformRequest, type Route, route } from '../../family.ts';
import { scheduleBackup } from '../backups.ts';
import { type ClusterEntry, clusters, knownCluster, onlineCluster, updateCluster } from '../clusters.ts';
import { exactJson } from './exact-json.ts';
import { type Chosen, choose, settingsText, textSetting } from './settings.ts';

/** Source: operations databases_get_config, _patch_config, _get_sql_mode and _update_sql_mode. */
export const settingsRoutes: readonly Route[] = [
  route('GET /v2/databases/{cluster}/config', {}, ({ params }, account) => {
    const { wire, hidden } = knownCluster(account, params.cluster);
    return `{"config":${settingsText(settingsOf[wire.engine], hidden.settings)}}`;
  }),
  route('PATCH /v2/databases/{cluster}/config', {}, ({ params, bodyText }, account) => {
    const cluster = onlineCluster(account, params.cluster);
    const body = exactJson(bodyText);
    onlyFields(body, ['config']);
    if (!isObject(body.config)) {
      throw unprocessable('config is required: an object of settings.');
    }
    changeSettings(account, cluster, choose(settingsOf[cluster.wire.engine], cluster.hidden.settings, body.config, 'config.'));
    return undefined;
  }),
  route('GET /v2/databases/{cluster}/sql_mode', {}, ({ params }, account) => {
    const { wire, hidden } = mysqlOnly(knownCluster(account, params.cluster));
    return { sql_mode: textSetting(settingsOf[wire.engine], hidden.settings, 'sql_mode') };
  }),
  route('PUT /v2/databases/{cluster}/sql_mode', { status: 204 }, setSqlMode),
];

function setSqlMode({ params, body }: PlatformRequest, account: Account): undefined {
  const cluster = mysqlOnly(onlineCluster(account, params.cluster));
  onlyFields(body, ['sql_mode']);
  if (body.sql_mode === undefined) {
    throw unprocessable('sql_mode is required.');
  }
  changeSettings(account, cluster, choose(settingsOf[cluster.wire.engine], cluster.hidden.settings, body, ''));
  return undefined;
}

/** Stores settings that are right one by one, if they fit together, and has them take effect. */
function changeSettings(account: Account, cluster: ClusterEntry, settings: Chosen): void {
  const problem = problemOf(cluster, settings);
  if (problem !== undefined) {
    throw unprocessable(problem);
  }
  const before = cluster.hidden.settings;
  updateCluster(account, cluster, {}, { settings });
  if (settings.backup_hour !== before.backup_hour || settings.backup_minute !== before.backup_minute) {
    scheduleBackup(account, clusters.get(account, cluster.wire.id) ?? cluster);
  }
}

/** Source: what the descriptions of the settings say. */
function problemOf({ wire }: ClusterEntry, settings: Chosen): string | undefined {
  const unknownMode = String(settings.sql_mode ?? '')
    .split(',')
    .find((mode) => mode !== '' && !sqlModes.includes(mode));
  if (unknownMode !== undefined) {
    return `sql_mode has a mode that MySQL does not know: ${unknownMode}.`;
  }
  const incremental = settings.mysql_incremental_backup;
  if (isObject(incremental) && incremental.enabled === true && incremental.full_backup_week_schedule === undefined) {
    return databaseMessages.incrementalSchedule;
  }
  return settings.schema_registry === true && !wire.size.startsWith('gd-') ? databaseMessages.schemaRegistry : undefined;
}

function mysqlOnly(cluster: ClusterEntry): ClusterEntry {
  if (cluster.wire.engine !== 'mysql' && cluster.wire.engine !== 'advanced_mysql') {
    throw unprocessable(databaseMessages.onlyMysql);
  }
  return cluster;
}
