import { trafficMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { choice, integerFrom, type JsonObject, onlyFields, optionalObject, optionalText, requiredText, texts } from '../../fields.ts';
import { canonicalAddress } from '../../ip.ts';

/** Source: the OpenAPI document, component `health_check`. */
export interface HealthCheck {
  readonly protocol: 'http' | 'https' | 'tcp';
  readonly port: number;
  readonly path: string;
  readonly check_interval_seconds: number;
  readonly response_timeout_seconds: number;
  readonly healthy_threshold: number;
  readonly unhealthy_threshold: number;
}

/** Source: the OpenAPI document, component `sticky_sessions`. */
export type StickySessions =
  | { readonly type: 'none' }
  | { readonly type: 'cookies'; readonly cookie_name: string; readonly cookie_ttl_seconds: number };

/** Source: the OpenAPI document, component `lb_firewall`. */
export interface AccessRules {
  readonly deny: readonly string[];
  readonly allow: readonly string[];
}

/** Source: the OpenAPI document, component `load_balancer_base`, `size` and `size_unit`. */
export interface Size {
  readonly size: string;
  readonly size_unit: number;
}

const MAX_PORT = 65535;
const MAX_SECONDS = 300;
const MAX_COOKIE_SECONDS = 34_650;
const NODES: Readonly<Record<'lb-small' | 'lb-medium' | 'lb-large', number>> = { 'lb-small': 1, 'lb-medium': 3, 'lb-large': 6 };

/** Reads how backends are checked; what is not named is the document's default. Errors: 422. */
export function parseHealthCheck(body: JsonObject): HealthCheck {
  const check = optionalObject(body, 'health_check') ?? {};
  const names = ['check_interval_seconds', 'response_timeout_seconds', 'healthy_threshold', 'unhealthy_threshold'];
  onlyFields(check, ['protocol', 'port', 'path', ...names], 'health_check: ');
  const protocol = choice(check, 'protocol', ['http', 'https', 'tcp'], 'http');
  const path = optionalText(check, 'path') || (protocol === 'tcp' ? '' : '/');
  if (path !== '' && !path.startsWith('/')) {
    throw unprocessable(trafficMessages.checkPath);
  }
  return {
    protocol,
    port: integerFrom(check, 'port', 1, MAX_PORT, 80),
    path,
    check_interval_seconds: integerFrom(check, 'check_interval_seconds', 3, MAX_SECONDS, 10),
    response_timeout_seconds: integerFrom(check, 'response_timeout_seconds', 3, MAX_SECONDS, 5),
    healthy_threshold: integerFrom(check, 'healthy_threshold', 2, 10, 3),
    unhealthy_threshold: integerFrom(check, 'unhealthy_threshold', 2, 10, 5),
  };
}

/** Reads whether a client stays with a backend. Errors: 422, also for cookies without a name or a life. */
export function parseStickySessions(body: JsonObject): StickySessions {
  const sessions = optionalObject(body, 'sticky_sessions') ?? {};
  onlyFields(sessions, ['type', 'cookie_name', 'cookie_ttl_seconds'], 'sticky_sessions: ');
  if (choice(sessions, 'type', ['cookies', 'none'], 'none') === 'none') {
    return { type: 'none' };
  }
  const cookie_name = requiredText(sessions, 'cookie_name');
  return { type: 'cookies', cookie_name, cookie_ttl_seconds: integerFrom(sessions, 'cookie_ttl_seconds', 1, MAX_COOKIE_SECONDS) };
}

/** Reads who may connect: `ip:1.2.3.4` and `cidr:1.2.0.0/16`. Errors: 422. */
export function parseAccessRules(body: JsonObject): AccessRules {
  const rules = optionalObject(body, 'firewall') ?? {};
  onlyFields(rules, ['deny', 'allow'], 'firewall: ');
  return { deny: texts(rules, 'deny').map(checkAccess), allow: texts(rules, 'allow').map(checkAccess) };
}

/** Reads how many nodes it has; the number wins over the old names for some of them, which are shown for all. Errors: 422. */
export function parseSize(body: JsonObject): Size {
  const named = choice(body, 'size', ['lb-small', 'lb-medium', 'lb-large'], 'lb-small');
  const size_unit = integerFrom(body, 'size_unit', 1, 100, NODES[named]);
  return { size: Object.entries(NODES).find(([, nodes]) => nodes === size_unit)?.[0] ?? 'lb-small', size_unit };
}

function checkAccess(text: string): string {
  const [, kind, address = ''] = /^(ip|cidr):(.+)$/.exec(text) ?? [];
  if (kind === undefined || canonicalAddress(address) === undefined || (kind === 'cidr') !== address.includes('/')) {
    throw unprocessable(trafficMessages.accessRule);
  }
  return text;
}
