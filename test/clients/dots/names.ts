import { expect, it } from 'vitest';
import { customBody, leafFacts } from '../../emulator/certificate-files.ts';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

export function nameStories(enter: Enter): void {
  it('keeps a domain with records of every type', async () => {
    const { v2 } = await enter();
    const made = await v2.domains.post({ name: 'story.example', ipAddress: '192.0.2.7' });
    expect(made.domain).toMatchObject({ name: 'story.example', ttl: 1800 });
    expect(await refusal(v2.domains.post({ name: 'story.example' }))).toMatchObject({ status: 422, id: 'unprocessable_entity' });
    const zone = v2.domains.byDomain_name('story.example');
    const orders = [
      { type: 'A', name: 'www', data: '192.0.2.8', ttl: 300 },
      { type: 'AAAA', name: 'www', data: '2001:db8::8' },
      { type: 'CNAME', name: 'shop', data: '@' },
      { type: 'MX', name: '@', data: 'mail.story.example.', priority: 10 },
      { type: 'SRV', name: '_sip._tcp', data: 'sip.story.example.', priority: 5, port: 5060, weight: 20 },
      { type: 'TXT', name: '@', data: 'v=spf1 -all' },
      { type: 'CAA', name: '@', data: 'letsencrypt.org.', flags: 0, tag: 'issue' },
      { type: 'NS', name: 'sub', data: 'ns1.elsewhere.example.' },
    ];
    for (const order of orders) {
      const { domainRecord } = await zone.records.post(order);
      expect(domainRecord).toMatchObject({ id: expect.any(Number), type: order.type, name: order.name });
    }
    expect((await zone.records.get({ queryParameters: { perPage: 200 } })).meta.total).toBe(5 + orders.length);
    const [mail] = (await zone.records.get({ queryParameters: { type: 'MX' } })).domainRecords;
    expect(mail).toMatchObject({ data: 'mail', priority: 10 });
    const record = zone.records.byDomain_record_id(mail.id);
    expect((await record.put({ type: 'MX', data: 'mx.story.example.', priority: 20 })).domainRecord).toMatchObject({
      data: 'mx',
      priority: 20,
    });
    expect((await record.get()).domainRecord).toMatchObject({ id: mail.id, name: '@', priority: 20 });
    expect((await zone.get()).domain.zoneFile).toContain('IN MX 20 mx.story.example.');
    await record.delete();
    expect(await refusal(record.get())).toMatchObject({ status: 404, id: 'not_found' });
    expect((await v2.domains.get()).domains.map(({ name }: Json) => name)).toContain('story.example');
    await zone.delete();
    expect(await refusal(zone.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('brings a certificate along, and orders another', async () => {
    const { v2, later } = await enter();
    const { private_key, leaf_certificate, certificate_chain } = customBody();
    const keys = { privateKey: private_key, leafCertificate: leaf_certificate, certificateChain: certificate_chain };
    const own = (await v2.certificates.post({ name: 'own', type: 'custom', ...keys })).certificate;
    expect(own).toMatchObject({ name: 'own', type: 'custom', state: 'verified', dnsNames: leafFacts.dns_names });
    expect(own).toMatchObject({ notAfter: new Date(leafFacts.not_after), sha1Fingerprint: leafFacts.sha1_fingerprint });
    await v2.domains.post({ name: 'story.example' });
    const ordered = (await v2.certificates.post({ name: 'free', type: 'lets_encrypt', dnsNames: ['www.story.example'] })).certificate;
    expect(ordered).toMatchObject({ state: 'pending', type: 'lets_encrypt' });
    await later('2m');
    const issued = (await v2.certificates.byCertificate_id(ordered.id).get()).certificate;
    expect(issued).toMatchObject({ state: 'verified', dnsNames: ['www.story.example'], notAfter: expect.any(Date) });
    expect((await v2.certificates.get({ queryParameters: { name: 'own' } })).certificates).toEqual([own]);
    await v2.certificates.byCertificate_id(own.id).delete();
    expect(await refusal(v2.certificates.byCertificate_id(own.id).get())).toMatchObject({ status: 404, id: 'not_found' });
  });
}
