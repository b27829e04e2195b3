import { timestamp } from '../../calendar.ts';
import { findPublicImage, type Image } from '../../catalogue/images.ts';
import { findSize } from '../../catalogue/sizes.ts';
import { type Action, actions } from '../../resources/actions.ts';
import { PUBLIC_V4, publicV4, takeNumber } from '../../resources/addresses.ts';
import { type Droplet, type DropletHidden, droplets } from '../../resources/droplets/droplets.ts';
import { addImage } from '../../resources/images/images.ts';
import { ensureTag, tagResource } from '../../resources/tagging.ts';
import type { Account } from '../../store/account.ts';
import { type BeginBulk, bulkName } from './bulk.ts';

/** Active droplets, outside private networks and bills. */
export const bulkDroplets: BeginBulk = (account, tag) => ({
  paths: ['/v2/droplets', ...(tag === undefined ? [] : [`/v2/droplets?tag_name=${tag}`])],
  add: () => {
    addDroplet(account, tag);
  },
});

/** Snapshots, of nothing that still is. */
export const bulkImages: BeginBulk = (account, tag) => ({
  paths: ['/v2/images', '/v2/images?private=true', '/v2/snapshots', ...(tag === undefined ? [] : [`/v2/images?tag_name=${tag}`])],
  add: (serial) => {
    addSnapshot(account, serial, tag);
  },
});

export const bulkTags: BeginBulk = (account) => ({
  paths: ['/v2/tags'],
  add: (serial) => {
    ensureTag(account, bulkName(serial));
  },
});

/** Actions of one droplet, all over. */
export const bulkDropletActions: BeginBulk = (account) => {
  const id = addDroplet(account, undefined);
  return { paths: ['/v2/actions', `/v2/droplets/${id}/actions`], add: pastActions(account, 'droplet', id, 'reboot') };
};

/** Actions of one image, all over. */
export const bulkImageActions: BeginBulk = (account) => {
  const { id } = addSnapshot(account, account.nextId('bulk'), undefined);
  return { paths: [`/v2/images/${id}/actions`], add: pastActions(account, 'image', id, 'transfer') };
};

/** Stores actions of a resource that are over. */
export function pastActions(account: Account, type: Action['resource_type'], resourceId: number, what: string): () => void {
  return () => {
    const now = timestamp(account.nowMs);
    const times = { started_at: now, completed_at: now };
    const resource = { resource_id: resourceId, resource_type: type, region_slug: 'nyc3' };
    actions.insert(account, { id: account.nextId('action.id'), status: 'completed', type: what, ...times, ...resource }, null);
  };
}

/** Stores an active droplet and gives its id. */
export function addDroplet(account: Account, tag: string | undefined): number {
  const size = findSize('s-1vcpu-1gb');
  const image = findPublicImage('ubuntu-24-04-x64');
  if (size === undefined || image === undefined) {
    throw new Error('the catalogue lacks s-1vcpu-1gb or ubuntu-24-04-x64: name others here');
  }
  const id = account.nextId('droplet.id');
  const address = takeNumber(account, PUBLIC_V4) ?? 0;
  const wire: Droplet = {
    id,
    name: `bulk-${id}`,
    memory: size.memory,
    vcpus: size.vcpus,
    disk: size.disk,
    disk_info: size.disk_info,
    locked: false,
    status: 'active',
    kernel: null,
    created_at: timestamp(account.nowMs),
    features: [],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    volume_ids: [],
    size_slug: size.slug,
    networks: { v4: [publicV4(address)], v6: [] },
    tags: tag === undefined ? [] : [tag],
    vpc_uuid: '',
  };
  const hidden: DropletHidden = {
    imageId: image.id,
    region: 'nyc3',
    pendingActionId: null,
    addresses: { publicV4: address },
    backupPolicy: null,
  };
  droplets.insert(account, wire, hidden);
  if (tag !== undefined) {
    tagResource(account, tag, 'droplets', id);
  }
  return id;
}

function addSnapshot(account: Account, serial: number, tag: string | undefined): Image {
  return addImage(
    account,
    {
      name: bulkName(serial),
      distribution: 'Ubuntu',
      regions: ['nyc3'],
      type: 'snapshot',
      min_disk_size: 25,
      size_gigabytes: 2.36,
      description: '',
      tags: tag === undefined ? [] : [tag],
      status: 'available',
      error_message: '',
    },
    {},
  );
}
