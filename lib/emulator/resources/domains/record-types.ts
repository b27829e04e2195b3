import { dnsMessages } from '../../assumptions.ts';
import { unprocessable } from '../../errors.ts';
import { choice, integerFrom, type JsonObject } from '../../fields.ts';
import { canonicalIpv6, isIpv4 } from '../../ip.ts';
import { isRecordName, nameInside } from './host-names.ts';

/** What a record says, as it is shown, and the full name it points to if it points to one. */
export interface RecordData {
  readonly data: string;
  readonly target: string | null;
}

/** The fields that only some types have; null where they do not apply. */
export interface TypeFields {
  readonly priority: number | null;
  readonly port: number | null;
  readonly weight: number | null;
  readonly flags: number | null;
  readonly tag: string | null;
}

/** The rules of one type of record. Both parsers get the whole record as it is to be, and refuse with 422. */
export interface RecordType {
  readonly data: (zone: string, data: string, body: JsonObject) => RecordData;
  readonly fields: (body: JsonObject) => Partial<TypeFields>;
  /** Whether its data is a name, so that a stored one stands for the text that gave it. */
  readonly pointsToName: boolean;
  /** What stands behind the type in a zone file. */
  readonly zoneText: (data: RecordData, fields: TypeFields) => string;
}

export const noFields: TypeFields = { priority: null, port: null, weight: null, flags: null, tag: null };

const MAX_16_BITS = 65535;
const MAX_STRING_BYTES = 255;
const CAA_TAGS = ['issue', 'issuewild', 'iodef'] as const;

const plain = { fields: () => ({}), pointsToName: false, zoneText: ({ data }: RecordData) => data };
const named = {
  data: hostData,
  fields: (): Partial<TypeFields> => ({}),
  pointsToName: true,
  zoneText: ({ target }: RecordData) => `${target}.`,
};

/** Every type but SOA, which comes with its domain. Source: the OpenAPI document, components `domain_record_*`. */
export const recordTypes: ReadonlyMap<string, RecordType> = new Map<string, RecordType>([
  ['A', { ...plain, data: (_zone, data) => address(isIpv4(data) ? data : undefined) }],
  ['AAAA', { ...plain, data: (_zone, data) => address(canonicalIpv6(data)) }],
  [
    'CAA',
    {
      data: (_zone, data, { tag }) => (tag === 'iodef' ? reportData(data) : authorityData(data)),
      fields: (body) => ({ flags: integerFrom(body, 'flags', 0, 255), tag: choice(body, 'tag', CAA_TAGS) }),
      pointsToName: true,
      zoneText: ({ data }, { flags, tag }) => `${flags} ${tag} ${quoted(data)}`,
    },
  ],
  ['CNAME', named],
  [
    'MX',
    {
      ...named,
      fields: (body) => ({ priority: integerFrom(body, 'priority', 0, MAX_16_BITS) }),
      zoneText: ({ target }, { priority }) => `${priority} ${target}.`,
    },
  ],
  ['NS', named],
  [
    'SRV',
    {
      ...named,
      fields: (body) => ({
        priority: integerFrom(body, 'priority', 0, MAX_16_BITS),
        port: integerFrom(body, 'port', 0, MAX_16_BITS),
        weight: integerFrom(body, 'weight', 0, MAX_16_BITS),
      }),
      zoneText: ({ target }, { priority, weight, port }) => `${priority} ${weight} ${port} ${target}.`,
    },
  ],
  ['TXT', { ...plain, data: (_zone, data) => ({ data, target: null }), zoneText: ({ data }) => strings(data) }],
]);

function address(canonical: string | undefined): RecordData {
  if (canonical === undefined) {
    throw unprocessable(dnsMessages.ipInvalid);
  }
  return { data: canonical, target: null };
}

/** A name with a dot at its end, or `@`; shown without the dot and, inside the zone, without the zone. */
function hostData(zone: string, data: string): RecordData {
  const target = data === '@' ? zone : withoutDot(data).toLowerCase();
  if (!isRecordName(target) || target.startsWith('*')) {
    throw unprocessable(dnsMessages.recordTarget);
  }
  return { data: nameInside(zone, target), target };
}

/** A name with a dot at its end, shown without it, or `;` for nobody. Source: RFC 8659. */
function authorityData(data: string): RecordData {
  const name = data === ';' ? null : withoutDot(data);
  return { data: name ?? data, target: name };
}

function reportData(data: string): RecordData {
  if (!/^(mailto:|https?:\/\/)\S+$/i.test(data)) {
    throw unprocessable(dnsMessages.caaReport);
  }
  return { data, target: null };
}

/** Source: the message that the platform's users quote. */
function withoutDot(data: string): string {
  if (!data.endsWith('.')) {
    throw unprocessable('Data needs to end with a dot (.)');
  }
  return data.slice(0, -1);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A text record consists of strings of at most 255 bytes; no character is cut in two. Source: RFC 1035. */
function strings(text: string): string {
  const parts = [''];
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_STRING_BYTES) {
      parts.push('');
      bytes = 0;
    }
    parts[parts.length - 1] += character;
    bytes += size;
  }
  return parts.map(quoted).join(' ');
}
