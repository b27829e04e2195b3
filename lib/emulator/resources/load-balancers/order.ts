import { trafficMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import {
  choice,
  flag,
  integerFrom,
  integerIds,
  isObject,
  type JsonObject,
  objects,
  onlyFields,
  optionalText,
  requiredText,
} from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { droplets } from '../droplets/droplets.ts';
import { chosenProject } from '../projects.ts';
import { ensureTag } from '../tagging.ts';
import { checkRules, parseRule } from './forwarding-rules.ts';
import { globalRules, parseGlobal, refuseGlobalParts } from './global.ts';
import { loadBalancers, type Place, type Settings } from './load-balancers.ts';
import { parseAccessRules, parseHealthCheck, parseSize, parseStickySessions } from './settings.ts';

/** Where a load balancer is, or is to be. */
export interface Site extends Place {
  readonly region: string;
}

/** What is to be of a load balancer, checked. */
export interface Order {
  readonly settings: Settings;
  readonly dropletIds: readonly number[];
}

/** Everything a load balancer has: what only the platform writes may come along, as a full representation has it. */
const FIELDS = [
  'id ip ipv6 status created_at name project_id region size size_unit algorithm forwarding_rules health_check sticky_sessions',
  'redirect_http_to_https enable_proxy_protocol enable_backend_keepalive http_idle_timeout_seconds vpc_uuid',
  'disable_lets_encrypt_dns_records firewall network network_stack type domains glb_settings target_load_balancer_ids',
  'tls_cipher_policy droplet_ids tag',
]
  .join(' ')
  .split(' ');

/**
 * Reads a full representation: what it does not name is the document's default. `self` is the load balancer that is changed.
 * Errors: 422, before anything is stored but the tag it may name.
 */
export function parseOrder(account: Account, body: JsonObject, site: Site, self = ''): Order {
  onlyFields(body, FIELDS);
  const isGlobal = site.type === 'GLOBAL';
  const given = objects(body, 'forwarding_rules').map(parseRule);
  const parts = isGlobal ? parseGlobal(account, body) : undefined;
  if (parts === undefined) {
    refuseGlobalParts(body);
    checkRules(account, given, site.type);
  }
  const dropletIds = integerIds(body, 'droplet_ids');
  const tag = optionalText(body, 'tag') ?? '';
  if (tag !== '' && dropletIds.length > 0) {
    throw unprocessable(trafficMessages.tagAndDroplets);
  }
  refuseForeignDroplets(account, dropletIds, site);
  const settings: Settings = {
    name: parseName(account, body, self),
    project_id: chosenProject(account, optionalText(body, 'project_id')),
    ...parseSize(body),
    algorithm: choice(body, 'algorithm', ['round_robin', 'least_connections'], 'round_robin'),
    forwarding_rules: parts === undefined ? given : globalRules(parts),
    health_check: parseHealthCheck(body),
    sticky_sessions: parseStickySessions(body),
    redirect_http_to_https: flag(body, 'redirect_http_to_https'),
    enable_proxy_protocol: flag(body, 'enable_proxy_protocol'),
    enable_backend_keepalive: flag(body, 'enable_backend_keepalive'),
    http_idle_timeout_seconds: integerFrom(body, 'http_idle_timeout_seconds', 30, 600, 60),
    disable_lets_encrypt_dns_records: flag(body, 'disable_lets_encrypt_dns_records'),
    firewall: parseAccessRules(body),
    tls_cipher_policy: choice(body, 'tls_cipher_policy', ['DEFAULT', 'STRONG'], 'DEFAULT'),
    tag: tag === '' ? '' : ensureTag(account, tag),
    ...parts,
  };
  return { settings, dropletIds };
}

/** Droplets behind a load balancer exist and are in its region and network; behind a global one they may be anywhere. */
export function refuseForeignDroplets(
  account: Account,
  ids: readonly number[],
  { region, vpc_uuid }: Pick<Site, 'region' | 'vpc_uuid'>,
): void {
  for (const id of ids) {
    const droplet = droplets.get(account, id);
    if (droplet === undefined) {
      throw unprocessable(trafficMessages.dropletUnknown);
    }
    if (region !== '' && (droplet.hidden.region !== region || droplet.wire.vpc_uuid !== vpc_uuid)) {
      throw unprocessable(trafficMessages.dropletElsewhere);
    }
  }
}

/** The region of a request: its slug, or the object that a reply has. */
export function regionOf(body: JsonObject): string {
  const { region } = body;
  return isObject(region) ? requiredText(region, 'slug') : (optionalText(body, 'region') ?? '');
}

function parseName(account: Account, body: JsonObject, self: string): string {
  const name = requiredText(body, 'name');
  if (!/^[a-zA-Z0-9][a-zA-Z0-9.-]{0,254}$/.test(name)) {
    throw unprocessable(trafficMessages.balancerName);
  }
  if (loadBalancers.where(account, 'name', name).some(({ wire }) => wire.name === name && wire.id !== self)) {
    throw unprocessable(trafficMessages.balancerExists);
  }
  return name;
}
