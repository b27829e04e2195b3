import type { Account } from '../../store/account.ts';
import { stopCharge } from '../charges.ts';
import { images } from '../images/images.ts';
import { removeImage } from '../images/remove.ts';
import { untagResource } from '../tagging.ts';
import { chargeRef, type DropletEntry, droplets } from './droplets.ts';
import { disconnect } from './networks.ts';

/** Deletes a droplet: its addresses, tags, membership and backups go, its snapshots and actions stay. Source: operation droplets_destroy. */
export function removeDroplet(account: Account, droplet: DropletEntry): void {
  const { wire } = droplet;
  disconnect(account, droplet);
  for (const tag of wire.tags) {
    untagResource(account, tag, 'droplets', wire.id);
  }
  droplets.remove(account, wire.id);
  for (const id of wire.backup_ids) {
    const backup = images.get(account, id);
    if (backup !== undefined) {
      removeImage(account, backup);
    }
  }
  stopCharge(account, chargeRef(wire.id));
  account.announce('droplet.deleted', wire.id);
}
