import type { NextCall } from '../../errors.ts';

export const listVpcs: NextCall = { tool: 'vpc-list', arguments: {} };
export const listPeerings: NextCall = { tool: 'vpc-peering-list', arguments: {} };
export const listPrefixes: NextCall = { tool: 'byoip-prefix-list', arguments: {} };

/** The VPC as it stands. */
export function showVpc(input: { readonly ID: string }): NextCall {
  return { tool: 'vpc-get', arguments: { ID: input.ID } };
}

/** What is in a VPC. */
export function listMembers(input: { readonly ID: string }): NextCall {
  return { tool: 'vpc-list-members', arguments: { ID: input.ID } };
}

/** The peering as it stands. */
export function showPeering(input: { readonly ID: string }): NextCall {
  return { tool: 'vpc-peering-get', arguments: { ID: input.ID } };
}

/** The prefix as it stands. */
export function showPrefix(input: { readonly UUID: string }): NextCall {
  return { tool: 'byoip-prefix-get', arguments: { UUID: input.UUID } };
}

/** The addresses of a prefix that are in use. */
export function listPrefixAddresses(input: { readonly UUID: string }): NextCall {
  return { tool: 'byoip-prefix-resources-get', arguments: { UUID: input.UUID } };
}

/** The reserved IP as it stands: free, or what it is assigned to. */
export function showReservedIp(input: { readonly IP: string }): NextCall {
  return { tool: 'reserved-ip-get', arguments: { IP: input.IP } };
}

/** The reserved IPs of one version. */
export function listReservedIps(input: { readonly Type: string }): NextCall {
  return { tool: 'reserved-ip-list', arguments: { Type: input.Type } };
}
