import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { DeliveryFailure, toFailure } from '../failure.ts';

/** Where a name leads: the first of its addresses. Errors: a failure, of a name that has none. */
export async function addressOf(hostname: string): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw toFailure(host, error);
  }
}

/** Whether an address is this machine's own, of a private network, or of no use on the internet. Source: the IANA special-purpose registries. */
export function isPrivateAddress(address: string): boolean {
  return privateAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Refuses what no webhook is at: the addresses under which clouds tell instances their secrets. */
export function refuseLinkLocal(host: string, address: string): void {
  if (linkLocal.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
    throw new DeliveryFailure(`${host} is ${address}, a link-local address, to which nothing is sent`, { final: true });
  }
}

const linkLocal = blocked(['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128']);

const privateAddresses = blocked([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/127',
  '64:ff9b:1::/48',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]);

function blocked(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}
