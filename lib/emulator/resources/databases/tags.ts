import type { Account } from '../../store/account.ts';
import { taggedIds, untagResource } from '../tagging.ts';
import { clusters } from './clusters.ts';

/** Takes a tag that is being deleted off the clusters that carry it. */
export function untagClusters(account: Account, tag: string): void {
  for (const id of taggedIds(account, tag, 'databases')) {
    const cluster = clusters.get(account, id);
    if (cluster !== undefined) {
      untagResource(account, tag, 'databases', id);
      clusters.update(account, { ...cluster.wire, tags: cluster.wire.tags.filter((other) => other !== tag) }, cluster.hidden);
    }
  }
}
