import { BlockList, isIPv6 } from 'node:net';

/**
 * Whether nothing is ever sent to an address: what answers there is the machine's own surroundings; in a cloud, with the machine's credentials.
 * Sources: RFC 3927, RFC 4291, and where clouds have their metadata besides.
 */
export function isNeverReached(address: string): boolean {
  return isIn(neverReached, address);
}

/** Whether an address is this machine's own, of a private network, or of no use on the internet. Source: the IANA special-purpose registries. */
export function isPrivateAddress(address: string): boolean {
  return isIn(neverReached, address) || isIn(privateNetworks, address);
}

const neverReached = networks(['169.254.0.0/16', '100.100.100.200/32', 'fe80::/10', 'fd00:ec2::254/128']);

const privateNetworks = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/127',
  '64:ff9b:1::/48',
  'fc00::/7',
  'ff00::/8',
]);

/** IPv4 in the disguise of IPv6. Sources: RFC 4291 section 2.5.5, RFC 6052. */
function disguises(network: string, bits: number): readonly (readonly [string, number])[] {
  return ['::', '::ffff:', '64:ff9b::'].map((prefix) => [`${prefix}${network}`, 96 + bits]);
}

function networks(all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of all) {
    const [network = '', bits = ''] = text.split('/');
    if (isIPv6(network)) {
      list.addSubnet(network, Number(bits), 'ipv6');
      continue;
    }
    list.addSubnet(network, Number(bits), 'ipv4');
    for (const [disguised, length] of disguises(network, Number(bits))) {
      list.addSubnet(disguised, length, 'ipv6');
    }
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%');
  return list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}
