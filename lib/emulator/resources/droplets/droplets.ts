import type { Kernel } from '../../catalogue/kernels.ts';
import { regionText } from '../../catalogue/regions.ts';
import { type DiskInfo, sizeText } from '../../catalogue/sizes.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { integerId } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { imageText } from '../images/images.ts';

export interface NetworkV4 {
  readonly ip_address: string;
  readonly netmask: string;
  readonly gateway: string;
  readonly type: 'public' | 'private';
}

export interface NetworkV6 {
  readonly ip_address: string;
  readonly netmask: number;
  readonly gateway: string;
  readonly type: 'public';
}

export interface Networks {
  readonly v4: readonly NetworkV4[];
  readonly v6: readonly NetworkV6[];
}

/** The addresses a droplet has taken, as numbers in their pools; they show once it is active. */
export interface Addresses {
  readonly publicV4?: number;
  readonly publicV6?: number;
  readonly privateV4?: number;
}

export interface BackupWindow {
  readonly start: string;
  readonly end: string;
}

export interface BackupPolicy {
  readonly plan: 'daily' | 'weekly';
  readonly weekday?: string;
  readonly hour: number;
}

/** A droplet as it is stored; image, size and region are spliced in when it is shown. Source: the OpenAPI document, component `droplet`. */
export interface Droplet {
  readonly id: number;
  readonly name: string;
  readonly memory: number;
  readonly vcpus: number;
  readonly disk: number;
  readonly disk_info: readonly DiskInfo[];
  readonly locked: boolean;
  readonly status: 'new' | 'active' | 'off' | 'archive';
  readonly kernel: Kernel | null;
  readonly created_at: string;
  readonly features: readonly string[];
  readonly backup_ids: readonly number[];
  readonly next_backup_window: BackupWindow | null;
  readonly snapshot_ids: readonly number[];
  readonly volume_ids: readonly string[];
  readonly size_slug: string;
  readonly networks: Networks;
  readonly tags: readonly string[];
  readonly vpc_uuid: string;
}

export interface DropletHidden {
  readonly imageId: number;
  readonly region: string;
  readonly pendingActionId: number | null;
  readonly addresses: Addresses;
  readonly backupPolicy: BackupPolicy | null;
}

export type DropletEntry = Entry<Droplet, DropletHidden>;

export const droplets = collection<Droplet, DropletHidden>({
  table: 'droplets',
  key: 'integer',
  id: (droplet) => droplet.id,
  columns: {
    name: { of: (droplet) => droplet.name, index: 'lookup', collate: 'NOCASE' },
    image: { of: (_droplet, hidden) => hidden.imageId },
    size: { of: (droplet) => droplet.size_slug },
    region: { of: (_droplet, hidden) => hidden.region },
  },
  remembered: true,
  present: (account, text, { image, size, region }) =>
    // Joined, not added: the parts are copied into one text now, not at every reply.
    [
      text.slice(0, -1),
      ',"image":',
      imageText(account, Number(image)),
      ',"size":',
      sizeText(String(size)),
      ',"region":',
      regionText(String(region)),
      '}',
    ].join(''),
});

/** The droplet that a path names. Errors: 404. */
export function knownDroplet(account: Account, id: string | undefined): DropletEntry {
  const entry = droplets.get(account, integerId(id) ?? 0);
  if (entry === undefined) {
    throw notFound();
  }
  return entry;
}

/** The droplet as JSON text. Errors: 404. */
export function dropletText(account: Account, id: string | number | undefined): string {
  const text = droplets.text(account, typeof id === 'number' ? id : (integerId(id) ?? 0));
  if (text === undefined) {
    throw notFound();
  }
  return text;
}

/** Source: the message that the platform's users quote. */
export function refuseLocked({ hidden }: DropletEntry): void {
  if (hidden.pendingActionId !== null) {
    throw unprocessable('Droplet already has a pending event.');
  }
}

export function dropletUrn(id: number): string {
  return `do:droplet:${id}`;
}

export function chargeRef(id: number): string {
  return `droplet:${id}`;
}
