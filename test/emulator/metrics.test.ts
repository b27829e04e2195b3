import { describe, expect, test } from 'vitest';
import { clusterBody } from './database-cluster.ts';
import { NOON, pointsOf, secondOf, seriesOf, valuesOf } from './metric-series.ts';
import { act, activeBalancer, activeDroplet, emptyPlatform, frozenPlatform, HTTP_RULE, type Json, type Platform } from './platform.ts';

const DROPLET_METRICS = [
  'cpu',
  'filesystem_free',
  'filesystem_size',
  'load_1',
  'load_5',
  'load_15',
  'memory_cached',
  'memory_free',
  'memory_total',
  'memory_available',
];
const HOUR = 3600;
const DAY = 24 * HOUR;
const lastDay = { start: NOON - DAY, end: NOON };

const dropletNamed = async (platform: Platform, name: string): Promise<Json> =>
  (await platform.get(`/v2/droplets?name=${name}`)).body.droplets[0];

describe('the metrics of a droplet', () => {
  test('are the same whenever they are asked for, and another droplet has others', async () => {
    await using platform = await frozenPlatform();
    const [one, other] = [await dropletNamed(platform, 'web-01'), await dropletNamed(platform, 'web-02')];
    const query = { start: NOON - HOUR, end: NOON, host_id: one.id };
    for (const metric of DROPLET_METRICS) {
      const first = await seriesOf(platform, `droplet/${metric}`, query);
      expect(first.flatMap(({ points }) => points).length, metric).toBeGreaterThan(20);
      expect(await seriesOf(platform, `droplet/${metric}`, query)).toEqual(first);
    }
    const load = await pointsOf(platform, 'droplet/load_5', query);
    expect(await pointsOf(platform, 'droplet/load_5', { ...query, host_id: other.id })).not.toEqual(load);
    // What was seen once stays so when time goes on.
    await platform.post('/_emulator/clock', { advance: '3h' });
    expect(await pointsOf(platform, 'droplet/load_5', query)).toEqual(load);
  });

  test('have points at whole steps, at most 300, none after now', async () => {
    await using platform = await frozenPlatform();
    const { id } = await dropletNamed(platform, 'web-01');
    const stepOf = async (start: number, end: number): Promise<readonly [number | undefined, number, number | undefined]> => {
      const points = await pointsOf(platform, 'droplet/load_1', { host_id: id, start, end });
      const steps = new Set(points.slice(1).map(({ second }, index) => second - (points[index]?.second ?? 0)));
      expect(steps.size).toBeLessThanOrEqual(1);
      return [[...steps][0], points.length, points.at(-1)?.second];
    };
    expect(await stepOf(NOON - HOUR, NOON)).toEqual([60, 61, NOON]);
    expect(await stepOf(NOON - 6 * HOUR, NOON)).toEqual([120, 181, NOON]);
    expect(await stepOf(NOON - DAY, NOON + DAY)).toEqual([600, 145, NOON]);
    expect(await stepOf(NOON - 90, NOON - 30)).toEqual([undefined, 1, NOON - 60]);
    expect(await stepOf(NOON + 60, NOON + HOUR)).toEqual([undefined, 0, undefined]);
    expect((await stepOf(0, NOON))[1]).toBeLessThanOrEqual(300);
  });

  test('swing with the day, smoothly', async () => {
    await using platform = await frozenPlatform();
    const { id } = await dropletNamed(platform, 'web-01');
    const points = await pointsOf(platform, 'droplet/bandwidth', { host_id: id, interface: 'public', direction: 'outbound', ...lastDay });
    const values = valuesOf(points);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    expect(least).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(1.5 * least);
    const jumps = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? 0)));
    expect(Math.max(...jumps)).toBeLessThan((most - least) / 2);
  });

  test("memory and file system add up to the droplet's size", async () => {
    await using platform = await frozenPlatform();
    const { id, memory, disk } = await dropletNamed(platform, 'web-01');
    const of = async (metric: string) => valuesOf(await pointsOf(platform, `droplet/${metric}`, { host_id: id, ...lastDay }));
    const [total, free, cached, available] = [
      await of('memory_total'),
      await of('memory_free'),
      await of('memory_cached'),
      await of('memory_available'),
    ];
    expect(new Set(total)).toEqual(new Set([memory * 2 ** 20]));
    expect(free.map((bytes, index) => bytes + (cached[index] ?? 0))).toEqual(available);
    expect(available.every((bytes) => bytes > 0 && bytes < memory * 2 ** 20)).toBe(true);
    const [size, left] = [await of('filesystem_size'), await of('filesystem_free')];
    expect(new Set(size).size).toBe(1);
    expect(size[0]).toBeGreaterThan(0.9 * disk * 2 ** 30);
    expect(size[0]).toBeLessThanOrEqual(disk * 2 ** 30);
    expect(left.every((bytes) => bytes > 0 && bytes < (size[0] ?? 0))).toBe(true);
    const [{ labels }] = (await seriesOf(platform, 'droplet/filesystem_free', { host_id: id, ...lastDay })) as [Json];
    expect(labels).toEqual({ device: '/dev/vda1', fstype: 'ext4', host_id: String(id), mountpoint: '/' });
  });

  test('cpu counts seconds by mode, which add up to those since the start of every processor, and begins again with it', async () => {
    await using platform = await emptyPlatform();
    const { id, vcpus } = await activeDroplet(platform, { size: 's-4vcpu-8gb' });
    const started = NOON + 45;
    await platform.post('/_emulator/clock', { advance: '2h' });
    await act(platform, id, { type: 'reboot' });
    const rebooted = (await platform.get(`/v2/droplets/${id}/actions`)).body.actions[0];
    await platform.post('/_emulator/clock', { advance: '1h' });
    const modes = await seriesOf(platform, 'droplet/cpu', { host_id: id, start: NOON, end: NOON + 4 * HOUR });
    expect(modes.map(({ labels }) => labels.mode)).toEqual(['idle', 'user', 'system', 'iowait', 'softirq', 'steal', 'nice', 'irq']);
    const restarted = secondOf(rebooted.completed_at);
    for (const [index, { second }] of (modes[0]?.points ?? []).entries()) {
      const sum = modes.reduce((all, { points }) => all + (points[index]?.value ?? 0), 0);
      expect(sum).toBeCloseTo(vcpus * (second - (second < restarted ? started : restarted)), 0);
    }
    for (const { points } of modes) {
      const grows = points.slice(1).filter(({ value }, index) => value >= (points[index]?.value ?? 0));
      // Once it begins again.
      expect(grows.length).toBe(points.length - 2);
    }
  });

  test('load follows the processors, and starts at none', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    await platform.post('/_emulator/metrics', { resource: id, metric: 'cpu', constant: 100, from: '2026-02-10T12:00:00Z' });
    await platform.post('/_emulator/clock', { advance: '1h' });
    const query = { host_id: id, start: NOON, end: NOON + HOUR };
    for (const [metric, seconds] of [
      ['load_1', 60],
      ['load_5', 300],
      ['load_15', 900],
    ] as const) {
      const points = await pointsOf(platform, `droplet/${metric}`, query);
      expect(points[0]).toEqual({ second: NOON + 60, value: Number(((1.1 * 15) / seconds).toFixed(2)) });
      expect(points.filter(({ second }) => second >= NOON + 45 + seconds).every(({ value }) => value === 1.1)).toBe(true);
    }
  });

  test('there are none before it is there nor while it is off; traffic is 0 then', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform);
    await platform.post('/_emulator/clock', { advance: '29m' });
    await act(platform, id, { type: 'power_off' });
    await platform.post('/_emulator/clock', { advance: '30m' });
    const [off] = (await platform.get(`/v2/droplets/${id}/actions`)).body.actions;
    await act(platform, id, { type: 'power_on' });
    const [on] = (await platform.get(`/v2/droplets/${id}/actions`)).body.actions;
    await platform.post('/_emulator/clock', { advance: '30m' });
    const [from, to] = [secondOf(off.completed_at), secondOf(on.completed_at)];
    const query = { host_id: id, start: NOON - HOUR, end: NOON + 2 * HOUR };
    for (const metric of DROPLET_METRICS) {
      for (const { points } of await seriesOf(platform, `droplet/${metric}`, query)) {
        const seconds = points.map(({ second }) => second);
        expect(Math.min(...seconds), metric).toBeGreaterThanOrEqual(NOON + 45);
        expect(seconds.filter((second) => second >= from && second < to)).toEqual([]);
        expect(Math.max(...seconds)).toBeGreaterThan(to);
      }
    }
    const traffic = await pointsOf(platform, 'droplet/bandwidth', { ...query, interface: 'public', direction: 'inbound' });
    const rest = traffic.filter(({ second }) => second >= from && second < to);
    expect(new Set(valuesOf(rest))).toEqual(new Set([0]));
    expect(traffic.filter(({ second, value }) => second >= to && value > 0).length).toBeGreaterThan(10);
    expect(traffic[0]?.second).toBe(NOON);
  });

  test('a droplet that has no private interface has no private traffic', async () => {
    await using platform = await frozenPlatform();
    const { id } = await dropletNamed(platform, 'legacy-app');
    const query = { host_id: id, direction: 'inbound', ...lastDay };
    expect(await pointsOf(platform, 'droplet/bandwidth', { ...query, interface: 'private' })).toEqual([]);
    expect((await pointsOf(platform, 'droplet/bandwidth', { ...query, interface: 'public' })).length).toBeGreaterThan(100);
  });

  test.each(['1', '999999999999', 'nonsense', '-1'])('of the unknown droplet %s there are no series', async (host_id) => {
    await using platform = await emptyPlatform();
    for (const metric of DROPLET_METRICS) {
      expect(await seriesOf(platform, `droplet/${metric}`, { host_id, ...lastDay })).toEqual([]);
    }
  });

  test.each([
    ['cpu', { host_id: undefined }, 'host_id is required.'],
    ['cpu', { start: undefined }, 'start is required.'],
    ['cpu', { end: '' }, 'end is required.'],
    ['load_1', { start: 'yesterday' }, 'start must be a UNIX timestamp in whole seconds.'],
    ['load_1', { end: '1.5' }, 'end must be a UNIX timestamp in whole seconds.'],
    ['load_1', { end: '-1' }, 'end must be a UNIX timestamp in whole seconds.'],
    ['memory_free', { start: String(NOON), end: String(NOON - 1) }, 'end must not be before start.'],
    ['bandwidth', { interface: undefined }, 'interface is required.'],
    ['bandwidth', { interface: 'eth0' }, 'interface must be one of private, public.'],
    ['bandwidth', { direction: 'up' }, 'direction must be one of inbound, outbound.'],
  ])('%s with %j is refused', async (metric, changes, message) => {
    await using platform = await emptyPlatform();
    const query = { host_id: '1', start: String(NOON - 60), end: String(NOON), interface: 'public', direction: 'inbound', ...changes };
    const text = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
    );
    const { status, body } = await platform.get(`/v2/monitoring/metrics/droplet/${metric}?${text}`);
    expect([status, body.id, body.message]).toEqual([422, 'unprocessable_entity', message]);
  });
});

describe('the metrics of a load balancer', () => {
  test('say how busy it is, its connections and its responses by class', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeBalancer(platform, { size_unit: 3 });
    await platform.post('/_emulator/clock', { advance: '1h' });
    const query = { lb_id: id, start: NOON - HOUR, end: NOON + HOUR };
    const cpu = await seriesOf(platform, 'load_balancer/frontend_cpu_utilization', query);
    expect(cpu).toMatchObject([{ labels: { lb_id: id } }]);
    expect(cpu[0]?.points.every(({ second, value }) => second >= NOON && value > 0 && value < 100)).toBe(true);
    const connections = valuesOf(await pointsOf(platform, 'load_balancer/frontend_connections_current', query));
    expect(connections.every((count) => Number.isInteger(count) && count > 0 && count < 30_000)).toBe(true);
    const responses = await seriesOf(platform, 'load_balancer/frontend_http_responses', query);
    expect(responses.map(({ labels }) => labels)).toEqual(['2xx', '3xx', '4xx', '5xx'].map((code) => ({ code, lb_id: id })));
  });

  test('one that does not understand what it forwards has no responses', async () => {
    await using platform = await emptyPlatform();
    const tcp = { ...HTTP_RULE, entry_protocol: 'tcp', target_protocol: 'tcp' };
    const { id } = await activeBalancer(platform, { forwarding_rules: [tcp] });
    await platform.post('/_emulator/clock', { advance: '1h' });
    const query = { lb_id: id, start: NOON, end: NOON + HOUR };
    expect(await seriesOf(platform, 'load_balancer/frontend_http_responses', query)).toEqual([]);
    expect((await pointsOf(platform, 'load_balancer/frontend_connections_current', query)).length).toBeGreaterThan(10);
  });

  test('of an unknown one there are no series, and its id has to be given', async () => {
    await using platform = await emptyPlatform();
    for (const metric of ['frontend_cpu_utilization', 'frontend_connections_current', 'frontend_http_responses']) {
      const path = `load_balancer/${metric}`;
      expect(await seriesOf(platform, path, { lb_id: '4de7ac8b-495b-4884-9a69-1050c6793cd6', ...lastDay })).toEqual([]);
      expect((await platform.get(`/v2/monitoring/metrics/${path}?start=1&end=2`)).body.message).toBe('lb_id is required.');
    }
  });
});

describe('the metrics of a MySQL cluster', () => {
  const USAGES = ['cpu_usage', 'memory_usage', 'disk_usage'];

  test('each point is the mean, the most or the least of its step', async () => {
    await using platform = await emptyPlatform();
    const { id } = (await platform.post('/v2/databases', clusterBody({ engine: 'mysql', version: '8' }))).body.database;
    await platform.post('/_emulator/clock', { advance: '6h' });
    const of = async (metric: string, query: Record<string, string>) =>
      valuesOf(await pointsOf(platform, `database/mysql/${metric}`, { db_id: id, start: NOON + HOUR, end: NOON + 6 * HOUR, ...query }));
    for (const usage of USAGES) {
      const [least, mean, most] = [
        await of(usage, { aggregate: 'min' }),
        await of(usage, { aggregate: 'avg' }),
        await of(usage, { aggregate: 'max' }),
      ];
      expect(mean.length).toBeGreaterThan(100);
      expect(mean.every((value, index) => value > (least[index] ?? 100) && value < (most[index] ?? 0))).toBe(true);
      expect([...least, ...most].every((value) => value > 0 && value < 100)).toBe(true);
    }
    for (const metric of ['load1', 'load5', 'load15']) {
      const [mean, most] = [await of('load', { metric, aggregate: 'avg' }), await of('load', { metric, aggregate: 'max' })];
      expect(mean.length).toBeGreaterThan(100);
      expect(mean.every((value, index) => value > 0 && value <= (most[index] ?? 0))).toBe(true);
    }
  });

  test('is refused for another engine, an unknown cluster, and what cannot be aggregated so', async () => {
    await using platform = await emptyPlatform();
    const mysql = (await platform.post('/v2/databases', clusterBody({ name: 'orders', engine: 'mysql', version: '8' }))).body.database.id;
    const pg = (await platform.post('/v2/databases', clusterBody({ name: 'shop' }))).body.database.id;
    const ask = async (metric: string, query: Record<string, string>) => {
      const all = new URLSearchParams({ db_id: mysql, aggregate: 'avg', start: String(NOON - 60), end: String(NOON), ...query });
      const { status, body } = await platform.get(`/v2/monitoring/metrics/database/mysql/${metric}?${all}`);
      return [status, body.message];
    };
    for (const metric of USAGES) {
      expect(await ask(metric, { db_id: pg })).toEqual([404, 'The resource you requested could not be found.']);
      expect(await ask(metric, { db_id: '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30' })).toEqual([404, expect.anything()]);
      expect(await ask(metric, { aggregate: 'sum' })).toEqual([422, 'aggregate must be one of avg, max, min.']);
      expect(await ask(metric, { aggregate: '' })).toEqual([422, 'aggregate is required.']);
      // It is there, and does not run yet.
      expect((await ask(metric, {}))[0]).toBe(200);
    }
    expect(await ask('load', { metric: 'load2' })).toEqual([422, 'metric must be one of load1, load5, load15.']);
    expect(await ask('load', { metric: 'load1', aggregate: 'min' })).toEqual([422, 'aggregate must be one of avg, max.']);
  });
});
