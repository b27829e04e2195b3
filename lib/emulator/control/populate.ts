import { timestamp } from '../calendar.ts';
import { findPublicImage } from '../catalogue/images.ts';
import { findSize } from '../catalogue/sizes.ts';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { PUBLIC_V4, publicV4, takeNumber } from '../resources/addresses.ts';
import { type Droplet, type DropletHidden, droplets } from '../resources/droplets/droplets.ts';
import { ensureTag, tagResource } from '../resources/tagging.ts';
import type { Account } from '../store/account.ts';

const MAX_DROPLETS = 1_000_000;
const CHUNK = 2000;

/**
 * Fills an account with active droplets for measurements: `droplets` of them, under `tag` if one is given. They stand outside
 * the droplet limit, private networks and bills. Other requests are answered in between.
 */
export async function populate(account: Account, body: JsonObject): Promise<object> {
  const { droplets: wanted, tag } = body;
  if (typeof wanted !== 'number' || !Number.isSafeInteger(wanted) || wanted < 1 || wanted > MAX_DROPLETS) {
    throw badRequest(`droplets must be an integer from 1 to ${MAX_DROPLETS}.`);
  }
  if (tag !== undefined && typeof tag !== 'string') {
    throw badRequest('tag must be a text.');
  }
  for (let made = 0; made < wanted; made += CHUNK) {
    account.write(() => addChunk(account, Math.min(CHUNK, wanted - made), tag));
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  return { droplets: account.read(() => droplets.total(account)) };
}

function addChunk(account: Account, count: number, tag: string | undefined): void {
  const size = findSize('s-1vcpu-1gb');
  const image = findPublicImage('ubuntu-24-04-x64');
  if (size === undefined || image === undefined) {
    throw new Error('the catalogue lacks s-1vcpu-1gb or ubuntu-24-04-x64: name others here');
  }
  const tags = tag === undefined ? [] : [ensureTag(account, tag)];
  for (let index = 0; index < count; index += 1) {
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
      tags,
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
    for (const each of tags) {
      tagResource(account, each, 'droplets', id);
    }
  }
}
