import { z } from 'zod';
import { commaSeparated } from '../../catalogue/comma-separated.ts';
import { tool } from '../../catalogue/tool.ts';
import { clusterId } from './fields.ts';
import { clusterRecovery, listClusters, showCluster, showMigration } from './recovery.ts';

const unknownMigration = {
  when: /^404/,
  next: (input: { readonly id: string }) => [showCluster(input), listClusters],
};

export const migrationTools = [
  tool({
    name: 'db-cluster-start-online-migration',
    title: 'Migrate a database to a cluster',
    description:
      'Copies a database from elsewhere into a cluster and keeps it in step until stopped; what the cluster holds under the same names is overwritten. For mysql, pg, redis and valkey. One at a time; follow it with db-cluster-get-migration.',
    input: () =>
      z.object({
        id: clusterId(),
        source: z
          .strictObject({
            host: z.string().optional(),
            port: z.int().min(1).max(65_535).optional(),
            dbname: z.string().optional(),
            username: z.string().optional(),
            password: z.string().optional(),
          })
          .describe('The platform has to reach it'),
        disable_ssl: z.boolean().optional(),
        ignore_dbs: z.string().optional().describe('Databases to leave out, separated by commas'),
      }),
    secrets: ['source', 'password'],
    route: 'PUT /v2/databases/{id}/online-migration',
    body: ({ source, disable_ssl, ignore_dbs }) => ({
      source,
      disable_ssl,
      ignore_dbs: ignore_dbs === undefined ? undefined : commaSeparated(ignore_dbs),
    }),
    hints: { destructive: true, idempotent: false },
    verify: showMigration,
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-stop-online-migration',
    title: 'Stop a migration',
    description: 'Ends an online migration; what was copied stays, and nothing more comes.',
    input: () => z.object({ id: clusterId(), migration_id: z.string().describe('Id out of db-cluster-get-migration') }),
    route: 'DELETE /v2/databases/{id}/online-migration/{migration_id}',
    verify: showMigration,
    recover: [{ when: /^404/, next: (input) => [showMigration(input)] }, ...clusterRecovery],
  }),
  tool({
    name: 'db-cluster-get-migration',
    title: 'Get the migration to a cluster',
    description: 'The latest online migration to a cluster: running, syncing, done, canceled or error. Not found where there was none.',
    input: () => z.object({ id: clusterId() }),
    route: 'GET /v2/databases/{id}/online-migration',
    recover: [unknownMigration],
  }),
];
