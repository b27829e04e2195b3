import { messages } from '../../assumptions.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, optionalText, requiredText, texts } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { durationMs } from '../actions.ts';
import { addImage, images, updateImage } from './images.ts';

const DISTRIBUTIONS = [
  'Arch Linux',
  'CentOS',
  'CoreOS',
  'Debian',
  'Fedora',
  'Fedora Atomic',
  'FreeBSD',
  'Gentoo',
  'openSUSE',
  'RancherOS',
  'Rocky Linux',
  'Ubuntu',
];

/** One of the distributions the platform knows, `Unknown` for any other. Source: the OpenAPI document, component `distribution`. */
export function toDistribution(name: string | undefined): string {
  return name !== undefined && DISTRIBUTIONS.includes(name) ? name : 'Unknown';
}

/** Begins the import of an image from a URL: it is NEW, then pending, then available or deleted. Source: operation images_create_custom. */
export function importImage(account: Account, body: JsonObject): object {
  onlyFields(body, ['name', 'url', 'distribution', 'region', 'description', 'tags']);
  const name = requiredText(body, 'name');
  const url = requiredText(body, 'url');
  const region = requiredText(body, 'region');
  if (findRegion(region)?.available !== true) {
    throw unprocessable(messages.regionUnavailable);
  }
  const image = addImage(
    account,
    {
      name,
      distribution: toDistribution(optionalText(body, 'distribution')),
      regions: [],
      type: 'custom',
      min_disk_size: null,
      size_gigabytes: null,
      description: optionalText(body, 'description') ?? '',
      tags: texts(body, 'tags'),
      status: 'NEW',
      error_message: '',
    },
    { url },
  );
  account.schedule(account.nowMs + durationMs(account, 'importStart'), 'image.import', image.id, region);
  return { image };
}

/** The next step of an import. The URL is judged by its form alone: nothing is fetched. */
export function continueImport(account: Account, ref: string, region: unknown): void {
  const entry = images.get(account, Number(ref));
  if (entry === undefined) {
    return;
  }
  const { wire, hidden } = entry;
  if (wire.status === 'NEW') {
    updateImage(account, { ...wire, status: 'pending' }, hidden);
    account.schedule(account.nowMs + durationMs(account, 'importRest'), 'image.import', wire.id, region);
    return;
  }
  const problem = account.faults.spoilsAction('import', wire.id) ? messages.importUnreachable : problemOf(hidden.url ?? '');
  if (problem !== undefined) {
    updateImage(account, { ...wire, status: 'deleted', error_message: problem }, hidden);
    return;
  }
  const sizes = { min_disk_size: CUSTOM_DISK_GIB, size_gigabytes: CUSTOM_SIZE_GB };
  updateImage(account, { ...wire, ...sizes, regions: [String(region)], status: 'available' }, hidden);
}

const CUSTOM_DISK_GIB = 10;
const CUSTOM_SIZE_GB = 1.28;

/** Names that no resolver answers for. Source: RFC 6761. */
const UNRESOLVABLE = /(^|\.)(invalid|localhost|test|local)$/i;
const IMAGE_FILE = /\.(img|raw|qcow2|vhdx|vdi|vmdk|iso)(\.(gz|bz2|xz))?$/i;

function problemOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (
    parsed === undefined ||
    !/^(https?|ftp):$/.test(parsed.protocol) ||
    UNRESOLVABLE.test(parsed.hostname) ||
    !parsed.hostname.includes('.')
  ) {
    return messages.importUnreachable;
  }
  return IMAGE_FILE.test(parsed.pathname) ? undefined : messages.importNotAnImage;
}
