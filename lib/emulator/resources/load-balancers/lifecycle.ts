import { randomUUID } from 'node:crypto';
import { loadBalancerNodeMonthly, messages, trafficMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';
import type { JsonObject } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { durationMs } from '../actions.ts';
import { giveBackNumber, PUBLIC_V4, PUBLIC_V6, publicV4, publicV6, takeNumber } from '../addresses.ts';
import { useCertificates } from '../certificates/uses.ts';
import { type Price, startCharge, stopCharge } from '../charges.ts';
import { joinVpc, leaveVpc, renameMember } from '../vpc-members.ts';
import { privateV4, takePrivateV4, vpcs } from '../vpcs.ts';
import { pointNames, unpointNames } from './dns.ts';
import { certificatesOf } from './forwarding-rules.ts';
import {
  type BalancerEntry,
  balancerUrn,
  dropBalancer,
  type LoadBalancer,
  type LoadBalancerHidden,
  linkedBalancers,
  loadBalancers,
  saveBalancer,
} from './load-balancers.ts';
import { type Order, parseOrder, type Site } from './order.ts';
import { keptSite, parseSite, siteOf } from './site.ts';

export const ACTIVATE = 'load-balancer.activate';
export const SETTLE = 'load-balancer.settle';

/** Creates a load balancer: it is new, and active with an address after its time. Source: operation loadBalancers_create. */
export function createBalancer(account: Account, body: JsonObject): string {
  const site = parseSite(account, body);
  const { settings, dropletIds } = parseOrder(account, body, site);
  if (site.type !== 'GLOBAL' && settings.tag === '' && (body.droplet_ids ?? undefined) === undefined) {
    throw unprocessable(trafficMessages.noDroplets);
  }
  const { region, ...place } = site;
  const id = randomUUID();
  const created_at = timestamp(account.nowMs);
  const wire: LoadBalancer = { id, ip: '', status: 'new', created_at, ...settings, ...place };
  saveBalancer(account, { wire, hidden: { region, dropletIds, busy: false, addresses: takeAddresses(account, site), recordIds: [] } });
  useCertificates(account, balancerUrn(id), [], shownCertificates(wire));
  if (site.vpc_uuid !== undefined) {
    joinVpc(account, site.vpc_uuid, balancerUrn(id), wire.name, created_at);
  }
  startCharge(account, chargeRef(id), priceOf(wire));
  account.schedule(account.nowMs + durationMs(account, 'load_balancer'), ACTIVATE, id);
  return id;
}

/** Replaces everything that can change of a load balancer; it is busy with that for a while. Source: operation loadBalancers_update. */
export function replaceBalancer(account: Account, before: BalancerEntry, body: JsonObject): void {
  const site = keptSite(before, body);
  changeBalancer(account, before, parseOrder(account, body, site, before.wire.id), site, true);
  account.schedule(account.nowMs + durationMs(account, 'load_balancer_update'), SETTLE, before.wire.id);
}

/** Changes a part of a load balancer, at once. */
export function amendBalancer(
  account: Account,
  before: BalancerEntry,
  change: Partial<Order['settings']>,
  dropletIds = before.hidden.dropletIds,
): void {
  const settings = { ...before.wire, ...change };
  changeBalancer(account, before, { settings, dropletIds }, siteOf(before), false);
}

/** Ends the time in which a new load balancer comes up. */
export function activate(account: Account, id: string): void {
  const before = loadBalancers.get(account, id);
  if (before === undefined) {
    return;
  }
  if (account.faults.spoilsAction('load_balancer', 0)) {
    saveBalancer(account, { ...before, wire: { ...before.wire, status: 'errored' } }, before);
    return;
  }
  const wire: LoadBalancer = { ...before.wire, status: 'active', ...shownAddresses(account, before) };
  saveBalancer(account, { wire, hidden: { ...before.hidden, recordIds: pointNames(account, wire) } }, before);
}

/** Ends an update: names that it brought are pointed at the load balancer. */
export function settle(account: Account, id: string): void {
  const before = loadBalancers.get(account, id);
  if (before !== undefined) {
    const recordIds = [...before.hidden.recordIds, ...pointNames(account, before.wire)];
    saveBalancer(account, { wire: before.wire, hidden: { ...before.hidden, busy: false, recordIds } }, before);
  }
}

/** Deletes a load balancer in any state; everything that refers to it is told. Source: operation loadBalancers_delete. */
export function removeBalancer(account: Account, balancer: BalancerEntry): void {
  const { wire, hidden } = balancer;
  unpointNames(account, balancer);
  dropBalancer(account, balancer);
  useCertificates(account, balancerUrn(wire.id), shownCertificates(wire), []);
  giveBack(account, hidden.addresses, wire.vpc_uuid);
  if (wire.vpc_uuid !== undefined) {
    leaveVpc(account, wire.vpc_uuid, balancerUrn(wire.id));
  }
  stopCharge(account, chargeRef(wire.id));
  for (const other of linkedBalancers(account, 'balancer', wire.id)) {
    const target_load_balancer_ids = other.wire.target_load_balancer_ids?.filter((id) => id !== wire.id) ?? [];
    saveBalancer(account, { ...other, wire: { ...other.wire, target_load_balancer_ids } }, other);
  }
  account.announce('load-balancer.deleted', wire.id);
}

function changeBalancer(
  account: Account,
  before: BalancerEntry,
  { settings, dropletIds }: Order,
  { region, ...place }: Site,
  busy: boolean,
): void {
  const { id, ip, ipv6, status, created_at } = before.wire;
  const wire: LoadBalancer = { id, ip, ...(ipv6 === undefined ? {} : { ipv6 }), status, created_at, ...settings, ...place };
  saveBalancer(account, { wire, hidden: { ...before.hidden, region, dropletIds, busy } }, before);
  useCertificates(account, balancerUrn(id), shownCertificates(before.wire), shownCertificates(wire));
  if (wire.vpc_uuid !== undefined && wire.name !== before.wire.name) {
    renameMember(account, wire.vpc_uuid, balancerUrn(id), wire.name);
  }
  if (wire.size_unit !== before.wire.size_unit) {
    stopCharge(account, chargeRef(id));
    startCharge(account, chargeRef(id), priceOf(wire));
  }
}

function takeAddresses(account: Account, { network, network_stack, vpc_uuid }: Site): LoadBalancerHidden['addresses'] {
  if (network === 'EXTERNAL') {
    const publicV6 = network_stack === 'DUALSTACK' ? takeNumber(account, PUBLIC_V6) : undefined;
    return { publicV4: takeNumber(account, PUBLIC_V4), ...(publicV6 === undefined ? {} : { publicV6 }) };
  }
  const vpc = vpcs.get(account, vpc_uuid ?? '')?.wire;
  const inside = vpc === undefined ? undefined : takePrivateV4(account, vpc);
  if (inside === undefined) {
    throw unprocessable(messages.vpcFull);
  }
  return { privateV4: inside };
}

function shownAddresses(account: Account, { wire, hidden }: BalancerEntry): Pick<LoadBalancer, 'ip' | 'ipv6'> {
  const { publicV4: v4, publicV6: v6, privateV4: inside } = hidden.addresses;
  const vpc = vpcs.get(account, wire.vpc_uuid ?? '')?.wire;
  const internal = inside === undefined || vpc === undefined ? '' : privateV4(vpc, inside).ip_address;
  return { ip: v4 === undefined ? internal : publicV4(v4).ip_address, ...(v6 === undefined ? {} : { ipv6: publicV6(v6).ip_address }) };
}

function giveBack(account: Account, { publicV4: v4, publicV6: v6, privateV4: inside }: LoadBalancerHidden['addresses'], vpc = ''): void {
  const pools = [
    [PUBLIC_V4, v4],
    [PUBLIC_V6, v6],
    [vpc, inside],
  ] as const;
  for (const [pool, number] of pools) {
    if (number !== undefined) {
      giveBackNumber(account, pool, number);
    }
  }
}

function shownCertificates({ forwarding_rules, domains = [] }: LoadBalancer): readonly string[] {
  return [
    ...certificatesOf(forwarding_rules),
    ...domains.flatMap((domain) => (domain.certificate_id === '' ? [] : [domain.certificate_id])),
  ];
}

function chargeRef(id: string): string {
  return `load-balancer:${id}`;
}

/** The hours after which a month is paid. Source: the platform's prices, which cap a month at 672 hours. */
const BILLED_HOURS = 672;

function priceOf({ type, size_unit }: LoadBalancer): Price {
  const monthly = loadBalancerNodeMonthly[type] * size_unit;
  return { price_monthly: monthly, price_hourly: monthly / BILLED_HOURS };
}
