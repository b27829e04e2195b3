import { lookup } from 'node:dns/promises';
import { isNeverReached } from '../../special-addresses.ts';
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

/** Refuses what no webhook is at: the addresses under which clouds tell instances their secrets. */
export function refuseLinkLocal(host: string, address: string): void {
  if (isNeverReached(address)) {
    throw new DeliveryFailure(`${host} is ${address}, a link-local or metadata address, to which nothing is sent`, { final: true });
  }
}
