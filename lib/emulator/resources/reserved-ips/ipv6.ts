import { networkMessages } from '../../assumptions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { canonicalIpv6 } from '../../ip.ts';
import type { Account } from '../../store/account.ts';
import { collection } from '../../store/collection.ts';
import { giveBackNumber, takeNumber } from '../addresses.ts';
import { droplets } from '../droplets/droplets.ts';
import { type AddressKind, type HeldAddress, type Holding, holdingColumns } from './holding.ts';

/** A reserved IPv6 as it is stored; its instance is spliced in when it is shown. Source: the OpenAPI document, component `reserved_ipv6`. */
export interface ReservedIpv6 {
  readonly ip: string;
  readonly region_slug: string;
  readonly reserved_at: string;
}

export const reservedIpv6s = collection<ReservedIpv6, Holding>({
  table: 'reserved_ipv6',
  key: 'text',
  id: (address) => address.ip,
  columns: holdingColumns,
  present: (account, text, { droplet }) => {
    const shown = droplet === null ? undefined : droplets.text(account, Number(droplet));
    return `${text.slice(0, -1)},"droplet":${shown ?? 'null'}}`;
  },
});

/** An IPv6 costs nothing, and shows on itself alone whose it is. */
export const ipv6Kind: AddressKind<ReservedIpv6> = {
  resourceType: 'reserved_ipv6',
  due: 'reserved-ipv6.action',
  records: reservedIpv6s,
  moved: () => {},
};

/** Takes a free address from 2001:db8::/32 (documentation), apart from those that instances get, and what its actions call it. */
export function takeReservedV6(account: Account): { readonly ip: string; readonly resourceId: number } {
  const number = takeNumber(account, POOL) ?? 0;
  const host = number + FIRST_HOST;
  const [high, low] = [Math.floor(host / 0x10000), host % 0x10000].map((group) => group.toString(16));
  return { ip: canonicalIpv6(`${NETWORK}${high}:${low}`) ?? '', resourceId: FIRST_RESOURCE_ID + number };
}

/** Releases an address. Errors: 422 while an instance has it. */
export function releaseIpv6(account: Account, { wire, hidden }: HeldAddress<ReservedIpv6>): void {
  if (hidden.dropletId !== null) {
    throw unprocessable(networkMessages.ipv6Assigned);
  }
  reservedIpv6s.remove(account, wire.ip);
  // Those made by the thousand are numbered from 1 on, and are not from the pool.
  if (hidden.resourceId >= FIRST_RESOURCE_ID) {
    giveBackNumber(account, POOL, hidden.resourceId - FIRST_RESOURCE_ID);
  }
}

/** The reserved address that a path names, in whatever form it is written. Errors: 404. */
export function knownIpv6(account: Account, ip = ''): HeldAddress<ReservedIpv6> {
  const address = reservedIpv6s.get(account, canonicalIpv6(ip) ?? '');
  if (address === undefined) {
    throw notFound();
  }
  return address;
}

const POOL = 'reserved-v6';
const NETWORK = '2001:db8:0:2020::';
const FIRST_HOST = 1;
/** An address has no number that fits: its actions name it by one that follows from its place in the pool. */
const FIRST_RESOURCE_ID = 100_000_001;
