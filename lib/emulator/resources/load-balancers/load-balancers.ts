import { regionText } from '../../catalogue/regions.ts';
import { forbidden, notFound } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { zonesOf } from '../domains/host-names.ts';
import type { ForwardingRule } from './forwarding-rules.ts';
import type { GlobalParts } from './global.ts';
import type { AccessRules, HealthCheck, Size, StickySessions } from './settings.ts';

/** What a caller says of a load balancer, complete. */
export interface Settings extends Size, Partial<GlobalParts> {
  readonly name: string;
  readonly project_id: string;
  readonly algorithm: string;
  readonly forwarding_rules: readonly ForwardingRule[];
  readonly health_check: HealthCheck;
  readonly sticky_sessions: StickySessions;
  readonly redirect_http_to_https: boolean;
  readonly enable_proxy_protocol: boolean;
  readonly enable_backend_keepalive: boolean;
  readonly http_idle_timeout_seconds: number;
  readonly disable_lets_encrypt_dns_records: boolean;
  readonly firewall: AccessRules;
  readonly tls_cipher_policy: string;
  readonly tag: string;
}

/** What can not be changed once a load balancer is there. */
export interface Place {
  readonly type: 'REGIONAL' | 'REGIONAL_NETWORK' | 'GLOBAL';
  readonly network: 'EXTERNAL' | 'INTERNAL';
  readonly network_stack: 'IPV4' | 'DUALSTACK';
  /** A global one is in none. */
  readonly vpc_uuid?: string;
}

/** A load balancer as it is stored; its region and droplets are added when it is shown. Source: the OpenAPI document, component `load_balancer`. */
export interface LoadBalancer extends Settings, Place {
  readonly id: string;
  readonly ip: string;
  readonly ipv6?: string;
  readonly status: 'new' | 'active' | 'errored';
  readonly created_at: string;
}

export interface LoadBalancerHidden {
  /** Empty for a global one. */
  readonly region: string;
  /** The droplets that were named one by one; with a tag there are none. */
  readonly dropletIds: readonly number[];
  /** Whether an update is in progress. */
  readonly busy: boolean;
  /** The numbers of its addresses in their pools, to be given back. */
  readonly addresses: { readonly publicV4?: number; readonly publicV6?: number; readonly privateV4?: number };
  /** DNS records that were made for it. */
  readonly recordIds: readonly number[];
}

export type BalancerEntry = Entry<LoadBalancer, LoadBalancerHidden>;

export const loadBalancers = collection<LoadBalancer, LoadBalancerHidden>({
  table: 'load_balancers',
  key: 'text',
  id: (balancer) => balancer.id,
  columns: {
    name: { of: (balancer) => balancer.name, index: 'lookup', collate: 'NOCASE' },
    tag: { of: (balancer) => balancer.tag, index: 'lookup', collate: 'NOCASE' },
    region: { of: (_balancer, { region }) => region },
    vpc: { of: (balancer) => balancer.vpc_uuid ?? '' },
    droplet_ids: { of: (_balancer, { dropletIds }) => JSON.stringify(dropletIds) },
  },
  present: (account, text, { tag, region, vpc, droplet_ids }) => {
    const members = tag === '' ? String(droplet_ids) : JSON.stringify(taggedDroplets(account, String(tag), String(region), String(vpc)));
    const place = region === '' ? '' : `,"region":${regionText(String(region))}`;
    return `${text.slice(0, -1)}${place},"droplet_ids":${members}}`;
  },
});

/** What load balancers refer to, so that what is deleted is found in them: kinds `droplet`, `balancer` and, for each zone that a managed name may lie in, `domain`. */
export const balancerLinkTables: readonly string[] = [
  'CREATE TABLE load_balancer_links (kind TEXT NOT NULL, ref TEXT NOT NULL, balancer TEXT NOT NULL, PRIMARY KEY (kind, ref, balancer)) WITHOUT ROWID',
];

/** The load balancer that a path names. Errors: 404. */
export function knownBalancer(account: Account, id = ''): BalancerEntry {
  const balancer = loadBalancers.get(account, id.toLowerCase());
  if (balancer === undefined) {
    throw notFound();
  }
  return balancer;
}

/** The same, for a change. Errors: also 403 while it is new or an update is in progress; source: the message that its users quote. */
export function idleBalancer(account: Account, id: string | undefined): BalancerEntry {
  const balancer = knownBalancer(account, id);
  if (balancer.wire.status === 'new' || balancer.hidden.busy) {
    throw forbidden("Load Balancer can't be updated while it processes previous actions");
  }
  return balancer;
}

export function balancerText(account: Account, id: string): string {
  return `{"load_balancer":${loadBalancers.text(account, id)}}`;
}

export function balancerUrn(id: string): string {
  return `do:loadbalancer:${id}`;
}

/** Stores a load balancer, or with `before` a changed one, and what it refers to. */
export function saveBalancer(account: Account, balancer: BalancerEntry, before?: BalancerEntry): void {
  if (before === undefined) {
    loadBalancers.insert(account, balancer.wire, balancer.hidden);
  } else {
    loadBalancers.update(account, balancer.wire, balancer.hidden);
  }
  linkAgain(account, balancer.wire.id, before === undefined ? [] : linksOf(before), linksOf(balancer));
}

export function dropBalancer(account: Account, balancer: BalancerEntry): void {
  loadBalancers.remove(account, balancer.wire.id);
  linkAgain(account, balancer.wire.id, linksOf(balancer), []);
}

/** The load balancers that refer to a droplet, to another load balancer as their target, or to a zone that their managed names may lie in. */
export function linkedBalancers(account: Account, kind: LinkKind, ref: string): readonly BalancerEntry[] {
  const rows = account.sql('SELECT balancer FROM load_balancer_links WHERE kind = ? AND ref = ?').all(kind, ref);
  return rows.flatMap((row) => loadBalancers.get(account, String(row.balancer)) ?? []);
}

type LinkKind = 'droplet' | 'balancer' | 'domain';
type Link = readonly [kind: LinkKind, ref: string];

function linksOf({ wire, hidden }: BalancerEntry): readonly Link[] {
  const targets = (wire.target_load_balancer_ids ?? []).map((id): Link => ['balancer', id]);
  const managed = (wire.domains ?? []).filter((domain) => domain.is_managed);
  const zones = managed.flatMap(({ name }) => zonesOf(name).map((zone): Link => ['domain', zone]));
  return [...hidden.dropletIds.map((id): Link => ['droplet', String(id)]), ...targets, ...zones];
}

function linkAgain(account: Account, balancer: string, before: readonly Link[], after: readonly Link[]): void {
  for (const [kind, ref] of before) {
    account.run('DELETE FROM load_balancer_links WHERE kind = ? AND ref = ? AND balancer = ?', kind, ref, balancer);
  }
  for (const [kind, ref] of after) {
    account.run('INSERT OR IGNORE INTO load_balancer_links (kind, ref, balancer) VALUES (?, ?, ?)', kind, ref, balancer);
  }
}

/** The droplets that a tag stands for: those of its region and network, or of all for a global one. */
function taggedDroplets(account: Account, tag: string, region: string, vpc: string): readonly number[] {
  const where = "t.tag = ? AND t.kind = 'droplets'";
  const near = "AND d.region = ? AND json_extract(d.doc, '$.vpc_uuid') = ?";
  const rows =
    region === ''
      ? account.sql(`SELECT t.id AS id FROM tagged t WHERE ${where}`).all(tag)
      : account.sql(`SELECT t.id AS id FROM tagged t JOIN droplets d ON d.id = t.id WHERE ${where} ${near}`).all(tag, region, vpc);
  return rows.map((row) => Number(row.id));
}
