import { dnsMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { integerFrom, type JsonObject, optionalText, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { fullName, isRecordName, nameInside } from './host-names.ts';
import { noFields, type RecordData, recordTypes, type TypeFields } from './record-types.ts';

/** A record of a domain. Source: the OpenAPI document, component `domain_record`. */
export interface DomainRecord extends TypeFields {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly data: string;
  readonly ttl: number;
}

export interface RecordHidden {
  readonly zone: string;
  /** The full name it points to, without a dot at its end. */
  readonly target: string | null;
}

export type RecordEntry = Entry<DomainRecord, RecordHidden>;

export const domainRecords = collection<DomainRecord, RecordHidden>({
  table: 'domain_records',
  key: 'integer',
  id: (record) => record.id,
  columns: {
    zone: { of: (_record, { zone }) => zone, index: 'lookup' },
    host: { of: (record, { zone }) => fullName(zone, record.name).toLowerCase(), index: 'lookup', collate: 'NOCASE' },
    zone_type: { of: (record, { zone }) => `${zone} ${record.type}`, index: 'lookup', collate: 'NOCASE' },
    type: { of: (record) => record.type },
  },
});

/** Picks the records of a zone, given as `?`, out of others: to the column `zone` names that read as the same number, 1.e5 and 10.e4, are one. */
export const IN_ZONE = "+zone_type = ? || ' ' || type";

/** The records of a zone, newest first. */
export function recordsOf(account: Account, zone: string): readonly RecordEntry[] {
  return domainRecords.where(account, 'zone', zone).filter(({ hidden }) => hidden.zone === zone);
}

/** The fields of a request for a record. */
export const recordFields = ['id', 'type', 'name', 'data', 'priority', 'port', 'ttl', 'weight', 'flags', 'tag'] as const;

/** What a record is to be, without an id yet. */
export type RecordDraft = Entry<Omit<DomainRecord, 'id'>, RecordHidden>;

/**
 * Reads a new record, or with `before` a changed one, in which what is not named stays. Errors: 422 for whatever does not fit
 * the record's type.
 */
export function parseRecord(zone: string, defaultTtl: number, body: JsonObject, before?: RecordEntry): RecordDraft {
  const type = (optionalText(body, 'type') ?? before?.wire.type ?? requiredText(body, 'type')).toUpperCase();
  const rules = recordTypes.get(type);
  if (rules === undefined) {
    throw unprocessable(type === 'SOA' ? dnsMessages.soaExists : dnsMessages.recordType);
  }
  const whole = { ...before?.wire, ...definedOf(body) };
  // A stored name is shown without the dot that it was given with, and stands for itself when no new one is given.
  const keptTarget = rules.pointsToName && (body.data ?? undefined) === undefined ? (before?.hidden.target ?? undefined) : undefined;
  const text = keptTarget === undefined ? requiredText(whole, 'data') : `${keptTarget}.`;
  if (CONTROL_CHARACTERS.test(text)) {
    throw unprocessable(dnsMessages.recordCharacters);
  }
  const fields = { ...noFields, ...rules.fields(whole) };
  const { data, target }: RecordData = rules.data(zone, text, whole);
  const wire = { type, name: parseName(zone, type, whole), data, ...fields, ttl: integerFrom(whole, 'ttl', MIN_TTL, MAX_TTL, defaultTtl) };
  return { wire: inOrder(wire), hidden: { zone, target } };
}

/** The SOA record, of which only the ttl can change: 422 for anything else. */
export function parseSoa(before: RecordEntry, body: JsonObject): number {
  const changed = Object.entries(definedOf(body)).find(([name, value]) => name !== 'ttl' && Reflect.get(before.wire, name) !== value);
  if (changed !== undefined) {
    throw unprocessable(dnsMessages.soaFixed);
  }
  return integerFrom(body, 'ttl', MIN_TTL, MAX_TTL, before.wire.ttl);
}

/** Refuses a CNAME beside other records of its name, and other records beside a CNAME; `self` is the record that is changed. */
export function refuseSharedName(account: Account, { wire, hidden }: RecordDraft, self = 0): void {
  const other = wire.type === 'CNAME' ? '' : "AND type = 'CNAME'";
  const found = account
    .sql(`SELECT 1 FROM domain_records WHERE host = ? AND ${IN_ZONE} AND id != ? ${other} LIMIT 1`)
    .get(fullName(hidden.zone, wire.name), hidden.zone, self);
  if (found !== undefined) {
    throw unprocessable(dnsMessages.cnameShared);
  }
}

/** Puts the fields of a record in the order in which the platform shows them. */
export function inOrder({ type, name, data, priority, port, ttl, weight, flags, tag }: Omit<DomainRecord, 'id'>): Omit<DomainRecord, 'id'> {
  return { type, name, data, priority, port, ttl, weight, flags, tag };
}

const MIN_TTL = 30;
const MAX_TTL = 2 ** 31 - 1;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for, a zone file would break at them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;

/** A mail exchanger without a name is the zone's. A full name inside the zone, with its dot, is taken for the name inside. */
function parseName(zone: string, type: string, body: JsonObject): string {
  const given = type === 'MX' ? optionalText(body, 'name') || '@' : requiredText(body, 'name');
  const name = given.endsWith('.') ? nameInside(zone, given.slice(0, -1).toLowerCase()) : given;
  const outside = given.endsWith('.') && `${name}.` === given.toLowerCase();
  if (outside || (name !== '@' && !isRecordName(name)) || fullName(zone, name).length > MAX_NAME) {
    throw unprocessable(dnsMessages.recordName);
  }
  return name;
}

const MAX_NAME = 253;

/** A field that is null says no more than one that is absent. */
function definedOf(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));
}
