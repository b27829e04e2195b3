import { findDatabaseSize } from '../catalogue/database-sizes.ts';
import { findEngine } from '../catalogue/databases.ts';
import { clusters, updateCluster } from '../resources/databases/clusters.ts';
import { createCluster } from '../resources/databases/create.ts';
import { parseRules, replaceRules } from '../resources/databases/firewall.ts';
import { parseOrder } from '../resources/databases/orders.ts';
import { addUser } from '../resources/databases/users/add-user.ts';
import { defaultProject } from '../resources/projects.ts';
import { defaultVpc } from '../resources/vpcs.ts';
import type { Account } from '../store/account.ts';

/** The company's databases: an old cache that can no longer be made anew, and where the orders are kept. */
export const databaseEvents: readonly (readonly [daysAgo: number, event: (account: Account) => void])[] = [
  [139.6, makeOldCache],
  [118, makeOrders],
  [117.9, letOrdersIn],
];

function makeOldCache(account: Account): void {
  const engine = findEngine('redis');
  const version = engine?.versions[0];
  const size = findDatabaseSize('db-s-1vcpu-1gb');
  if (engine === undefined || version === undefined || size === undefined) {
    throw new Error('the catalogue lacks redis or db-s-1vcpu-1gb: name others here');
  }
  const region = 'nyc3';
  const id = createCluster(account, {
    name: 'legacy-cache',
    engine,
    version,
    region,
    size,
    nodes: 1,
    storageMib: size.storageMib,
    vpc: defaultVpc(account, region),
    tags: ['legacy'],
    serviceNames: [],
    projectId: defaultProject(account),
    rules: [],
    restore: undefined,
  });
  const made = clusters.get(account, id);
  if (made !== undefined) {
    updateCluster(account, made, { created_at: '2023-05-09T07:41:12Z' });
  }
}

function makeOrders(account: Account): void {
  const body = { name: 'orders', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-2vcpu-4gb', num_nodes: 2, tags: ['production'] };
  createCluster(account, parseOrder(account, body));
}

function letOrdersIn(account: Account): void {
  const engine = findEngine('pg');
  const orders = clusters.where(account, 'name', 'orders')[0];
  if (engine !== undefined && orders !== undefined) {
    addUser(account, orders.wire.id, engine, { name: 'orders-app' });
    const rules = [
      { type: 'tag', value: 'production' },
      { type: 'ip_addr', value: '203.0.113.7', description: 'The office' },
    ];
    replaceRules(account, orders.wire.id, parseRules(account, rules));
  }
}
