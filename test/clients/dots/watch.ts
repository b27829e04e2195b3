import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

const NOTICES = { email: ['crew@example.com'], slack: [{ channel: '#crew', url: 'https://hooks.slack.com/services/T0/B0/X' }] };

export function watchStories(enter: Enter): void {
  it('watches a site and tells the crew', async () => {
    const { v2 } = await enter();
    const { check } = await v2.uptime.checks.post({
      name: 'Site',
      type: 'https',
      target: 'https://www.example.com',
      regions: ['us_east', 'eu_west'],
      enabled: true,
    });
    expect(check).toMatchObject({
      name: 'Site',
      type: 'https',
      target: 'https://www.example.com',
      regions: ['us_east', 'eu_west'],
      enabled: true,
    });
    const site = v2.uptime.checks.byCheck_id(check.id);
    expect((await site.state.get()).state.regions).toMatchObject({ usEast: { status: 'CHECKING' }, euWest: { status: 'CHECKING' } });
    expect((await site.put({ name: 'The site', enabled: false })).check).toEqual({ ...check, name: 'The site', enabled: false });
    expect((await site.get()).check.name).toBe('The site');
    expect((await v2.uptime.checks.get()).checks.map(({ id }: Json) => id)).toContain(check.id);

    const slow = { name: 'Slow', type: 'latency', threshold: 300, comparison: 'greater_than', notifications: NOTICES, period: '2m' };
    const { alert } = await site.alerts.post(slow);
    expect(alert).toEqual({ id: alert.id, ...slow });
    const one = site.alerts.byAlert_id(alert.id);
    expect((await one.put({ ...slow, threshold: 500, period: '10m' })).alert).toMatchObject({
      threshold: 500,
      period: '10m',
      notifications: NOTICES,
    });
    expect((await one.get()).alert).toMatchObject({ id: alert.id, threshold: 500 });
    expect((await site.alerts.get()).alerts).toMatchObject([{ name: 'Slow' }]);
    await one.delete();
    expect(await refusal(one.get())).toMatchObject({ status: 404, id: 'not_found' });
    await site.delete();
    expect(await refusal(site.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('keeps alert policies', async () => {
    const { v2 } = await enter();
    const [droplet] = (await v2.droplets.get({ queryParameters: { name: 'web-01' } })).droplets;
    const order = {
      alerts: NOTICES,
      compare: 'GreaterThan',
      description: 'Too busy',
      enabled: true,
      entities: [String(droplet.id)],
      tags: ['web'],
      type: 'v1/insights/droplet/memory_utilization_percent',
      value: 80,
      window: '10m',
    };
    const { policy } = await v2.monitoring.alerts.post(order);
    expect(policy).toEqual({ uuid: policy.uuid, ...order });
    const one = v2.monitoring.alerts.byAlert_uuid(policy.uuid);
    const quiet = { ...order, compare: 'LessThan', value: 5, enabled: false, window: '1h' };
    expect((await one.put(quiet)).policy).toEqual({ uuid: policy.uuid, ...quiet });
    expect((await one.get()).policy).toMatchObject({ value: 5, compare: 'LessThan' });
    expect((await v2.monitoring.alerts.get()).policies.map(({ uuid }: Json) => uuid)).toContain(policy.uuid);
    expect(await refusal(v2.monitoring.alerts.post({ ...order, value: 101 }))).toMatchObject({ status: 422 });
    await one.delete();
    expect(await refusal(one.get())).toMatchObject({ status: 404, id: 'not_found' });
  });
}
