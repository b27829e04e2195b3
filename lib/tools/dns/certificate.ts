import { z } from 'zod';
import { pemProblems } from '../../catalogue/checks/pem.ts';
import { paging, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { listCertificates, listDomains, showCertificate, unknownCertificate } from './recovery.ts';

const certificateId = () => uuid();

export const certificateTools = [
  tool({
    name: 'custom-certificate-create',
    title: 'Upload a certificate',
    description:
      'Uploads a certificate of your own for load balancers, all as PEM texts. CertificateChain is empty where there are no intermediates. The key is never returned.',
    input: () =>
      z.object({
        Name: z.string(),
        PrivateKey: z.string().describe('PEM'),
        LeafCertificate: z.string(),
        CertificateChain: z.string().describe('PEM certificates from the issuer up to the root'),
      }),
    secrets: ['PrivateKey', 'private_key'],
    check: ({ PrivateKey, LeafCertificate, CertificateChain }) => [
      ...pemProblems('PrivateKey', PrivateKey, 'private key'),
      ...pemProblems('LeafCertificate', LeafCertificate, 'certificate'),
      ...(CertificateChain === '' ? [] : pemProblems('CertificateChain', CertificateChain, 'certificates')),
    ],
    route: 'POST /v2/certificates',
    body: ({ Name, PrivateKey, LeafCertificate, CertificateChain }) => ({
      type: 'custom',
      name: Name,
      private_key: PrivateKey,
      leaf_certificate: LeafCertificate,
      certificate_chain: CertificateChain || undefined,
    }),
    returns: 'certificate',
    verify: () => listCertificates,
  }),
  tool({
    name: 'acme-certificate-create',
    title: 'Issue a certificate',
    description:
      "Has a certificate issued and renewed for names of the account's domains, wildcards allowed. It is pending at first and verified, or in error, within minutes.",
    input: () =>
      z.object({
        Name: z.string(),
        DnsNames: z.array(z.string()).min(1).describe('Such as example.com and *.example.com'),
      }),
    route: 'POST /v2/certificates',
    body: ({ Name, DnsNames }) => ({ type: 'lets_encrypt', name: Name, dns_names: DnsNames }),
    returns: 'certificate',
    verify: () => listCertificates,
    recover: [{ when: /domain|dns/i, next: () => [listDomains] }],
    follow: {
      path: (_, certificate) => path`/v2/certificates/${String(certificate.id)}`,
      returns: 'certificate',
      pending: ['pending'],
      next: (_, certificate) => showCertificate({ ID: String(certificate.id) }),
    },
  }),
  tool({
    name: 'certificate-delete',
    title: 'Delete a certificate',
    description: 'Deletes a certificate. One that a load balancer uses is not deleted.',
    input: () => z.object({ ID: certificateId() }),
    route: 'DELETE /v2/certificates/{ID}',
    verify: showCertificate,
    recover: [...unknownCertificate, { when: /load.?balancer|in use/i, next: () => [{ tool: 'load-balancer-list', arguments: {} }] }],
  }),
  tool({
    name: 'certificate-get',
    title: 'Get a certificate',
    description: 'One certificate: state (pending, verified, error), names, fingerprint and when it ends.',
    input: () => z.object({ ID: certificateId() }),
    route: 'GET /v2/certificates/{ID}',
    returns: 'certificate',
    recover: unknownCertificate,
  }),
  tool({
    name: 'certificate-list',
    title: 'List certificates',
    description: 'All certificates.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/certificates',
    returns: 'certificates',
    summary: ['id', 'name', 'type', 'state', 'dns_names', 'not_after'],
  }),
];
