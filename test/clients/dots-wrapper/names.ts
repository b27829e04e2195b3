import { expect, it } from 'vitest';
import { leafFacts, pem } from '../../emulator/certificate-files.ts';
import type { Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

export function nameStories(enter: Enter): void {
  it('keeps a domain and its records', async () => {
    const { client } = await enter();
    const domain_name = 'story.example';
    const { domain } = (await client.domain.createDomain({ name: domain_name, ip_address: '192.0.2.7' })).data;
    expect(domain).toEqual({ name: domain_name, ttl: 1800, zone_file: null });
    const mail = { domain_name, type: 'MX', name: '@', data: 'mail.story.example.', priority: 10 };
    const { domain_record } = (await client.domain.createDomainRecord(mail)).data;
    expect(domain_record).toMatchObject({ type: 'MX', name: '@', data: 'mail', priority: 10, port: null, ttl: 1800 });
    const domain_record_id = domain_record.id;
    const changed = { ...mail, domain_record_id, priority: 20 };
    expect((await client.domain.updateDomainRecord(changed)).data.domain_record).toMatchObject({ id: domain_record_id, priority: 20 });
    expect((await client.domain.getDomainRecord({ domain_name, domain_record_id })).data.domain_record.priority).toBe(20);
    expect((await client.domain.listDomainRecords({ domain_name, type: 'A' })).data.domain_records).toMatchObject([{ data: '192.0.2.7' }]);
    expect((await client.domain.getDomain({ name: domain_name })).data.domain.zone_file).toContain('IN MX 20 mail.story.example.');
    expect((await client.domain.deleteDomainRecord({ domain_name, domain_record_id })).status).toBe(204);
    expect(await refusal(client.domain.getDomainRecord({ domain_name, domain_record_id }))).toMatchObject({ status: 404 });
    expect((await client.domain.listDomains({})).data.domains.map(({ name }) => name)).toContain(domain_name);
    expect((await client.domain.deleteDomain({ name: domain_name })).status).toBe(204);
    expect(await refusal(client.domain.getDomain({ name: domain_name }))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('brings a certificate along, and orders another', async () => {
    const { client, later } = await enter();
    const own = { name: 'own', type: 'custom', private_key: pem.leafKey, leaf_certificate: pem.leaf, certificate_chain: pem.authority };
    const { certificate } = (await client.certificate.createCertificate(own)).data;
    expect(certificate).toMatchObject({ ...leafFacts, name: 'own', state: 'verified', type: 'custom' });
    await client.domain.createDomain({ name: 'story.example' });
    const order = { name: 'free', type: 'lets_encrypt', dns_names: ['www.story.example'] };
    const { certificate: ordered } = (await client.certificate.createCertificate(order)).data;
    expect(ordered.state).toBe('pending');
    await later('2m');
    const issued = (await client.certificate.getCertificate({ certificate_id: ordered.id })).data.certificate;
    expect(issued).toMatchObject({ state: 'verified', dns_names: ['www.story.example'] });
    expect((await client.certificate.listCertificates({})).data.certificates.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['own', 'free']),
    );
    expect((await client.certificate.deleteCertificate({ certificate_id: certificate.id })).status).toBe(204);
    expect(await refusal(client.certificate.getCertificate({ certificate_id: certificate.id }))).toMatchObject({ status: 404 });
  });
}
