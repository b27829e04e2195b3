import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customBody } from '../emulator/certificate-files.ts';
import { activeBalancer, activeDroplet, frozenPlatform, HTTP_RULE, type Json, type Platform, worldwide } from '../emulator/platform.ts';
import { openapiPresent, validateReply } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

const SERVED = /^[A-Z]+ \/v2\/(firewalls|load_balancers|droplets\/\{droplet_id\}\/firewalls)(\/|$)/;
const UNKNOWN = '997615ce-132d-4bae-9270-9ee21b395e5d';
const WEB = { protocol: 'tcp', ports: '80', sources: { addresses: ['0.0.0.0/0', '::/0'] } };
const OUT = { protocol: 'icmp', ports: '0', destinations: { addresses: ['0.0.0.0/0'] } };

describe.skipIf(!openapiPresent)('replies about firewalls and load balancers by the platform document', () => {
  let platform: Platform;
  let api: Driver;
  let droplet: Json;
  let balancer: Json;

  beforeAll(async () => {
    platform = await frozenPlatform();
    api = driver(platform);
    droplet = await activeDroplet(platform, { name: 'contract', tags: ['contract'] });
    balancer = await activeBalancer(platform, { name: 'contract', droplet_ids: [droplet.id] });
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('firewalls', async () => {
    const sources = { addresses: ['192.0.2.1'], droplet_ids: [droplet.id], load_balancer_uids: [balancer.id], tags: ['contract'] };
    const { body } = await api.drive('POST', '/v2/firewalls', {
      name: 'contract',
      inbound_rules: [WEB, { protocol: 'udp', ports: '8000-9000', sources }],
      outbound_rules: [OUT],
      droplet_ids: [droplet.id],
      tags: null,
    });
    const path = `/v2/firewalls/${body.firewall.id}`;
    await api.drive('GET', path);
    await api.drive('GET', '/v2/firewalls');
    await api.drive('GET', `/v2/droplets/${droplet.id}/firewalls`);
    await api.drive('POST', `${path}/tags`, { tags: ['contract'] });
    await api.drive('DELETE', `${path}/droplets`, { droplet_ids: [droplet.id] });
    await api.drive('POST', `${path}/droplets`, { droplet_ids: [droplet.id] });
    await api.drive('DELETE', `${path}/tags`, { tags: ['contract'] });
    await api.drive('POST', `${path}/rules`, { inbound_rules: [{ ...WEB, ports: '443' }], outbound_rules: null });
    await api.drive('DELETE', `${path}/rules`, { inbound_rules: [WEB] });
    await platform.post('/_emulator/clock', { advance: '5s' });
    await api.drive('GET', path);
    await api.drive('GET', `/v2/droplets/${droplet.id}/firewalls?per_page=1`);
    await api.refuse('POST', '/v2/firewalls', 409, { name: 'contract', inbound_rules: [WEB] });
    await api.refuse('POST', '/v2/firewalls', 422, { name: 'other', inbound_rules: [] });
    await api.refuse('POST', `${path}/droplets`, 422, { droplet_ids: [1] });
    await api.refuse('DELETE', `${path}/droplets`, 422, {});
    await api.refuse('POST', `${path}/tags`, 422, { tags: ['none'] });
    await api.refuse('DELETE', `${path}/tags`, 422, {});
    await api.refuse('POST', `${path}/rules`, 422, { inbound_rules: [{ ...WEB, ports: 'none' }] });
    await api.refuse('DELETE', `${path}/rules`, 422, {});
    await api.drive('DELETE', path);
    await api.refuse('DELETE', path, 404);
    await api.refuse('GET', path, 404);
    await api.refuse('GET', '/v2/firewalls?page=0', 422);
    await api.refuse('GET', '/v2/droplets/1/firewalls', 404);
  });

  test('load balancers', async () => {
    const { certificate } = (await platform.post('/v2/certificates', customBody())).body;
    const https = { entry_protocol: 'https', entry_port: 443, target_protocol: 'http', target_port: 80, certificate_id: certificate.id };
    const { body } = await api.drive('POST', '/v2/load_balancers', {
      name: 'new',
      region: 'nyc3',
      tag: 'contract',
      forwarding_rules: [HTTP_RULE, https],
      network_stack: 'DUALSTACK',
      size_unit: 3,
      http_idle_timeout_seconds: 60,
      firewall: { deny: ['cidr:1.2.0.0/16', 'ip:2.3.4.5'], allow: ['ip:1.2.3.4', 'cidr:2.3.4.0/24'] },
      sticky_sessions: { type: 'cookies', cookie_name: 'DO-LB', cookie_ttl_seconds: 300 },
      health_check: { protocol: 'https', port: 443, path: '/health' },
    });
    const path = `/v2/load_balancers/${body.load_balancer.id}`;
    await api.drive('GET', path);
    await api.refuse('PUT', path, 403, { ...body.load_balancer });
    await platform.post('/_emulator/clock', { advance: '60s' });
    await api.drive('GET', path);
    await api.drive('GET', '/v2/load_balancers');
    const changed = { name: 'changed', region: 'nyc3', droplet_ids: [droplet.id], forwarding_rules: [HTTP_RULE] };
    await api.drive('PUT', path, changed);
    await platform.post('/_emulator/clock', { advance: '3s' });
    await api.drive('DELETE', `${path}/droplets`, { droplet_ids: [droplet.id] });
    await api.drive('POST', `${path}/droplets`, { droplet_ids: [droplet.id] });
    await api.drive('POST', `${path}/forwarding_rules`, { forwarding_rules: [https] });
    await api.drive('DELETE', `${path}/forwarding_rules`, { forwarding_rules: [HTTP_RULE] });
    await api.drive('GET', path);
    await api.refuse('POST', '/v2/load_balancers', 422, changed);
    await api.refuse('PUT', path, 422, { ...changed, size_unit: 0 });
    await api.refuse('POST', `${path}/droplets`, 422, { droplet_ids: [] });
    await api.refuse('DELETE', `${path}/droplets`, 422, { droplet_ids: [] });
    await api.refuse('POST', `${path}/forwarding_rules`, 422, { forwarding_rules: [https] });
    await api.refuse('DELETE', `${path}/forwarding_rules`, 422, { forwarding_rules: [https] });
    await api.refuse('DELETE', `${path}/cache`, 422);
    await api.refuse('DELETE', `/v2/certificates/${certificate.id}`, 403);
    await api.drive('DELETE', path);
    await api.refuse('GET', path, 404);
    await api.refuse('DELETE', path, 404);
    await api.refuse('GET', '/v2/load_balancers?page=0', 422);
    await api.refuse('PUT', `/v2/load_balancers/${UNKNOWN}`, 404, changed);
  });

  test('a global load balancer', async () => {
    const made = await activeBalancer(platform, worldwide(balancer.id));
    // It is in no region and no VPC: the document's schema knows neither an empty one nor null.
    expect(validateReply('GET', `/v2/load_balancers/${made.id}`, 200, { load_balancer: made })).toEqual(
      ['region', 'vpc_uuid'].map((key) => `GET /v2/load_balancers/{lb_id}: load_balancer.${key} is missing`),
    );
    await api.drive('DELETE', `/v2/load_balancers/${made.id}/cache`);
  });

  test('every operation has succeeded and was refused', () => {
    expect(api.missed(SERVED)).toEqual([]);
  });
});
