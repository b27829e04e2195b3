import { networkMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';
import { choice, type JsonObject, onlyFields, requiredInteger } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { type Action, beginAction, type Ending, endAction } from '../actions.ts';
import { type DropletEntry, droplets, refuseLocked } from '../droplets/droplets.ts';
import { type AddressKind, giveAddress, type HeldAddress, type ReservedAddress, refusePendingAddress, refuseTaken } from './holding.ts';

/** What an action asks: the instance that is to get the address, or null for none. */
export function parseMove(body: JsonObject): number | null {
  const type = choice(body, 'type', ['assign', 'unassign']);
  onlyFields(body, type === 'assign' ? ['type', 'droplet_id'] : ['type']);
  return type === 'assign' ? requiredInteger(body, 'droplet_id') : null;
}

/**
 * Begins to give an address to an instance, taking it from the one that has it, or to none. Errors: 422 while something is in
 * progress on either, for an unknown instance, one elsewhere, one that is not running yet or has another such address.
 * Source: operations reservedIPsActions_post and reservedIPv6Actions_post.
 */
export function beginMove<Wire extends ReservedAddress>(
  account: Account,
  kind: AddressKind<Wire>,
  address: HeldAddress<Wire>,
  targetId: number | null,
): Action {
  refusePendingAddress(address);
  const { wire, hidden } = address;
  if (targetId === null) {
    refuseBusyHolder(account, hidden.dropletId);
  } else {
    if (targetId === hidden.dropletId) {
      throw unprocessable(networkMessages.ipAlreadyHere);
    }
    const droplet = targetDroplet(account, targetId);
    if (droplet.hidden.region !== hidden.region) {
      throw unprocessable(networkMessages.ipOtherRegion);
    }
    refuseTaken(account, kind, wire.ip, targetId);
  }
  kind.records.update(account, wire, { ...hidden, locked: true, targetId });
  return beginAction(account, {
    type: targetId === null ? 'unassign_ip' : 'assign_ip',
    resourceType: kind.resourceType,
    resourceId: hidden.resourceId,
    region: hidden.region,
    due: kind.due,
    params: { ip: wire.ip },
  });
}

/** The end of an action on an address. One whose instance has gone meanwhile ends errored, and the address stays where it is. */
export function finishMove<Wire extends ReservedAddress>(account: Account, kind: AddressKind<Wire>, data: unknown): void {
  // The row was written by `beginMove`, through beginAction.
  const ending = data as Ending & { readonly params: { readonly ip: string } };
  const address = kind.records.get(account, ending.params.ip);
  const targetId = address?.hidden.targetId ?? null;
  const fails = ending.fails || (targetId !== null && droplets.get(account, targetId) === undefined);
  endAction(account, { ...ending, fails });
  if (address === undefined) {
    return;
  }
  const { dropletId, assignedAt } = address.hidden;
  const outcome = fails
    ? { dropletId, assignedAt }
    : { dropletId: targetId, assignedAt: targetId === null ? null : timestamp(account.nowMs) };
  giveAddress(account, kind, address, { ...outcome, targetId: null, locked: false });
}

/** Takes from an instance that is gone the addresses it had; what was on its way to it ends errored of itself. */
export function abandonDroplet<Wire extends ReservedAddress>(account: Account, kind: AddressKind<Wire>, dropletId: number): void {
  for (const address of kind.records.where(account, 'droplet', dropletId)) {
    const { locked, targetId } = address.hidden;
    giveAddress(account, kind, address, { dropletId: null, assignedAt: null, locked, targetId });
  }
}

/** Errors: 422 when no instance has the address, or the one that has it is busy. */
function refuseBusyHolder(account: Account, dropletId: number | null): void {
  const holder = dropletId === null ? undefined : droplets.get(account, dropletId);
  if (holder === undefined) {
    throw unprocessable(networkMessages.ipNotAssigned);
  }
  refuseLocked(holder);
}

/** The instance that is to get an address. Errors: 422 when there is none, it is busy, or was never started. */
export function targetDroplet(account: Account, id: number): DropletEntry {
  const droplet = droplets.get(account, id);
  if (droplet === undefined) {
    throw unprocessable(networkMessages.ipDropletUnknown);
  }
  refuseLocked(droplet);
  if (droplet.wire.status !== 'active' && droplet.wire.status !== 'off') {
    throw unprocessable(networkMessages.ipDropletNew);
  }
  return droplet;
}
