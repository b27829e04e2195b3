import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { clientOf, type Platform, startPlatform } from '../emulator/platform.ts';
import { openapiPresent } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

const NAMESPACES = '/v2/functions/namespaces';
const TOKEN = 'dh_contract';

describe.skipIf(!openapiPresent)('replies about functions by the platform document', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  let host: Host;
  let platform: Platform;
  let api: Driver;
  let namespace: string;
  let triggers: string;

  beforeAll(async () => {
    host = await startHost({ dataDir, apiToken: TOKEN });
    platform = await startPlatform({ token: TOKEN, mounts: { '/v2/functions': host.handle } });
    api = driver(platform);
    namespace = (await api.drive('POST', NAMESPACES, { label: 'contract', region: 'nyc1' })).body.namespace.namespace;
    triggers = `${NAMESPACES}/${host.namespace}/triggers`;
    const authorization = `Basic ${btoa(host.auth)}`;
    const action = { exec: { kind: 'nodejs:24', code: 'exports.main = () => ({})' } };
    await clientOf(host.url, '').call('PUT', '/api/v1/namespaces/_/actions/hello', action, { authorization });
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('namespaces', async () => {
    await api.drive('GET', NAMESPACES);
    await api.drive('GET', `${NAMESPACES}/${namespace}`);
    await api.refuse('POST', NAMESPACES, 404, { region: 'nyc1' });
    for (let i = 0; i < 8; i += 1) await api.drive('POST', NAMESPACES, { label: `contract-${i}`, region: 'nyc1' });
    await api.refuse('POST', NAMESPACES, 422, { label: 'one too many', region: 'nyc1' });
    await api.drive('DELETE', `${NAMESPACES}/${namespace}`);
    await api.refuse('GET', `${NAMESPACES}/${namespace}`, 404);
    await api.refuse('DELETE', `${NAMESPACES}/${namespace}`, 404);
  });

  test('triggers', async () => {
    const order = { name: 'bell', function: 'hello', type: 'SCHEDULED', is_enabled: true, scheduled_details: { cron: '* * * * *' } };
    await api.drive('POST', triggers, order);
    await api.drive('POST', triggers, {
      ...order,
      name: 'with a body',
      is_enabled: false,
      scheduled_details: { cron: '0 5 * * 1', body: { n: 1 } },
    });
    await api.drive('GET', triggers);
    await api.drive('GET', `${triggers}/with%20a%20body`);
    await api.drive('PUT', `${triggers}/bell`, { is_enabled: false });
    await api.drive('PUT', `${triggers}/bell`, { scheduled_details: { cron: '*/5 * * * *', body: null } });
    await api.drive('DELETE', `${triggers}/bell`);
    await api.refuse('POST', triggers, 400, {});
    await api.refuse('GET', `${NAMESPACES}/${namespace}/triggers`, 404);
    await api.refuse('GET', `${triggers}/bell`, 404);
    await api.refuse('PUT', `${triggers}/bell`, 404, {});
    await api.refuse('PUT', `${triggers}/with%20a%20body`, 400, { scheduled_details: { cron: 'never' } });
    await api.refuse('DELETE', `${triggers}/bell`, 404);
  });

  test('whoever is not the account', async () => {
    await api.refuseStranger('GET', NAMESPACES);
    await api.refuseStranger('POST', triggers, {});
  });

  test('every operation was driven, and refused', () => {
    expect(api.missed(/^[A-Z]+ \/v2\/functions\//)).toEqual([]);
  });
});
