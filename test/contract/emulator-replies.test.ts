import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activeDroplet, dropletBody, frozenPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { openapiPresent, operations, validateReply, validateRequest } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

/** The parts of the document that the emulator serves. */
const SERVED = /^[A-Z]+ \/v2\/(account|actions|customers|droplets|images|sizes|regions|tags|snapshots|vpcs)(\/|$)/;

describe.skipIf(!openapiPresent)('replies of the emulator by the platform document', () => {
  let platform: Platform;
  let api: Driver;
  let drive: Driver['drive'];
  let droplet: Json;
  let legacy: Json;

  beforeAll(async () => {
    platform = await frozenPlatform();
    api = driver(platform);
    ({ drive } = api);
    legacy = (await platform.get('/v2/droplets?tag_name=legacy')).body.droplets[0];
    droplet = await activeDroplet(platform, { name: 'contract', backups: true, ipv6: true, monitoring: true, tags: ['contract'] });
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('account, keys, billing', async () => {
    await drive('GET', '/v2/account');
    await drive('GET', '/v2/account/keys?per_page=1&page=2');
    const blob = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl';
    const { body } = await drive('POST', '/v2/account/keys', { name: 'contract', public_key: `ssh-ed25519 ${blob} me` });
    await drive('GET', `/v2/account/keys/${body.ssh_key.id}`);
    await drive('GET', `/v2/account/keys/${body.ssh_key.fingerprint}`);
    await drive('DELETE', `/v2/account/keys/${body.ssh_key.id}`);
    await drive('GET', '/v2/customers/my/balance');
    await drive('GET', '/v2/customers/my/billing_history');
    await drive('GET', '/v2/customers/my/invoices?per_page=1');
  });

  test('actions, sizes, regions', async () => {
    const { body } = await drive('GET', '/v2/actions?per_page=3');
    await drive('GET', `/v2/actions/${body.actions[0].id}`);
    await drive('GET', '/v2/sizes?per_page=200');
    await drive('GET', '/v2/regions');
  });

  test('droplets and what is under them', async () => {
    await drive('GET', '/v2/droplets?per_page=200');
    await drive('GET', '/v2/droplets?tag_name=contract');
    await drive('GET', '/v2/droplets?name=contract');
    await drive('GET', '/v2/droplets?type=gpus');
    const made = await drive('POST', '/v2/droplets', dropletBody({ name: 'short-lived', ssh_keys: [] }));
    await drive('POST', '/v2/droplets', { ...dropletBody(), name: undefined, names: ['one', 'two'] });
    await platform.post('/_emulator/clock', { advance: '45s' });
    await drive('GET', `/v2/droplets/${made.body.droplet.id}`);
    await drive('DELETE', `/v2/droplets/${made.body.droplet.id}`);
    for (const list of ['snapshots', 'backups', 'backups/policy', 'firewalls', 'neighbors']) {
      await drive('GET', `/v2/droplets/${droplet.id}/${list}`);
    }
    await drive('GET', `/v2/droplets/${legacy.id}/kernels?per_page=2`);
  });

  test('every action of a droplet', async () => {
    const bodies: readonly Json[] = [
      { type: 'power_off' },
      { type: 'resize', size: 's-2vcpu-2gb', disk: true },
      { type: 'power_on' },
      { type: 'snapshot', name: 'contract-snapshot' },
      { type: 'reboot' },
      { type: 'power_cycle' },
      { type: 'rename', name: 'contract.example.com' },
      { type: 'rebuild', image: 'debian-12-x64' },
      { type: 'disable_backups' },
      { type: 'enable_backups', backup_policy: { plan: 'daily', hour: 8 } },
      { type: 'password_reset' },
      { type: 'shutdown' },
    ];
    for (const body of bodies) {
      const { body: begun } = await drive('POST', `/v2/droplets/${droplet.id}/actions`, body);
      await drive('GET', `/v2/droplets/${droplet.id}/actions/${begun.action.id}`);
      await platform.post('/_emulator/clock', { advance: '60s' });
      const { body: over } = await drive('GET', `/v2/droplets/${droplet.id}/actions/${begun.action.id}`);
      expect(over.action.status, body.type).toBe('completed');
      await drive('GET', `/v2/droplets/${droplet.id}`);
    }
    for (const body of [{ type: 'change_kernel', kernel: 7515 }, { type: 'enable_private_networking' }, { type: 'enable_ipv6' }]) {
      await drive('POST', `/v2/droplets/${legacy.id}/actions`, body);
      await platform.post('/_emulator/clock', { advance: '60s' });
      await drive('GET', `/v2/droplets/${legacy.id}`);
    }
    await drive('POST', '/v2/droplets/actions?tag_name=production', { type: 'power_cycle' });
    await platform.post('/_emulator/clock', { advance: '60s' });
  });

  test('images, snapshots and backups, after a week that brought backups', async () => {
    await platform.post('/_emulator/clock', { advance: '8d' });
    await drive('GET', `/v2/droplets/${droplet.id}/backups`);
    await drive('GET', `/v2/droplets/${droplet.id}/snapshots`);
    await drive('GET', '/v2/images?per_page=200');
    await drive('GET', '/v2/images?type=distribution');
    await drive('GET', '/v2/images?type=application');
    const own = await drive('GET', '/v2/images?private=true');
    const backup = own.body.images.find((image: Json) => image.type === 'backup');
    await drive('GET', '/v2/images/ubuntu-24-04-x64');
    await drive('GET', `/v2/images/${backup.id}`);
    for (const body of [{ type: 'convert' }, { type: 'transfer', region: 'lon1' }]) {
      const begun = await drive('POST', `/v2/images/${backup.id}/actions`, body);
      await drive('GET', `/v2/images/${backup.id}/actions/${begun.body.action.id}`);
      await platform.post('/_emulator/clock', { advance: '60s' });
    }
    await drive('PUT', `/v2/images/${backup.id}`, { name: 'renamed' });
    const snapshots = await drive('GET', '/v2/snapshots?resource_type=droplet');
    await drive('GET', `/v2/snapshots/${snapshots.body.snapshots[0].id}`);
    await drive('DELETE', `/v2/snapshots/${snapshots.body.snapshots[0].id}`);
    const url = 'https://images.example.com/x.qcow2';
    const imported = await drive('POST', '/v2/images', { name: 'custom', url, region: 'nyc3', distribution: 'Debian', tags: ['contract'] });
    await drive('GET', '/v2/images?tag_name=contract');
    await drive('DELETE', `/v2/images/${imported.body.image.id}`);
  });

  test('tags', async () => {
    await drive('POST', '/v2/tags', { name: 'fresh' });
    const resources = [{ resource_id: String(droplet.id), resource_type: 'droplet' }];
    await drive('POST', '/v2/tags/fresh/resources', { resources });
    await drive('GET', '/v2/tags?per_page=200');
    await drive('GET', '/v2/tags/fresh');
    await drive('DELETE', '/v2/tags/fresh/resources', { resources });
    await drive('DELETE', '/v2/tags/fresh');
  });

  test('VPCs', async () => {
    const { body } = await drive('POST', '/v2/vpcs', { name: 'env.prod', region: 'nyc1', ip_range: '10.10.10.0/24', description: 'mine' });
    await platform.post('/v2/vpcs', { name: 'second', region: 'nyc1' });
    await drive('GET', '/v2/vpcs');
    await drive('GET', `/v2/vpcs/${body.vpc.id}`);
    await drive('GET', `/v2/vpcs/${droplet.vpc_uuid}/members?resource_type=droplet`);
    const { body: all } = await platform.get('/v2/vpcs');
    await drive('DELETE', `/v2/vpcs/${all.vpcs.find((vpc: Json) => vpc.name === 'second').id}`);
  });

  test('refusals have the form of the document too', async () => {
    for (const path of ['/v2/account', '/v2/customers/my/balance']) {
      await api.refuseStranger('GET', path);
    }
    const lists = ['account/keys', 'customers/my/billing_history', 'customers/my/invoices', 'actions', 'sizes', 'regions', 'droplets'];
    for (const list of [...lists, 'images', 'tags', 'snapshots', 'vpcs']) {
      await api.refuse('GET', `/v2/${list}?page=0`, 422);
    }
    const nowhere = ['backups', 'backups/policy', 'firewalls', 'kernels', 'neighbors', 'snapshots'].map((list) => `/v2/droplets/1/${list}`);
    const nobody = '/v2/vpcs/5a4981aa-9653-4bd1-bef5-d6bff52042e4';
    const looks = ['/v2/account/keys/1', '/v2/actions/1', '/v2/droplets/1', `/v2/droplets/${droplet.id}/actions/1`, ...nowhere];
    for (const path of [
      ...looks,
      '/v2/images/none',
      '/v2/images/1/actions/1',
      '/v2/snapshots/1',
      '/v2/tags/none',
      nobody,
      `${nobody}/members`,
    ]) {
      await api.refuse('GET', path, 404);
    }
    const resources = [{ resource_id: String(droplet.id), resource_type: 'droplet' }];
    const changes: readonly (readonly [string, string, number, unknown?])[] = [
      ['POST', '/v2/account/keys', 422, { name: 'contract', public_key: 'none' }],
      ['DELETE', '/v2/account/keys/1', 404],
      ['POST', '/v2/droplets', 422, dropletBody({ size: 'none' })],
      ['DELETE', '/v2/droplets/1', 404],
      ['POST', `/v2/droplets/${droplet.id}/actions`, 422, { type: 'none' }],
      ['POST', '/v2/droplets/actions?tag_name=production', 422, { type: 'none' }],
      ['POST', '/v2/images', 422, { name: 'custom' }],
      ['PUT', '/v2/images/1', 404, { name: 'renamed' }],
      ['DELETE', '/v2/images/97000114', 403],
      ['POST', '/v2/images/1/actions', 404, { type: 'convert' }],
      ['DELETE', '/v2/snapshots/1', 404],
      ['POST', '/v2/tags', 422, { name: 'not a tag' }],
      ['DELETE', '/v2/tags/none', 404],
      ['POST', '/v2/tags/none/resources', 404, { resources }],
      ['DELETE', '/v2/tags/none/resources', 404, { resources }],
      ['POST', '/v2/vpcs', 422, { name: 'public', region: 'nyc1', ip_range: '8.8.8.0/24' }],
      ['DELETE', nobody, 404],
    ];
    for (const [method, path, status, body] of changes) {
      await api.refuse(method, path, status, body);
    }
  });

  test('every operation that the emulator serves was driven to a success and to a refusal', () => {
    expect(operations().filter((name) => SERVED.test(name)).length).toBeGreaterThan(40);
    expect(api.missed(SERVED)).toEqual([]);
  });
});

test.skipIf(!openapiPresent)('the referee notices a wrong reply, a missing key and a wrong request', () => {
  expect(validateReply('GET', '/v2/account', 200, { account: {} })).not.toEqual([]);
  expect(validateReply('GET', '/v2/actions/1', 200, { action: { id: 1 } })).toContain(
    'GET /v2/actions/{action_id}: action.region is missing',
  );
  expect(validateReply('GET', '/v2/account', 201, {})).toEqual(['GET /v2/account: status 201 is not in the document']);
  expect(validateRequest('POST', '/v2/droplets', { name: 'x' })).not.toEqual([]);
  expect(validateRequest('GET', '/v2/droplets', undefined, { per_page: '0' })).not.toEqual([]);
  expect(validateRequest('GET', '/v2/droplets', undefined, { colour: 'red' })).toEqual([
    'GET /v2/droplets: query colour: not in the document',
  ]);
});
