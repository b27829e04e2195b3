import { defaultRegion, maxNames, maxUserDataBytes, messages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import type { Image } from '../../catalogue/images.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { findSize, type Size } from '../../catalogue/sizes.ts';
import { unprocessable } from '../../errors.ts';
import { flag, type JsonObject, list, onlyFields, optionalText, requiredText, texts } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { type Action, beginAction } from '../actions.ts';
import { startCharge } from '../charges.ts';
import { findImage } from '../images/images.ts';
import { findKey } from '../keys.ts';
import { ensureTag, tagResource } from '../tagging.ts';
import { joinVpc } from '../vpc-members.ts';
import { defaultVpc, type Vpc, vpcs } from '../vpcs.ts';
import { parsePolicy } from './backups.ts';
import { chargeRef, type Droplet, type DropletHidden, droplets, dropletUrn } from './droplets.ts';
import { takeAddresses } from './networks.ts';

/** What a new droplet is made of, checked. */
export interface Order {
  readonly region: string;
  readonly size: Size;
  readonly image: Image;
  readonly vpc: Vpc | undefined;
  readonly tags: readonly string[];
  readonly features: readonly string[];
  readonly publicV4: boolean;
  readonly ipv6: boolean;
  readonly backupPolicy: unknown;
}

/** Checks a request to create droplets and makes them, each new and locked until its create action is over. Source: operation droplets_create. */
export function createDroplets(account: Account, body: JsonObject): readonly { readonly id: number; readonly action: Action }[] {
  onlyFields(body, FIELDS);
  const names = parseNames(body);
  const order = parseOrder(account, body);
  const record: { readonly droplet_limit?: number } = JSON.parse(account.setting('account') ?? '{}');
  if (droplets.total(account) + names.length > (record.droplet_limit ?? 0)) {
    throw unprocessable('creating this/these droplet(s) will exceed your droplet limit');
  }
  return names.map((name) => createDroplet(account, name, order));
}

/** Source: the OpenAPI document, component `droplet_create`; `private_networking` is what clients from before VPCs send. */
const FIELDS = [
  ...['name', 'names', 'region', 'size', 'image', 'ssh_keys', 'backups', 'backup_policy', 'ipv6', 'monitoring', 'tags'],
  ...['user_data', 'private_networking', 'public_networking', 'volumes', 'vpc_uuid', 'with_droplet_agent'],
];

/** A host name as the platform takes it, at most 255 characters. */
export function checkName(name: string): string {
  if (name.length > 255 || !/^[a-zA-Z0-9]?[a-z0-9A-Z.-]*[a-z0-9A-Z]$/.test(name)) {
    throw unprocessable(messages.hostname);
  }
  return name;
}

/** Whether an image can be put on a disk of a region; the message that says why not. */
export function unfitImage(image: Image | undefined, region: string, diskGib: number): string | undefined {
  if (image === undefined || image.status === 'deleted' || image.status === 'retired') {
    return 'You specified an invalid image for Droplet creation.';
  }
  if (image.status !== 'available') {
    return messages.imageNotReady;
  }
  if (!image.regions.includes(region)) {
    return 'The image you specified is not available in the selected region, you can transfer it to this region from the images pages.';
  }
  return (image.min_disk_size ?? 0) > diskGib ? messages.diskTooSmall : undefined;
}

/** Makes one droplet of a checked order. */
export function createDroplet(account: Account, name: string, order: Order): { readonly id: number; readonly action: Action } {
  const { size, region, vpc } = order;
  const addresses = takeAddresses(account, order);
  if (addresses === undefined) {
    throw unprocessable(messages.vpcFull);
  }
  const id = account.nextId('droplet.id');
  const tags = order.tags.map((tag) => ensureTag(account, tag));
  const wire: Droplet = {
    id,
    name,
    memory: size.memory,
    vcpus: size.vcpus,
    disk: size.disk,
    disk_info: size.disk_info,
    locked: true,
    status: 'new',
    kernel: null,
    created_at: timestamp(account.nowMs),
    features: order.features,
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    volume_ids: [],
    size_slug: size.slug,
    networks: { v4: [], v6: [] },
    tags: [...new Set(tags)],
    vpc_uuid: vpc?.id ?? '',
  };
  const due = 'droplet.action';
  const action = beginAction(account, { type: 'create', resourceType: 'droplet', resourceId: id, region, due, params: { type: 'create' } });
  const hidden: DropletHidden = {
    imageId: order.image.id,
    region,
    pendingActionId: action.id,
    addresses,
    backupPolicy: order.features.includes('backups') ? parsePolicy(order.backupPolicy, id) : null,
  };
  droplets.insert(account, wire, hidden);
  for (const tag of wire.tags) {
    tagResource(account, tag, 'droplets', id);
  }
  if (vpc !== undefined) {
    joinVpc(account, vpc.id, dropletUrn(id), name, wire.created_at);
  }
  startCharge(account, chargeRef(id), size);
  account.announce('droplet.created', id);
  return { id, action };
}

function parseNames(body: JsonObject): readonly string[] {
  const names = body.names === undefined ? [requiredText(body, 'name')] : texts(body, 'names');
  if (names.length === 0 || names.length > maxNames) {
    throw unprocessable(messages.tooManyNames);
  }
  return names.map(checkName);
}

function parseOrder(account: Account, body: JsonObject): Order {
  const region = optionalText(body, 'region') ?? defaultRegion;
  const size = parseSize(requiredText(body, 'size'), region);
  const image = findImage(account, body.image);
  const unfit = unfitImage(image, region, size.disk);
  if (image === undefined || unfit !== undefined) {
    throw unprocessable(unfit ?? '');
  }
  checkKeys(account, list(body, 'ssh_keys'));
  if (list(body, 'volumes').length > 0) {
    throw unprocessable(messages.volumesUnknown);
  }
  if (Buffer.byteLength(optionalText(body, 'user_data') ?? '') > maxUserDataBytes) {
    throw unprocessable(messages.userDataTooLong);
  }
  const backups = flag(body, 'backups');
  const ipv6 = flag(body, 'ipv6');
  const monitoring = flag(body, 'monitoring');
  flag(body, 'private_networking');
  parsePolicy(body.backup_policy, 0);
  const wishes = { monitoring, droplet_agent: flag(body, 'with_droplet_agent', monitoring), private_networking: true, ipv6, backups };
  return {
    region,
    size,
    image,
    vpc: parseVpc(account, optionalText(body, 'vpc_uuid'), region),
    tags: texts(body, 'tags'),
    features: Object.entries(wishes).flatMap(([feature, wanted]) => (wanted ? [feature] : [])),
    publicV4: flag(body, 'public_networking', true),
    ipv6,
    backupPolicy: body.backup_policy,
  };
}

function parseSize(slug: string, regionSlug: string): Size {
  const region = findRegion(regionSlug);
  const size = findSize(slug);
  if (region === undefined) {
    throw unprocessable(messages.regionInvalid);
  }
  if (!region.available) {
    throw unprocessable(messages.regionUnavailable);
  }
  if (size === undefined) {
    throw unprocessable(messages.sizeInvalid);
  }
  if (!size.regions.includes(regionSlug)) {
    throw unprocessable(messages.sizeNotInRegion);
  }
  return size;
}

function checkKeys(account: Account, references: readonly unknown[]): void {
  const named = references.map((reference) => (typeof reference === 'string' ? reference : JSON.stringify(reference)));
  const unknown = named.filter((reference) => findKey(account, reference) === undefined);
  if (unknown.length > 0) {
    throw unprocessable(`${unknown.join(', ')} are invalid key identifiers for Droplet creation.`);
  }
}

function parseVpc(account: Account, id: string | undefined, region: string): Vpc {
  if (id === undefined) {
    return defaultVpc(account, region);
  }
  const vpc = vpcs.get(account, id)?.wire;
  if (vpc?.region !== region) {
    throw unprocessable(messages.vpcUnknown);
  }
  return vpc;
}
