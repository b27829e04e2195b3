import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { dnsMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';

/** What a custom certificate says of itself. */
export interface LeafFacts {
  readonly not_after: string;
  readonly sha1_fingerprint: string;
  readonly dns_names: readonly string[];
}

/**
 * Reads a certificate, its private key and its chain, all PEM; the chain may be empty. Errors: 422 for what can not be read, and
 * for a key that is not the certificate's.
 */
export function readCustom(leafPem: string, keyPem: string, chainPem: string): LeafFacts {
  const leaf = parseCertificate(leafPem, dnsMessages.leafInvalid);
  const key = parseKey(keyPem);
  if (!leaf.checkPrivateKey(key)) {
    throw unprocessable(dnsMessages.keyMismatch);
  }
  readChain(chainPem);
  return {
    not_after: timestamp(leaf.validToDate.getTime()),
    sha1_fingerprint: leaf.fingerprint.replaceAll(':', '').toLowerCase(),
    dns_names: dnsNames(leaf),
  };
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

function parseCertificate(pem: string, refusal: string): X509Certificate {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw unprocessable(refusal);
  }
  try {
    return new X509Certificate(pem);
  } catch {
    // Whatever OpenSSL says of it, the caller's text is no certificate.
    throw unprocessable(refusal);
  }
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // Not PEM, no key, or one behind a passphrase.
    throw unprocessable(dnsMessages.privateKeyInvalid);
  }
}

/** Every block of a chain is a certificate, and nothing but white space and comments lies between them. */
function readChain(pem: string): void {
  const blocks = pem.match(PEM_CERTIFICATE) ?? [];
  if (pem.trim() !== '' && (blocks.length === 0 || pem.replace(PEM_CERTIFICATE, '').includes('-----'))) {
    throw unprocessable(dnsMessages.chainInvalid);
  }
  for (const block of blocks) {
    parseCertificate(block, dnsMessages.chainInvalid);
  }
}

/** The names a certificate is for; those without alternative names have the common name of their subject. */
function dnsNames(leaf: X509Certificate): readonly string[] {
  const names = [...(leaf.subjectAltName ?? '').matchAll(/DNS:([^\s,"]+)/g)].map((match) => match[1] ?? '');
  const commonName = /^CN=(.+)$/m.exec(leaf.subject ?? '')?.[1];
  return names.length > 0 || commonName === undefined ? names : [commonName];
}
