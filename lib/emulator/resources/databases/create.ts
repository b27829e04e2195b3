import { randomUUID } from 'node:crypto';
import { timestamp } from '../../calendar.ts';
import type { Account } from '../../store/account.ts';
import { startCharge } from '../charges.ts';
import { ensureTag, tagResource } from '../tagging.ts';
import { joinVpc } from '../vpc-members.ts';
import { createAuthority } from './ca/authority.ts';
import { clusterChargeRef, clusters, clusterUrn, type MaintenanceWindow, onlineLater } from './clusters.ts';
import { connectionsOf, newHost, newPassword } from './connections.ts';
import { replaceRules } from './firewall.ts';
import type { Order } from './orders.ts';
import { priceOf } from './resize.ts';
import { addAdmin } from './users/add-user.ts';

/** Makes a cluster of a checked order, which comes online later, and gives its id. */
export function createCluster(account: Account, order: Order): string {
  const { engine, version, size, vpc, restore } = order;
  const id = randomUUID();
  const createdAt = timestamp(account.nowMs);
  const tags = [...new Set(order.tags.map((tag) => ensureTag(account, tag)))];
  const password = newPassword();
  const reach = { engine, nodes: order.nodes, host: newHost(account, order.name), password, registry: false };
  clusters.insert(
    account,
    {
      id,
      name: order.name,
      engine: engine.slug,
      version: version.version,
      semantic_version: version.semantic,
      ...connectionsOf(reach),
      db_names: restore?.db_names ?? engine.databases,
      num_nodes: order.nodes,
      size: size.slug,
      storage_size_mib: order.storageMib,
      region: order.region,
      status: restore === undefined ? 'creating' : 'forking',
      created_at: createdAt,
      maintenance_window: windowOf(id),
      tags,
      private_network_uuid: vpc.id,
      project_id: order.projectId,
      version_end_of_life: version.endOfLife,
      version_end_of_availability: version.endOfAvailability,
      do_settings: { service_cnames: order.serviceNames },
    },
    { settings: {}, migration: null, nextBackupMs: null },
  );
  createAuthority(account, id);
  addAdmin(account, id, engine, password);
  replaceRules(account, id, order.rules);
  for (const tag of tags) {
    tagResource(account, tag, 'databases', id);
  }
  joinVpc(account, vpc.id, clusterUrn(id), order.name, createdAt);
  startCharge(account, clusterChargeRef(id), priceOf(size, order.nodes, order.storageMib));
  onlineLater(account, id, restore === undefined ? 'databaseCreate' : 'databaseFork');
  account.announce('database.created', id);
  return id;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** A time of the week that follows from the cluster's id. */
function windowOf(id: string): MaintenanceWindow {
  const [day = 0, hour = 0, minute = 0] = Buffer.from(id.slice(0, 8), 'hex');
  const clock = [hour % 24, minute % 60, 0].map((part) => String(part).padStart(2, '0')).join(':');
  return { day: DAYS[day % DAYS.length] ?? 'monday', hour: clock, pending: false, description: [] };
}
