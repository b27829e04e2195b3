import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customBody } from '../emulator/certificate-files.ts';
import { frozenPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { openapiPresent, validateReply, validateRequest } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

const SERVED = /^[A-Z]+ \/v2\/(domains|certificates)(\/|$)/;
const ZONE = '/v2/domains/contract.example';
const UNKNOWN = '997615ce-132d-4bae-9270-9ee21b395e5d';

describe.skipIf(!openapiPresent)('replies about domains and certificates by the platform document', () => {
  let platform: Platform;
  let api: Driver;

  beforeAll(async () => {
    platform = await frozenPlatform();
    api = driver(platform);
    await api.drive('POST', '/v2/domains', { name: 'contract.example', ip_address: '192.0.2.1' });
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('domains', async () => {
    await api.drive('POST', '/v2/domains', { name: 'short-lived.example' });
    await api.drive('GET', '/v2/domains');
    await api.drive('GET', '/v2/domains?per_page=1&page=2');
    await api.drive('GET', ZONE);
    await api.drive('DELETE', '/v2/domains/short-lived.example');
    await api.refuse('GET', '/v2/domains?page=0', 422);
    await api.refuse('POST', '/v2/domains', 422, { name: 'contract.example' });
    await api.refuse('GET', '/v2/domains/short-lived.example', 404);
    await api.refuse('DELETE', '/v2/domains/short-lived.example', 404);
  });

  test('records of every type', async () => {
    const bodies: readonly Json[] = [
      { type: 'A', name: 'www', data: '162.10.66.0', priority: null, port: null, ttl: 1800, weight: null, flags: null, tag: null },
      { type: 'AAAA', name: 'www', data: '2001:db8::1' },
      { type: 'CAA', name: '@', data: 'letsencrypt.org.', flags: 0, tag: 'issue' },
      { type: 'CNAME', name: 'blog', data: '@' },
      { type: 'MX', name: '@', data: 'mail.contract.example.', priority: 10 },
      { type: 'NS', name: 'sub', data: 'ns1.example.net.', flags: null, tag: null },
      { type: 'SRV', name: '_sip._tcp', data: 'sip.example.net.', priority: 1, port: 5060, weight: 5, flags: null, tag: null },
      { type: 'TXT', name: '@', data: 'v=spf1 -all', flags: null, tag: null },
    ];
    for (const body of bodies) {
      const { body: made } = await api.drive('POST', `${ZONE}/records`, body);
      const path = `${ZONE}/records/${made.domain_record.id}`;
      expect((await api.drive('PUT', path, { type: body.type, ttl: 300 })).body.domain_record.ttl).toBe(300);
      expect((await api.drive('GET', path)).body.domain_record).toEqual({ ...made.domain_record, ttl: 300 });
    }
    await api.drive('GET', `${ZONE}/records?per_page=200`);
    await api.drive('GET', `${ZONE}/records?name=www.contract.example&type=A`);
    await api.drive('GET', ZONE);
  });

  test('records that are changed, deleted and refused', async () => {
    const { body } = await api.drive('GET', `${ZONE}/records?type=SOA`);
    const soa = `${ZONE}/records/${body.domain_records[0].id}`;
    await api.drive('PUT', soa, { type: 'SOA', ttl: 3600 });
    const { body: made } = await api.drive('POST', `${ZONE}/records`, { type: 'A', name: 'brief', data: '192.0.2.4' });
    const brief = `${ZONE}/records/${made.domain_record.id}`;
    await api.drive('DELETE', brief);
    await api.refuse('GET', brief, 404);
    await api.refuse('DELETE', soa, 422);
    await api.refuse('PUT', soa, 422, { type: 'SOA', data: 'x' });
    await api.refuse('POST', `${ZONE}/records`, 422, { type: 'CNAME', name: 'x', data: 'x.example.net' });
    await api.refuse('GET', `${ZONE}/records?per_page=none`, 422);
    await api.refuse('GET', '/v2/domains/none.example/records', 404);
  });

  test('certificates', async () => {
    const own = await api.drive('POST', '/v2/certificates', customBody());
    const path = `/v2/certificates/${own.body.certificate.id}`;
    await api.drive('GET', path);
    await api.drive('GET', '/v2/certificates?name=own');

    const order = { name: 'issued', type: 'lets_encrypt', dns_names: ['www.contract.example', '*.contract.example'] };
    expect(validateRequest('POST', '/v2/certificates', order)).toEqual([]);
    const issued = await platform.post('/v2/certificates', order);
    // A pending certificate has no end yet: the document's schema knows no null there.
    expect(validateReply('POST', '/v2/certificates', issued.status, issued.body)).toEqual([
      'POST /v2/certificates: certificate.not_after is missing',
    ]);
    await platform.post('/_emulator/clock', { advance: '60s' });
    await api.drive('GET', `/v2/certificates/${issued.body.certificate.id}`);
    await api.drive('GET', '/v2/certificates?per_page=200');
    await api.drive('DELETE', path);

    await api.refuse('GET', '/v2/certificates?page=0', 422);
    await api.refuse('POST', '/v2/certificates', 422, customBody({ private_key: 'none' }));
    await api.refuse('GET', path, 404);
    await api.refuse('DELETE', `/v2/certificates/${UNKNOWN}`, 404);
  });

  test('every operation has succeeded and was refused', () => {
    expect(api.missed(SERVED)).toEqual([]);
  });
});
