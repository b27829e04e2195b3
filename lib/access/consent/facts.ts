import { isRecord } from '../../catalogue/is-record.ts';
import type { PlatformRecord } from '../../catalogue/platform-calls.ts';
import { printable } from '../../catalogue/printable.ts';

/** A resource as the platform knows it, in the words of a question; what it does not have is left out. */
export interface Facts {
  readonly name?: string;
  readonly id?: string;
  readonly size?: string;
  readonly address?: string;
  readonly region?: string;
  readonly status?: string;
  readonly created?: string;
  /** What depends on it, such as `2 volumes`. */
  readonly dependents?: readonly string[];
  /** In the currency of the account. */
  readonly monthlyCost?: number;
}

/** Members of a record that name what hangs on it, and what one of that is. */
const countedMembers: Readonly<Record<string, string>> = {
  volume_ids: 'volume',
  snapshot_ids: 'snapshot',
  backup_ids: 'backup',
  droplet_ids: 'instance',
  vpc_ids: 'VPC',
  users: 'user',
  db_names: 'database',
};

/** What a person needs to know of a resource before it is changed, out of its record. */
export function factsOf(record: PlatformRecord): Facts {
  const facts = {
    name: nameOf(record),
    id: text(record.id ?? record.uuid),
    size: sizeOf(record),
    address: addressOf(record),
    region: text(isRecord(record.region) ? record.region.slug : record.region),
    status: text(record.status),
    created: text(record.created_at),
    monthlyCost: isRecord(record.size) && typeof record.size.price_monthly === 'number' ? record.size.price_monthly : undefined,
  };
  const inRecord = Object.entries(countedMembers).flatMap(([member, noun]) => {
    const value = record[member];
    return Array.isArray(value) && value.length > 0 ? [counted(value.length, noun)] : [];
  });
  const holder = isRecord(record.droplet) ? nameOf(record.droplet) : undefined;
  const hanging = [...(holder === undefined ? [] : [`instance ${quoted(holder)}`]), ...inRecord];
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { ...known, ...(hanging.length > 0 && { dependents: hanging }) };
}

/** The facts in one sentence. */
export function factsText({ name, id, size, address, region, status, created, dependents = [], monthlyCost }: Facts): string {
  const what = [
    name === undefined ? undefined : quoted(name),
    id === undefined || id === name ? undefined : `id ${id}`,
    size,
    address,
    region,
    status,
    created === undefined ? undefined : `created ${created}`,
  ].filter((part) => part !== undefined);
  const hanging = dependents.length > 0 ? `; on it depend ${dependents.join(', ')}` : '';
  const cost = monthlyCost === undefined ? '' : `; it costs ${monthlyCost} a month`;
  return `${what.join(', ')}${hanging}${cost}`;
}

/** A name in quotes, so that none can pass for a part of the sentence around it. */
export function quoted(name: string): string {
  return JSON.stringify(name);
}

/** So many of them. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a person calls a resource. A DNS record is its whole content: many share a name. */
export function nameOf(record: PlatformRecord): string | undefined {
  if (text(record.type) && text(record.data)) return text(`${record.type} ${record.name} ${record.data}`);
  return text(record.name ?? record.description ?? record.ip ?? record.prefix);
}

function sizeOf(record: PlatformRecord): string | undefined {
  const gigabytes = typeof record.size_gigabytes === 'number' ? `${record.size_gigabytes} GB` : undefined;
  const nodes = typeof record.num_nodes === 'number' ? `${record.num_nodes} nodes of ` : '';
  const slug = text(record.size_slug) ?? text(record.size);
  return slug === undefined ? gigabytes : `${nodes}${slug}`;
}

function addressOf({ networks, connection, ip, target, ip_range }: PlatformRecord): string | undefined {
  const v4 = isRecord(networks) && Array.isArray(networks.v4) ? networks.v4 : [];
  const open = v4.find((network) => isRecord(network) && network.type === 'public');
  return text(open?.ip_address) ?? text(isRecord(connection) ? connection.host : undefined) ?? text(ip) ?? text(target) ?? text(ip_range);
}

/** The platform's text as a question may carry it: an unruly name must neither hide what is asked nor fill the screen. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const shown = printable(String(value)).trim();
  return shown === '' ? undefined : shown.slice(0, 120);
}
