import { z } from 'zod';
import { addressProblems, ipVersion } from '../../catalogue/checks/address.ts';
import { id, paging, regionSlug } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { type Follow, tool } from '../../catalogue/tool.ts';
import type { Problem } from '../../errors.ts';
import { listReservedIps, showReservedIp } from './recovery.ts';

type Type = 'ipv4' | 'ipv6';

const address = () => z.string();
const type = () => z.enum(['ipv4', 'ipv6']);

/** A platform has one API for each version. */
const collections: Readonly<Record<Type, string>> = { ipv4: '/v2/reserved_ips', ipv6: '/v2/reserved_ipv6' };

/** The place of an address in the API of its version. */
function placeOf(ip: string): string {
  return collections[ipVersion(ip) === 6 ? 'ipv6' : 'ipv4'] + path`/${ip}`;
}

/** What is wrong with an address: that it is none, or of another version than the call says. */
function ipProblems({ IP, Type }: { readonly IP?: string; readonly Type?: Type }): readonly Problem[] {
  if (Type === undefined) return addressProblems('IP', IP);
  const problems = addressProblems('IP', IP, Type === 'ipv6' ? 6 : 4);
  return problems.map((problem) => ({ ...problem, expected: `${problem.expected}, as Type is ${Type}` }));
}

/** Both versions of a record, of which a reply has one. */
const aReservedIp = ['reserved_ip', 'reserved_ipv6'];

const unknownIp = {
  when: /^404/,
  next: ({ IP }: { readonly IP: string }) => [listReservedIps({ Type: ipVersion(IP) === 6 ? 'ipv6' : 'ipv4' })],
};

/** What keeps an address from being moved: it, or the instance it goes to. */
const assignRecovery = [
  unknownIp,
  {
    when: /droplet|instance/i,
    next: (input: { readonly IP: string; readonly InstanceID: number }) => [
      { tool: 'instance-get', arguments: { ID: input.InstanceID } },
      showReservedIp(input),
    ],
  },
];

/** The action that moves an address, to its end; what came of it is seen on the address. */
const followMove: Follow<{ readonly IP: string }> = {
  path: (_, action) => path`/v2/actions/${String(action.id)}`,
  returns: 'action',
  pending: ['in-progress'],
  next: showReservedIp,
};

export const reservedIpTools = [
  tool({
    name: 'reserved-ip-reserve',
    title: 'Reserve an IP',
    description: 'Reserves a public address for instances of a region. It costs while it is not assigned.',
    input: () => z.object({ Region: regionSlug(), Type: type() }),
    calls: ['POST /v2/reserved_ips', 'POST /v2/reserved_ipv6'],
    run: ({ Region, Type }, platform) => {
      const body = Type === 'ipv6' ? { region_slug: Region } : { region: Region };
      return platform.request({ method: 'POST', path: collections[Type], body });
    },
    hints: { readOnly: false, destructive: false, idempotent: false },
    returns: aReservedIp,
    verify: listReservedIps,
    recover: [{ when: /limit/i, next: (input) => [{ tool: 'account-get-information', arguments: {} }, listReservedIps(input)] }],
  }),
  tool({
    name: 'reserved-ip-release',
    title: 'Release a reserved IP',
    description: 'Gives a reserved IP back for good; somebody else may get it. An IPv6 address has to be unassigned first.',
    input: () => z.object({ IP: address(), Type: type() }),
    check: ipProblems,
    calls: ['DELETE /v2/reserved_ips/{IP}', 'DELETE /v2/reserved_ipv6/{IP}'],
    run: ({ IP }, platform) => platform.request({ method: 'DELETE', path: placeOf(IP) }),
    hints: { readOnly: false, destructive: true, idempotent: true },
    verify: showReservedIp,
    recover: [unknownIp, { when: /assigned/i, next: ({ IP, Type }) => [{ tool: 'reserved-ip-unassign', arguments: { IP, Type } }] }],
  }),
  tool({
    name: 'reserved-ip-assign',
    title: 'Assign a reserved IP',
    description: 'Points a reserved IP to an instance of its region; it leaves the one it was assigned to.',
    input: () => z.object({ IP: address(), InstanceID: id(), Type: type() }),
    check: ipProblems,
    calls: ['POST /v2/reserved_ips/{IP}/actions', 'POST /v2/reserved_ipv6/{IP}/actions'],
    run: ({ IP, InstanceID }, platform) =>
      platform.request({ method: 'POST', path: `${placeOf(IP)}/actions`, body: { type: 'assign', droplet_id: InstanceID } }),
    hints: { readOnly: false, destructive: false, idempotent: true },
    returns: 'action',
    verify: showReservedIp,
    recover: assignRecovery,
    follow: followMove,
  }),
  tool({
    name: 'reserved-ip-unassign',
    title: 'Unassign a reserved IP',
    description: 'Takes a reserved IP off its instance and keeps it reserved.',
    input: () => z.object({ IP: address(), Type: type() }),
    check: ipProblems,
    calls: ['POST /v2/reserved_ips/{IP}/actions', 'POST /v2/reserved_ipv6/{IP}/actions'],
    run: ({ IP }, platform) => platform.request({ method: 'POST', path: `${placeOf(IP)}/actions`, body: { type: 'unassign' } }),
    hints: { readOnly: false, destructive: true, idempotent: true },
    returns: 'action',
    verify: showReservedIp,
    recover: [unknownIp],
    follow: followMove,
  }),
  tool({
    name: 'reserved-ip-list',
    title: 'List reserved IPs',
    description: 'The reserved IPs of one version, with region and the instance each is assigned to.',
    input: () => z.object({ Type: type(), ...paging(20) }),
    calls: ['GET /v2/reserved_ips', 'GET /v2/reserved_ipv6'],
    run: ({ Type, Page, PerPage }, platform) =>
      platform.request({ method: 'GET', path: collections[Type], query: { page: Page, per_page: PerPage } }),
    hints: { readOnly: true, destructive: false, idempotent: true },
    returns: ['reserved_ips', 'reserved_ipv6s'],
    summary: ['ip', 'region.slug', 'region_slug', 'droplet.id', 'droplet.name', 'locked'],
  }),
  tool({
    name: 'reserved-ip-get',
    title: 'Get a reserved IP',
    description: 'One reserved IP, of either version: its region and the instance it is assigned to.',
    input: () => z.object({ IP: address() }),
    check: ipProblems,
    calls: ['GET /v2/reserved_ips/{IP}', 'GET /v2/reserved_ipv6/{IP}'],
    run: ({ IP }, platform) => platform.request({ method: 'GET', path: placeOf(IP) }),
    hints: { readOnly: true, destructive: false, idempotent: true },
    returns: aReservedIp,
    recover: [unknownIp],
  }),
];
