import type { Image } from '../../catalogue/images.ts';
import type { Account } from '../../store/account.ts';
import { addImage, findImage } from '../images/images.ts';
import type { DropletEntry } from './droplets.ts';

/** An image of a droplet's disk, available in its region; the droplet's own record is the caller's. */
export function makeImage(account: Account, { wire, hidden }: DropletEntry, type: 'snapshot' | 'backup', name: string): Image {
  return addImage(
    account,
    {
      name,
      distribution: findImage(account, hidden.imageId)?.distribution ?? 'Unknown',
      regions: [hidden.region],
      type,
      min_disk_size: wire.disk,
      size_gigabytes: Math.round(wire.disk * USED_SHARE * 100) / 100,
      description: '',
      tags: [],
      status: 'available',
      error_message: '',
    },
    { dropletId: wire.id },
  );
}

/** How much of a disk is taken to be in use. */
const USED_SHARE = 0.0944;
