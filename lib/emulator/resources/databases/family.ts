import { databaseOptions } from '../../catalogue/databases.ts';
import { unlinkedReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import type { Source } from '../../store/collection.ts';
import { CLOCK_SET_BACK } from '../../store/machinery.ts';
import { type Family, route } from '../family.ts';
import { TAGGED_IDS, taggedTotal } from '../tagging.ts';
import { backupRoutes, backupTables, makeBackup, planBackupsAnew } from './backups.ts';
import { authorityPem, authorityTables } from './ca/authority.ts';
import { clusterReply, clusters, knownCluster } from './clusters.ts';
import { createCluster } from './create.ts';
import { firewallRoutes, firewallTables, forgetInRules } from './firewall.ts';
import { activateTopic, removeTopic, topicRoutes } from './kafka/routes.ts';
import { topics } from './kafka/topics.ts';
import { comeOnline, upgradeCluster } from './lifecycle.ts';
import { finishMigration, migrationRoutes, syncMigration } from './migration/routes.ts';
import { parseOrder } from './orders.ts';
import { removeCluster } from './remove.ts';
import { resizeCluster } from './resize.ts';
import { settingsRoutes } from './settings/routes.ts';
import { untagClusters } from './tags.ts';
import { userRoutes } from './users/routes.ts';
import { users } from './users/users.ts';

/** Managed databases: clusters and everything in them. Source: operations databases_*. */
export const databaseFamily: Family = {
  tables: [...clusters.tables, ...users.tables, ...topics.tables, ...authorityTables, ...backupTables, ...firewallTables],
  routes: [
    route('GET /v2/databases/options', {}, () => databaseOptions),
    route('GET /v2/databases', {}, (request, account) =>
      unlinkedReply(request, 'databases', filtered(account, request.query.get('tag_name'))),
    ),
    route('POST /v2/databases', { status: 201 }, ({ body }, account) =>
      clusterReply(account, createCluster(account, parseOrder(account, body))),
    ),
    route('GET /v2/databases/{cluster}', {}, ({ params }, account) => clusterReply(account, params.cluster)),
    route('DELETE /v2/databases/{cluster}', { status: 204 }, ({ params }, account) => {
      removeCluster(account, knownCluster(account, params.cluster));
      return undefined;
    }),
    route('PUT /v2/databases/{cluster}/resize', { status: 202 }, ({ params, body }, account) => {
      resizeCluster(account, params.cluster, body);
      return undefined;
    }),
    route('PUT /v2/databases/{cluster}/upgrade', { status: 204 }, ({ params, body }, account) => {
      upgradeCluster(account, params.cluster, body);
      return undefined;
    }),
    route('GET /v2/databases/{cluster}/ca', {}, ({ params }, account) => {
      const pem = authorityPem(account, knownCluster(account, params.cluster).wire.id);
      return { ca: { certificate: Buffer.from(pem).toString('base64') } };
    }),
    ...settingsRoutes,
    ...firewallRoutes,
    ...backupRoutes,
    ...userRoutes,
    ...topicRoutes,
    ...migrationRoutes,
  ],
  due: {
    'database.online': comeOnline,
    'database.backup': makeBackup,
    'database.topic-configured': activateTopic,
    'database.topic-deleted': removeTopic,
    'database.migration-sync': syncMigration,
    'database.migration-done': finishMigration,
  },
  on: {
    [CLOCK_SET_BACK]: planBackupsAnew,
    'droplet.deleted': (account, id) => forgetInRules(account, 'droplet', id),
    'tag.deleted': (account, tag) => {
      forgetInRules(account, 'tag', tag);
      untagClusters(account, tag);
    },
  },
};

function filtered(account: Account, tag: string | null): Source {
  return tag === null
    ? clusters.source(account)
    : clusters.sourceOf(account, taggedTotal(account, tag, 'databases'), TAGGED_IDS, tag, 'databases');
}
