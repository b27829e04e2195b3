import { readFileSync } from 'node:fs';

/** A certificate of www.harbour.example, its key and its authority; beside them one without alternative names. */
export const pem = {
  leaf: read('leaf.pem'),
  leafKey: read('leaf-key.pem'),
  lockedKey: read('locked-key.pem'),
  authority: read('ca.pem'),
  plain: read('plain.pem'),
  plainKey: read('plain-key.pem'),
} as const;

/** What openssl says of the leaf. */
export const leafFacts = {
  not_after: '2048-10-15T13:59:23Z',
  sha1_fingerprint: 'db596549c7a99228c1f4f1eae959203498b83e87',
  dns_names: ['www.harbour.example', 'harbour.example'],
} as const;

/** A body for POST /v2/certificates that brings the leaf along, with changes. */
export function customBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'own',
    type: 'custom',
    private_key: pem.leafKey,
    leaf_certificate: pem.leaf,
    certificate_chain: pem.authority,
    ...changes,
  };
}

function read(name: string): string {
  return readFileSync(new URL(`../fixtures/certificates/${name}`, import.meta.url), 'utf8');
}
