import { randomUUID } from 'node:crypto';
import { dnsMessages } from '../../assumptions.ts';
import { timestamp } from '../../calendar.ts';
import { forbidden, unprocessable } from '../../errors.ts';
import { choice, type JsonObject, onlyFields, optionalText, requiredText, texts } from '../../fields.ts';
import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import { type Family, route } from '../family.ts';
import { type Certificate, certificates, knownCertificate } from './certificates.ts';
import { readCustom } from './custom.ts';
import { issue, orderIssue, parseDnsNames } from './lets-encrypt.ts';
import { certificateInUse, certificateUseTables } from './uses.ts';

/** Certificates, brought along or issued. Source: operations certificates_*. */
export const certificateFamily: Family = {
  tables: [...certificates.tables, ...certificateUseTables],
  routes: [
    route('GET /v2/certificates', {}, (request, account) => {
      const name = request.query.get('name') ?? '';
      const source = name === '' ? certificates.source(account) : certificates.sourceWhere(account, 'name', name);
      return listReply(request, 'certificates', source);
    }),
    route('POST /v2/certificates', { status: 201 }, ({ body }, account) => ({ certificate: createCertificate(account, body) })),
    route('GET /v2/certificates/{certificate}', {}, ({ params }, account) => ({
      certificate: knownCertificate(account, params.certificate),
    })),
    route('DELETE /v2/certificates/{certificate}', { status: 204 }, ({ params }, account) => {
      const { id } = knownCertificate(account, params.certificate);
      if (certificateInUse(account, id)) {
        // Source: the message that the platform's Terraform provider waits for.
        throw forbidden('Make sure the certificate is not in use before deleting it');
      }
      certificates.remove(account, id);
      return undefined;
    }),
  ],
  due: { 'certificate.issue': issue },
};

const TYPES = ['custom', 'lets_encrypt'] as const;
const FIELDS = ['name', 'type', 'dns_names', 'private_key', 'leaf_certificate', 'certificate_chain'] as const;

/** Stores a certificate that the account brings along, or has one issued. Neither the key nor the chain is kept: nothing shows them. */
export function createCertificate(account: Account, body: JsonObject): Certificate {
  onlyFields(body, FIELDS);
  const name = requiredText(body, 'name');
  const type = choice(body, 'type', TYPES, body.dns_names === undefined ? 'custom' : 'lets_encrypt');
  const facts = type === 'custom' ? customFacts(body) : issuedFacts(account, body);
  if (certificates.where(account, 'name', name).length > 0) {
    throw unprocessable(dnsMessages.certificateExists);
  }
  const created_at = timestamp(account.nowMs);
  const { not_after, sha1_fingerprint, dns_names, state } = facts;
  const end = not_after === undefined ? {} : { not_after };
  const certificate: Certificate = { id: randomUUID(), name, ...end, sha1_fingerprint, created_at, dns_names, state, type };
  certificates.insert(account, certificate, null);
  if (type === 'lets_encrypt') {
    orderIssue(account, certificate.id);
  }
  return certificate;
}

type Facts = Pick<Certificate, 'not_after' | 'sha1_fingerprint' | 'dns_names' | 'state'>;

function customFacts(body: JsonObject): Facts {
  if (texts(body, 'dns_names').length > 0) {
    throw unprocessable(dnsMessages.dnsNamesOfCustom);
  }
  const leaf = requiredText(body, 'leaf_certificate');
  const key = requiredText(body, 'private_key');
  return { ...readCustom(leaf, key, optionalText(body, 'certificate_chain') ?? ''), state: 'verified' };
}

function issuedFacts(account: Account, body: JsonObject): Facts {
  return { sha1_fingerprint: '', dns_names: parseDnsNames(account, texts(body, 'dns_names')), state: 'pending' };
}
