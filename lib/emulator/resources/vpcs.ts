import { randomUUID } from 'node:crypto';
import { messages } from '../assumptions.ts';
import { timestamp } from '../calendar.ts';
import { notFound, unprocessable } from '../errors.ts';
import type { Account } from '../store/account.ts';
import { collection } from '../store/collection.ts';
import { ipv4Text, type Network, netmask, networkSize, parseNetwork, takeNumber } from './addresses.ts';
import { freeRange, lastAddress, privateRange } from './private-ranges.ts';

/** A private network of a region. Source: the OpenAPI document, component `vpc`. */
export interface Vpc {
  readonly id: string;
  readonly urn: string;
  readonly name: string;
  readonly description: string;
  readonly region: string;
  readonly ip_range: string;
  readonly default: boolean;
  readonly created_at: string;
}

export const vpcs = collection<Vpc>({
  table: 'vpcs',
  key: 'text',
  id: (vpc) => vpc.id,
  columns: {
    name: { of: (vpc) => vpc.name, index: 'lookup' },
    /** The region whose default it is. */
    default_of: { of: (vpc) => (vpc.default ? vpc.region : null), index: 'lookup' },
    /** The first address as a number. The ranges of an account's VPCs never overlap, so this alone finds what is in the way of another. */
    base: { of: (vpc) => networkOf(vpc).base, index: 'lookup' },
  },
  remembered: true,
});

/** What is chosen of a new VPC. */
export interface VpcOrder {
  readonly name: string;
  readonly region: string;
  readonly description: string;
  /** In CIDR notation; without one the next free range is taken. */
  readonly range: string | undefined;
  /** Whether it becomes its region's default; the first of a region does anyway. */
  readonly makeDefault: boolean;
}

/** Makes a VPC of a checked order. Errors: 422 for a range that is not private, too wide, too narrow or in use. */
export function createVpc(account: Account, { name, region, description, range, makeDefault }: VpcOrder): Vpc {
  const network = range === undefined ? freeNetwork(account) : givenNetwork(account, range);
  const former = defaultOf(account, region);
  const id = randomUUID();
  const vpc: Vpc = {
    id,
    urn: `do:vpc:${id}`,
    name,
    description,
    region,
    ip_range: `${ipv4Text(network.base)}/${network.prefix}`,
    default: former === undefined,
    created_at: timestamp(account.nowMs),
  };
  vpcs.insert(account, vpc, null);
  return makeDefault ? becomeDefault(account, vpc) : vpc;
}

/** The default VPC of a region, made on demand. */
export function defaultVpc(account: Account, region: string): Vpc {
  const known = defaultOf(account, region);
  if (known !== undefined) {
    return known;
  }
  const taken = (candidate: string): boolean => vpcNamed(account, candidate) !== undefined;
  let name = `default-${region}`;
  while (taken(name)) {
    name += '-1';
  }
  return createVpc(account, { name, region, description: '', range: undefined, makeDefault: true });
}

/** Makes a VPC its region's default in place of the one that was. */
export function becomeDefault(account: Account, vpc: Vpc): Vpc {
  const former = defaultOf(account, vpc.region);
  if (former !== undefined) {
    vpcs.update(account, { ...former, default: false }, null);
  }
  const changed = { ...vpc, default: true };
  vpcs.update(account, changed, null);
  return changed;
}

export function vpcNamed(account: Account, name: string): Vpc | undefined {
  return vpcs.where(account, 'name', name).find(({ wire }) => wire.name === name)?.wire;
}

/** The VPC that a path names. Errors: 404. */
export function knownVpc(account: Account, id = ''): Vpc {
  const vpc = vpcs.get(account, id)?.wire;
  if (vpc === undefined) {
    throw notFound();
  }
  return vpc;
}

/** Takes a free address in a VPC, as its number there; undefined when the VPC is full. */
export function takePrivateV4(account: Account, vpc: Vpc): number | undefined {
  return takeNumber(account, vpc.id, networkSize(networkOf(vpc).prefix) - RESERVED_ADDRESSES);
}

/** The private interface with this number in a VPC. */
export function privateV4(vpc: Vpc, number: number) {
  const { base, prefix } = networkOf(vpc);
  return { ip_address: ipv4Text(base + FIRST_MEMBER + number), netmask: netmask(prefix), gateway: 'nil', type: 'private' } as const;
}

/** The network itself, its gateway and its broadcast address. */
const RESERVED_ADDRESSES = 3;
const FIRST_MEMBER = 2;

function defaultOf(account: Account, region: string): Vpc | undefined {
  return vpcs.where(account, 'default_of', region)[0]?.wire;
}

function givenNetwork(account: Account, range: string): Network {
  const network = privateRange(range);
  if (network === undefined) {
    throw unprocessable(messages.vpcRange);
  }
  if (inTheWay(account, network) !== undefined) {
    throw unprocessable(messages.vpcOverlap);
  }
  return network;
}

function freeNetwork(account: Account): Network {
  const network = freeRange((candidate) => inTheWay(account, candidate));
  if (network === undefined) {
    throw unprocessable(messages.vpcOverlap);
  }
  return network;
}

/** The network of a VPC that overlaps with this one: the last that begins before its end, if it reaches in. */
function inTheWay(account: Account, network: Network): Network | undefined {
  const text = account.sql('SELECT doc FROM vpcs WHERE base <= ? ORDER BY base DESC LIMIT 1').get(lastAddress(network))?.doc;
  const nearest = text === undefined ? undefined : networkOf(JSON.parse(String(text)));
  return nearest !== undefined && lastAddress(nearest) >= network.base ? nearest : undefined;
}

function networkOf({ id, ip_range }: Vpc): Network {
  const network = parseNetwork(ip_range);
  if (network === undefined) {
    throw new Error(`the VPC ${id} has ${ip_range} for a range: it was checked when the VPC was made`);
  }
  return network;
}
