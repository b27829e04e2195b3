import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import { orderBalancer } from './balancer-orders.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

const NOON = Date.parse('2026-02-10T12:00:00Z') / 1000;
const HOUR = { start: String(NOON), end: String(NOON + 3600) };

/** The labels of a reply's series, which the client keeps beside its fields. */
const labelsOf = (metrics: Json): readonly Json[] => metrics.data.result.map(({ metric }: Json) => metric.additionalData);

export function metricStories(enter: Enter): void {
  it('looks at what an instance does', async () => {
    const { v2, later } = await enter();
    const { droplet } = await v2.droplets.post({ name: 'busy', region: 'nyc3', size: 's-2vcpu-4gb', image: 'ubuntu-24-04-x64' });
    await later('1h');
    const { droplet: of } = v2.monitoring.metrics;
    const hostId = String(droplet.id);
    const query = { queryParameters: { hostId, ...HOUR } };
    const plain = ['load_1', 'load_5', 'load_15', 'memory_cached', 'memory_free', 'memory_total', 'memory_available'];
    for (const name of plain) {
      const metrics = await of[name].get(query);
      expect(metrics).toMatchObject({ status: 'success', data: { resultType: 'matrix' } });
      expect(labelsOf(metrics), name).toEqual([{ host_id: hostId }]);
    }
    for (const name of ['filesystem_free', 'filesystem_size']) {
      expect(labelsOf(await of[name].get(query))).toMatchObject([{ host_id: hostId, mountpoint: '/' }]);
    }
    expect(labelsOf(await of.cpu.get(query)).map(({ mode }) => mode)).toContain('idle');
    const traffic = {
      queryParameters: { ...query.queryParameters, interface: 'private', direction: 'outbound' },
    };
    expect(labelsOf(await of.bandwidth.get(traffic))).toEqual([{ direction: 'outbound', host_id: hostId, interface: 'private' }]);
    const backwards = { queryParameters: { hostId, start: HOUR.end, end: HOUR.start } };
    expect(await refusal(of.cpu.get(backwards))).toMatchObject({ status: 422, id: 'unprocessable_entity' });
  });

  it('looks at what a load balancer and a MySQL cluster do', async () => {
    const account = await enter();
    const { v2, later } = account;
    const forwarding_rules = [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 80 }];
    const { loadBalancer } = await orderBalancer(account, { name: 'gate', region: 'nyc3', droplet_ids: [], forwarding_rules });
    const order = { name: 'ledger', engine: 'mysql', version: '8', region: 'nyc3', size: 'db-s-1vcpu-2gb', numNodes: 1 };
    const { database } = await v2.databases.post(order);
    await later('1h');
    const { load_balancer: front, database: databases } = v2.monitoring.metrics;
    const balancer = { queryParameters: { lbId: loadBalancer.id, ...HOUR } };
    for (const name of ['frontend_cpu_utilization', 'frontend_connections_current']) {
      expect(labelsOf(await front[name].get(balancer)), name).toEqual([{ lb_id: loadBalancer.id }]);
    }
    expect(labelsOf(await front.frontend_http_responses.get(balancer)).map(({ code }) => code)).toEqual(['2xx', '3xx', '4xx', '5xx']);
    const cluster = { dbId: database.id, aggregate: 'max', ...HOUR };
    for (const name of ['cpu_usage', 'memory_usage', 'disk_usage']) {
      expect(labelsOf(await databases.mysql[name].get({ queryParameters: cluster })), name).toEqual([{ db_id: database.id }]);
    }
    expect(labelsOf(await databases.mysql.load.get({ queryParameters: { ...cluster, metric: 'load5' } }))).toEqual([
      { db_id: database.id },
    ]);
    const stranger = { ...cluster, dbId: '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30' };
    expect(await refusal(databases.mysql.cpu_usage.get({ queryParameters: stranger }))).toMatchObject({ status: 404, id: 'not_found' });
  });
}
