import { idleIpPrice, networkMessages, reservedV4Networks } from '../../assumptions.ts';
import { regionText } from '../../catalogue/regions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { collection } from '../../store/collection.ts';
import { giveBackNumber, ipv4Text, type Network, networkSize, parseNetwork, takeNumber } from '../addresses.ts';
import { startCharge, stopCharge } from '../charges.ts';
import { droplets } from '../droplets/droplets.ts';
import { type AddressKind, type HeldAddress, type Holding, holdingColumns } from './holding.ts';

/** A reserved IPv4 as it is stored; region, instance and lock are spliced in when it is shown. Source: the OpenAPI document, component `reserved_ip`. */
export interface ReservedIp {
  readonly ip: string;
  readonly project_id: string;
}

export const reservedIps = collection<ReservedIp, Holding>({
  table: 'reserved_ips',
  key: 'text',
  id: (address) => address.ip,
  columns: {
    ...holdingColumns,
    region: { of: (_address, hidden) => hidden.region },
    locked: { of: (_address, hidden) => (hidden.locked ? 1 : 0) },
    /** The own network it is from, or `platform`. */
    origin: { of: (_address, hidden) => hidden.prefix ?? PLATFORM, index: 'counted' },
    /** The own network it is from, once an instance has it. */
    assigned_from: { of: (_address, hidden) => (hidden.dropletId === null ? null : hidden.prefix), index: 'counted' },
  },
  present: (account, text, { droplet, region, locked }) => {
    const shown = droplet === null ? undefined : droplets.text(account, Number(droplet));
    return `${text.slice(0, -1)},"droplet":${shown ?? 'null'},"region":${regionText(String(region))},"locked":${locked === 1}}`;
  },
});

export const ipv4Kind: AddressKind<ReservedIp> = {
  resourceType: 'reserved_ip',
  due: 'reserved-ip.action',
  records: reservedIps,
  moved: (account, address, before, after) => {
    hideFrom(account, address, before);
    showOn(account, address, after);
    if (address.hidden.prefix === null) {
      chargeIfIdle(account, address);
    }
  },
};

/** How many addresses of the platform the account has reserved; those of its own networks do not count. */
export function reservedTotal(account: Account): number {
  return reservedIps.sourceWhere(account, 'origin', PLATFORM).total;
}

/** The addresses from an own network that instances have, as a list; and whether any is, or is about to be, in use. */
export function assignedFrom(account: Account, prefix: string) {
  return reservedIps.sourceWhere(account, 'assigned_from', prefix);
}

export function inUseFrom(account: Account, prefix: string): boolean {
  return reservedIps.sourceWhere(account, 'origin', prefix).total > 0;
}

/** Takes a free address of the platform; its actions name it by the number it is. Errors: 422 when there is none. */
export function takeReservedV4(account: Account): { readonly ip: string; readonly resourceId: number } {
  const number = takeNumber(account, POOL, HOSTS_PER_NETWORK * networks.length);
  if (number === undefined) {
    throw unprocessable(networkMessages.ipsExhausted);
  }
  const network = networks[Math.floor(number / HOSTS_PER_NETWORK)];
  const resourceId = (network?.base ?? 0) + FIRST_HOST + (number % HOSTS_PER_NETWORK);
  return { ip: ipv4Text(resourceId), resourceId };
}

/** Starts or stops the cost of an address of the platform: it costs something while no instance has it. */
export function chargeIfIdle(account: Account, { wire, hidden }: HeldAddress<ReservedIp>): void {
  if (hidden.dropletId === null) {
    startCharge(account, chargeRef(wire.ip), idleIpPrice);
  } else {
    stopCharge(account, chargeRef(wire.ip));
  }
}

/** Releases an address: its instance loses it, it costs nothing more, another may get it. */
export function releaseIpv4(account: Account, address: HeldAddress<ReservedIp>): void {
  const { wire, hidden } = address;
  hideFrom(account, address, hidden.dropletId);
  reservedIps.remove(account, wire.ip);
  stopCharge(account, chargeRef(wire.ip));
  const number = numberOf(hidden.resourceId);
  if (hidden.prefix === null && number !== undefined) {
    giveBackNumber(account, POOL, number);
  }
}

/** The reserved address that a path names. Errors: 404. */
export function knownIpv4(account: Account, ip = ''): HeldAddress<ReservedIp> {
  const address = reservedIps.get(account, ip);
  if (address === undefined) {
    throw notFound();
  }
  return address;
}

const PLATFORM = 'platform';
const POOL = 'reserved-v4';
const networks: readonly Network[] = reservedV4Networks.flatMap((text) => parseNetwork(text) ?? []);
/** Behind the network itself and its gateway. */
const FIRST_HOST = 2;
/** All of a /24 but the network itself, its gateway and its broadcast address. */
const HOSTS_PER_NETWORK = networkSize(24) - 3;

/** The number in the pool of an address; undefined for one that was not taken from it. */
function numberOf(address: number): number | undefined {
  const index = networks.findIndex(({ base, prefix }) => address >= base && address < base + networkSize(prefix));
  return index < 0 ? undefined : index * HOSTS_PER_NETWORK + (address - (networks[index]?.base ?? 0) - FIRST_HOST);
}

function chargeRef(ip: string): string {
  return `reserved_ip:${ip}`;
}

/** An instance shows its reserved IPv4 as one more public interface. Source: the platform's users, digitalocean/godo#343. */
function showOn(account: Account, { wire, hidden }: HeldAddress<ReservedIp>, dropletId: number | null): void {
  const droplet = dropletId === null ? undefined : droplets.get(account, dropletId);
  if (droplet === undefined) {
    return;
  }
  const gateway = ipv4Text(hidden.resourceId - (hidden.resourceId % networkSize(24)) + 1);
  const added = { ip_address: wire.ip, netmask: '255.255.255.0', gateway, type: 'public' } as const;
  const { networks: shown } = droplet.wire;
  droplets.update(account, { ...droplet.wire, networks: { ...shown, v4: [...shown.v4, added] } }, droplet.hidden);
}

function hideFrom(account: Account, { wire }: HeldAddress<ReservedIp>, dropletId: number | null): void {
  const droplet = dropletId === null ? undefined : droplets.get(account, dropletId);
  if (droplet === undefined) {
    return;
  }
  const v4 = droplet.wire.networks.v4.filter((network) => network.ip_address !== wire.ip);
  droplets.update(account, { ...droplet.wire, networks: { ...droplet.wire.networks, v4 } }, droplet.hidden);
}
