import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ProbeFailure } from './failure.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The addresses of a host, in the order to try them. A probe connects to these and asks no second time, so that what was checked is what is
 * reached. Errors: ProbeFailure for one that is never probed; those of the lookup.
 */
export async function addressesOf(host: string): Promise<readonly Address[]> {
  const found = isIP(host) === 0 ? await lookup(host, { all: true, order: 'verbatim' }) : [{ address: host, family: isIP(host) }];
  if (found.some(({ address, family }) => never.check(address, family === 6 ? 'ipv6' : 'ipv4'))) {
    throw new ProbeFailure('blocked', 'link-local and metadata addresses are not probed');
  }
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** What answers there is the machine's own surroundings: in a cloud, with the machine's credentials. */
const never = new BlockList();
// Source: RFC 3927, where the clouds have their metadata; RFC 4291; and where two of them have it besides.
never.addSubnet('169.254.0.0', 16, 'ipv4');
never.addAddress('100.100.100.200', 'ipv4');
never.addSubnet('fe80::', 10, 'ipv6');
never.addAddress('fd00:ec2::254', 'ipv6');
// IPv4 in the disguise of IPv6. Source: RFC 4291 section 2.5.5, RFC 6052.
for (const prefix of ['::', '::ffff:', '64:ff9b::']) {
  never.addSubnet(`${prefix}169.254.0.0`, 112, 'ipv6');
  never.addAddress(`${prefix}100.100.100.200`, 'ipv6');
}
