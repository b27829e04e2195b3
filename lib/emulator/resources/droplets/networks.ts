import type { Account } from '../../store/account.ts';
import { giveBackNumber, PUBLIC_V4, PUBLIC_V6, publicV4, publicV6, takeNumber } from '../addresses.ts';
import { joinVpc, leaveVpc } from '../vpc-members.ts';
import { privateV4, takePrivateV4, type Vpc, vpcs } from '../vpcs.ts';
import { type Addresses, type DropletEntry, dropletUrn, type Networks } from './droplets.ts';

export interface Wanted {
  readonly publicV4: boolean;
  readonly ipv6: boolean;
  /** Without one the droplet has no private interface. */
  readonly vpc: Vpc | undefined;
}

/** Takes the addresses of a new droplet, as numbers in their pools; undefined when its VPC is full. */
export function takeAddresses(account: Account, { vpc, publicV4: outside, ipv6 }: Wanted): Addresses | undefined {
  const inside = vpc === undefined ? undefined : takePrivateV4(account, vpc);
  if (vpc !== undefined && inside === undefined) {
    return undefined;
  }
  const v4 = outside ? takeNumber(account, PUBLIC_V4) : undefined;
  const v6 = ipv6 ? takeNumber(account, PUBLIC_V6) : undefined;
  return {
    ...(inside === undefined ? {} : { privateV4: inside }),
    ...(v4 === undefined ? {} : { publicV4: v4 }),
    ...(v6 === undefined ? {} : { publicV6: v6 }),
  };
}

/** The interfaces that stand for a droplet's addresses. */
export function toNetworks(account: Account, vpcId: string, addresses: Addresses): Networks {
  const vpc = vpcs.get(account, vpcId)?.wire;
  const outside = addresses.publicV4 === undefined ? [] : [publicV4(addresses.publicV4)];
  const inside = addresses.privateV4 === undefined || vpc === undefined ? [] : [privateV4(vpc, addresses.privateV4)];
  return { v4: [...outside, ...inside], v6: addresses.publicV6 === undefined ? [] : [publicV6(addresses.publicV6)] };
}

/** Gives back every address of a droplet and takes it out of its VPC. */
export function disconnect(account: Account, { wire, hidden }: DropletEntry): void {
  const { publicV4: v4, publicV6: v6, privateV4: inside } = hidden.addresses;
  if (v4 !== undefined) {
    giveBackNumber(account, PUBLIC_V4, v4);
  }
  if (v6 !== undefined) {
    giveBackNumber(account, PUBLIC_V6, v6);
  }
  if (inside !== undefined) {
    giveBackNumber(account, wire.vpc_uuid, inside);
  }
  leaveVpc(account, wire.vpc_uuid, dropletUrn(wire.id));
}

/** The droplet with a public IPv6 interface. */
export function withIpv6(account: Account, { wire, hidden }: DropletEntry): DropletEntry {
  const number = takeNumber(account, PUBLIC_V6) ?? 0;
  const networks = { ...wire.networks, v6: [publicV6(number)] };
  const addresses = { ...hidden.addresses, publicV6: number };
  return { wire: { ...wire, features: [...wire.features, 'ipv6'], networks }, hidden: { ...hidden, addresses } };
}

/** The droplet with a private interface in a VPC it joins; unchanged when the VPC is full. */
export function withPrivateNetworking(account: Account, droplet: DropletEntry, vpc: Vpc): DropletEntry {
  const inside = takePrivateV4(account, vpc);
  if (inside === undefined) {
    return droplet;
  }
  const { wire, hidden } = droplet;
  joinVpc(account, vpc.id, dropletUrn(wire.id), wire.name, wire.created_at);
  const networks = { ...wire.networks, v4: [...wire.networks.v4, privateV4(vpc, inside)] };
  const addresses = { ...hidden.addresses, privateV4: inside };
  const features = [...wire.features, 'private_networking'];
  return { wire: { ...wire, features, networks, vpc_uuid: vpc.id }, hidden: { ...hidden, addresses } };
}
