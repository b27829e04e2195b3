import { databaseMessages } from '../../assumptions.ts';
import { type DatabaseSize, findDatabaseSize, HOURS_PER_MONTH } from '../../catalogue/database-sizes.ts';
import { unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, requiredInteger, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { type Price, startCharge, stopCharge } from '../charges.ts';
import { type Cluster, clusterChargeRef, engineOf, onlineCluster, onlineLater, updateCluster } from './clusters.ts';
import { mostReplicas } from './kafka/topics.ts';
import { parseSize, parseStorage } from './orders.ts';

const STORAGE_PRICE_PER_GIB = 0.215;
const MIB_PER_GIB = 1024;

/** What a cluster costs: its nodes, and on each the storage beyond what its size brings. */
export function priceOf(size: DatabaseSize, nodes: number, storageMib: number): Price {
  const extraGib = Math.max(0, storageMib - size.storageMib) / MIB_PER_GIB;
  const monthly = nodes * (size.price_monthly + extraGib * STORAGE_PRICE_PER_GIB);
  return { price_monthly: monthly, price_hourly: monthly / HOURS_PER_MONTH };
}

/** Begins a change of size, nodes or storage. Errors: 404, 412, 422. Source: operation databases_update_clusterSize. */
export function resizeCluster(account: Account, id: string | undefined, body: JsonObject): void {
  const cluster = onlineCluster(account, id);
  const { wire } = cluster;
  onlyFields(body, ['size', 'num_nodes', 'storage_size_mib']);
  const engine = engineOf(wire);
  const nodes = requiredInteger(body, 'num_nodes');
  const size = parseSize(engine, requiredText(body, 'size'), nodes);
  if (size.memoryMib < (findDatabaseSize(wire.size)?.memoryMib ?? 0) || size.maxStorageMib < wire.storage_size_mib) {
    throw unprocessable(databaseMessages.downsize);
  }
  // The base of a larger size is no reduction that was asked for.
  const storageMib = parseStorage(engine, size, body) ?? Math.max(size.storageMib, engine.storageGrows ? wire.storage_size_mib : 0);
  if (engine.storageGrows && storageMib < wire.storage_size_mib) {
    throw unprocessable(databaseMessages.storageShrinks);
  }
  if (nodes < mostReplicas(account, wire.id)) {
    throw unprocessable(databaseMessages.replicasNeedNodes);
  }
  updateCluster(account, cluster, { status: 'resizing' });
  onlineLater(account, wire.id, 'databaseResize', { size: size.slug, num_nodes: nodes, storage_size_mib: storageMib });
}

/** Has a cluster cost what its size asks from now on. */
export function chargeAnew(account: Account, { id, size: slug, num_nodes, storage_size_mib }: Cluster): void {
  const size = findDatabaseSize(slug);
  if (size !== undefined) {
    stopCharge(account, clusterChargeRef(id));
    startCharge(account, clusterChargeRef(id), priceOf(size, num_nodes, storage_size_mib));
  }
}
