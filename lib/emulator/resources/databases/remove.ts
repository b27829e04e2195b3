import type { Account } from '../../store/account.ts';
import { stopCharge } from '../charges.ts';
import { untagResource } from '../tagging.ts';
import { leaveVpc } from '../vpc-members.ts';
import { removeBackups } from './backups.ts';
import { removeAuthority } from './ca/authority.ts';
import { type ClusterEntry, clusterChargeRef, clusters, clusterUrn } from './clusters.ts';
import { removeRules } from './firewall.ts';
import { removeTopics } from './kafka/topics.ts';
import { removeUsers } from './users/users.ts';

/** Deletes a cluster with everything in it, whatever it is doing. Source: operation databases_destroy_cluster. */
export function removeCluster(account: Account, { wire }: ClusterEntry): void {
  const { id } = wire;
  removeUsers(account, id);
  removeTopics(account, id);
  removeRules(account, id);
  removeBackups(account, id);
  removeAuthority(account, id);
  for (const tag of wire.tags) {
    untagResource(account, tag, 'databases', id);
  }
  leaveVpc(account, wire.private_network_uuid, clusterUrn(id));
  stopCharge(account, clusterChargeRef(id));
  clusters.remove(account, id);
  account.announce('database.deleted', id);
}
