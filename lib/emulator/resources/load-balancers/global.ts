import { trafficMessages } from '../../assumptions.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { unprocessable } from '../../errors.ts';
import {
  choice,
  flag,
  integerFrom,
  type JsonObject,
  objects,
  onlyFields,
  optionalObject,
  optionalText,
  requiredText,
  texts,
} from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { domainOf } from '../domains/domains.ts';
import { isDomainName } from '../domains/host-names.ts';
import { certificateProblem, type ForwardingRule } from './forwarding-rules.ts';
import { loadBalancers } from './load-balancers.ts';

/** Source: the OpenAPI document, component `glb_settings`. */
export interface GlobalSettings {
  readonly target_protocol: 'http' | 'https' | 'http2';
  readonly target_port: number;
  readonly cdn: { readonly is_enabled: boolean };
  readonly region_priorities: Readonly<Record<string, number>>;
  readonly failover_threshold?: number;
}

/** Source: the OpenAPI document, component `domains`. */
export interface GlobalDomain {
  readonly name: string;
  readonly is_managed: boolean;
  readonly certificate_id: string;
}

/** What only a global load balancer has. */
export interface GlobalParts {
  readonly glb_settings: GlobalSettings;
  readonly domains: readonly GlobalDomain[];
  readonly target_load_balancer_ids: readonly string[];
}

const MAX_PORT = 65535;
const MAX_PRIORITY = 1000;
/** Source: the platform's provider for Terraform, schema of `digitalocean_loadbalancer`. */
const MAX_FAILOVER_THRESHOLD = 99;

/** Reads what only a global load balancer has. Errors: 422. */
export function parseGlobal(account: Account, body: JsonObject): GlobalParts {
  const settings = optionalObject(body, 'glb_settings');
  if (settings === undefined) {
    throw unprocessable(trafficMessages.globalSettings);
  }
  return {
    glb_settings: parseSettings(settings),
    domains: objects(body, 'domains').map((domain) => parseDomain(account, domain)),
    target_load_balancer_ids: parseTargets(account, texts(body, 'target_load_balancer_ids')),
  };
}

/** Refuses on another load balancer what only a global one has; what is empty says nothing. */
export function refuseGlobalParts(body: JsonObject): void {
  const settings = optionalObject(body, 'glb_settings') ?? {};
  if (Object.keys(settings).length + objects(body, 'domains').length + texts(body, 'target_load_balancer_ids').length > 0) {
    throw unprocessable(trafficMessages.globalOnly);
  }
}

/** A global load balancer listens where the web does; the document's schema has no load balancer without rules. */
export function globalRules({ glb_settings: { target_protocol, target_port }, domains }: GlobalParts): readonly ForwardingRule[] {
  const target = { target_protocol, target_port, tls_passthrough: false };
  const certificate_id = domains.find((domain) => domain.certificate_id !== '')?.certificate_id;
  const encrypted = certificate_id === undefined ? [] : [{ entry_protocol: 'https' as const, entry_port: 443, ...target, certificate_id }];
  return [{ entry_protocol: 'http', entry_port: 80, ...target, certificate_id: '' }, ...encrypted];
}

/** The domains as they are once a zone is gone: what lies in no domain of the account any more is managed no more. */
export function managedStill(account: Account, domains: readonly GlobalDomain[] = []): readonly GlobalDomain[] {
  return domains.map((domain) => ({ ...domain, is_managed: domain.is_managed && domainOf(account, domain.name) !== undefined }));
}

function parseSettings(body: JsonObject): GlobalSettings {
  onlyFields(body, ['target_protocol', 'target_port', 'cdn', 'region_priorities', 'failover_threshold'], 'glb_settings: ');
  const cdn = optionalObject(body, 'cdn') ?? {};
  onlyFields(cdn, ['is_enabled'], 'glb_settings: cdn: ');
  const priorities = optionalObject(body, 'region_priorities') ?? {};
  const region_priorities: Record<string, number> = {};
  for (const region of Object.keys(priorities)) {
    if (findRegion(region) === undefined) {
      throw unprocessable(trafficMessages.regionUnknown);
    }
    region_priorities[region] = integerFrom(priorities, region, 1, MAX_PRIORITY);
  }
  const threshold = body.failover_threshold ?? undefined;
  return {
    target_protocol: choice(body, 'target_protocol', ['http', 'https', 'http2']),
    target_port: integerFrom(body, 'target_port', 1, MAX_PORT),
    cdn: { is_enabled: flag(cdn, 'is_enabled') },
    region_priorities,
    ...(threshold === undefined ? {} : { failover_threshold: integerFrom(body, 'failover_threshold', 1, MAX_FAILOVER_THRESHOLD) }),
  };
}

function parseDomain(account: Account, body: JsonObject): GlobalDomain {
  onlyFields(body, ['name', 'is_managed', 'certificate_id'], 'domains: ');
  const name = requiredText(body, 'name').toLowerCase();
  const is_managed = flag(body, 'is_managed');
  const certificate_id = (optionalText(body, 'certificate_id') ?? '').toLowerCase();
  if (!isDomainName(name) || (is_managed && domainOf(account, name) === undefined)) {
    throw unprocessable(trafficMessages.globalDomain);
  }
  const problem = certificate_id === '' ? undefined : certificateProblem(account, certificate_id);
  if (problem !== undefined) {
    throw unprocessable(problem);
  }
  return { name, is_managed, certificate_id };
}

function parseTargets(account: Account, given: readonly string[]): readonly string[] {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  if (ids.some((id) => (loadBalancers.get(account, id)?.wire.type ?? 'GLOBAL') === 'GLOBAL')) {
    throw unprocessable(trafficMessages.globalTarget);
  }
  return ids;
}
