import { messages, networkMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, optionalText, requiredInteger, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import type { AccountRecord } from '../account.ts';
import { type Action, durationMs } from '../actions.ts';
import { addressNumber } from '../addresses.ts';
import { findActivePrefix } from '../byoip/prefixes.ts';
import { chosenProject, defaultProject } from '../projects.ts';
import { beginMove, targetDroplet } from './assign.ts';
import type { HeldAddress, Holding } from './holding.ts';
import { chargeIfIdle, ipv4Kind, knownIpv4, type ReservedIp, reservedIps, reservedTotal, takeReservedV4 } from './ipv4.ts';
import { type ReservedIpv6, reservedIpv6s, takeReservedV6 } from './ipv6.ts';

/** An address that was reserved, and the action that brings it to its instance, if it was reserved for one. */
export interface Reservation {
  readonly ip: string;
  readonly dropletId: number | null;
  readonly action: Action | null;
}

/**
 * Reserves an IPv4 to a region, or for an instance that it is then assigned to; locked until that is done. Errors: 422 for
 * both or neither, a region that is closed, whatever assigning refuses, more than the account's limit. Source: operation reservedIPs_create.
 */
export function reserveIpv4(account: Account, body: JsonObject): Reservation {
  onlyFields(body, ['region', 'droplet_id', 'project_id']);
  const dropletId = body.droplet_id === undefined || body.droplet_id === null ? null : requiredInteger(body, 'droplet_id');
  const wished = optionalText(body, 'region');
  if ((wished === undefined) === (dropletId === null)) {
    throw unprocessable(networkMessages.ipPlace);
  }
  const region = dropletId === null ? openRegion(wished) : targetDroplet(account, dropletId).hidden.region;
  const project = chosenProject(account, optionalText(body, 'project_id'));
  const record: AccountRecord = JSON.parse(account.setting('account') ?? '{}');
  if (reservedTotal(account) >= record.reserved_ip_limit) {
    throw unprocessable(networkMessages.ipLimit);
  }
  const { ip, resourceId } = takeReservedV4(account);
  const wire: ReservedIp = { ip, project_id: project };
  const address = { wire, hidden: { ...unassigned(region, resourceId), locked: dropletId === null } };
  reservedIps.insert(account, wire, address.hidden);
  chargeIfIdle(account, address);
  if (dropletId === null) {
    account.schedule(account.nowMs + durationMs(account, 'reserve_ip'), 'reserved-ip.reserved', ip);
    return { ip, dropletId, action: null };
  }
  return { ip, dropletId, action: beginMove(account, ipv4Kind, address, dropletId) };
}

/** The moment a reservation to a region is done. */
export function finishReservation(account: Account, ip: string): void {
  const address = reservedIps.get(account, ip);
  if (address !== undefined) {
    reservedIps.update(account, address.wire, { ...address.hidden, locked: false });
  }
}

/** Reserves an IPv6 to a region. Errors: 422 for a region that is closed. Source: operation reservedIPv6_create. */
export function reserveIpv6(account: Account, body: JsonObject): string {
  onlyFields(body, ['region_slug']);
  const region = openRegion(requiredText(body, 'region_slug'));
  const { ip, resourceId } = takeReservedV6(account);
  const wire: ReservedIpv6 = { ip, region_slug: region, reserved_at: timestamp(account.nowMs) };
  reservedIpv6s.insert(account, wire, unassigned(region, resourceId));
  return ip;
}

/**
 * The address that an action is for: a reserved one, or one of an active own network, which comes into being with the action.
 * Errors: 404.
 */
export function addressForAction(account: Account, ip = ''): HeldAddress<ReservedIp> {
  const number = addressNumber(ip);
  const prefix = number === undefined ? undefined : findActivePrefix(account, number);
  if (number === undefined || prefix === undefined || reservedIps.get(account, ip) !== undefined) {
    return knownIpv4(account, ip);
  }
  const wire: ReservedIp = { ip, project_id: defaultProject(account) };
  const hidden: Holding = { ...unassigned(prefix.region, number), prefix: prefix.uuid };
  reservedIps.insert(account, wire, hidden);
  return { wire, hidden };
}

function unassigned(region: string, resourceId: number): Holding {
  return { region, resourceId, dropletId: null, targetId: null, locked: false, prefix: null, assignedAt: null };
}

function openRegion(slug = ''): string {
  if (findRegion(slug)?.available !== true) {
    throw unprocessable(messages.regionUnavailable);
  }
  return slug;
}
