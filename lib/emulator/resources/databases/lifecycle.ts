import { databaseMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { isObject, type JsonObject, onlyFields, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { scheduleBackup } from './backups.ts';
import { clusters, engineOf, onlineCluster, onlineLater, updateCluster } from './clusters.ts';
import { chargeAnew } from './resize.ts';

/** Ends what kept a cluster from being online. */
export function comeOnline(account: Account, id: string, changes: unknown): void {
  const cluster = clusters.get(account, id);
  if (cluster === undefined) {
    return;
  }
  // `onlineLater` stored them: they are changes of a cluster.
  updateCluster(account, cluster, { ...(isObject(changes) ? changes : {}), status: 'online' });
  const online = clusters.get(account, id) ?? cluster;
  if (isObject(changes) && 'size' in changes) {
    chargeAnew(account, online.wire);
  }
  if (online.hidden.nextBackupMs === null) {
    scheduleBackup(account, online);
  }
}

/** Begins the upgrade to a newer version. Errors: 404, 412, 422. Source: operation databases_update_major_version. */
export function upgradeCluster(account: Account, id: string | undefined, body: JsonObject): void {
  const cluster = onlineCluster(account, id);
  const { wire } = cluster;
  onlyFields(body, ['version']);
  const { versions } = engineOf(wire);
  const wanted = requiredText(body, 'version');
  const target = versions.find(({ version }) => version === wanted);
  if (target === undefined) {
    throw unprocessable(databaseMessages.version);
  }
  if (versions.indexOf(target) <= versions.findIndex(({ version }) => version === wire.version)) {
    throw unprocessable(databaseMessages.notNewer);
  }
  updateCluster(account, cluster, { status: 'migrating' });
  onlineLater(account, wire.id, 'databaseUpgrade', {
    version: target.version,
    semantic_version: target.semantic,
    version_end_of_life: target.endOfLife,
    version_end_of_availability: target.endOfAvailability,
  });
}
