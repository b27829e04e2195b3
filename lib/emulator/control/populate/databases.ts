import { randomUUID } from 'node:crypto';
import { clusters } from '../../resources/databases/clusters.ts';
import { createCluster } from '../../resources/databases/create.ts';
import { topics } from '../../resources/databases/kafka/topics.ts';
import { parseOrder } from '../../resources/databases/orders.ts';
import { users } from '../../resources/databases/users/users.ts';
import { tagResource } from '../../resources/tagging.ts';
import type { Account } from '../../store/account.ts';
import { type BeginBulk, bulkName, likeSample, unpaged } from './bulk.ts';

const POSTGRES = { engine: 'pg', size: 'db-s-1vcpu-1gb', num_nodes: 1 } as const;
const KAFKA = { engine: 'kafka', size: 'db-s-2vcpu-2gb', num_nodes: 3 } as const;

/** Clusters that are online, each with no more than itself. */
export const bulkDatabases: BeginBulk = (account, tag) => {
  const vary = (serial: number) =>
    ({ id: randomUUID(), name: bulkName(serial), status: 'online', tags: tag === undefined ? [] : [tag] }) as const;
  const add = likeSample(account, clusters, addCluster(account, POSTGRES), vary);
  return {
    paths: [unpaged('/v2/databases'), ...(tag === undefined ? [] : [`${unpaged('/v2/databases')}&tag_name=${tag}`])],
    add: (serial) => {
      const { wire } = add(serial);
      if (tag !== undefined) {
        tagResource(account, tag, 'databases', wire.id);
      }
    },
  };
};

/** Users of one cluster. */
export const bulkDatabaseUsers: BeginBulk = (account) => {
  const cluster = addCluster(account, POSTGRES);
  return {
    paths: [unpaged(`/v2/databases/${cluster}/users`)],
    add: (serial) => users.insert(account, { name: bulkName(serial), role: 'normal', password: 'AVNS_bulk' }, { cluster }),
  };
};

/** Topics of one cluster. */
export const bulkTopics: BeginBulk = (account) => {
  const cluster = addCluster(account, KAFKA);
  return {
    paths: [unpaged(`/v2/databases/${cluster}/topics`)],
    add: (serial) => {
      const topic = { name: bulkName(serial), state: 'active', replication_factor: 2, partition_count: 3 } as const;
      topics.insert(account, topic, { cluster, settings: {} });
    },
  };
};

function addCluster(account: Account, order: typeof POSTGRES | typeof KAFKA): string {
  return createCluster(account, parseOrder(account, { name: `sample-${account.nextId('bulk')}`, region: 'nyc3', ...order }));
}
