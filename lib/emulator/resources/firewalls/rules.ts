import { firewallLimits, trafficMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { choice, integerIds, type JsonObject, list, objects, onlyFields, optionalObject, optionalText, texts } from '../../fields.ts';
import { canonicalAddress } from '../../ip.ts';
import type { Account } from '../../store/account.ts';
import { droplets } from '../droplets/droplets.ts';
import { loadBalancers } from '../load-balancers/load-balancers.ts';
import { tagExists } from '../tagging.ts';

/** Where traffic may come from or go to. Source: the OpenAPI document, component `firewall_rule_target`. */
export interface RuleTarget {
  readonly addresses?: readonly string[];
  readonly droplet_ids?: readonly number[];
  readonly load_balancer_uids?: readonly string[];
  readonly tags?: readonly string[];
}

interface RuleBase {
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** A port, a range `low-high`, or `0` for all. */
  readonly ports: string;
}

export interface InboundRule extends RuleBase {
  readonly sources: RuleTarget;
}

export interface OutboundRule extends RuleBase {
  readonly destinations: RuleTarget;
}

export interface Rules {
  readonly inbound_rules: readonly InboundRule[];
  readonly outbound_rules: readonly OutboundRule[];
}

const PROTOCOLS = ['tcp', 'udp', 'icmp'] as const;
const TARGET_FIELDS = ['addresses', 'droplet_ids', 'load_balancer_uids', 'kubernetes_ids', 'tags'];
const MAX_PORT = 65535;

/** Reads the rules of a request in their normal form. Errors: 422 for none at all, a malformed one, and one that comes twice. */
export function parseRules(body: JsonObject): Rules {
  const inbound = objects(body, 'inbound_rules').map((rule) => ({ ...parseBase(rule, 'sources'), sources: parseTarget(rule, 'sources') }));
  const outbound = objects(body, 'outbound_rules').map((rule) => ({
    ...parseBase(rule, 'destinations'),
    destinations: parseTarget(rule, 'destinations'),
  }));
  if (inbound.length + outbound.length === 0) {
    throw unprocessable(trafficMessages.firewallWithoutRules);
  }
  return checkRules({ inbound_rules: inbound, outbound_rules: outbound });
}

/** Refuses rules that name what does not exist: 422. */
export function refuseUnknownTargets(account: Account, rules: Rules): void {
  for (const { droplet_ids = [], load_balancer_uids = [], tags = [] } of targetsOf(rules)) {
    refuseUnknownDroplets(account, droplet_ids);
    refuseUnknownTags(account, tags);
    if (load_balancer_uids.some((id) => loadBalancers.get(account, id) === undefined)) {
      throw unprocessable(trafficMessages.balancerUnknown);
    }
  }
}

/** Refuses rules of which two say the same, and more rules than a firewall may have. */
function checkRules(rules: Rules): Rules {
  for (const keys of [rules.inbound_rules.map(keyOf), rules.outbound_rules.map(keyOf)]) {
    if (new Set(keys).size < keys.length) {
      throw unprocessable(trafficMessages.duplicateRule);
    }
  }
  if (rules.inbound_rules.length + rules.outbound_rules.length > firewallLimits.rules) {
    throw unprocessable(trafficMessages.tooManyRules);
  }
  return rules;
}

export function addRules(before: Rules, added: Rules): Rules {
  return checkRules({
    inbound_rules: [...before.inbound_rules, ...added.inbound_rules],
    outbound_rules: [...before.outbound_rules, ...added.outbound_rules],
  });
}

/** The rules without those that say the same as one of `removed`. */
export function withoutRules(before: Rules, removed: Rules): Rules {
  const inbound = removed.inbound_rules.map(keyOf);
  const outbound = removed.outbound_rules.map(keyOf);
  return {
    inbound_rules: before.inbound_rules.filter((rule) => !inbound.includes(keyOf(rule))),
    outbound_rules: before.outbound_rules.filter((rule) => !outbound.includes(keyOf(rule))),
  };
}

/** Every target of every rule. */
export function targetsOf(rules: Rules): readonly RuleTarget[] {
  return [...rules.inbound_rules.map((rule) => rule.sources), ...rules.outbound_rules.map((rule) => rule.destinations)];
}

/** The rules with every target put through `change`, but for those that are left without a target, and those that say the same as one before. */
export function mapTargets(rules: Rules, change: (target: RuleTarget) => RuleTarget): Rules {
  const inbound = rules.inbound_rules.map((rule) => ({ ...rule, sources: change(rule.sources) }));
  const outbound = rules.outbound_rules.map((rule) => ({ ...rule, destinations: change(rule.destinations) }));
  return {
    inbound_rules: distinct(inbound.filter(({ sources }) => Object.keys(sources).length > 0)),
    outbound_rules: distinct(outbound.filter(({ destinations }) => Object.keys(destinations).length > 0)),
  };
}

function parseBase(rule: JsonObject, target: string): RuleBase {
  onlyFields(rule, ['protocol', 'ports', target], 'rule: ');
  const protocol = choice(rule, 'protocol', PROTOCOLS);
  const ports = optionalText(rule, 'ports') ?? '';
  return { protocol, ports: protocol === 'icmp' ? '0' : parsePorts(ports) };
}

/** Source: the messages that the platform's users quote. */
function parsePorts(text: string): string {
  if (text === '') {
    throw unprocessable('you must specify a positive value for ports');
  }
  if (text === 'all' || text === '0') {
    return '0';
  }
  const [, low = '', high = low] = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text) ?? [];
  if (low === '' || Number(low) > Number(high) || Number(high) > MAX_PORT) {
    throw unprocessable('you must specify a valid range for ports');
  }
  return text;
}

function parseTarget(rule: JsonObject, name: 'sources' | 'destinations'): RuleTarget {
  const body = optionalObject(rule, name) ?? {};
  onlyFields(body, TARGET_FIELDS, `${name}: `);
  const addresses = texts(body, 'addresses').map((text) => {
    const canonical = canonicalAddress(text);
    if (canonical === undefined) {
      throw unprocessable(trafficMessages.addressInvalid);
    }
    return canonical;
  });
  const dropletIds = integerIds(body, 'droplet_ids');
  const balancers = texts(body, 'load_balancer_uids').map((id) => id.toLowerCase());
  const tags = texts(body, 'tags');
  if (list(body, 'kubernetes_ids').length > 0) {
    throw unprocessable(trafficMessages.clusterUnknown);
  }
  if (addresses.length + dropletIds.length + balancers.length + tags.length === 0) {
    throw unprocessable(name === 'sources' ? trafficMessages.sourcesRequired : trafficMessages.destinationsRequired);
  }
  return {
    ...(addresses.length > 0 ? { addresses: [...new Set(addresses)] } : {}),
    ...(dropletIds.length > 0 ? { droplet_ids: dropletIds } : {}),
    ...(balancers.length > 0 ? { load_balancer_uids: [...new Set(balancers)] } : {}),
    ...(tags.length > 0 ? { tags: [...new Set(tags)] } : {}),
  };
}

export function refuseUnknownDroplets(account: Account, ids: readonly number[]): void {
  if (ids.some((id) => droplets.get(account, id) === undefined)) {
    throw unprocessable(trafficMessages.dropletUnknown);
  }
}

/** Source: the OpenAPI document, component `existing_tags_array`: tags must exist to be referenced. */
export function refuseUnknownTags(account: Account, tags: readonly string[]): void {
  if (tags.some((tag) => !tagExists(account, tag))) {
    throw unprocessable(trafficMessages.tagUnknown);
  }
}

/** Equal for two rules that say the same, whatever the order they say it in. */
function keyOf(rule: InboundRule | OutboundRule): string {
  const { addresses = [], droplet_ids = [], load_balancer_uids = [], tags = [] } = 'sources' in rule ? rule.sources : rule.destinations;
  const sets = [addresses, droplet_ids.map(String), load_balancer_uids, tags].map((values) => values.toSorted());
  return JSON.stringify([rule.protocol, rule.ports, ...sets]);
}

function distinct<Rule extends InboundRule | OutboundRule>(rules: readonly Rule[]): readonly Rule[] {
  const keys = rules.map(keyOf);
  return rules.filter((_rule, index) => keys.indexOf(keys[index] ?? '') === index);
}
