import type { Problem } from '../../errors.ts';
import { shown } from '../reading/words.ts';
import { addressBits, addressProblems, addressText, type IpVersion, ipVersion } from './address.ts';

/** What a block of addresses may be. */
export interface CidrLimits {
  readonly version?: IpVersion;
  /** The largest block, as the smallest number of prefix bits. */
  readonly fromBits?: number;
  /** The smallest block, as the largest number of prefix bits. */
  readonly toBits?: number;
  /** Whether bits may be set behind the prefix: true where a block has to be named just as somebody else wrote it. */
  readonly hostBits?: boolean;
}

/**
 * What is wrong with an argument that should be a block of addresses such as 10.10.0.0/20: its form, bits behind its prefix, its size.
 * A missing one is not judged.
 */
export function cidrProblems(field: string, value: string | undefined, limits: CidrLimits = {}): readonly Problem[] {
  if (value === undefined) return [];
  const sizes = limits.fromBits === undefined ? '' : ` from /${limits.fromBits} to /${limits.toBits}`;
  const expected = `${limits.version === 4 ? 'an IPv4' : 'a'} CIDR block${sizes}, such as 10.10.0.0/20`;
  const block = parseCidr(value);
  const fits =
    block !== undefined &&
    (limits.version ?? block.version) === block.version &&
    block.prefixBits >= (limits.fromBits ?? 0) &&
    block.prefixBits <= (limits.toBits ?? 128);
  if (!fits) return [{ field, got: shown(value), expected }];
  if (block.network === block.address || limits.hostBits) return [];
  const nearest = `${addressText(block.network, block.version)}/${block.prefixBits}`;
  return [{ field, got: shown(value), expected: `${expected}, with no bits set behind the prefix`, nearest }];
}

/** What is wrong with an argument that should be an address or a block of addresses. */
export function addressOrCidrProblems(field: string, value: string, limits: CidrLimits = {}): readonly Problem[] {
  if (value.includes('/')) return cidrProblems(field, value, limits);
  const problems = addressProblems(field, value, limits.version);
  return problems.map((problem) => ({ ...problem, expected: `${problem.expected} or a CIDR block` }));
}

interface Block {
  readonly version: IpVersion;
  readonly prefixBits: number;
  readonly address: bigint;
  readonly network: bigint;
}

function parseCidr(text: string): Block | undefined {
  const [, host = '', bits = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const version = ipVersion(host);
  const width = version === 4 ? 32 : 128;
  const prefixBits = Number(bits);
  if (version === undefined || prefixBits > width) return undefined;
  const address = addressBits(host, version);
  const behind = BigInt(width - prefixBits);
  return { version, prefixBits, address, network: (address >> behind) << behind };
}
