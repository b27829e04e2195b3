import type { Account } from '../../store/account.ts';
import { unlinkImage } from '../droplets/image-links.ts';
import { untagResource } from '../tagging.ts';
import { type ImageEntry, images } from './images.ts';

/** Removes an own image: from the lists, from the instance it was made of, from its tags. Instances made of it go on showing it, as deleted. */
export function removeImage(account: Account, { wire, hidden }: ImageEntry): void {
  images.remove(account, wire.id);
  account.shown.forget();
  account.run('INSERT OR REPLACE INTO gone_images (id, doc) VALUES (?, ?)', wire.id, JSON.stringify({ ...wire, status: 'deleted' }));
  if (hidden.dropletId !== null) {
    unlinkImage(account, hidden.dropletId, wire.id);
  }
  for (const tag of wire.tags) {
    untagResource(account, tag, 'images', wire.id);
  }
}
