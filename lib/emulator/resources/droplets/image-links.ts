import type { Account } from '../../store/account.ts';
import { droplets } from './droplets.ts';

/** Notes an image that was made of a droplet on the droplet, if it is still there. */
export function linkImage(account: Account, dropletId: number, imageId: number, type: 'snapshot' | 'backup'): void {
  const droplet = droplets.get(account, dropletId);
  if (droplet === undefined) {
    return;
  }
  const { wire, hidden } = droplet;
  const list = type === 'snapshot' ? { snapshot_ids: [...wire.snapshot_ids, imageId] } : { backup_ids: [...wire.backup_ids, imageId] };
  droplets.update(account, { ...wire, ...list }, hidden);
}

/** Forgets an image on the droplet it was made of. */
export function unlinkImage(account: Account, dropletId: number, imageId: number): void {
  const droplet = droplets.get(account, dropletId);
  if (droplet === undefined) {
    return;
  }
  const without = (ids: readonly number[]): readonly number[] => ids.filter((id) => id !== imageId);
  const { wire, hidden } = droplet;
  droplets.update(account, { ...wire, snapshot_ids: without(wire.snapshot_ids), backup_ids: without(wire.backup_ids) }, hidden);
}

/** A backup has become a snapshot. */
export function moveToSnapshots(account: Account, dropletId: number, imageId: number): void {
  unlinkImage(account, dropletId, imageId);
  linkImage(account, dropletId, imageId, 'snapshot');
}
