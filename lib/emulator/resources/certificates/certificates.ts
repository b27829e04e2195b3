import { notFound } from '../../errors.ts';
import type { Account } from '../../store/account.ts';
import { collection } from '../../store/collection.ts';

/** A certificate; while it is pending it has no end and no fingerprint. Source: the OpenAPI document, component `certificate`. */
export interface Certificate {
  readonly id: string;
  readonly name: string;
  readonly not_after?: string;
  readonly sha1_fingerprint: string;
  readonly created_at: string;
  readonly dns_names: readonly string[];
  readonly state: 'pending' | 'verified' | 'error';
  readonly type: 'custom' | 'lets_encrypt';
}

export const certificates = collection<Certificate>({
  table: 'certificates',
  key: 'text',
  id: (certificate) => certificate.id,
  // A name may look like a number: the collation keeps it a text.
  columns: { name: { of: (certificate) => certificate.name, index: 'lookup', collate: 'NOCASE' } },
});

/** The certificate that a path names. Errors: 404. */
export function knownCertificate(account: Account, id = ''): Certificate {
  const certificate = certificates.get(account, id.toLowerCase());
  if (certificate === undefined) {
    throw notFound();
  }
  return certificate.wire;
}
