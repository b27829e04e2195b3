import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, boolean, explicit, implicit, integer, objectId, octetString, sequence, set, time, utf8String } from './der.ts';

/** What a certificate says. */
export interface CertificateOrder {
  /** The common name of the one it is for, and of the one who signs. */
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  /** The signer's keys, both on the curve P-256. */
  readonly issuerPublicKey: KeyObject;
  readonly issuerKey: KeyObject;
  readonly fromMs: number;
  readonly untilMs: number;
  /** An authority signs others; a client proves who it is. */
  readonly use: 'authority' | 'client';
}

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const COMMON_NAME = objectId('2.5.4.3');

/** A signed X.509 certificate as PEM. Source: RFC 5280. */
export function certificate(order: CertificateOrder): string {
  const body = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serial()),
    ECDSA_WITH_SHA256,
    nameOf(order.issuer),
    sequence(time(order.fromMs), time(order.untilMs)),
    nameOf(order.subject),
    order.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(order))),
  );
  const signed = sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, order.issuerKey)));
  const lines = signed.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function extensions({ use, publicKey, issuerPublicKey }: CertificateOrder): readonly Buffer[] {
  const ids = [
    extension('2.5.29.14', octetString(keyId(publicKey))),
    extension('2.5.29.35', sequence(implicit(0, keyId(issuerPublicKey)))),
  ];
  return use === 'authority'
    ? [...ids, extension('2.5.29.19', sequence(boolean(true), integer(Buffer.of(0))), true), extension('2.5.29.15', SIGNS_OTHERS, true)]
    : [
        ...ids,
        extension('2.5.29.19', sequence(), true),
        extension('2.5.29.15', SIGNS_ITSELF, true),
        extension('2.5.29.37', sequence(CLIENT_AUTH)),
      ];
}

/** keyCertSign and cRLSign; digitalSignature. */
const SIGNS_OTHERS = bitString(Buffer.of(0b0000_0110), 1);
const SIGNS_ITSELF = bitString(Buffer.of(0b1000_0000), 7);
const CLIENT_AUTH = objectId('1.3.6.1.5.5.7.3.2');

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, utf8String(commonName))));
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

/** 16 random bytes, the first of them such that the number is positive and has no needless zero in front. */
function serial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
