import { describe, expect, test } from 'vitest';
import { customBody } from './certificate-files.ts';
import { activeBalancer, activeDroplet, emptyPlatform, frozenPlatform, HTTP_RULE, type Json, type Platform } from './platform.ts';

const GLOBAL = {
  name: 'world',
  type: 'GLOBAL',
  region: undefined,
  droplet_ids: undefined,
  forwarding_rules: undefined,
  glb_settings: { target_protocol: 'http', target_port: 8080 },
};

async function look(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/load_balancers/${id}`)).body.load_balancer;
}

async function addressRecords(platform: Platform): Promise<Json> {
  const { domain_records } = (await platform.get('/v2/domains/harbour.example/records?type=A')).body;
  return domain_records.map((record: Json) => [record.name, record.data]);
}

describe('a global load balancer', () => {
  test('is in no region and no VPC, and listens where the web does', async () => {
    await using platform = await emptyPlatform();
    const target = await activeBalancer(platform);
    const made = await activeBalancer(platform, {
      ...GLOBAL,
      target_load_balancer_ids: [target.id],
      glb_settings: { ...GLOBAL.glb_settings, cdn: { is_enabled: true }, region_priorities: { nyc3: 1, fra1: 2 }, failover_threshold: 50 },
    });
    expect(made).toMatchObject({
      type: 'GLOBAL',
      status: 'active',
      target_load_balancer_ids: [target.id],
      domains: [],
      droplet_ids: [],
      glb_settings: { target_port: 8080, cdn: { is_enabled: true }, region_priorities: { nyc3: 1, fra1: 2 }, failover_threshold: 50 },
      forwarding_rules: [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 8080 }],
    });
    expect(made).not.toHaveProperty('region');
    expect(made).not.toHaveProperty('vpc_uuid');
    expect(made.ip).not.toBe(target.ip);
  });

  test('takes droplets of any region', async () => {
    await using platform = await emptyPlatform();
    const near = await activeDroplet(platform, { tags: ['web'] });
    const far = await activeDroplet(platform, { region: 'fra1', tags: ['web'] });
    expect((await activeBalancer(platform, { ...GLOBAL, droplet_ids: [far.id, near.id] })).droplet_ids).toEqual([far.id, near.id]);
    expect((await activeBalancer(platform, { ...GLOBAL, name: 'tagged', tag: 'web' })).droplet_ids).toEqual([near.id, far.id]);
  });

  test('has a cache to be purged only where its CDN is on', async () => {
    await using platform = await emptyPlatform();
    const regional = await activeBalancer(platform);
    const plain = await activeBalancer(platform, GLOBAL);
    const cached = await activeBalancer(platform, {
      ...GLOBAL,
      name: 'cached',
      glb_settings: { ...GLOBAL.glb_settings, cdn: { is_enabled: true } },
    });
    const purge = async (id: string): Promise<number> => (await platform.del(`/v2/load_balancers/${id}/cache`)).status;
    expect([await purge(regional.id), await purge(plain.id), await purge(cached.id)]).toEqual([422, 422, 204]);
    await platform.put(`/v2/load_balancers/${cached.id}`, { ...cached, glb_settings: GLOBAL.glb_settings });
    expect(await purge(cached.id)).toBe(422);
  });

  test('loses a target that is deleted', async () => {
    await using platform = await emptyPlatform();
    const [one, two] = [await activeBalancer(platform), await activeBalancer(platform, { name: 'two' })];
    const { id } = await activeBalancer(platform, { ...GLOBAL, target_load_balancer_ids: [one.id, two.id, one.id] });
    await platform.del(`/v2/load_balancers/${one.id}`);
    expect((await look(platform, id)).target_load_balancer_ids).toEqual([two.id]);
  });

  test('keeps the certificates of all its domains from being deleted', async () => {
    await using platform = await emptyPlatform();
    const certificates: string[] = [];
    for (const name of ['one', 'two']) {
      certificates.push((await platform.post('/v2/certificates', customBody({ name }))).body.certificate.id);
    }
    const domains = certificates.map((certificate_id, index) => ({ name: `${index}.harbour.example`, certificate_id }));
    const made = await activeBalancer(platform, { ...GLOBAL, domains });
    for (const id of certificates) {
      const held = await platform.del(`/v2/certificates/${id}`);
      expect([held.status, held.body.id]).toEqual([403, 'forbidden']);
    }
    await platform.put(`/v2/load_balancers/${made.id}`, { ...made, domains: [domains[0]] });
    const statuses = certificates.map(async (id) => (await platform.del(`/v2/certificates/${id}`)).status);
    expect(await Promise.all(statuses)).toEqual([403, 204]);
  });

  test('changes its forwarding with its settings, and has no rules of its own', async () => {
    await using platform = await emptyPlatform();
    const made = await activeBalancer(platform, GLOBAL);
    const changed = await platform.put(`/v2/load_balancers/${made.id}`, {
      ...made,
      glb_settings: { target_protocol: 'https', target_port: 8443 },
    });
    expect(changed.body.load_balancer.forwarding_rules).toMatchObject([{ entry_port: 80, target_protocol: 'https', target_port: 8443 }]);
    await platform.post('/_emulator/clock', { advance: '3s' });
    expect((await platform.post(`/v2/load_balancers/${made.id}/forwarding_rules`, { forwarding_rules: [HTTP_RULE] })).status).toBe(422);
  });

  test.each([
    ['no settings', { glb_settings: undefined }],
    ['a region', { region: 'nyc3' }],
    ['a VPC', { vpc_uuid: '4de7ac8b-495b-4884-9a69-1050c6793cd6' }],
    ['an internal network', { network: 'INTERNAL' }],
    ['settings without a port', { glb_settings: { target_protocol: 'http' } }],
    ['settings with tcp', { glb_settings: { target_protocol: 'tcp', target_port: 80 } }],
    ['a priority of an unknown region', { glb_settings: { ...GLOBAL.glb_settings, region_priorities: { moon1: 1 } } }],
    ['a priority that is a text', { glb_settings: { ...GLOBAL.glb_settings, region_priorities: { nyc3: 'first' } } }],
    ['a threshold of 0', { glb_settings: { ...GLOBAL.glb_settings, failover_threshold: 0 } }],
    ['a threshold of 100', { glb_settings: { ...GLOBAL.glb_settings, failover_threshold: 100 } }],
    ['an unknown setting', { glb_settings: { ...GLOBAL.glb_settings, colour: 'red' } }],
    ['a target that is not there', { target_load_balancer_ids: ['4de7ac8b-495b-4884-9a69-1050c6793cd6'] }],
    ['a domain that is none', { domains: [{ name: 'none' }] }],
    ['a managed domain of somebody else', { domains: [{ name: 'www.elsewhere.example', is_managed: true }] }],
    ['a certificate that is not there', { domains: [{ name: 'a.example', certificate_id: '4de7ac8b-495b-4884-9a69-1050c6793cd6' }] }],
  ])('is refused for %s', async (_what, changes) => {
    await using platform = await emptyPlatform();
    expect((await platform.post('/v2/load_balancers', { ...GLOBAL, ...changes })).status).toBe(422);
  });

  test('is no target of another one', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeBalancer(platform, GLOBAL);
    const other = await platform.post('/v2/load_balancers', { ...GLOBAL, name: 'other', target_load_balancer_ids: [id] });
    expect(other.status).toBe(422);
  });
});

describe('the names of a load balancer', () => {
  test('are pointed at it when it is active, and no longer when it is deleted', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    const { id, ip } = await activeBalancer(platform, {
      ...GLOBAL,
      domains: [
        { name: 'harbour.example', is_managed: true },
        { name: 'own.elsewhere.example', is_managed: false },
      ],
    });
    expect(await addressRecords(platform)).toEqual([['@', ip]]);
    await platform.del(`/v2/load_balancers/${id}`);
    expect(await addressRecords(platform)).toEqual([]);
  });

  test('of an issued certificate are pointed at it where nothing else stands', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example', ip_address: '192.0.2.1' });
    const dns_names = ['harbour.example', 'www.harbour.example', '*.harbour.example'];
    const { certificate } = (await platform.post('/v2/certificates', { name: 'issued', type: 'lets_encrypt', dns_names })).body;
    const https = { entry_protocol: 'https', entry_port: 443, target_protocol: 'http', target_port: 80, certificate_id: certificate.id };
    const off = { forwarding_rules: [https], disable_lets_encrypt_dns_records: true };
    const silent = await activeBalancer(platform, { name: 'silent', ...off });
    expect(await addressRecords(platform)).toEqual([['@', '192.0.2.1']]);
    const { ip } = await activeBalancer(platform, { forwarding_rules: [https] });
    expect(await addressRecords(platform)).toEqual([
      ['@', '192.0.2.1'],
      ['www', ip],
    ]);
    await platform.del(`/v2/load_balancers/${silent.id}`);
    expect(await addressRecords(platform)).toHaveLength(2);
  });

  test('of an issued certificate that comes with an added rule are pointed at it too', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    const order = { name: 'issued', type: 'lets_encrypt', dns_names: ['www.harbour.example'] };
    const certificate_id = (await platform.post('/v2/certificates', order)).body.certificate.id;
    const https = { entry_protocol: 'https', entry_port: 443, target_protocol: 'http', target_port: 80, certificate_id };
    const { id, ip } = await activeBalancer(platform);
    expect((await platform.post(`/v2/load_balancers/${id}/forwarding_rules`, { forwarding_rules: [https] })).status).toBe(204);
    expect(await addressRecords(platform)).toEqual([['www', ip]]);
    await platform.del(`/v2/load_balancers/${id}`);
    expect(await addressRecords(platform)).toEqual([]);
  });

  test('follow an update once it is over, and a record that was changed since stays', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    const made = await activeBalancer(platform, GLOBAL);
    const domains = [{ name: 'www.harbour.example', is_managed: true }];
    expect((await platform.put(`/v2/load_balancers/${made.id}`, { ...made, domains })).status).toBe(200);
    expect(await addressRecords(platform)).toEqual([]);
    await platform.post('/_emulator/clock', { advance: '3s' });
    expect(await addressRecords(platform)).toEqual([['www', made.ip]]);
    const [record] = (await platform.get('/v2/domains/harbour.example/records?type=A')).body.domain_records;
    await platform.put(`/v2/domains/harbour.example/records/${record.id}`, { type: 'A', data: '192.0.2.9' });
    await platform.del(`/v2/load_balancers/${made.id}`);
    expect(await addressRecords(platform)).toEqual([['www', '192.0.2.9']]);
  });
});

describe('a managed domain whose zone is deleted', () => {
  test('stays with the load balancer, managed no more, and the load balancer can be changed as before', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    await platform.post('/v2/domains', { name: 'pier.example' });
    const domains = ['www.harbour.example', 'harbour.example', 'pier.example'].map((name) => ({ name, is_managed: true }));
    const { id } = await activeBalancer(platform, { ...GLOBAL, domains });
    expect((await platform.del('/v2/domains/harbour.example')).status).toBe(204);
    const left = await look(platform, id);
    expect(left.domains).toMatchObject([
      { name: 'www.harbour.example', is_managed: false },
      { name: 'harbour.example', is_managed: false },
      { name: 'pier.example', is_managed: true },
    ]);
    const changed = await platform.put(`/v2/load_balancers/${id}`, left);
    expect([changed.status, changed.body.load_balancer.domains]).toEqual([200, left.domains]);
  });

  test('is managed as long as it lies in another one', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/domains', { name: 'harbour.example' });
    const domains = [{ name: 'www.quay.harbour.example', is_managed: true }];
    const { id } = await activeBalancer(platform, { ...GLOBAL, domains });
    await platform.post('/v2/domains', { name: 'quay.harbour.example' });
    await platform.del('/v2/domains/harbour.example');
    expect((await look(platform, id)).domains).toMatchObject(domains);
    await platform.del('/v2/domains/quay.harbour.example');
    expect((await look(platform, id)).domains).toMatchObject([{ name: 'www.quay.harbour.example', is_managed: false }]);
  });
});

test('the believable account has a site whose parts belong together', async () => {
  await using platform = await frozenPlatform();
  const named = async (path: string, key: string, name: string): Promise<Json> =>
    (await platform.get(`${path}?per_page=200`)).body[key].find((each: Json) => each.name === name);
  const balancer = await named('/v2/load_balancers', 'load_balancers', 'web-lb');
  const certificate = await named('/v2/certificates', 'certificates', 'harbour-crew.example');
  const wall = await named('/v2/firewalls', 'firewalls', 'web');
  const { droplets } = (await platform.get('/v2/droplets?tag_name=web')).body;
  const ids = droplets.map((droplet: Json) => droplet.id).toSorted();
  expect(balancer).toMatchObject({ status: 'active', tag: 'web', droplet_ids: ids });
  expect(balancer.forwarding_rules[1].certificate_id).toBe(certificate.id);
  expect(certificate.state).toBe('verified');
  // Renewed in time: a certificate lives ninety days, and this one is older.
  expect(Date.parse(certificate.not_after) - Date.parse(certificate.created_at)).toBeGreaterThan(120 * 86_400_000);
  expect(wall).toMatchObject({ status: 'succeeded', tags: ['web'] });
  for (const id of ids) {
    expect((await platform.get(`/v2/droplets/${id}/firewalls`)).body.firewalls).toEqual([wall]);
  }
  const { domain_records } = (await platform.get('/v2/domains/harbour-crew.example/records?type=A')).body;
  expect(domain_records.map((record: Json) => record.data)).toEqual([balancer.ip, balancer.ip]);
});
