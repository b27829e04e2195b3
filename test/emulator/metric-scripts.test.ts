import { describe, expect, test } from 'vitest';
import { policyTypes } from '../../lib/emulator/resources/alert-policies/types.ts';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { clusterBody } from './database-cluster.ts';
import { dataDirectory } from './emulator-process.ts';
import { NOON, pointsOf, seriesOf, valuesOf } from './metric-series.ts';
import {
  act,
  activeBalancer,
  activeDroplet,
  dropletBody,
  emptyPlatform,
  HTTP_RULE,
  type Json,
  type Platform,
  startPlatform,
} from './platform.ts';

const METRICS = '/_emulator/metrics';

const script = async (platform: Platform, description: Record<string, unknown>): Promise<Json> => {
  const { status, body } = await platform.post(METRICS, description);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.script;
};

const policyValue = async (platform: Platform, type: string, entity: string | number, at?: string): Promise<number | null> => {
  const query = new URLSearchParams({ type, entity: String(entity), ...(at === undefined ? {} : { at }) });
  const { status, body } = await platform.get(`${METRICS}/value?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.value;
};

const CPU = 'v1/insights/droplet/cpu';
const at = (minutes: number): string => new Date((NOON + minutes * 60) * 1000).toISOString();

describe('a script', () => {
  test('holds a measure where it is told, and gives it back', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    const before = await policyValue(platform, CPU, id, at(70));
    const made = await script(platform, { resource: id, metric: 'cpu', constant: 95.5, from: at(30), to: at(60) });
    expect(made).toEqual({ id: 1, resource: String(id), metric: 'cpu', from: at(30), to: at(60), constant: 95.5 });
    expect(await policyValue(platform, CPU, id, at(29))).toBeLessThan(70);
    expect(await policyValue(platform, CPU, id, at(30))).toBe(95.5);
    expect(await policyValue(platform, CPU, id, at(59))).toBe(95.5);
    expect(await policyValue(platform, CPU, id, at(60))).toBeLessThan(70);
    expect(await policyValue(platform, CPU, id, at(70))).toBe(before);
  });

  test('rises along a ramp, goes up and down to a spike, steps through a list', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    const resource = id;
    const [foot, end] = [await policyValue(platform, CPU, id, at(30)), await policyValue(platform, CPU, id, at(40))];
    await script(platform, { resource, metric: 'cpu', ramp: [10, 90], from: at(10), for: '10m' });
    await script(platform, { resource, metric: 'cpu', spike: 100, from: at(30), for: 600 });
    await script(platform, { resource, metric: 'cpu', list: [1, 2, 99], from: at(50), to: at(53) });
    const seen = async (...minutes: readonly number[]) => Promise.all(minutes.map((minute) => policyValue(platform, CPU, id, at(minute))));
    expect(await seen(10, 12.5, 15, 17.5)).toEqual([10, 30, 50, 70]);
    expect(await seen(30, 35)).toEqual([foot, 100]);
    const [rising, falling] = await seen(32.5, 37.5);
    expect(rising).toBeCloseTo(((foot ?? 0) + 100) / 2, 6);
    expect(falling).toBeCloseTo(((end ?? 0) + 100) / 2, 6);
    expect(await seen(50, 50.9, 51, 52, 52.9)).toEqual([1, 1, 2, 99, 99]);
  });

  test('begins now and goes on for ever when nothing else is said; a later one goes before it', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    expect(await script(platform, { resource: String(id), metric: CPU, constant: 20 })).toMatchObject({
      metric: 'cpu',
      from: '2026-02-10T12:00:45.000Z',
      to: null,
    });
    await script(platform, { resource: id, metric: 'cpu', constant: 80, for: '1h' });
    expect([await policyValue(platform, CPU, id), await policyValue(platform, CPU, id, at(90))]).toEqual([80, 20]);
    expect(await policyValue(platform, CPU, id, '2036-01-01T00:00:00Z')).toBe(20);
  });

  test('is felt by everything that is made of the measure', async () => {
    await using platform = await emptyPlatform();
    const { id, memory } = await activeDroplet(platform);
    await script(platform, { resource: id, metric: 'memory_utilization_percent', constant: 75 });
    await script(platform, { resource: id, metric: 'cpu', constant: 50 });
    await script(platform, { resource: id, metric: 'public_inbound_bandwidth', constant: 0.25 });
    await script(platform, { resource: id, metric: 'disk_utilization_percent', constant: 0 });
    await platform.post('/_emulator/clock', { advance: '1h' });
    const query = { host_id: id, start: NOON + 2000, end: NOON + 3600 };
    const distinct = async (metric: string, more = {}) => [
      ...new Set(valuesOf(await pointsOf(platform, `droplet/${metric}`, { ...query, ...more }))),
    ];
    expect(await distinct('memory_available')).toEqual([(memory * 2 ** 20) / 4]);
    expect(await distinct('load_15')).toEqual([0.55]);
    expect(await distinct('bandwidth', { interface: 'public', direction: 'inbound' })).toEqual([0.25]);
    expect(await distinct('filesystem_free')).toEqual(await distinct('filesystem_size'));
    const idle = (await seriesOf(platform, 'droplet/cpu', query)).find(({ labels }) => labels.mode === 'idle');
    const [first, second] = idle?.points ?? [];
    expect((second?.value ?? 0) - (first?.value ?? 0)).toBeCloseTo(30, 1);
  });

  test('says nothing while the droplet is off', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    await script(platform, { resource: id, metric: 'cpu', constant: 95 });
    await script(platform, { resource: id, metric: 'public_inbound_bandwidth', constant: 95 });
    await act(platform, id, { type: 'power_off' });
    expect(await policyValue(platform, CPU, id)).toBeNull();
    expect(await policyValue(platform, 'v1/insights/droplet/public_inbound_bandwidth', id)).toBe(0);
  });

  test('errors of a load balancer are an increase over the day before', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeBalancer(platform);
    const type = (unit: string) => `v1/insights/lbaas/increase_in_http_error_rate_${unit}_5xx`;
    for (const [code, rate] of Object.entries({ '2xx': 90, '3xx': 0, '4xx': 0, '5xx': 0 })) {
      await script(platform, { resource: id, metric: `http_responses_${code}`, constant: rate, from: at(0) });
    }
    await script(platform, { resource: id, metric: 'http_responses_5xx', constant: 10, from: at(120) });
    await platform.post('/_emulator/clock', { advance: '3h' });
    expect([await policyValue(platform, type('percentage'), id, at(119)), await policyValue(platform, type('count'), id, at(119))]).toEqual(
      [0, 0],
    );
    expect(await policyValue(platform, type('percentage'), id, at(125))).toBeCloseTo(10, 6);
    expect(await policyValue(platform, type('count'), id, at(125))).toBeCloseTo(3000, 6);
    // By then the day before had them as well.
    expect(await policyValue(platform, type('percentage'), id, at(26 * 60))).toBeLessThan(2);
  });

  test('they are listed and removed, one or all, and go with their resource', async () => {
    await using platform = await emptyPlatform();
    const [one, other] = [await activeDroplet(platform), await activeDroplet(platform)];
    const first = await script(platform, { resource: one.id, metric: 'cpu', constant: 1 });
    const second = await script(platform, { resource: other.id, metric: 'cpu', constant: 2 });
    const third = await script(platform, { resource: other.id, metric: 'load_1', constant: 3 });
    expect((await platform.get(METRICS)).body).toEqual({ seed: 0, scripts: [first, second, third] });
    await platform.del(`/v2/droplets/${one.id}`);
    expect((await platform.get(METRICS)).body.scripts).toEqual([second, third]);
    expect((await platform.del(`${METRICS}?id=${second.id}`)).status).toBe(204);
    expect((await platform.get(METRICS)).body.scripts).toEqual([third]);
    expect(await policyValue(platform, CPU, other.id)).not.toBe(2);
    for (const id of [second.id, 'x', 0]) {
      expect((await platform.del(`${METRICS}?id=${id}`)).status).toBe(404);
    }
    expect((await platform.del(METRICS)).status).toBe(204);
    expect((await platform.get(METRICS)).body.scripts).toEqual([]);
  });

  test('stays over a restart, goes along with snapshots and forks, and ends with a reset', async () => {
    await using directory = await dataDirectory();
    let id = 0;
    {
      await using platform = await startPlatform({ dataDir: directory.path });
      [{ id }] = (await platform.get('/v2/droplets?name=web-01')).body.droplets;
      await script(platform, { resource: id, metric: 'cpu', constant: 77 });
      await platform.post(`${METRICS}/seed`, { seed: 7 });
    }
    await using platform = await startPlatform({ dataDir: directory.path });
    expect(await policyValue(platform, CPU, id)).toBe(77);
    await platform.post('/_emulator/snapshots', { name: 'busy' });
    const fork = platform.as((await platform.post('/_emulator/fork')).body.token);
    expect([await policyValue(fork, CPU, id), (await fork.get(METRICS)).body.seed]).toEqual([77, 7]);
    await platform.post('/_emulator/reset', {});
    expect((await platform.get(METRICS)).body).toEqual({ seed: 0, scripts: [] });
    await platform.post('/_emulator/snapshots/busy/restore');
    expect((await platform.get(METRICS)).body).toMatchObject({ seed: 7, scripts: [{ constant: 77 }] });
  });

  test.each([
    [{ resource: 1 }, 'metrics: resource must be the id of an instance, a load balancer or a database cluster of this account, not 1.'],
    [{ resource: { toString: 1 } }, /^metrics: resource must be the id of .*, not \{"toString":1\}\.$/],
    [{ metric: 'heat' }, /^metrics: metric of this droplet must be one of cpu, memory_utilization_percent, .*, not "heat"\.$/],
    [{ metric: 'v1/dbaas/alerts/cpu_alerts' }, /^metrics: metric of this droplet must be one of cpu, /],
    [{ metric: 'constructor' }, /^metrics: metric of this droplet must be one of cpu, /],
    [{ constant: 101 }, 'metrics: constant must be a number from 0 to 100.'],
    [{ constant: '5' }, 'metrics: constant must be a number from 0 to 100.'],
    [{ metric: 'load_1', constant: -1 }, 'metrics: constant must be a number from 0 to 1000000000000.'],
    [{ constant: undefined }, 'metrics: say how it goes with one of constant, ramp, spike, list.'],
    [{ spike: 5 }, 'metrics: say how it goes with one of constant, ramp, spike, list.'],
    [{ constant: undefined, ramp: [1], for: '5m' }, 'metrics: ramp must be two numbers from 0 to 100.'],
    [{ constant: undefined, list: [], for: '5m' }, 'metrics: list must be 1 to 1000 numbers from 0 to 100.'],
    [{ constant: undefined, spike: 5 }, 'metrics: say when it ends, with to or for; only a constant goes on for ever.'],
    [{ from: 'noon' }, /^from must be a moment in RFC 3339/],
    [{ to: '2026-02-10T11:00:00Z' }, 'metrics: it must end at least a second after it begins.'],
    [{ for: '5 minutes' }, /^metrics: for must be a number of seconds or a text like "90s"/],
    [{ for: '5m', to: '2026-02-10T14:00:00Z' }, /^metrics: for must be .* leaves no room for to\.$/],
    [{ until: '5m' }, 'metrics: until is not known; it takes resource, metric, from, to, for, constant, ramp, spike, list.'],
  ])('%j is refused, and nothing is scripted', async (changes, message) => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    const { status, body } = await platform.post(METRICS, { resource: id, metric: 'cpu', constant: 50, ...changes });
    expect([status, body.message]).toEqual([400, typeof message === 'string' ? message : expect.stringMatching(message)]);
    expect((await platform.get(METRICS)).body.scripts).toEqual([]);
  });
});

test('what a resource does not have can not be scripted of it; an instance that is coming up has what it will have', async () => {
  await using platform = await emptyPlatform();
  const { droplet } = (await platform.post('/v2/droplets', dropletBody({ public_networking: false }))).body;
  await script(platform, { resource: droplet.id, metric: 'private_inbound_bandwidth', constant: 1 });
  const { id } = await activeBalancer(platform);
  for (const [resource, metric] of [
    [droplet.id, 'public_inbound_bandwidth'],
    [id, 'tls_connections_per_second_utilization_percent'],
  ]) {
    const { status, body } = await platform.post(METRICS, { resource, metric, constant: 1 });
    expect([status, body.message]).toEqual([400, expect.stringContaining(`not "${metric}"`)]);
  }
});

describe('what an alert policy reads', () => {
  const watched = async (platform: Platform): Promise<Readonly<Record<string, string>>> => {
    const droplet = await activeDroplet(platform);
    const https = {
      ...HTTP_RULE,
      entry_protocol: 'http2',
      entry_port: 443,
      tls_passthrough: true,
      target_protocol: 'http2',
      target_port: 443,
    };
    const balancer = await activeBalancer(platform, { droplet_ids: [droplet.id], forwarding_rules: [HTTP_RULE, https] });
    const { id } = (await platform.post('/v2/databases', clusterBody())).body.database;
    await platform.post('/_emulator/clock', { advance: '1h' });
    return { droplet: String(droplet.id), 'load balancer': balancer.id, database: id };
  };

  test('has a value for every type that a policy may have, within its bounds; of autoscale pools, of which there are none, it has not', async () => {
    await using platform = await emptyPlatform();
    const ids = await watched(platform);
    const silent: string[] = [];
    for (const [type, { watches, percent }] of policyTypes) {
      const value = await policyValue(platform, type, ids[watches] ?? '0b8f4ad5-52c8-4ea3-8f9c-ac0b9e6b4a1f');
      if (value === null) {
        silent.push(type);
      } else {
        expect(value, type).toBeGreaterThanOrEqual(0);
        expect(value, type).toBeLessThanOrEqual(percent ? 100 : 1000);
      }
    }
    const pools = [...policyTypes.keys()].filter((type) => type.startsWith('v1/droplet/autoscale_alerts/'));
    // The balancer lets encrypted traffic through as it is.
    expect(silent).toEqual(['v1/insights/lbaas/tls_connections_per_second_utilization_percent', ...pools]);
  });

  test('can be scripted for every type', async () => {
    await using platform = await emptyPlatform();
    const ids = await watched(platform);
    for (const [type, { watches }] of policyTypes) {
      const resource = ids[watches];
      if (resource !== undefined && !type.includes('tls_connections')) {
        await script(platform, { resource, metric: type, constant: 42 });
        expect(await policyValue(platform, type, resource), type).toBe(42);
      }
    }
  });

  test('the health of a load balancer is the number of droplets behind it that run', async () => {
    await using platform = await emptyPlatform();
    const droplets = [await activeDroplet(platform, { tags: ['web'] }), await activeDroplet(platform, { tags: ['web'] })];
    const { id } = await activeBalancer(platform, { tag: 'web', droplet_ids: undefined });
    const health = () => policyValue(platform, 'v1/insights/lbaas/droplet_health', id);
    expect(await health()).toBe(2);
    await act(platform, droplets[0].id, { type: 'power_off' });
    expect(await health()).toBe(1);
    await act(platform, droplets[0].id, { type: 'power_on' });
    expect(await health()).toBe(2);
  });

  test('is nothing of what is unknown, of another kind, or before it was there', async () => {
    await using platform = await emptyPlatform();
    const { droplet = '', database = '' } = await watched(platform);
    expect(await policyValue(platform, CPU, '1')).toBeNull();
    expect(await policyValue(platform, CPU, database)).toBeNull();
    expect(await policyValue(platform, 'v1/dbaas/alerts/cpu_alerts', droplet)).toBeNull();
    expect(await policyValue(platform, CPU, droplet, '2026-02-10T11:59:00Z')).toBeNull();
    expect(await policyValue(platform, CPU, droplet, String((NOON - 60) * 1000))).toBeNull();
    const { status, body } = await platform.get(`${METRICS}/value?type=v1/insights/droplet/heat&entity=${droplet}`);
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^metrics: type must be one of v1\/insights\/droplet\/memory/)]);
  });

  test('follows another course with another seed, and the same with the same', async () => {
    await using platform = await emptyPlatform();
    const { droplet = '' } = await watched(platform);
    const before = await policyValue(platform, CPU, droplet);
    expect((await platform.post(`${METRICS}/seed`, { seed: 12 })).body).toEqual({ seed: 12 });
    expect(await policyValue(platform, CPU, droplet)).not.toBe(before);
    await platform.post(`${METRICS}/seed`, { seed: 0 });
    expect(await policyValue(platform, CPU, droplet)).toBe(before);
    for (const seed of [-1, 1.5, '3', undefined, 2 ** 31]) {
      expect((await platform.post(`${METRICS}/seed`, { seed })).status).toBe(400);
    }
  });
});

test('tests that run an emulator have the same at hand', async () => {
  await using emulator = await startEmulator();
  const { metrics, clock, token } = emulator.account('default');
  const headers = { authorization: `Bearer ${token}` };
  const { droplets } = JSON.parse(await (await fetch(`${emulator.url}/v2/droplets?name=web-01`, { headers })).text());
  await clock.freeze();
  const { id } = metrics.script({ resource: droplets[0].id, metric: 'cpu', ramp: [0, 100], for: '10m' });
  await clock.advance('5m');
  expect(metrics.value(CPU, droplets[0].id)).toBeCloseTo(50, 6);
  metrics.clear(id);
  expect([metrics.scripts(), metrics.seed()]).toEqual([[], 0]);
});
