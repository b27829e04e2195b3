import { z } from 'zod';
import { addressOrCidrProblems, type CidrLimits } from '../../catalogue/checks/cidr.ts';
import { shown } from '../../catalogue/reading/words.ts';
import type { Problem } from '../../errors.ts';

type Protocol = 'tcp' | 'udp' | 'icmp';

interface Ports {
  readonly Protocol: Protocol;
  readonly PortRange: string;
}

export interface InboundRule extends Ports {
  readonly Sources: readonly string[];
}

export interface OutboundRule extends Ports {
  readonly Destinations: readonly string[];
}

interface Rules {
  readonly InboundRules?: readonly InboundRule[];
  readonly OutboundRules?: readonly OutboundRule[];
}

export function protocol() {
  return z.enum(['tcp', 'udp', 'icmp']);
}

export function portRange() {
  return z.string().describe('A port, 8000-9000, or 0 for all; anything for icmp');
}

/** Rules for what comes in. */
export function inboundRules() {
  return z.array(
    z.strictObject({ Protocol: protocol(), PortRange: portRange(), Sources: z.array(z.string()).describe('Addresses or CIDR blocks') }),
  );
}

/** Rules for what goes out. */
export function outboundRules() {
  return z.array(
    z.strictObject({
      Protocol: protocol(),
      PortRange: portRange(),
      Destinations: z.array(z.string()).describe('Addresses or CIDR blocks'),
    }),
  );
}

/** Rules as the platform words them. */
export function rulesBody({ InboundRules: inbound, OutboundRules: outbound }: Rules) {
  return {
    inbound_rules: inbound?.map((rule) => ({ ...portsBody(rule), sources: { addresses: rule.Sources } })),
    outbound_rules: outbound?.map((rule) => ({ ...portsBody(rule), destinations: { addresses: rule.Destinations } })),
  };
}

/** The platform writes all ports as 0, and icmp, which has none, likewise. */
function portsBody({ Protocol, PortRange }: Ports) {
  const ports = PortRange.replaceAll(' ', '');
  return { protocol: Protocol, ports: Protocol === 'icmp' || ports.toLowerCase() === 'all' ? '0' : ports };
}

/** What is wrong with the rules' ports and addresses. */
export function rulesProblems(
  { InboundRules: inbound = [], OutboundRules: outbound = [] }: Rules,
  limits: CidrLimits = {},
): readonly Problem[] {
  return [
    ...inbound.flatMap((rule, index) => [
      ...portProblems(`InboundRules[${index}].PortRange`, rule),
      ...addressesProblems(`InboundRules[${index}].Sources`, rule.Sources, limits),
    ]),
    ...outbound.flatMap((rule, index) => [
      ...portProblems(`OutboundRules[${index}].PortRange`, rule),
      ...addressesProblems(`OutboundRules[${index}].Destinations`, rule.Destinations, limits),
    ]),
  ];
}

/** What is wrong with the ports of a rule; icmp has none, so there is nothing to judge. */
export function portProblems(field: string, { Protocol, PortRange }: Partial<Ports>): readonly Problem[] {
  if (Protocol === undefined || PortRange === undefined || Protocol === 'icmp') return [];
  const text = PortRange.replaceAll(' ', '').toLowerCase();
  const [, low = '', high = low] = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text) ?? [];
  const fits = text === '0' || text === 'all' || (low !== '' && Number(low) <= Number(high) && Number(high) <= 65_535);
  return fits ? [] : [{ field, got: shown(PortRange), expected: 'a port from 1 to 65535, a range such as 8000-9000, or 0 for all' }];
}

/** What is wrong with the addresses of a rule. */
export function addressesProblems(field: string, addresses: readonly string[], limits: CidrLimits = {}): readonly Problem[] {
  return addresses.flatMap((address, index) => addressOrCidrProblems(`${field}[${index}]`, address, limits));
}
