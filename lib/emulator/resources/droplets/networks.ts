import type { Account } from '../../store/account.ts';
import { giveBackNumber, PUBLIC_V4, PUBLIC_V6, publicV4, publicV6, takeNumber } from '../addresses.ts';
import { joinVpc, leaveVpc } from '../vpc-members.ts';
import { giveBackPrivateV4, takePrivateV4, type Vpc } from '../vpcs.ts';
import { type DropletEntry, type DropletHidden, dropletUrn, type Networks } from './droplets.ts';

export interface Connection {
  readonly networks: Networks;
  readonly addresses: DropletHidden['addresses'];
}

export interface Wanted {
  readonly publicV4: boolean;
  readonly ipv6: boolean;
  /** Without one the droplet has no private interface. */
  readonly vpc: Vpc | undefined;
}

/** Takes the addresses of a new droplet; undefined when its VPC is full. */
export function connect(account: Account, wanted: Wanted): Connection | undefined {
  const inside = wanted.vpc === undefined ? undefined : takePrivateV4(account, wanted.vpc);
  if (inside === undefined && wanted.vpc !== undefined) {
    return undefined;
  }
  const v4 = wanted.publicV4 ? takeNumber(account, PUBLIC_V4) : undefined;
  const v6 = wanted.ipv6 ? takeNumber(account, PUBLIC_V6) : undefined;
  return {
    networks: {
      v4: [...(v4 === undefined ? [] : [publicV4(v4)]), ...(inside === undefined ? [] : [inside.interface])],
      v6: v6 === undefined ? [] : [publicV6(v6)],
    },
    addresses: {
      ...(inside === undefined ? {} : { privateV4: inside.number }),
      ...(v4 === undefined ? {} : { publicV4: v4 }),
      ...(v6 === undefined ? {} : { publicV6: v6 }),
    },
  };
}

/** Gives back every address of a droplet and takes it out of its VPC. */
export function disconnect(account: Account, { wire, hidden }: DropletEntry): void {
  const { publicV4: v4, publicV6: v6, privateV4 } = hidden.addresses;
  if (v4 !== undefined) {
    giveBackNumber(account, PUBLIC_V4, v4);
  }
  if (v6 !== undefined) {
    giveBackNumber(account, PUBLIC_V6, v6);
  }
  if (privateV4 !== undefined) {
    giveBackPrivateV4(account, wire.vpc_uuid, privateV4);
  }
  leaveVpc(account, dropletUrn(wire.id));
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
  const networks = { ...wire.networks, v4: [...wire.networks.v4, inside.interface] };
  const addresses = { ...hidden.addresses, privateV4: inside.number };
  const features = [...wire.features, 'private_networking'];
  return { wire: { ...wire, features, networks, vpc_uuid: vpc.id }, hidden: { ...hidden, addresses } };
}
