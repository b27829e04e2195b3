import { dnsMessages } from '../../assumptions.ts';
import { SECOND_MS } from '../../calendar.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, optionalText, requiredText } from '../../fields.ts';
import { canonicalIpv6, isIpv4 } from '../../ip.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { isDomainName, zonesOf } from './host-names.ts';
import { noFields } from './record-types.ts';
import { type DomainRecord, domainRecords, inOrder, parseRecord, type RecordDraft, type RecordEntry, recordsOf } from './records.ts';
import { nameServers, zoneFile } from './zone-file.ts';

/** A domain as it is stored; its zone file is written of its records when it is shown. Source: the OpenAPI document, component `domain`. */
export interface Domain {
  readonly name: string;
  readonly ttl: number;
}

export interface DomainHidden {
  /** Grows with every change to the zone. Source: RFC 1035, the serial of a zone. */
  readonly serial: number;
  /** How many records of each type there are. */
  readonly totals: Readonly<Record<string, number>>;
}

export type DomainEntry = Entry<Domain, DomainHidden>;

export const domains = collection<Domain, DomainHidden>({
  table: 'domains',
  key: 'text',
  id: (domain) => domain.name,
  columns: { serial: { of: (_domain, { serial }) => serial } },
  // The zone file is of the records; each change to one of them moves the serial, and drops the text.
  remembered: true,
  present: (account, text, { serial }) => {
    const { name, ttl }: Domain = JSON.parse(text);
    return JSON.stringify({ name, ttl, zone_file: zoneFile(name, ttl, Number(serial), zoneLines(account, name)) });
  },
});

/** Creates a domain with the records every domain begins with. Source: operation domains_create. */
export function createDomain(account: Account, body: JsonObject): object {
  onlyFields(body, ['name', 'ip_address', 'ttl', 'zone_file']);
  const name = requiredText(body, 'name').toLowerCase();
  if (!isDomainName(name)) {
    throw unprocessable(dnsMessages.domainName);
  }
  const address = optionalText(body, 'ip_address') ?? '';
  if (address !== '' && !isIpv4(address) && canonicalIpv6(address) === undefined) {
    throw unprocessable(dnsMessages.ipInvalid);
  }
  if (domains.get(account, name) !== undefined) {
    throw unprocessable(dnsMessages.domainExists);
  }
  const wire: Domain = { name, ttl: DEFAULT_TTL };
  domains.insert(account, wire, { serial: Math.floor(account.nowMs / SECOND_MS) - 1, totals: {} });
  const soa: RecordDraft = {
    wire: inOrder({ type: 'SOA', name: '@', data: String(DEFAULT_TTL), ttl: DEFAULT_TTL, ...noFields }),
    hidden: { zone: name, target: null },
  };
  const given = [
    ...nameServers.map((server) => ({ type: 'NS', name: '@', data: `${server}.` })),
    ...(address === '' ? [] : [{ type: isIpv4(address) ? 'A' : 'AAAA', name: '@', data: address }]),
  ];
  addRecords(account, [soa, ...given.map((record) => parseRecord(name, DEFAULT_TTL, record))]);
  return { domain: { ...wire, zone_file: null } };
}

/** Deletes a domain and its records; everything that refers to it is told. */
export function removeDomain(account: Account, { wire: { name } }: DomainEntry): void {
  for (const { wire } of recordsOf(account, name)) {
    domainRecords.remove(account, wire.id);
  }
  domains.remove(account, name);
  account.announce('domain.deleted', name);
}

/** The domain that a path names. Errors: 404. */
export function knownDomain(account: Account, name = ''): DomainEntry {
  const domain = domains.get(account, name.toLowerCase());
  if (domain === undefined) {
    throw notFound();
  }
  return domain;
}

/** The account's domain that a full name lies in: the longest one; undefined when there is none. */
export function domainOf(account: Account, fullName: string): DomainEntry | undefined {
  for (const zone of zonesOf(fullName)) {
    const domain = domains.get(account, zone);
    if (domain !== undefined) {
      return domain;
    }
  }
  return undefined;
}

/** Stores checked records, all of one domain, and gives them back with their ids. */
export function addRecords(account: Account, drafts: readonly RecordDraft[]): readonly DomainRecord[] {
  return drafts.map(({ wire, hidden }) => {
    const record = { id: account.nextId('domain-record.id'), ...wire };
    domainRecords.insert(account, record, hidden);
    touch(account, hidden.zone, { [record.type]: 1 });
    return record;
  });
}

/** Stores a changed record. */
export function replaceRecord(account: Account, before: RecordEntry, draft: RecordDraft): DomainRecord {
  const record = { id: before.wire.id, ...draft.wire };
  domainRecords.update(account, record, draft.hidden);
  touch(account, draft.hidden.zone, before.wire.type === record.type ? {} : { [before.wire.type]: -1, [record.type]: 1 });
  return record;
}

export function removeRecord(account: Account, { wire, hidden }: RecordEntry): void {
  domainRecords.remove(account, wire.id);
  touch(account, hidden.zone, { [wire.type]: -1 });
}

/** Changes what the zone's SOA record says of how long things may be remembered: new records take it for their own. */
export function changeSoa(account: Account, before: RecordEntry, ttl: number): DomainRecord {
  const record = { ...before.wire, ttl };
  domainRecords.update(account, record, before.hidden);
  touch(account, before.hidden.zone, {}, ttl);
  return record;
}

const DEFAULT_TTL = 1800;

/** Moves the serial of a zone, and its totals by type. */
function touch(account: Account, zone: string, changes: Readonly<Record<string, number>>, ttl?: number): void {
  const domain = domains.get(account, zone);
  if (domain === undefined) {
    return;
  }
  const totals = { ...domain.hidden.totals };
  for (const [type, change] of Object.entries(changes)) {
    totals[type] = (totals[type] ?? 0) + change;
  }
  const serial = Math.max(domain.hidden.serial + 1, Math.floor(account.nowMs / SECOND_MS));
  domains.update(account, { ...domain.wire, ttl: ttl ?? domain.wire.ttl }, { serial, totals });
}

function zoneLines(account: Account, zone: string) {
  return recordsOf(account, zone)
    .toReversed()
    .map(({ wire, hidden }) => ({ wire, target: hidden.target }));
}
