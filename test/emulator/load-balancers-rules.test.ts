import { describe, expect, test } from 'vitest';
import { customBody } from './certificate-files.ts';
import { activeBalancer, balancerBody, emptyPlatform, HTTP_RULE, type Json, type Platform } from './platform.ts';

async function look(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/load_balancers/${id}`)).body.load_balancer;
}

describe('a forwarding rule', () => {
  const rule = (entry: string, entry_port: number, target: string, more: Record<string, unknown> = {}) => ({
    entry_protocol: entry,
    entry_port,
    target_protocol: target,
    target_port: 8080,
    ...more,
  });

  test.each([
    ['http to http', [rule('http', 80, 'http')]],
    ['https with a certificate', [rule('https', 443, 'http', { certificate_id: 'mine' })]],
    [
      'http3 beside https on one port',
      [rule('https', 443, 'http', { certificate_id: 'mine' }), rule('http3', 443, 'http', { certificate_id: 'mine' })],
    ],
    ['https passed through', [rule('https', 443, 'https', { tls_passthrough: true })]],
    ['tcp and udp on one port', [rule('tcp', 53, 'tcp'), rule('udp', 53, 'udp')]],
  ])('is taken for %s', async (_what, rules) => {
    await using platform = await emptyPlatform();
    const { certificate } = (await platform.post('/v2/certificates', customBody())).body;
    const forwarding_rules = rules.map((each: Json) =>
      each.certificate_id === 'mine' ? { ...each, certificate_id: certificate.id } : each,
    );
    expect((await activeBalancer(platform, { forwarding_rules })).forwarding_rules).toMatchObject(forwarding_rules);
  });

  test.each([
    ['an unknown entry protocol', [rule('ftp', 21, 'tcp')]],
    ['an unknown target protocol', [rule('https', 443, 'http3', { tls_passthrough: true })]],
    ['no target port', [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http' }]],
    ['a port beyond the last', [rule('http', 65536, 'http')]],
    ['a port that is a text', [{ ...rule('http', 80, 'http'), entry_port: '80' }]],
    ['two rules on one port', [rule('http', 80, 'http'), rule('tcp', 80, 'tcp')]],
    ['https without a certificate', [rule('https', 443, 'http')]],
    ['http2 without a certificate', [rule('http2', 443, 'http')]],
    ['http3 without a certificate', [rule('http3', 443, 'http')]],
    ['a certificate that is not there', [rule('https', 443, 'http', { certificate_id: '892071a0-bb95-49bc-8021-3afd67a210bf' })]],
    ['a certificate on http', [rule('http', 80, 'http', { certificate_id: '892071a0-bb95-49bc-8021-3afd67a210bf' })]],
    ['https passed through to http', [rule('https', 443, 'http', { tls_passthrough: true })]],
    ['udp to tcp', [rule('udp', 53, 'tcp')]],
    ['http to udp', [rule('http', 80, 'udp')]],
    ['tcp to http', [rule('tcp', 80, 'http')]],
    ['an unknown field', [rule('http', 80, 'http', { colour: 'red' })]],
  ])('is refused for %s', async (_what, forwarding_rules) => {
    await using platform = await emptyPlatform();
    expect((await platform.post('/v2/load_balancers', balancerBody({ forwarding_rules }))).status).toBe(422);
  });

  test('is tcp or udp on a network load balancer', async () => {
    await using platform = await emptyPlatform();
    expect((await platform.post('/v2/load_balancers', balancerBody({ type: 'REGIONAL_NETWORK' }))).status).toBe(422);
    const made = await activeBalancer(platform, { type: 'REGIONAL_NETWORK', forwarding_rules: [rule('udp', 53, 'udp')] });
    expect(made.type).toBe('REGIONAL_NETWORK');
  });

  test('is added and removed, but never the last one', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeBalancer(platform);
    const path = `/v2/load_balancers/${id}/forwarding_rules`;
    const tcp = rule('tcp', 5432, 'tcp');
    expect((await platform.post(path, { forwarding_rules: [tcp] })).status).toBe(204);
    expect((await platform.post(path, { forwarding_rules: [tcp] })).status).toBe(422);
    expect((await platform.post(path, { forwarding_rules: [] })).status).toBe(422);
    expect((await look(platform, id)).forwarding_rules).toHaveLength(2);
    expect((await platform.del(path, { forwarding_rules: [rule('tcp', 1, 'tcp')] })).status).toBe(204);
    expect((await platform.del(path, { forwarding_rules: [HTTP_RULE] })).status).toBe(204);
    expect((await look(platform, id)).forwarding_rules).toMatchObject([tcp]);
    expect((await platform.del(path, { forwarding_rules: [tcp] })).status).toBe(422);
    expect((await look(platform, id)).forwarding_rules).toMatchObject([tcp]);
  });

  test('is added beside one whose certificate could not be issued, which itself is refused', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    await platform.post('/_emulator/faults', { action: 'errored', type: 'lets_encrypt' });
    const order = { name: 'issued', type: 'lets_encrypt', dns_names: ['harbour.example'] };
    const certificate_id = (await platform.post('/v2/certificates', order)).body.certificate.id;
    const { id } = await activeBalancer(platform, { forwarding_rules: [rule('https', 443, 'http', { certificate_id })] });
    expect((await platform.get(`/v2/certificates/${certificate_id}`)).body.certificate.state).toBe('error');
    const path = `/v2/load_balancers/${id}/forwarding_rules`;
    expect((await platform.post(path, { forwarding_rules: [HTTP_RULE] })).status).toBe(204);
    expect((await platform.post(path, { forwarding_rules: [rule('https', 8443, 'http', { certificate_id })] })).status).toBe(422);
    expect((await look(platform, id)).forwarding_rules).toHaveLength(2);
  });

  test('keeps its certificate from being deleted, until no rule shows it', async () => {
    await using platform = await emptyPlatform();
    const { certificate } = (await platform.post('/v2/certificates', customBody())).body;
    const https = rule('https', 443, 'http', { certificate_id: certificate.id });
    const { id } = await activeBalancer(platform, { forwarding_rules: [HTTP_RULE, https] });
    const held = await platform.del(`/v2/certificates/${certificate.id}`);
    expect([held.status, held.body.id]).toEqual([403, 'forbidden']);
    await platform.del(`/v2/load_balancers/${id}/forwarding_rules`, { forwarding_rules: [https] });
    await platform.post(`/v2/load_balancers/${id}/forwarding_rules`, { forwarding_rules: [https] });
    expect((await platform.del(`/v2/certificates/${certificate.id}`)).status).toBe(403);
    await platform.del(`/v2/load_balancers/${id}`);
    expect((await platform.del(`/v2/certificates/${certificate.id}`)).status).toBe(204);
  });
});
