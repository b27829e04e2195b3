import { randomUUID } from 'node:crypto';
import { byoipPrefixLength, messages, networkMessages, reservedV4Networks } from '../../assumptions.ts';
import { findRegion } from '../../catalogue/regions.ts';
import { conflict, notFound, unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, optionalText, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { durationMs } from '../actions.ts';
import { ipv4Text, type Network, networkSize, overlaps, parseNetwork } from '../addresses.ts';
import { defaultProject } from '../projects.ts';

interface Validation {
  readonly name: string;
  readonly status: 'PENDING' | 'PASSED' | 'FAILED';
  readonly note: string;
}

/** A network of the account's own that the platform announces. Source: the OpenAPI document, component `byoip_prefix`. */
export interface Prefix {
  readonly uuid: string;
  readonly name: string;
  readonly prefix: string;
  readonly status: 'in_progress' | 'active' | 'failed' | 'deleting';
  readonly region: string;
  readonly validations: readonly Validation[];
  readonly failure_reason: string;
  readonly locked: boolean;
  readonly advertised: boolean;
  readonly project_id: string;
}

interface PrefixHidden {
  readonly signature: string;
}

export type PrefixEntry = Entry<Prefix, PrefixHidden>;

export const prefixes = collection<Prefix, PrefixHidden>({
  table: 'byoip_prefixes',
  key: 'text',
  id: (prefix) => prefix.uuid,
  columns: {
    /** The first address as a number. No two of an account overlap, so this alone finds the one that has an address. */
    base: { of: (prefix) => networkOf(prefix).base, index: 'lookup' },
  },
});

/**
 * Takes a prefix for validation. Errors: 422 for a network that is not public, narrower than a /24 or wider than is believable,
 * for a closed region; 409 for one that overlaps with another of the account. Source: operation byoipPrefixes_create.
 */
export function createPrefix(account: Account, body: JsonObject): Prefix {
  onlyFields(body, ['prefix', 'signature', 'region']);
  const network = parsePublic(requiredText(body, 'prefix'));
  const region = requiredText(body, 'region');
  const signature = optionalText(body, 'signature');
  if (signature === undefined) {
    throw unprocessable('signature is required.');
  }
  if (findRegion(region)?.available !== true) {
    throw unprocessable(messages.regionUnavailable);
  }
  if (nearest(account, lastOf(network), network) !== undefined) {
    throw conflict(networkMessages.prefixTaken);
  }
  const text = `${ipv4Text(network.base)}/${network.prefix}`;
  const prefix: Prefix = {
    uuid: randomUUID(),
    name: '',
    prefix: text,
    status: 'in_progress',
    region,
    validations: [{ name: SIGNATURE, status: 'PENDING', note: '' }],
    failure_reason: '',
    locked: true,
    advertised: false,
    project_id: defaultProject(account),
  };
  prefixes.insert(account, prefix, { signature });
  account.schedule(account.nowMs + durationMs(account, 'byoipValidate'), 'byoip.validated', prefix.uuid);
  return prefix;
}

/** The moment a prefix was validated: it is active, or has failed. An empty signature and the word `invalid` match no prefix. */
export function finishValidation(account: Account, uuid: string): void {
  const entry = prefixes.get(account, uuid);
  if (entry?.wire.status !== 'in_progress') {
    return;
  }
  const passed = entry.hidden.signature !== '' && entry.hidden.signature !== 'invalid';
  const note = passed ? '' : networkMessages.prefixSignature;
  const validations: readonly Validation[] = [{ name: SIGNATURE, status: passed ? 'PASSED' : 'FAILED', note }];
  const status = passed ? 'active' : 'failed';
  prefixes.update(account, { ...entry.wire, status, validations, failure_reason: note, locked: false }, entry.hidden);
}

/** Begins to advertise a prefix, or to advertise it no more. Errors: 422 while it is not active, or locked. Source: operation byoipPrefixes_patch. */
export function advertise(account: Account, { wire, hidden }: PrefixEntry, wanted: boolean): Prefix {
  if (wire.locked) {
    throw unprocessable(networkMessages.prefixLocked);
  }
  if (wire.status !== 'active') {
    throw unprocessable(networkMessages.prefixNotActive);
  }
  if (wire.advertised === wanted) {
    return wire;
  }
  const locked = { ...wire, locked: true };
  prefixes.update(account, locked, hidden);
  account.schedule(account.nowMs + durationMs(account, 'byoipAdvertise'), 'byoip.advertised', wire.uuid, { wanted });
  return locked;
}

export function finishAdvertising(account: Account, uuid: string, data: unknown): void {
  // The row was written by `advertise`.
  const { wanted } = data as { readonly wanted: boolean };
  const entry = prefixes.get(account, uuid);
  if (entry?.wire.status === 'active') {
    prefixes.update(account, { ...entry.wire, advertised: wanted, locked: false }, entry.hidden);
  }
}

/** Has a prefix go, a little later; asked again meanwhile, nothing more happens. */
export function deletePrefix(account: Account, { wire, hidden }: PrefixEntry): void {
  if (wire.status !== 'deleting') {
    prefixes.update(account, { ...wire, status: 'deleting', advertised: false, locked: true }, hidden);
    account.schedule(account.nowMs + durationMs(account, 'byoipDelete'), 'byoip.deleted', wire.uuid);
  }
}

export function finishDeletion(account: Account, uuid: string): void {
  prefixes.remove(account, uuid);
}

/** The active prefix that an address belongs to. */
export function findActivePrefix(account: Account, address: number): Prefix | undefined {
  const prefix = nearest(account, address, { base: address, prefix: 32 });
  return prefix?.status === 'active' ? prefix : undefined;
}

/** The prefix that a path names. Errors: 404. */
export function knownPrefix(account: Account, uuid = ''): PrefixEntry {
  const prefix = prefixes.get(account, uuid);
  if (prefix === undefined) {
    throw notFound();
  }
  return prefix;
}

const SIGNATURE = 'SIGNATURE HASH';

/** What nobody can bring: networks that are private, local, shared, multicast or reserved, and those that addresses are given from here. Source: RFC 6890. */
const NOT_PUBLIC: readonly Network[] = [
  ...reservedV4Networks,
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
].flatMap((text) => parseNetwork(text) ?? []);

function parsePublic(text: string): Network {
  const network = parseNetwork(text);
  const { min, max } = byoipPrefixLength;
  const fits = network !== undefined && network.prefix >= min && network.prefix <= max;
  if (!fits || NOT_PUBLIC.some((other) => overlaps(network, other))) {
    throw unprocessable(networkMessages.prefixRange);
  }
  return network;
}

/** The last prefix that begins at or before `last`, if it overlaps with `network`. */
function nearest(account: Account, last: number, network: Network): Prefix | undefined {
  const text = account.sql('SELECT doc FROM byoip_prefixes WHERE base <= ? ORDER BY base DESC LIMIT 1').get(last)?.doc;
  const prefix: Prefix | undefined = text === undefined ? undefined : JSON.parse(String(text));
  return prefix !== undefined && overlaps(networkOf(prefix), network) ? prefix : undefined;
}

function networkOf({ uuid, prefix }: Prefix): Network {
  const network = parseNetwork(prefix);
  if (network === undefined) {
    throw new Error(`the prefix ${uuid} is ${prefix}: it was checked when it was made`);
  }
  return network;
}

function lastOf({ base, prefix }: Network): number {
  return base + networkSize(prefix) - 1;
}
