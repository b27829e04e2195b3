import type { Account } from '../store/account.ts';

/** Numbers handed out from named pools, lowest free one first, so that equal histories get equal addresses. */
export const addressTables: readonly string[] = [
  'CREATE TABLE freed_addresses (pool TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (pool, number)) WITHOUT ROWID',
];

/** Takes the lowest free number of a pool, from 0; undefined when all `capacity` of them are taken. */
export function takeNumber(account: Account, pool: string, capacity = Number.MAX_SAFE_INTEGER): number | undefined {
  const freed = account.sql('SELECT MIN(number) AS number FROM freed_addresses WHERE pool = ?').get(pool)?.number;
  if (typeof freed === 'number') {
    account.run('DELETE FROM freed_addresses WHERE pool = ? AND number = ?', pool, freed);
    return freed;
  }
  if (account.total(`addresses.${pool}`) >= capacity) {
    return undefined;
  }
  return account.nextId(`addresses.${pool}`) - 1;
}

/** Gives a number back. */
export function giveBackNumber(account: Account, pool: string, number: number): void {
  account.run('INSERT OR IGNORE INTO freed_addresses (pool, number) VALUES (?, ?)', pool, number);
}

/** Forgets a pool that nothing is taken from any more. */
export function dropPool(account: Account, pool: string): void {
  account.run('DELETE FROM freed_addresses WHERE pool = ?', pool);
}

export const PUBLIC_V4 = 'public-v4';

const FIRST_HOST = 16;
const HOSTS_PER_NETWORK = 4000;
const BENCHMARK_NETWORKS = 32;

/** A public interface: from 198.18.0.0/15 (benchmarking), then 100.64.0.0/10 (shared), which no host on the internet has. */
export function publicV4(number: number) {
  const network = Math.floor(number / HOSTS_PER_NETWORK);
  const base = network < BENCHMARK_NETWORKS ? ipv4(198, 18) + network * 4096 : ipv4(100, 64) + (network - BENCHMARK_NETWORKS) * 4096;
  const host = FIRST_HOST + (number % HOSTS_PER_NETWORK);
  return { ip_address: ipv4Text(base + host), netmask: '255.255.240.0', gateway: ipv4Text(base + 1), type: 'public' } as const;
}

export const PUBLIC_V6 = 'public-v6';

/** A public IPv6 interface from 2001:db8::/32 (documentation). */
export function publicV6(number: number) {
  const host = number + FIRST_HOST;
  const high = Math.floor(host / 0x10000);
  const low = (host % 0x10000).toString(16);
  return {
    ip_address: high === 0 ? `2001:db8:0:1010::${low}` : `2001:db8:0:1010::${high.toString(16)}:${low}`,
    netmask: 64,
    gateway: '2001:db8:0:1010::1',
    type: 'public',
  } as const;
}

/** An IPv4 network in CIDR notation: its first address as a number, and its prefix length. */
export interface Network {
  readonly base: number;
  readonly prefix: number;
}

/** Reads `10.10.0.0/20`; undefined when it is none, has zeros before a number, which some read as octal, or bits set behind its prefix. */
export function parseNetwork(text: string): Network | undefined {
  const parts = NETWORK.exec(text)?.slice(1).map(Number) ?? [];
  const [a = 256, b = 256, c = 256, d = 256, prefix = 33] = parts;
  if ([a, b, c, d].some((octet) => octet > 255) || prefix > 32) {
    return undefined;
  }
  const base = ipv4(a, b, c, d);
  return base % networkSize(prefix) === 0 ? { base, prefix } : undefined;
}

/** Reads `10.10.0.1`; undefined when it is no IPv4 address in its usual form. */
export function addressNumber(text: string): number | undefined {
  const number = parseNetwork(`${text}/32`)?.base;
  return number !== undefined && ipv4Text(number) === text ? number : undefined;
}

export function networkSize(prefix: number): number {
  return 2 ** (32 - prefix);
}

export function overlaps(one: Network, other: Network): boolean {
  return one.base < other.base + networkSize(other.prefix) && other.base < one.base + networkSize(one.prefix);
}

export function isPrivate(network: Network): boolean {
  return PRIVATE_NETWORKS.some((range) => network.prefix >= range.prefix && overlaps(range, network));
}

export function ipv4(a: number, b = 0, c = 0, d = 0): number {
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

export function ipv4Text(address: number): string {
  return [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(address / unit) % 256).join('.');
}

export function netmask(prefix: number): string {
  return ipv4Text(2 ** 32 - networkSize(prefix));
}

const NUMBER = String.raw`(0|[1-9]\d{0,2})`;
const NETWORK = new RegExp(String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}\.${NUMBER}/${NUMBER}$`);

/** Source: RFC 1918. */
const PRIVATE_NETWORKS: readonly Network[] = [
  { base: ipv4(10), prefix: 8 },
  { base: ipv4(172, 16), prefix: 12 },
  { base: ipv4(192, 168), prefix: 16 },
];
