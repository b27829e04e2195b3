import { addressProblems } from '../../catalogue/checks/address.ts';
import type { Problem } from '../../errors.ts';

interface RecordText {
  readonly Type: string;
  readonly Name: string;
  readonly Data: string;
}

/**
 * The platform's record out of the text form that zone files have. The specification gives a record no fields beside its data, so what MX, SRV and
 * CAA need stands in front of it: `10 mail.example.com.`, `10 5 5060 sip.example.com.`, `0 issue "ca.example.com."`, with what
 * parameters there are inside the quotes.
 */
export function recordBody({ Type, Name, Data }: RecordText) {
  const type = Type.toUpperCase();
  return { type, name: Name, ...fieldsOf(type, Data) };
}

function fieldsOf(type: string, data: string) {
  if (type === 'MX') {
    const [, priority, host] = /^\s*(\d{1,5})\s+(\S+)\s*$/.exec(data) ?? [];
    if (host !== undefined) return { data: host, priority: Number(priority) };
  }
  if (type === 'SRV') {
    const [, priority, weight, port, host] = /^\s*(\d{1,5})\s+(\d{1,5})\s+(\d{1,5})\s+(\S+)\s*$/.exec(data) ?? [];
    if (host !== undefined) return { data: host, priority: Number(priority), weight: Number(weight), port: Number(port) };
  }
  if (type === 'CAA') {
    const [, flags, tag, value] = /^\s*(\d{1,3})\s+(issue|issuewild|iodef)\s+"?([^"\s](?:[^"]*[^"\s])?)"?\s*$/i.exec(data) ?? [];
    if (tag !== undefined) return { data: value, flags: Number(flags), tag: tag.toLowerCase() };
  }
  return { data };
}

/** What is wrong with the data of a record whose type asks for an address. */
export function recordProblems({ Type, Data }: Partial<RecordText>): readonly Problem[] {
  const type = Type?.toUpperCase();
  if (type === 'A') return addressProblems('Data', Data, 4);
  return type === 'AAAA' ? addressProblems('Data', Data, 6) : [];
}
