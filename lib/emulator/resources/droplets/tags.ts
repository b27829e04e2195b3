import type { Account } from '../../store/account.ts';
import { tagResource, untagResource } from '../tagging.ts';
import { droplets } from './droplets.ts';

/** Puts a tag on a droplet or takes it off; false when there is no such droplet. */
export function setDropletTag(account: Account, id: number, tag: string, on: boolean): boolean {
  const droplet = droplets.get(account, id);
  if (droplet === undefined) {
    return false;
  }
  const changed = on ? tagResource(account, tag, 'droplets', id) : untagResource(account, tag, 'droplets', id);
  if (changed) {
    const others = droplet.wire.tags.filter((other) => other !== tag);
    droplets.update(account, { ...droplet.wire, tags: on ? [...others, tag] : others }, droplet.hidden);
    account.announce('droplet.tags-changed', id);
  }
  return true;
}
