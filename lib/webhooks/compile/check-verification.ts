import { isScalar, type Node } from 'yaml';
import { nearest } from '../../catalogue/nearest.ts';
import { type Verification, verificationKinds } from '../hook.ts';
import { type Member, membersOf, type Source, shown, textOf } from './source.ts';

/** How deliveries of a hook are verified: `verify`, and for `hmac` the members that say where the signature is. */
export function checkedVerification(
  verify: Member | undefined,
  hmac: Member | undefined,
  what: string,
  source: Source,
  at: Node,
): Verification | undefined {
  const kind = oneOf(verify?.value, verificationKinds, `${what}: verify`, source, verify?.key ?? at);
  if (kind !== 'hmac') {
    if (hmac) source.refuse(hmac.key, `${what}: only "verify: hmac" has hmac`);
    return kind && { kind };
  }
  if (hmac) return hmacOf(hmac, what, source);
  source.refuse(verify?.value, `${what}: "verify: hmac" needs hmac: { header: <the header with the signature> }`);
  return undefined;
}

function hmacOf({ value, key }: Member, what: string, source: Source): Verification | undefined {
  const where = `${what}: hmac`;
  const members = membersOf(value, where, ['header', 'algorithm', 'encoding', 'prefix', 'timestamp'], source, key);
  const given = (name: string) => members.find((member) => member.name === name)?.value;
  const header = headerName(given('header'), `${where}: header`, source, key);
  const algorithm = given('algorithm') ? oneOf(given('algorithm'), ['sha256', 'sha512'], `${where}: algorithm`, source, key) : 'sha256';
  const encoding = given('encoding') ? oneOf(given('encoding'), ['hex', 'base64'], `${where}: encoding`, source, key) : 'hex';
  const prefix = given('prefix') ? textOf(given('prefix'), `${where}: prefix`, source, key) : '';
  const timestamp = given('timestamp') ? headerName(given('timestamp'), `${where}: timestamp`, source, key) : undefined;
  if (header === undefined || algorithm === undefined || encoding === undefined || prefix === undefined) return undefined;
  return { kind: 'hmac', header, algorithm, encoding, prefix, ...(timestamp !== undefined && { timestamp }) };
}

function headerName(node: Node | undefined, what: string, source: Source, at: Node): string | undefined {
  const name = textOf(node, what, source, at);
  if (name === undefined || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name?.toLowerCase();
  source.refuse(node, `${what}: ${JSON.stringify(name)} is no name of a header`);
  return undefined;
}

/** One of some words; a problem with the nearest for any other. */
export function oneOf<const Word extends string>(
  node: Node | undefined,
  words: readonly Word[],
  what: string,
  source: Source,
  at: Node,
): Word | undefined {
  const value = isScalar(node) ? node.value : undefined;
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const near = typeof value === 'string' ? nearest(value, words) : undefined;
  source.refuse(node ?? at, `${what}: expected one of ${words.join(', ')}, got ${shown(node)}${near ? ` (did you mean ${near}?)` : ''}`);
  return undefined;
}
