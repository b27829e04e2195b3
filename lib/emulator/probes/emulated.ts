import { canonicalIpv6 } from '../ip.ts';
import { droplets } from '../resources/droplets/droplets.ts';
import { loadBalancers } from '../resources/load-balancers/load-balancers.ts';
import { reservedIps } from '../resources/reserved-ips/ipv4.ts';
import { reservedIpv6s } from '../resources/reserved-ips/ipv6.ts';
import type { Check } from '../resources/uptime/checks.ts';
import type { Account } from '../store/account.ts';
import type { ProbeResult } from './result.ts';

/**
 * What an address of the emulated platform answers: an instance or load balancer that runs answers pings, and has no server inside that would
 * take a connection. These addresses are on no network, so nothing is sent. Undefined for every other target, which is really probed.
 */
export function emulatedAnswer(account: Account, { type, target }: Check): ProbeResult | undefined {
  const host = type === 'ping' ? (canonicalIpv6(target) ?? target.toLowerCase()) : new URL(target).hostname.replace(/^\[|\]$/g, '');
  if (!EMULATED.test(host) && reservedFor(account, host) === undefined) {
    return undefined;
  }
  const isRunning = runs(account, host);
  const found = { method: 'emulated', httpStatus: null, timings: {}, tookMs: null, certificateExpiresAtMs: null } as const;
  if (!isRunning) {
    return { ...found, outcome: 'timeout', error: type === 'ping' ? 'ping timeout' : 'connect timeout' };
  }
  return type === 'ping'
    ? { ...found, outcome: 'ok', error: null, tookMs: ECHO_MS }
    : { ...found, outcome: 'refused', error: 'connection refused (what is emulated has no server inside)' };
}

/** 198.18.0.0/15 and 2001:db8::/32, from which public addresses are given out; of reserved IPv4 the account knows which it has. */
const EMULATED = /^(198\.1[89]\.\d+\.\d+|2001:db8:.*)$/;
const ECHO_MS = 1;

function runs(account: Account, address: string): boolean {
  const holder = idOf(account, 'droplets', 'ip_address', address) ?? reservedFor(account, address);
  if (typeof holder === 'number') {
    return droplets.get(account, holder)?.wire.status === 'active';
  }
  const balancer = idOf(account, 'load_balancers', address.includes(':') ? 'ipv6' : 'ip', address);
  return typeof balancer === 'string' && loadBalancers.get(account, balancer)?.wire.status === 'active';
}

/** The record with a field of this value. All are read for it, which a few probes a minute can afford. */
function idOf(account: Account, table: 'droplets' | 'load_balancers', field: string, value: string): unknown {
  return account.sql(`SELECT id FROM ${table} WHERE INSTR(doc, ?) > 0 LIMIT 1`).get(`"${field}":${JSON.stringify(value)},`)?.id;
}

function reservedFor(account: Account, address: string): number | null | undefined {
  return (reservedIps.get(account, address) ?? reservedIpv6s.get(account, address))?.hidden.dropletId;
}
