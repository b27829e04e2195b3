import { randomUUID } from 'node:crypto';
import { networkMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { conflict, notFound, unprocessable } from '../../errors.ts';
import { type JsonObject, requiredText, texts } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { durationMs } from '../actions.ts';
import { type Vpc, vpcs } from '../vpcs.ts';
import { enterPlaces, leavePlaces, regionPlace, vpcPlace } from './places.ts';

/** A connection of two VPCs. Source: the OpenAPI document, component `vpc_peering`. */
export interface Peering {
  readonly id: string;
  readonly name: string;
  readonly vpc_ids: readonly [string, string];
  readonly created_at: string;
  readonly status: 'PROVISIONING' | 'ACTIVE' | 'DELETING';
}

export interface PeeringHidden {
  /** Its place in the order of arrival. */
  readonly seq: number;
  readonly places: readonly string[];
}

export const peerings = collection<Peering, PeeringHidden>({
  table: 'vpc_peerings',
  key: 'text',
  id: (peering) => peering.id,
  columns: {
    name: { of: (peering) => peering.name, index: 'lookup' },
    pair: { of: (peering) => pairOf(peering.vpc_ids), index: 'lookup' },
  },
});

/**
 * Connects two VPCs: provisioning now, active later. That their ranges do not overlap needs no check here, no two VPCs of an
 * account do. Errors: 422 for a bad or taken name, for other than two VPCs, for an unknown one, for a pair that is peered.
 */
export function createPeering(account: Account, name: string, vpcIds: readonly string[]): Peering {
  checkName(account, name);
  const pair = parsePair(account, vpcIds);
  const [one, other] = pair;
  const ids = [one.id, other.id] as const;
  if (peerings.where(account, 'pair', pairOf(ids)).length > 0) {
    throw unprocessable(networkMessages.peeringPair);
  }
  const places = [...new Set(pair.flatMap((vpc) => [vpcPlace(vpc.id), regionPlace(vpc.region)]))];
  const seq = account.nextId('vpc-peering.seq');
  const peering: Peering = { id: randomUUID(), name, vpc_ids: ids, created_at: timestamp(account.nowMs), status: 'PROVISIONING' };
  peerings.insert(account, peering, { seq, places });
  enterPlaces(account, places, seq, peering.id);
  account.schedule(account.nowMs + durationMs(account, 'vpcPeeringCreate'), 'vpc-peering.provisioned', peering.id);
  return peering;
}

/** Errors: 409 when the peering is going, 422 for a bad or taken name. */
export function renamePeering(account: Account, { wire, hidden }: Entry<Peering, PeeringHidden>, body: JsonObject): Peering {
  if (wire.status === 'DELETING') {
    throw conflict(networkMessages.peeringDeleting);
  }
  const name = requiredText(body, 'name');
  checkName(account, name, wire.id);
  const renamed = { ...wire, name };
  peerings.update(account, renamed, hidden);
  return renamed;
}

/** Has a peering go, a little later; asked again meanwhile, nothing more happens. */
export function deletePeering(account: Account, { wire, hidden }: Entry<Peering, PeeringHidden>): Peering {
  if (wire.status === 'DELETING') {
    return wire;
  }
  const going: Peering = { ...wire, status: 'DELETING' };
  peerings.update(account, going, hidden);
  account.schedule(account.nowMs + durationMs(account, 'vpcPeeringDelete'), 'vpc-peering.deleted', wire.id);
  return going;
}

/** The moment a peering is active, unless it is going already. */
export function finishProvisioning(account: Account, id: string): void {
  const peering = peerings.get(account, id);
  if (peering?.wire.status === 'PROVISIONING') {
    peerings.update(account, { ...peering.wire, status: 'ACTIVE' }, peering.hidden);
  }
}

/** The moment a peering is gone. */
export function finishDeletion(account: Account, id: string): void {
  const peering = peerings.get(account, id);
  if (peering !== undefined) {
    peerings.remove(account, id);
    leavePlaces(account, peering.hidden.places, peering.hidden.seq);
  }
}

/** The peering that a path names. Errors: 404. */
export function knownPeering(account: Account, id = ''): Entry<Peering, PeeringHidden> {
  const peering = peerings.get(account, id);
  if (peering === undefined) {
    throw notFound();
  }
  return peering;
}

/** The ids of the VPCs that a body names. */
export function vpcIdsOf(body: JsonObject): readonly string[] {
  return texts(body, 'vpc_ids');
}

function checkName(account: Account, name: string, id?: string): void {
  const taken = peerings.where(account, 'name', name).some(({ wire }) => wire.name === name && wire.id !== id);
  if (taken || !/^[a-zA-Z0-9-]+$/.test(name)) {
    throw unprocessable(networkMessages.peeringName);
  }
}

function parsePair(account: Account, [first, second, ...more]: readonly string[]): readonly [Vpc, Vpc] {
  if (first === undefined || second === undefined || first === second || more.length > 0) {
    throw unprocessable(networkMessages.peeringTwo);
  }
  const one = vpcs.get(account, first)?.wire;
  const other = vpcs.get(account, second)?.wire;
  if (one === undefined || other === undefined) {
    throw unprocessable(networkMessages.peeringVpcUnknown);
  }
  return [one, other];
}

/** The same text for the same two VPCs, whichever is named first. */
function pairOf(ids: readonly [string, string]): string {
  return ids.toSorted().join(' ');
}
