import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isNeverReached } from '../special-addresses.ts';
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
  if (found.some(({ address }) => isNeverReached(address))) {
    throw new ProbeFailure('blocked', 'link-local and metadata addresses are not probed');
  }
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
