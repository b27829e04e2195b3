import type { RoutedCase } from './case.ts';

const id = '892071a0-bb95-49bc-8021-3afd67a210bf';
const records = '/v2/domains/example.com/records';
const made = (body: object) => ({ method: 'POST', path: records, body }) as const;
const edited = (body: object) => ({ method: 'PUT', path: `${records}/3352896`, body }) as const;
const record = (Type: string, Name: string, Data: string) => ({ Domain: 'example.com', Type, Name, Data });

const body = 'MIIBqTCCAVOgAwIBAgIUcm5kMTIzNDU2Nzg5MGFiY2RlZjAxMjMwDQYJKoZIhvcN';
/** Texts in the form of PEM; what is inside is for the platform to judge. */
export const pem = {
  key: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`,
  ecKey: `-----BEGIN EC PRIVATE KEY-----\n${body}\n-----END EC PRIVATE KEY-----`,
  leaf: `-----BEGIN CERTIFICATE-----\n${body}\n${body}\n-----END CERTIFICATE-----\n`,
  chain: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\r\n${body}\r\n-----END CERTIFICATE-----\r\n`,
};

export const dnsCases: readonly RoutedCase[] = [
  [
    'domain-create',
    { Name: 'example.com', IPAddress: '203.0.113.10' },
    { method: 'POST', path: '/v2/domains', body: { name: 'example.com', ip_address: '203.0.113.10' } },
  ],
  ['domain-delete', { Name: 'example.com' }, { method: 'DELETE', path: '/v2/domains/example.com' }],
  ['domain-get', { Name: 'example.com' }, { method: 'GET', path: '/v2/domains/example.com' }],
  ['domain-list', {}, { method: 'GET', path: '/v2/domains?page=1&per_page=20' }],
  ['domain-record-create', record('a', 'www', '203.0.113.10'), made({ type: 'A', name: 'www', data: '203.0.113.10' })],
  ['domain-record-create', record('AAAA', '@', '2001:db8::1'), made({ type: 'AAAA', name: '@', data: '2001:db8::1' })],
  [
    'domain-record-create',
    record('MX', '@', '10 mail.example.com.'),
    made({ type: 'MX', name: '@', data: 'mail.example.com.', priority: 10 }),
  ],
  ['domain-record-create', record('MX', '@', 'mail.example.com.'), made({ type: 'MX', name: '@', data: 'mail.example.com.' })],
  [
    'domain-record-create',
    record('SRV', '_sip._tcp', '10 5 5060 sip.example.com.'),
    made({ type: 'SRV', name: '_sip._tcp', data: 'sip.example.com.', priority: 10, weight: 5, port: 5060 }),
  ],
  [
    'domain-record-create',
    record('CAA', '@', '0 issue "ca.example.net."'),
    made({ type: 'CAA', name: '@', data: 'ca.example.net.', flags: 0, tag: 'issue' }),
  ],
  ...['"ca.example.net.; policy=ev; account=230123"', 'ca.example.net.; policy=ev; account=230123'].map(
    (value): RoutedCase => [
      'domain-record-create',
      record('CAA', '@', `0 issue ${value}`),
      made({ type: 'CAA', name: '@', data: 'ca.example.net.; policy=ev; account=230123', flags: 0, tag: 'issue' }),
    ],
  ),
  ['domain-record-create', record('TXT', '@', '10 mail.example.com.'), made({ type: 'TXT', name: '@', data: '10 mail.example.com.' })],
  ['domain-record-delete', { Domain: 'example.com', RecordID: 3352896 }, { method: 'DELETE', path: `${records}/3352896` }],
  [
    'domain-record-edit',
    { ...record('CNAME', 'blog', 'www.example.com.'), RecordID: 3352896 },
    edited({ type: 'CNAME', name: 'blog', data: 'www.example.com.' }),
  ],
  [
    'domain-record-edit',
    { ...record('mx', '@', '20 mail.example.com.'), RecordID: '3352896' },
    edited({ type: 'MX', name: '@', data: 'mail.example.com.', priority: 20 }),
  ],
  ['domain-record-get', { Domain: 'example.com', RecordID: 3352896 }, { method: 'GET', path: `${records}/3352896` }],
  ['domain-record-list', { Domain: 'example.com', PerPage: 500 }, { method: 'GET', path: `${records}?page=1&per_page=200` }],
  [
    'custom-certificate-create',
    { Name: 'web', PrivateKey: pem.key, LeafCertificate: pem.leaf, CertificateChain: pem.chain },
    {
      method: 'POST',
      path: '/v2/certificates',
      body: { type: 'custom', name: 'web', private_key: pem.key, leaf_certificate: pem.leaf, certificate_chain: pem.chain },
    },
  ],
  [
    'custom-certificate-create',
    { Name: 'web', PrivateKey: pem.ecKey, LeafCertificate: pem.leaf, CertificateChain: '' },
    {
      method: 'POST',
      path: '/v2/certificates',
      body: { type: 'custom', name: 'web', private_key: pem.ecKey, leaf_certificate: pem.leaf },
    },
  ],
  [
    'acme-certificate-create',
    { Name: 'web', DnsNames: ['example.com', '*.example.com'] },
    { method: 'POST', path: '/v2/certificates', body: { type: 'lets_encrypt', name: 'web', dns_names: ['example.com', '*.example.com'] } },
  ],
  ['certificate-delete', { ID: id }, { method: 'DELETE', path: `/v2/certificates/${id}` }],
  ['certificate-get', { ID: id }, { method: 'GET', path: `/v2/certificates/${id}` }],
  ['certificate-list', {}, { method: 'GET', path: '/v2/certificates?page=1&per_page=20' }],
];
