import { describe, expect, it } from 'vitest';
import { addressProblems, ipVersion } from '../../lib/catalogue/checks/address.ts';
import { addressOrCidrProblems, cidrProblems } from '../../lib/catalogue/checks/cidr.ts';
import { atLeastOne, needed, notBoth } from '../../lib/catalogue/checks/given.ts';
import { pemProblems } from '../../lib/catalogue/checks/pem.ts';
import { pem } from '../tools/cases/dns.ts';

describe('an address', () => {
  it.each(['0.0.0.0', '192.0.2.1', '255.255.255.255'])('%s is IPv4', (text) => expect(ipVersion(text)).toBe(4));

  it.each(['::', '::1', '2001:db8::1', '2409:40D0:f7:1017:74b4:3a96:105e:4c6e', '::ffff:192.0.2.1'])('%s is IPv6', (text) =>
    expect(ipVersion(text)).toBe(6),
  );

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '01.2.3.4',
    '0x7f.0.0.1',
    '1.2.3.4 ',
    '2001:db8:::1',
    ':::',
    'fe80::1%eth0',
    '[::1]',
    '1',
    'a.b.c.d',
  ])('%j is none', (text) => expect(ipVersion(text)).toBeUndefined());

  it('of the wrong version is told which one is expected', () => {
    expect(addressProblems('IP', '::1', 4)).toEqual([{ field: 'IP', got: '"::1"', expected: 'an IPv4 address' }]);
    expect(addressProblems('IP', 'nowhere')).toEqual([{ field: 'IP', got: '"nowhere"', expected: 'an IPv4 or IPv6 address' }]);
    expect(addressProblems('IP', undefined)).toEqual([]);
  });
});

describe('a CIDR block', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '192.0.2.1/32', '::/0', '2001:db8::/32', '2001:db8::1/128'])('%s is one', (text) =>
    expect(cidrProblems('Prefix', text)).toEqual([]),
  );

  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0/8',
    '2001:db8::/129',
    '/8',
    '10.0.0.0/8/8',
    ' 10.0.0.0/8',
  ])('%j is none', (text) => expect(cidrProblems('Prefix', text)).toMatchObject([{ field: 'Prefix', got: JSON.stringify(text) }]));

  it.each([
    ['10.10.10.7/24', '10.10.10.0/24'],
    ['10.255.0.0/9', '10.128.0.0/9'],
    ['128.0.0.1/1', '128.0.0.0/1'],
    ['2001:db8:ff::1/40', '2001:db8::/40'],
    ['::1/0', '::/0'],
  ])('%s has bits set behind its prefix; %s is meant', (text, nearest) => {
    expect(cidrProblems('Prefix', text)).toMatchObject([{ field: 'Prefix', nearest, expected: expect.stringContaining('no bits set') }]);
    expect(cidrProblems('Prefix', text, { hostBits: true })).toEqual([]);
  });

  it.each([
    ['10.0.0.0/16', true],
    ['10.0.0.0/28', true],
    ['10.0.0.0/15', false],
    ['10.0.0.0/29', false],
    ['2001:db8::/20', false],
  ])('%s within /16 to /28 of IPv4: %s', (text, fits) => {
    expect(cidrProblems('Subnet', text, { version: 4, fromBits: 16, toBits: 28 }).length === 0).toBe(fits);
  });

  it('may be an address where that is enough', () => {
    expect(addressOrCidrProblems('Sources[0]', '192.0.2.1')).toEqual([]);
    expect(addressOrCidrProblems('Sources[0]', 'web')).toMatchObject([{ expected: 'an IPv4 or IPv6 address or a CIDR block' }]);
    expect(addressOrCidrProblems('rules[0].value', '::1', { version: 4 })).toHaveLength(1);
  });
});

/** What OpenSSL writes above a key that it makes for a named curve. */
const curve = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

describe('PEM', () => {
  it.each([
    ['a key', pem.key, 'private key'],
    ['a key of a named kind', pem.ecKey, 'private key'],
    ['a key with headers', pem.key.replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n'), 'private key'],
    ['a certificate', pem.leaf, 'certificate'],
    ['a certificate without a line at its end', pem.leaf.trim(), 'certificate'],
    ['a chain', pem.chain, 'certificates'],
    ['a chain of one', pem.leaf, 'certificates'],
    ['a certificate below words', `subject=CN = example.com\n${pem.leaf}`, 'certificate'],
    ['a chain with words above each', `subject=CN = a\n${pem.leaf}\nsubject=CN = b\r\n${pem.leaf}`, 'certificates'],
    ['an EC key below the parameters of its curve', `${curve}${pem.ecKey}`, 'private key'],
  ] as const)('%s is told for what it is', (_, text, content) => expect(pemProblems('Leaf', text, content)).toEqual([]));

  it.each([
    ['nothing', '', 'certificate'],
    ['words', 'a certificate', 'certificate'],
    ['a key for a certificate', pem.key, 'certificate'],
    ['a certificate for a key', pem.leaf, 'private key'],
    ['two certificates for one', pem.chain, 'certificate'],
    ['a certificate without its end', pem.leaf.replace('-----END CERTIFICATE-----', ''), 'certificate'],
    ['a certificate with another end', pem.leaf.replace('END CERTIFICATE', 'END X'), 'certificate'],
    ['a chain with words behind it', `${pem.chain}and more`, 'certificates'],
    ['a certificate below the end of another', `-----END CERTIFICATE-----\n${pem.leaf}`, 'certificate'],
    ['a certificate behind words on its line', `here: ${pem.leaf}`, 'certificate'],
    ['parameters without a key', curve, 'private key'],
    ['a key of another kind below parameters', `${curve}${pem.key}`, 'private key'],
    ['a certificate below parameters', `${curve}${pem.leaf}`, 'certificate'],
    ['two keys for one', `${pem.ecKey}\n${pem.ecKey}`, 'private key'],
    ['something that is not base64', pem.leaf.replace('MII', '???'), 'certificate'],
    ['a certificate on one line', pem.leaf.replaceAll('\n', ''), 'certificate'],
  ] as const)('%s is refused, and never repeated', (_, text, content) => {
    const [problem] = pemProblems('Leaf', text, content);
    expect(problem).toMatchObject({ field: 'Leaf', expected: expect.stringContaining('PEM') });
    expect(problem?.got).toMatch(/^(an empty text|a text of \d+ characters that is not)$/);
  });
});

describe('arguments that belong together', () => {
  it('asks for at least one of several; an empty list is none', () => {
    expect(atLeastOne({ a: 0 }, 'a', 'b')).toEqual([]);
    expect(atLeastOne({ b: [1] }, 'a', 'b')).toEqual([]);
    expect(atLeastOne({ a: [], b: undefined }, 'a', 'b')).toEqual([{ field: 'a, b', expected: 'at least one of a, b' }]);
  });

  it('refuses two that rule each other out', () => {
    expect(notBoth({ a: [], b: 'x' }, 'a', 'b')).toEqual([]);
    expect(notBoth({ a: ['1'], b: 'x' }, 'a', 'b')).toEqual([{ field: 'a, b', expected: 'a or b, not both' }]);
  });

  it('says why one is needed', () => {
    expect(needed({ a: 1 }, 'for Type GLOBAL', 'a', 'b')).toEqual([{ field: 'b', expected: 'a value; it is required for Type GLOBAL' }]);
  });
});

describe('a text of nothing but line ends between the lines of a PEM', () => {
  it('is read once, however long it is', () => {
    const text = `-----BEGIN CERTIFICATE-----${'\n'.repeat(900_000)}`;
    expect(pemProblems('LeafCertificate', text, 'certificate')).toHaveLength(1);
    expect(pemProblems('LeafCertificate', `${text}AAAA\n-----END CERTIFICATE-----`, 'certificate')).toEqual([]);
  });
});
