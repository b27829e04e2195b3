import type { Problem } from '../../errors.ts';
import { shown } from '../reading/words.ts';

/** The versions of the Internet Protocol. */
export type IpVersion = 4 | 6;

const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** The version of an IP address; undefined for what is none. Leading zeros, shortened IPv4 forms and zones make none. */
export function ipVersion(text: string): IpVersion | undefined {
  if (new RegExp(`^${octet}(\\.${octet}){3}$`).test(text)) return 4;
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`) ? 6 : undefined;
}

/** What is wrong with an argument that should be an IP address, of a version where one is named. A missing one is not judged. */
export function addressProblems(field: string, value: string | undefined, version?: IpVersion): readonly Problem[] {
  if (value === undefined) return [];
  const found = ipVersion(value);
  if (found !== undefined && (version === undefined || found === version)) return [];
  return [{ field, got: shown(value), expected: version === undefined ? 'an IPv4 or IPv6 address' : `an IPv${version} address` }];
}

/** An address as a number. The text must be one of that version. */
export function addressBits(text: string, version: IpVersion): bigint {
  if (version === 4) return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
  // The parser of addresses brings all forms of IPv6 into one: no IPv4 tail, one "::" at most.
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** The shortest text of an address. */
export function addressText(bits: bigint, version: IpVersion): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}
