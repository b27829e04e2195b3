import { expect, it } from 'vitest';
import type { Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

const NOON = Date.parse('2026-02-10T12:00:00Z') / 1000;
const HOUR = { start: NOON, end: NOON + 3600 };

export function metricStories(enter: Enter): void {
  it('looks at what an instance does', async () => {
    const { client, later } = await enter();
    const { monitoring } = client;
    const order = { name: 'busy', region: 'nyc3', size: 's-2vcpu-4gb', image: 'ubuntu-24-04-x64' };
    const { droplet } = (await client.droplet.createDroplet(order)).data;
    await later('1h');
    const query = { host_id: droplet.id, ...HOUR };
    const host_id = String(droplet.id);
    const reads = [
      monitoring.getDropletFreeMemoryMetrics,
      monitoring.getDropletAvailableMemoryMetrics,
      monitoring.getDropletTotalMemoryMetrics,
    ];
    const [free, available, total] = (await Promise.all(reads.map((read) => read(query)))).map(({ data }) => {
      expect(data).toMatchObject({ status: 'success', data: { resultType: 'matrix', result: [{ metric: { host_id } }] } });
      const [, bytes] = data.data.result[0]?.values.at(-1) ?? [];
      return Number(bytes);
    });
    expect([free, available]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(free).toBeLessThan(available ?? 0);
    expect(total).toBe(4 * 2 ** 30);
    const modes = (await monitoring.getDropletCpuMetrics(query)).data.data.result;
    expect(modes.map(({ metric }) => metric)).toContainEqual({ host_id, mode: 'idle' });
    const network = { network_interface: 'public', traffic_direction: 'inbound' } as const;
    const traffic = (await monitoring.getDropletBandwidthMetrics({ ...query, ...network })).data.data.result;
    expect(traffic).toMatchObject([{ metric: { direction: 'inbound', host_id, interface: 'public' } }]);
    const backwards = monitoring.getDropletCpuMetrics({ host_id, start: HOUR.end, end: HOUR.start });
    expect(await refusal(backwards)).toMatchObject({ status: 422, id: 'unprocessable_entity' });
  });
}
