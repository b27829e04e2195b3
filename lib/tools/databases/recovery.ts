import type { NextCall } from '../../errors.ts';

interface OnCluster {
  readonly id: string;
}

export const listClusters: NextCall = { tool: 'db-cluster-list', arguments: {} };
export const listOptions: NextCall = { tool: 'db-cluster-list-options', arguments: {} };

/** The cluster as it stands: status, engine, version, size, nodes. */
export function showCluster(input: OnCluster): NextCall {
  return { tool: 'db-cluster-get', arguments: { id: input.id } };
}

/** The ways out of what the platform refuses on a cluster; 412 is its answer while a cluster is not online. */
export const clusterRecovery = [
  { when: /^404/, next: () => [listClusters] },
  { when: /^412/, next: (input: OnCluster) => [showCluster(input)] },
];

/** The users of a cluster. */
export function listUsers(input: OnCluster): NextCall {
  return { tool: 'db-cluster-list-users', arguments: { id: input.id } };
}

/** One user of a cluster as it stands. */
export function showUser(input: OnCluster & { readonly user: string }): NextCall {
  return { tool: 'db-cluster-get-user', arguments: { id: input.id, user: input.user } };
}

/** Of cluster and user, either may be the one that is not there. */
export const userRecovery = [{ when: /^404/, next: (input: OnCluster) => [listUsers(input), listClusters] }, ...clusterRecovery];

/** The topics of a cluster. */
export function listTopics(input: OnCluster): NextCall {
  return { tool: 'db-cluster-list-topics', arguments: { id: input.id } };
}

/** One topic of a cluster as it stands. */
export function showTopic(input: OnCluster & { readonly name: string }): NextCall {
  return { tool: 'db-cluster-get-topic', arguments: { id: input.id, name: input.name } };
}

/** Of cluster and topic, either may be the one that is not there. */
export const topicRecovery = [{ when: /^404/, next: (input: OnCluster) => [listTopics(input), listClusters] }, ...clusterRecovery];

/** The migration to a cluster as it stands. */
export function showMigration(input: OnCluster): NextCall {
  return { tool: 'db-cluster-get-migration', arguments: { id: input.id } };
}
