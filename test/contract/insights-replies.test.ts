import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterBody } from '../emulator/database-cluster.ts';
import { NOON } from '../emulator/metric-series.ts';
import { activeBalancer, activeDroplet, frozenPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { openapiPresent } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

const SERVED = /^[A-Z]+ \/v2\/(uptime\/checks|monitoring)(\/|$)/;

const check = {
  name: 'Landing page check',
  type: 'https',
  target: 'https://www.landingpage.com',
  regions: ['us_east', 'eu_west'],
  enabled: true,
};

const slack = [{ channel: 'Production Alerts', url: 'https://hooks.slack.com/services/T1234567/AAAAAAAA/ZZZZZZ' }];
const alert = {
  name: 'Landing page degraded performance',
  type: 'latency',
  threshold: 300,
  comparison: 'greater_than',
  notifications: { email: ['bob@example.com'], slack },
  period: '2m',
};

describe.skipIf(!openapiPresent)('replies about insights by the platform document', () => {
  let platform: Platform;
  let api: Driver;

  beforeAll(async () => {
    platform = await frozenPlatform();
    api = driver(platform);
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('uptime checks and their states', async () => {
    const { body } = await api.drive('POST', '/v2/uptime/checks', check);
    const path = `/v2/uptime/checks/${body.check.id}`;
    await api.drive('GET', path);
    await api.drive('GET', `${path}/state`);
    await api.drive('PUT', path, { ...check, enabled: false });
    await api.drive('PUT', path, { name: 'Renamed' });
    const { body: all } = await api.drive('GET', '/v2/uptime/checks?per_page=200');
    for (const { id } of all.checks) {
      await api.drive('GET', `/v2/uptime/checks/${id}/state`);
    }
    await api.refuse('PUT', path, 422, { type: 'tcp' });
    await api.drive('DELETE', path);
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/state'],
    ] as const) {
      await api.refuse(method, path + rest, 404);
    }
    await api.refuse('GET', '/v2/uptime/checks?page=0', 422);
    await api.refuse('POST', '/v2/uptime/checks', 422, { ...check, target: 'landingpage' });
  });

  test('a check that was down once shows it', async () => {
    const { checks } = (await platform.get('/v2/uptime/checks')).body;
    const states = await Promise.all(checks.map(({ id }: Json) => platform.get(`/v2/uptime/checks/${id}/state`)));
    expect(states.map(({ body }) => body.state)).toContainEqual(
      expect.objectContaining({
        previous_outage: {
          region: expect.any(String),
          started_at: expect.any(String),
          ended_at: expect.any(String),
          duration_seconds: expect.any(Number),
        },
      }),
    );
  });

  test('uptime alerts', async () => {
    const { body: made } = await api.drive('POST', '/v2/uptime/checks', check);
    const path = `/v2/uptime/checks/${made.check.id}/alerts`;
    const { body } = await api.drive('POST', path, alert);
    const one = `${path}/${body.alert.id}`;
    await api.drive('GET', one);
    await api.drive('PUT', one, { ...alert, type: 'ssl_expiry', comparison: 'less_than', threshold: 14 });
    await api.drive('GET', `${path}?per_page=1`);
    await api.drive('PUT', one, { name: 'Down', type: 'down', period: '5m', notifications: { email: [], slack: [] } });
    await api.drive('GET', path);
    await api.refuse('PUT', one, 422, { ...alert, period: '4m' });
    await api.refuse('POST', path, 422, { ...alert, threshold: 0 });
    await api.refuse('GET', `${path}?page=0`, 422);
    await api.drive('DELETE', one);
    await api.refuse('GET', one, 404);
    await api.refuse('DELETE', one, 404);
  });

  test('alert policies', async () => {
    const droplet = await activeDroplet(platform);
    const policy = {
      alerts: { email: ['bob@example.com'], slack },
      compare: 'GreaterThan',
      description: 'CPU Alert',
      enabled: true,
      entities: [String(droplet.id)],
      tags: ['droplet_tag'],
      type: 'v1/insights/droplet/cpu',
      value: 80,
      window: '5m',
    };
    const { body } = await api.drive('POST', '/v2/monitoring/alerts', policy);
    const path = `/v2/monitoring/alerts/${body.policy.uuid}`;
    await api.drive('GET', path);
    await api.drive('PUT', path, { ...policy, entities: [], value: 12.5 });
    await api.drive('GET', '/v2/monitoring/alerts?per_page=1&page=1');
    await api.refuse('PUT', path, 422, { ...policy, value: 101 });
    await api.refuse('POST', '/v2/monitoring/alerts', 422, { ...policy, entities: ['192018292'] });
    await api.drive('DELETE', path);
    await api.refuse('GET', path, 404);
    await api.refuse('DELETE', path, 404);
    await api.refuse('GET', '/v2/monitoring/alerts?page=0', 422);
  });

  describe('metrics', () => {
    const query = (changes: Record<string, string>): string =>
      new URLSearchParams({ start: String(NOON), end: String(NOON + 24 * 3600), ...changes }).toString();

    test.each([
      ...['cpu', 'filesystem_free', 'filesystem_size', 'load_1', 'load_5', 'load_15'].map((metric) => [metric, {}] as const),
      ...['memory_cached', 'memory_free', 'memory_total', 'memory_available'].map((metric) => [metric, {}] as const),
      ['bandwidth', { interface: 'public', direction: 'outbound' }] as const,
    ])('of a droplet: %s', async (metric, rest) => {
      const { id } = await activeDroplet(platform);
      await platform.post('/_emulator/clock', { advance: '10m' });
      const path = `/v2/monitoring/metrics/droplet/${metric}`;
      const { body } = await api.drive('GET', `${path}?${query({ host_id: String(id), ...rest })}`);
      expect(body.data.result.length).toBeGreaterThan(0);
      const unknown = await api.drive('GET', `${path}?${query({ host_id: '1', ...rest })}`);
      expect(unknown.body.data.result).toEqual([]);
      await api.refuse('GET', `${path}?${query({ host_id: String(id), end: '0', ...rest })}`, 422);
    });

    test('of a load balancer', async () => {
      const { id } = await activeBalancer(platform);
      await platform.post('/_emulator/clock', { advance: '10m' });
      for (const metric of ['frontend_cpu_utilization', 'frontend_connections_current', 'frontend_http_responses']) {
        const path = `/v2/monitoring/metrics/load_balancer/${metric}`;
        const { body } = await api.drive('GET', `${path}?${query({ lb_id: id })}`);
        expect(body.data.result.length).toBeGreaterThan(0);
        await api.refuse('GET', path, 422);
      }
    });

    test('of a MySQL cluster', async () => {
      const { body: made } = await platform.post('/v2/databases', clusterBody({ name: 'measured', engine: 'mysql', version: '8' }));
      await platform.post('/_emulator/clock', { advance: '10m' });
      for (const metric of ['cpu_usage', 'memory_usage', 'disk_usage', 'load']) {
        const path = `/v2/monitoring/metrics/database/mysql/${metric}`;
        const rest = { aggregate: 'avg', ...(metric === 'load' ? { metric: 'load1' } : {}) };
        const { body } = await api.drive('GET', `${path}?${query({ db_id: made.database.id, ...rest })}`);
        expect(body.data.result.length).toBeGreaterThan(0);
        await api.refuse('GET', `${path}?${query({ db_id: '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30', ...rest })}`, 404);
        await api.refuse('GET', `${path}?${query({ db_id: made.database.id, ...rest, aggregate: 'sum' })}`, 422);
      }
    });
  });

  test('every operation succeeded and was refused', () => {
    expect(api.missed(SERVED)).toEqual([]);
  });
});
