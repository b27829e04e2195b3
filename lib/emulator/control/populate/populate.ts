import { badRequest } from '../../errors.ts';
import { isObject, type JsonObject } from '../../fields.ts';
import { ensureTag } from '../../resources/tagging.ts';
import type { Account } from '../../store/account.ts';
import { refuseUnknownKeys } from '../known-keys.ts';
import { bulkBillingLines, bulkInvoices, bulkKeys } from './account.ts';
import type { BeginBulk } from './bulk.ts';
import { bulkDropletActions, bulkDroplets, bulkImageActions, bulkImages, bulkTags } from './compute.ts';
import { bulkDatabases, bulkDatabaseUsers, bulkTopics } from './databases.ts';
import { bulkChecks, bulkPolicies, bulkUptimeAlerts } from './insights.ts';
import {
  bulkPrefixes,
  bulkPrefixIps,
  bulkReservedIpActions,
  bulkReservedIps,
  bulkReservedIpv6s,
  bulkVpcMembers,
  bulkVpcPeerings,
  bulkVpcs,
} from './network.ts';
import { bulkCertificates, bulkDomainRecords, bulkDomains, bulkFirewalls, bulkLoadBalancers } from './traffic.ts';

/** Every kind of record that can be made by the thousand, which is every one that has a list without a bound. */
const KINDS = {
  keys: bulkKeys,
  billing_lines: bulkBillingLines,
  invoices: bulkInvoices,
  droplets: bulkDroplets,
  images: bulkImages,
  tags: bulkTags,
  droplet_actions: bulkDropletActions,
  image_actions: bulkImageActions,
  reserved_ip_actions: bulkReservedIpActions,
  vpcs: bulkVpcs,
  vpc_members: bulkVpcMembers,
  vpc_peerings: bulkVpcPeerings,
  reserved_ips: bulkReservedIps,
  reserved_ipv6s: bulkReservedIpv6s,
  byoip_prefixes: bulkPrefixes,
  byoip_ips: bulkPrefixIps,
  domains: bulkDomains,
  domain_records: bulkDomainRecords,
  certificates: bulkCertificates,
  load_balancers: bulkLoadBalancers,
  firewalls: bulkFirewalls,
  databases: bulkDatabases,
  database_users: bulkDatabaseUsers,
  database_topics: bulkTopics,
  uptime_checks: bulkChecks,
  uptime_alerts: bulkUptimeAlerts,
  alert_policies: bulkPolicies,
} as const satisfies Readonly<Record<string, BeginBulk>>;

export type BulkKind = keyof typeof KINDS;
export const bulkKinds: readonly string[] = Object.keys(KINDS);

/** How many records of which kinds; `droplets` is short for the most usual one, `tag` goes on what can carry tags. */
export interface PopulateOrder {
  readonly records?: Readonly<Partial<Record<BulkKind, number>>>;
  readonly droplets?: number;
  readonly tag?: string;
}

/** What was made, and the lists that show it. */
export interface Populated {
  readonly kind: string;
  readonly added: number;
  readonly paths: readonly string[];
}

const MAX_RECORDS = 1_000_000;
const CHUNK = 2000;

/**
 * Fills an account with records for measurements, past its limits and outside its bills, each kind like what the platform's
 * operations make. Other requests are answered in between.
 */
export async function populate(account: Account, order: PopulateOrder): Promise<readonly Populated[]> {
  const { records = {}, droplets, tag } = order;
  const wanted = { ...records, ...(droplets === undefined ? {} : { droplets }) };
  const made: Populated[] = [];
  for (const [kind, begin] of Object.entries(KINDS)) {
    // The kinds were checked by `parsePopulateOrder`.
    const count = wanted[kind as BulkKind];
    if (count !== undefined) {
      made.push({ kind, added: count, paths: await fill(account, begin, count, tag) });
    }
  }
  return made;
}

async function fill(account: Account, begin: BeginBulk, count: number, tag: string | undefined): Promise<readonly string[]> {
  const { paths, add } = account.write(() => begin(account, tag === undefined ? undefined : ensureTag(account, tag)));
  for (let made = 0; made < count; made += CHUNK) {
    account.write(() => {
      for (let index = made; index < Math.min(count, made + CHUNK); index += 1) {
        add(account.nextId('bulk'));
      }
    });
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  return paths;
}

/** Reads `{records: {kind: count}, droplets, tag}`. Errors: 400 naming what was not understood. */
export function parsePopulateOrder(body: JsonObject): PopulateOrder {
  refuseUnknownKeys('populate', body, ['records', 'droplets', 'tag']);
  const { records = {}, droplets, tag } = body;
  if (!isObject(records)) {
    throw badRequest('records must be an object of counts by kind.');
  }
  refuseUnknownKeys('records', records, bulkKinds);
  if (tag !== undefined && typeof tag !== 'string') {
    throw badRequest('tag must be a text.');
  }
  if (droplets === undefined && Object.keys(records).length === 0) {
    throw badRequest('say how many: droplets, or records by kind.');
  }
  return {
    records: Object.fromEntries(Object.entries(records).map(([kind, count]) => [kind, toCount(kind, count)])),
    ...(droplets === undefined ? {} : { droplets: toCount('droplets', droplets) }),
    ...(tag === undefined ? {} : { tag }),
  };
}

function toCount(kind: string, count: unknown): number {
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1 || count > MAX_RECORDS) {
    throw badRequest(`${kind} must be an integer from 1 to ${MAX_RECORDS}.`);
  }
  return count;
}
