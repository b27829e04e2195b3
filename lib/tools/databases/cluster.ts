import { z } from 'zod';
import { atLeastOne } from '../../catalogue/checks/given.ts';
import { commaSeparated } from '../../catalogue/comma-separated.ts';
import { revealSecrets } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { type Follow, tool } from '../../catalogue/tool.ts';
import { clusterId, databaseSecrets, optionalPaging, pageQuery, pageText } from './fields.ts';
import { clusterRecovery, listClusters, listOptions, showCluster } from './recovery.ts';

/** A cluster, until it is online again. */
const busy = ['creating', 'resizing', 'migrating', 'forking'];
const followNew: Follow<unknown> = {
  path: (_, cluster) => path`/v2/databases/${String(cluster.id)}`,
  returns: 'database',
  pending: busy,
  next: (_, cluster) => showCluster({ id: String(cluster.id) }),
};
const followChange: Follow<{ readonly id: string }> = {
  path: ({ id }) => path`/v2/databases/${id}`,
  returns: 'database',
  pending: busy,
  next: showCluster,
};

/** What every tool on one cluster shares. */
const ofCluster = { verify: showCluster, recover: clusterRecovery } as const;

/** A size, version or region that is not on offer. */
const optionRecovery = { when: /version|size|region|engine|node/i, next: () => [listOptions] };

const nodes = () => z.int().min(1);
const sizeSlug = () => z.string().describe('Out of db-cluster-list-options');

export const clusterTools = [
  tool({
    name: 'db-cluster-list',
    title: 'List database clusters',
    description: 'Database clusters with engine, version, status, region, size and nodes.',
    input: () => z.object({ ...optionalPaging(), RevealSecrets: revealSecrets() }),
    texts: pageText,
    secrets: databaseSecrets,
    route: 'GET /v2/databases',
    query: pageQuery,
    returns: 'databases',
    summary: ['id', 'name', 'engine', 'version', 'status', 'region', 'size', 'num_nodes', 'tags'],
  }),
  tool({
    name: 'db-cluster-get',
    title: 'Get a database cluster',
    description:
      'One cluster whole: status (creating, online, resizing, migrating, forking), connections, users, maintenance window. Passwords and URIs only with RevealSecrets.',
    input: () => z.object({ id: clusterId(), RevealSecrets: revealSecrets() }),
    secrets: databaseSecrets,
    route: 'GET /v2/databases/{id}',
    returns: 'database',
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-get-ca',
    title: 'Get the CA certificate of a cluster',
    description: 'The CA certificate that verifies TLS connections to a cluster: PEM in base64.',
    input: () => z.object({ id: clusterId() }),
    route: 'GET /v2/databases/{id}/ca',
    returns: 'ca',
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-create',
    title: 'Create a database cluster',
    description:
      'Creates a cluster, "creating" for some minutes, then "online", out of what db-cluster-list-options has. The password only with RevealSecrets, also later by db-cluster-get.',
    input: () =>
      z.object({
        name: z.string().describe('Small letters, digits and hyphens'),
        engine: z.string().describe('pg, mysql, valkey, mongodb, kafka or opensearch'),
        version: z.string().describe('Such as 16'),
        region: z.string().describe('Such as nyc3'),
        size: sizeSlug(),
        num_nodes: nodes(),
        tags: z.string().optional().describe('Separated by commas'),
        RevealSecrets: revealSecrets(),
      }),
    secrets: databaseSecrets,
    route: 'POST /v2/databases',
    body: ({ tags, RevealSecrets: _, ...cluster }) => ({ ...cluster, tags: tags === undefined ? undefined : commaSeparated(tags) }),
    returns: 'database',
    verify: () => listClusters,
    recover: [{ when: /\bname\b/i, next: () => [listClusters] }, optionRecovery],
    follow: followNew,
  }),
  tool({
    name: 'db-cluster-delete',
    title: 'Delete a database cluster',
    description: 'Destroys a cluster with its data and backups for good.',
    input: () => z.object({ id: clusterId() }),
    route: 'DELETE /v2/databases/{id}',
    ...ofCluster,
  }),
  tool({
    name: 'db-cluster-resize',
    title: 'Resize a database cluster',
    description:
      'Changes size, number of nodes or storage of a cluster: at least one of the three; the others stay. It is "resizing" meanwhile and stays in service. Storage only grows.',
    input: () =>
      z.object({
        id: clusterId(),
        size: sizeSlug().optional(),
        num_nodes: nodes().optional(),
        storage_size_mib: z.int().min(1).optional(),
      }),
    check: (input) => atLeastOne(input, 'size', 'num_nodes', 'storage_size_mib'),
    calls: ['GET /v2/databases/{id}', 'PUT /v2/databases/{id}/resize'],
    // The platform wants size and nodes both, whatever is to change.
    async run({ id, size, num_nodes, storage_size_mib }, platform) {
      const complete = size !== undefined && num_nodes !== undefined;
      const current = complete ? {} : await platform.record(path`/v2/databases/${id}`, 'database');
      const body = { size: size ?? current.size, num_nodes: num_nodes ?? current.num_nodes, storage_size_mib };
      return platform.request({ method: 'PUT', path: path`/v2/databases/${id}/resize`, body });
    },
    hints: { readOnly: false, destructive: false, idempotent: true },
    verify: showCluster,
    recover: [...clusterRecovery, optionRecovery],
    follow: followChange,
  }),
  tool({
    name: 'db-cluster-list-backups',
    title: 'List the backups of a cluster',
    description: 'The backups of a cluster with their sizes, and when the next one is due. Not every engine has backups.',
    input: () => z.object({ id: clusterId(), ...optionalPaging() }),
    texts: pageText,
    route: 'GET /v2/databases/{id}/backups',
    query: pageQuery,
    returns: 'backups',
    summary: ['created_at', 'size_gigabytes', 'incremental'],
    recover: clusterRecovery,
  }),
  tool({
    name: 'db-cluster-list-options',
    title: 'List what clusters can be made of',
    description:
      'For each engine its versions, regions, and the sizes for each number of nodes; and until when versions are supported. It is long: Fields "options.pg" returns one engine.',
    input: () => z.object({}),
    route: 'GET /v2/databases/options',
  }),
  tool({
    name: 'db-cluster-upgrade-major-version',
    title: 'Upgrade a cluster',
    description: 'Upgrades the engine of a cluster to a newer major version, for good.',
    input: () => z.object({ id: clusterId(), version: z.string().describe('Such as 17') }),
    route: 'PUT /v2/databases/{id}/upgrade',
    body: ({ version }) => ({ version }),
    hints: { destructive: true },
    verify: showCluster,
    recover: [...clusterRecovery, optionRecovery],
    follow: followChange,
  }),
];
