import { randomUUID } from 'node:crypto';
import { timestamp } from '../../calendar.ts';
import { ipv4, ipv4Text } from '../../resources/addresses.ts';
import { createPrefix, prefixes } from '../../resources/byoip/prefixes.ts';
import { defaultProject } from '../../resources/projects.ts';
import type { Holding } from '../../resources/reserved-ips/holding.ts';
import { reservedIps } from '../../resources/reserved-ips/ipv4.ts';
import { reservedIpv6s } from '../../resources/reserved-ips/ipv6.ts';
import { joinVpc } from '../../resources/vpc-members.ts';
import { peerings } from '../../resources/vpc-peerings/peerings.ts';
import { enterPlaces, regionPlace, vpcPlace } from '../../resources/vpc-peerings/places.ts';
import { createVpc, defaultVpc } from '../../resources/vpcs.ts';
import type { Account } from '../../store/account.ts';
import { type BeginBulk, bulkName, likeSample } from './bulk.ts';
import { addDroplet, pastActions } from './compute.ts';

const REGION = 'nyc3';

/** The smallest networks there are, from the end of 10.0.0.0/8 downwards. */
export const bulkVpcs: BeginBulk = (account) => ({
  paths: ['/v2/vpcs'],
  add: (serial) => {
    const range = `${ipv4Text(ipv4(11) - 16 * account.nextId('bulk.vpc'))}/28`;
    createVpc(account, { name: bulkName(serial), region: REGION, description: '', range, makeDefault: false });
  },
});

/** Members of one VPC. */
export const bulkVpcMembers: BeginBulk = (account) => {
  const { id } = defaultVpc(account, REGION);
  return {
    paths: [`/v2/vpcs/${id}/members`, `/v2/vpcs/${id}/members?resource_type=droplet`],
    add: (serial) => joinVpc(account, id, `do:droplet:${serial}`, bulkName(serial), timestamp(account.nowMs)),
  };
};

/** Peerings of one VPC with others that are gone. */
export const bulkVpcPeerings: BeginBulk = (account) => {
  const { id: hub } = defaultVpc(account, REGION);
  const places = [vpcPlace(hub), regionPlace(REGION)];
  return {
    paths: ['/v2/vpc_peerings', `/v2/vpc_peerings?region=${REGION}`, `/v2/vpcs/${hub}/peerings`],
    add: (serial) => {
      const seq = account.nextId('vpc-peering.seq');
      const [id, other] = [randomUUID(), randomUUID()];
      const wire = { id, name: bulkName(serial), vpc_ids: [hub, other], created_at: timestamp(account.nowMs), status: 'ACTIVE' } as const;
      peerings.insert(account, wire, { seq, places });
      enterPlaces(account, places, seq, id);
    },
  };
};

/** Reserved addresses past the account's limit, from a network that nothing else takes from. */
export const bulkReservedIps: BeginBulk = (account) => {
  const project_id = defaultProject(account);
  return {
    paths: ['/v2/reserved_ips'],
    add: () => {
      const resourceId = ipv4(240) + account.nextId('bulk.reserved-ip');
      reservedIps.insert(account, { ip: ipv4Text(resourceId), project_id }, unassigned(resourceId));
    },
  };
};

export const bulkReservedIpv6s: BeginBulk = (account) => ({
  paths: ['/v2/reserved_ipv6'],
  add: () => {
    const number = account.nextId('bulk.reserved-ipv6');
    const ip = `2001:db8:0:3030::${Math.floor(number / 0x10000 + 1).toString(16)}:${((number % 0x10000) + 1).toString(16)}`;
    reservedIpv6s.insert(account, { ip, region_slug: REGION, reserved_at: timestamp(account.nowMs) }, unassigned(number));
  },
});

/** Actions of one reserved address, all over. */
export const bulkReservedIpActions: BeginBulk = (account) => {
  const resourceId = ipv4(240) + account.nextId('bulk.reserved-ip');
  const ip = ipv4Text(resourceId);
  reservedIps.insert(account, { ip, project_id: defaultProject(account) }, unassigned(resourceId));
  return { paths: [`/v2/reserved_ips/${ip}/actions`], add: pastActions(account, 'reserved_ip', resourceId, 'assign_ip') };
};

/** Networks of the account's own, one /24 after the other. */
export const bulkPrefixes: BeginBulk = (account) => {
  const sample = addPrefix(account);
  const vary = () => ({ uuid: randomUUID(), prefix: nextPrefix(account), status: 'active', locked: false }) as const;
  return { paths: ['/v2/byoip_prefixes'], add: likeSample(account, prefixes, sample, vary) };
};

/** Addresses from one own network, all with one droplet. */
export const bulkPrefixIps: BeginBulk = (account) => {
  const prefix = addPrefix(account);
  const dropletId = addDroplet(account, undefined);
  const project_id = defaultProject(account);
  return {
    paths: [`/v2/byoip_prefixes/${prefix}/ips`],
    add: () => {
      const resourceId = ipv4(240) + account.nextId('bulk.reserved-ip');
      const holding = { ...unassigned(resourceId), dropletId, prefix, assignedAt: timestamp(account.nowMs) };
      reservedIps.insert(account, { ip: ipv4Text(resourceId), project_id }, holding);
    },
  };
};

function addPrefix(account: Account): string {
  return createPrefix(account, { prefix: nextPrefix(account), signature: 'bulk', region: REGION }).uuid;
}

function nextPrefix(account: Account): string {
  return `${ipv4Text(ipv4(32) + 256 * account.nextId('bulk.prefix'))}/24`;
}

function unassigned(resourceId: number): Holding {
  return { region: REGION, resourceId, dropletId: null, targetId: null, locked: false, prefix: null, assignedAt: null };
}
