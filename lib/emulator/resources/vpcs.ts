import { randomUUID } from 'node:crypto';
import { messages } from '../assumptions.ts';
import { timestamp } from '../calendar.ts';
import { findRegion } from '../catalogue/regions.ts';
import { conflict, forbidden, notFound, unprocessable } from '../errors.ts';
import { flag, type JsonObject, optionalText, requiredText } from '../fields.ts';
import { listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import { collection } from '../store/collection.ts';
import {
  addressTables,
  ipv4,
  ipv4Text,
  isPrivate,
  type Network,
  netmask,
  networkSize,
  overlaps,
  parseNetwork,
  takeNumber,
} from './addresses.ts';
import { type Family, type PlatformRequest, route } from './family.ts';
import { memberSource, memberTotal, vpcMemberTables } from './vpc-members.ts';

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
  columns: { region: { of: (vpc) => vpc.region, index: 'lookup' }, name: { of: (vpc) => vpc.name, index: 'lookup' } },
});

/** VPCs and their members. Source: operations vpcs_*. */
export const vpcFamily: Family = {
  tables: [...vpcs.tables, ...vpcMemberTables, ...addressTables],
  routes: [
    route('GET /v2/vpcs', {}, (request, account) => listReply(request, 'vpcs', vpcs.source(account))),
    route('POST /v2/vpcs', { status: 201 }, ({ body }, account) => {
      const region = requiredText(body, 'region');
      if (findRegion(region)?.available !== true) {
        throw unprocessable(messages.regionUnavailable);
      }
      return { vpc: createVpc(account, nameOf(account, body), region, descriptionOf(body), optionalText(body, 'ip_range')) };
    }),
    route('GET /v2/vpcs/{vpc}', {}, ({ params }, account) => ({ vpc: knownVpc(account, params.vpc) })),
    route('PUT /v2/vpcs/{vpc}', {}, changeVpc),
    route('PATCH /v2/vpcs/{vpc}', {}, changeVpc),
    route('DELETE /v2/vpcs/{vpc}', { status: 204 }, ({ params }, account) => {
      const vpc = knownVpc(account, params.vpc);
      if (vpc.default) {
        throw forbidden(messages.vpcDefault);
      }
      if (memberTotal(account, vpc.id) > 0) {
        throw conflict('Can not delete VPC with members');
      }
      vpcs.remove(account, vpc.id);
      return undefined;
    }),
    route('GET /v2/vpcs/{vpc}/members', {}, (request, account) => {
      const vpc = knownVpc(account, request.params.vpc);
      return listReply(request, 'members', memberSource(account, vpc.id, request.query.get('resource_type')));
    }),
  ],
};

/** The default VPC of a region, made on demand. */
export function defaultVpc(account: Account, region: string): Vpc {
  const known = vpcs.where(account, 'region', region).find((vpc) => vpc.wire.default);
  return known?.wire ?? createVpc(account, `default-${region}`, region, '', undefined);
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
const GENERATED_PREFIX = 20;
const MIN_PREFIX = 16;
const MAX_PREFIX = 28;

function changeVpc({ params, body }: PlatformRequest, account: Account): object {
  const vpc = knownVpc(account, params.vpc);
  const isDefault = vpc.default || flag(body, 'default');
  for (const { wire: other } of isDefault ? vpcs.where(account, 'region', vpc.region) : []) {
    if (other.default && other.id !== vpc.id) {
      vpcs.update(account, { ...other, default: false }, null);
    }
  }
  const name = body.name === undefined ? vpc.name : nameOf(account, body, vpc.id);
  const description = body.description === undefined ? vpc.description : descriptionOf(body);
  const changed = { ...vpc, name, description, default: isDefault };
  vpcs.update(account, changed, null);
  return { vpc: changed };
}

function createVpc(account: Account, name: string, region: string, description: string, range: string | undefined): Vpc {
  const isDefault = !vpcs.where(account, 'region', region).some((vpc) => vpc.wire.default);
  const network = range === undefined ? freeNetwork(account) : givenNetwork(account, range);
  const id = randomUUID();
  const vpc: Vpc = {
    id,
    urn: `do:vpc:${id}`,
    name,
    description,
    region,
    ip_range: `${ipv4Text(network.base)}/${network.prefix}`,
    default: isDefault,
    created_at: timestamp(account.nowMs),
  };
  vpcs.insert(account, vpc, null);
  return vpc;
}

function givenNetwork(account: Account, range: string): Network {
  const network = parseNetwork(range);
  if (network === undefined || !isPrivate(network) || network.prefix < MIN_PREFIX || network.prefix > MAX_PREFIX) {
    throw unprocessable(messages.vpcRange);
  }
  if (networksOf(account).some((other) => overlaps(network, other))) {
    throw unprocessable(messages.vpcOverlap);
  }
  return network;
}

/** The next free /20 behind 10.100.0.0. */
function freeNetwork(account: Account): Network {
  const taken = networksOf(account);
  let network: Network = { base: ipv4(10, 100), prefix: GENERATED_PREFIX };
  while (taken.some((other) => overlaps(network, other))) {
    network = { base: network.base + networkSize(GENERATED_PREFIX), prefix: GENERATED_PREFIX };
  }
  if (!isPrivate(network)) {
    throw unprocessable(messages.vpcOverlap);
  }
  return network;
}

function networksOf(account: Account): readonly Network[] {
  const total = vpcs.total(account);
  return vpcs
    .source(account)
    .texts(total, 0)
    .map((text) => networkOf(JSON.parse(text)));
}

function networkOf(vpc: Vpc): Network {
  return parseNetwork(vpc.ip_range) ?? { base: 0, prefix: MAX_PREFIX };
}

function nameOf(account: Account, body: JsonObject, id?: string): string {
  const name = requiredText(body, 'name');
  const taken = vpcs.where(account, 'name', name).some((other) => other.wire.id !== id);
  if (taken || !/^[a-zA-Z0-9\-.]+$/.test(name)) {
    throw unprocessable(messages.vpcName);
  }
  return name;
}

function descriptionOf(body: JsonObject): string {
  const description = optionalText(body, 'description') ?? '';
  if (description.length > 255) {
    throw unprocessable(messages.vpcDescription);
  }
  return description;
}

function knownVpc(account: Account, id = ''): Vpc {
  const vpc = vpcs.get(account, id)?.wire;
  if (vpc === undefined) {
    throw notFound();
  }
  return vpc;
}
