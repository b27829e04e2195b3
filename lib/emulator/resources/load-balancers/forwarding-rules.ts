import { trafficMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { choice, flag, integerFrom, type JsonObject, onlyFields, optionalText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { certificates } from '../certificates/certificates.ts';

const ENTRY_PROTOCOLS = ['http', 'https', 'http2', 'http3', 'tcp', 'udp'] as const;
const TARGET_PROTOCOLS = ['http', 'https', 'http2', 'tcp', 'udp'] as const;
const FIELDS = ['entry_protocol', 'entry_port', 'target_protocol', 'target_port', 'certificate_id', 'tls_passthrough'];
const MAX_PORT = 65535;

/** What becomes of traffic that arrives at a port. Source: the OpenAPI document, component `forwarding_rule`. */
export interface ForwardingRule {
  readonly entry_protocol: (typeof ENTRY_PROTOCOLS)[number];
  readonly entry_port: number;
  readonly target_protocol: (typeof TARGET_PROTOCOLS)[number];
  readonly target_port: number;
  readonly certificate_id: string;
  readonly tls_passthrough: boolean;
}

/** Reads one rule, by its form alone. Errors: 422. */
export function parseRule(body: JsonObject): ForwardingRule {
  onlyFields(body, FIELDS, 'forwarding_rules: ');
  return {
    entry_protocol: choice(body, 'entry_protocol', ENTRY_PROTOCOLS),
    entry_port: integerFrom(body, 'entry_port', 1, MAX_PORT),
    target_protocol: choice(body, 'target_protocol', TARGET_PROTOCOLS),
    target_port: integerFrom(body, 'target_port', 1, MAX_PORT),
    certificate_id: (optionalText(body, 'certificate_id') ?? '').toLowerCase(),
    tls_passthrough: flag(body, 'tls_passthrough'),
  };
}

/**
 * Refuses rules that a load balancer of this type can not have: 422. Those that it has already, all but `added`, stay good, whatever
 * became of their certificates.
 */
export function checkRules(account: Account, rules: readonly ForwardingRule[], type: string, added = rules): void {
  if (rules.length === 0) {
    throw unprocessable(trafficMessages.rulesRequired);
  }
  const entries = rules.map((rule) => `${carriedByUdp(rule) ? 'udp' : 'tcp'}:${rule.entry_port}`);
  if (new Set(entries).size < entries.length) {
    throw unprocessable(trafficMessages.entryPortTaken);
  }
  for (const rule of added) {
    const problem = protocolProblem(rule, type) ?? encryptionProblem(account, rule);
    if (problem !== undefined) {
      throw unprocessable(problem);
    }
  }
}

/** Whether two rules forward the same; which certificate they show says nothing about that. */
export function forwardsSame(one: ForwardingRule, other: ForwardingRule): boolean {
  return (
    one.entry_protocol === other.entry_protocol &&
    one.entry_port === other.entry_port &&
    one.target_protocol === other.target_protocol &&
    one.target_port === other.target_port
  );
}

/** The certificates that rules show. */
export function certificatesOf(rules: readonly ForwardingRule[]): readonly string[] {
  return rules.flatMap((rule) => (rule.certificate_id === '' ? [] : [rule.certificate_id]));
}

/** A port can be open twice, once for each transport: http3 stands beside https. */
function carriedByUdp({ entry_protocol }: ForwardingRule): boolean {
  return entry_protocol === 'udp' || entry_protocol === 'http3';
}

/** Source: the OpenAPI document, component `forwarding_rule`; that tcp goes to tcp alone is taken for granted. */
function protocolProblem({ entry_protocol: entry, target_protocol: target }: ForwardingRule, type: string): string | undefined {
  if (type === 'REGIONAL_NETWORK' && entry !== 'tcp' && entry !== 'udp') {
    return trafficMessages.networkProtocols;
  }
  if ((entry === 'udp') !== (target === 'udp')) {
    return trafficMessages.udpPair;
  }
  return (entry === 'tcp') === (target === 'tcp') ? undefined : trafficMessages.tcpPair;
}

function encryptionProblem(account: Account, rule: ForwardingRule): string | undefined {
  const { entry_protocol: entry, target_protocol: target, certificate_id: certificate, tls_passthrough: passes } = rule;
  const encrypted = entry === 'https' || entry === 'http2' || entry === 'http3';
  if (!encrypted) {
    return certificate === '' && !passes ? undefined : trafficMessages.encryptionUnused;
  }
  if (passes) {
    return certificate === '' && entry === target ? undefined : trafficMessages.passthrough;
  }
  if (certificate === '') {
    return trafficMessages.certificateRequired;
  }
  return certificateProblem(account, certificate);
}

/** Why a certificate can not be shown; undefined when it can. A pending one can: it will be there. */
export function certificateProblem(account: Account, id: string): string | undefined {
  const state = certificates.get(account, id)?.wire.state;
  return state === undefined || state === 'error' ? trafficMessages.certificateUnknown : undefined;
}
