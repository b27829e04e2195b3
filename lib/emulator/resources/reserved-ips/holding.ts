import { networkMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import type { Collection, Entry } from '../../store/collection.ts';
import type { Action } from '../actions.ts';

/** Where a reserved address stands; the same for IPv4 and IPv6. */
export interface Holding {
  readonly region: string;
  /** What its actions name as their resource. */
  readonly resourceId: number;
  /** The instance that has it. */
  readonly dropletId: number | null;
  /** The instance that is getting it. */
  readonly targetId: number | null;
  /** Whether something is in progress; nothing else begins meanwhile. */
  readonly locked: boolean;
  /** The prefix of the account's own network that it is from: it then exists only while an instance has it. */
  readonly prefix: string | null;
  readonly assignedAt: string | null;
}

/** An address as it is stored; where it stands is spliced in when it is shown. */
export interface ReservedAddress {
  readonly ip: string;
}

export type HeldAddress<Wire extends ReservedAddress> = Entry<Wire, Holding>;

/** One of the two kinds of reserved addresses: what they share in the assignment to instances, and where they differ. */
export interface AddressKind<Wire extends ReservedAddress> {
  readonly resourceType: Action['resource_type'];
  /** The kind of the due row that ends an action. */
  readonly due: string;
  readonly records: Collection<Wire, Holding>;
  /** Felt when an address comes to an instance, or to none, and after; `before` and `after` are the instances' ids. */
  readonly moved: (account: Account, address: HeldAddress<Wire>, before: number | null, after: number | null) => void;
}

/** Source: the message that the platform's users quote, from when reserved IPs were called floating. */
export function refusePendingAddress({ hidden }: HeldAddress<ReservedAddress>): void {
  if (hidden.locked) {
    throw unprocessable('The floating IP already has a pending event.');
  }
}

/** The columns by which an instance's addresses are found. */
export const holdingColumns = {
  droplet: { of: (_wire: ReservedAddress, hidden: Holding) => hidden.dropletId, index: 'lookup' },
  target: { of: (_wire: ReservedAddress, hidden: Holding) => hidden.targetId, index: 'lookup' },
} as const;

/** Gives an address to an instance or, with null, to none. One from an own network that no instance has ceases to be. */
export function giveAddress<Wire extends ReservedAddress>(
  account: Account,
  kind: AddressKind<Wire>,
  { wire, hidden }: HeldAddress<Wire>,
  changes: Pick<Holding, 'dropletId' | 'targetId' | 'locked' | 'assignedAt'>,
): void {
  const after = { wire, hidden: { ...hidden, ...changes } };
  if (after.hidden.prefix !== null && after.hidden.dropletId === null && !after.hidden.locked) {
    kind.records.remove(account, wire.ip);
  } else {
    kind.records.update(account, wire, after.hidden);
  }
  if (hidden.dropletId !== after.hidden.dropletId) {
    kind.moved(account, after, hidden.dropletId, after.hidden.dropletId);
  }
}

/** Refuses an instance that has, or is getting, another address of the kind. */
export function refuseTaken<Wire extends ReservedAddress>(account: Account, kind: AddressKind<Wire>, ip: string, dropletId: number): void {
  const others = [...kind.records.where(account, 'droplet', dropletId), ...kind.records.where(account, 'target', dropletId)];
  if (others.some(({ wire }) => wire.ip !== ip)) {
    throw unprocessable(networkMessages.ipDropletTaken);
  }
}
