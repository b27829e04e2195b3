import type { NextCall } from '../../errors.ts';

export const listFirewalls: NextCall = { tool: 'firewall-list', arguments: {} };
export const listLoadBalancers: NextCall = { tool: 'load-balancer-list', arguments: {} };
const listInstances: NextCall = { tool: 'instance-list', arguments: {} };
const listCertificates: NextCall = { tool: 'certificate-list', arguments: {} };

/** The firewall as it stands: rules, members, pending changes. */
export function showFirewall(input: { readonly ID: string }): NextCall {
  return { tool: 'firewall-get', arguments: { ID: input.ID } };
}

/** The load balancer as it stands: status, rules, members. */
export function showLoadBalancer(input: { readonly LoadBalancerID: string }): NextCall {
  return { tool: 'load-balancer-get', arguments: { LoadBalancerID: input.LoadBalancerID } };
}

export const firewallRecovery = [
  { when: /^404/, next: () => [listFirewalls] },
  { when: /droplet|instance|\btags?\b/i, next: (input: { readonly ID: string }) => [showFirewall(input), listInstances] },
  { when: /rule|port/i, next: (input: { readonly ID: string }) => [showFirewall(input)] },
];

/** What a new firewall or load balancer may be refused for, by what it names. */
export const memberRecovery = [
  { when: /certificate/i, next: () => [listCertificates] },
  { when: /droplet|instance|\btags?\b/i, next: () => [listInstances] },
];

/** The platform refuses changes (403) while a load balancer is new or works on an earlier one. */
export const loadBalancerRecovery = [
  { when: /^404/, next: () => [listLoadBalancers] },
  { when: /previous actions/i, next: (input: { readonly LoadBalancerID: string }) => [showLoadBalancer(input)] },
  ...memberRecovery,
];
