import { z } from 'zod';
import { cidrProblems } from '../../catalogue/checks/cidr.ts';
import { paging, regionSlug, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { listPrefixAddresses, listPrefixes, showPrefix } from './recovery.ts';

const prefixId = () => uuid();
const unknownPrefix = { when: /^404/, next: () => [listPrefixes] };

export const byoipPrefixTools = [
  tool({
    name: 'byoip-prefix-create',
    title: 'Bring a prefix of your own',
    description: 'Brings a block of public IPv4 addresses of your own to a region. It is in_progress while the signature is checked.',
    input: () =>
      z.object({
        Prefix: z.string().describe('CIDR block, such as 203.0.113.0/24'),
        Signature: z.string().describe('Proves that the block is yours'),
        Region: regionSlug(),
      }),
    check: ({ Prefix }) => cidrProblems('Prefix', Prefix, { version: 4 }),
    route: 'POST /v2/byoip_prefixes',
    body: ({ Prefix, Signature, Region }) => ({ prefix: Prefix, signature: Signature, region: Region }),
    returns: 'byoip_prefix',
    verify: () => listPrefixes,
    recover: [{ when: /^409/, next: () => [listPrefixes] }],
    follow: {
      known: ['uuid'],
      path: (_, prefix) => path`/v2/byoip_prefixes/${String(prefix.uuid)}`,
      returns: 'byoip_prefix',
      pending: ['in_progress'],
      next: (_, prefix) => showPrefix({ UUID: String(prefix.uuid) }),
    },
  }),
  tool({
    name: 'byoip-prefix-delete',
    title: 'Withdraw a prefix',
    description: 'Takes a prefix of your own away from the platform for good. All of its addresses have to be unassigned first.',
    input: () => z.object({ UUID: prefixId() }),
    route: 'DELETE /v2/byoip_prefixes/{UUID}',
    verify: showPrefix,
    recover: [unknownPrefix, { when: /assigned|in use/i, next: (input) => [listPrefixAddresses(input)] }],
  }),
  tool({
    name: 'byoip-prefix-get',
    title: 'Get a prefix',
    description: 'One prefix of your own: status, validations, whether it is advertised, and why it failed if it did.',
    input: () => z.object({ UUID: prefixId() }),
    route: 'GET /v2/byoip_prefixes/{UUID}',
    returns: 'byoip_prefix',
    recover: [unknownPrefix],
  }),
  tool({
    name: 'byoip-prefix-list',
    title: 'List prefixes',
    description: 'All prefixes of your own.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/byoip_prefixes',
    returns: 'byoip_prefixes',
    summary: ['uuid', 'prefix', 'region', 'status', 'advertised', 'locked', 'failure_reason'],
  }),
  tool({
    name: 'byoip-prefix-resources-get',
    title: 'List the addresses in use',
    description: 'The addresses of a prefix of your own that are in use, and what each is assigned to.',
    input: () => z.object({ UUID: prefixId(), ...paging(20) }),
    route: 'GET /v2/byoip_prefixes/{UUID}/ips',
    returns: 'ips',
    summary: ['id', 'byoip', 'resource', 'region', 'assigned_at'],
    recover: [unknownPrefix],
  }),
];
