import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { advance, busy, busyDroplet, cpuPolicy, incidents, outbox, recipients } from './alerting.ts';
import { onlineCluster } from './database-cluster.ts';
import { dataDirectory } from './emulator-process.ts';
import { activeBalancer, activeDroplet, emptyPlatform, type Json, startPlatform } from './platform.ts';
import { chatReceiver } from './receiver.ts';

describe('an alert policy', () => {
  test('tells its people once when its measure has been over its value for its window, and once when that is over', async () => {
    await using receiver = await chatReceiver();
    await using platform = await emptyPlatform();
    const { droplet, policy } = await busyDroplet(platform, { chat: [`${receiver.url}/x`], mail: ['ops@example.com'] });
    await advance(platform, '299s');
    expect(receiver.deliveries).toEqual([]);
    await advance(platform, '1s');
    const [incident] = await incidents(platform);
    expect(incident).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      alert: policy.uuid,
      of: String(droplet.id),
      title: 'ALERT: web-01',
      started_at: '2026-02-10T12:00:45Z',
      fired_at: '2026-02-10T12:05:45Z',
      status: 'open',
    });
    const footer = `policy ${policy.uuid} entity ${droplet.id} incident ${incident?.id}`;
    expect(receiver.deliveries.map(({ body }) => body)).toEqual([
      {
        text: `ALERT: web-01 (droplet ${droplet.id}) cpu above 80% for 5m since 12:00 UTC: 95%`,
        attachments: [
          {
            color: '#d00000',
            title: 'ALERT: web-01',
            fields: [
              { title: 'Alert', value: 'cpu above 80% for 5m', short: true },
              { title: 'Resource', value: `droplet ${droplet.id}`, short: true },
              { title: 'Value', value: '95%', short: true },
              { title: 'Policy', value: 'CPU is high', short: false },
            ],
            footer,
          },
        ],
      },
    ]);
    await advance(platform, '2h');
    expect(receiver.deliveries).toHaveLength(1);

    await busy(platform, droplet.id, 20);
    await advance(platform, '10m');
    expect(receiver.deliveries.slice(1).map(({ body }) => body)).toEqual([
      {
        text: 'RECOVERED: web-01 after 2h 6m',
        attachments: [
          {
            color: '#2eb67d',
            title: 'RECOVERED: web-01',
            fields: [
              { title: 'Alert', value: 'cpu above 80% for 5m', short: true },
              { title: 'Duration', value: '2h 6m', short: true },
            ],
            footer,
          },
        ],
      },
    ]);
    expect(await incidents(platform)).toMatchObject([{ id: incident?.id, status: 'recovered', ended_at: '2026-02-10T14:06:45Z' }]);
    const mail = (await outbox(platform)).filter(({ kind }) => kind === 'mail');
    expect(mail).toMatchObject([
      { to: 'ops@example.com', subject: 'ALERT: web-01', text: expect.stringContaining('cpu above 80% for 5m since 12:00 UTC: 95%\n') },
      {
        to: 'ops@example.com',
        subject: 'Re: ALERT: web-01',
        references: mail[0]?.message_id,
        text: expect.stringMatching(/^RECOVERED: web-01/),
      },
    ]);
  });

  test('fires for each resource on its own: those it names, and those under its tags as they come and go', async () => {
    await using platform = await emptyPlatform();
    const named = await activeDroplet(platform, { name: 'named' });
    const tagged = await activeDroplet(platform, { name: 'tagged', tags: ['web'] });
    const other = await activeDroplet(platform, { name: 'other' });
    for (const { id } of [named, tagged, other]) {
      await busy(platform, id, 95);
    }
    await cpuPolicy(platform, { mail: ['ops@example.com'] }, { entities: [String(named.id)], tags: ['web'] });
    await advance(platform, '5m');
    expect(await incidents(platform)).toMatchObject([{ title: 'ALERT: named' }, { title: 'ALERT: tagged' }]);
    await platform.post('/v2/tags/web/resources', { resources: [{ resource_id: String(other.id), resource_type: 'droplet' }] });
    await platform.del('/v2/tags/web/resources', { resources: [{ resource_id: String(tagged.id), resource_type: 'droplet' }] });
    await advance(platform, '6m');
    expect(await incidents(platform)).toMatchObject([
      { title: 'ALERT: named', status: 'open' },
      { title: 'ALERT: tagged', status: 'withdrawn' },
      { title: 'ALERT: other', status: 'open' },
    ]);
  });

  test('counts the time before another policy was made, changed or deleted', async () => {
    await using platform = await emptyPlatform();
    const { droplet } = await busyDroplet(platform, { mail: ['ops@example.com'] }, { window: '1h' });
    await busy(platform, droplet.id, 20);
    await advance(platform, '62m');
    await busy(platform, droplet.id, 95);
    const begun = (await platform.get('/_emulator/clock')).body.now.replace('.000', '');
    await advance(platform, '20m');
    const other = await cpuPolicy(platform, { mail: ['dev@example.com'] }, { compare: 'LessThan', value: 1, window: '1h' });
    await advance(platform, '20m');
    await platform.del(`/v2/monitoring/alerts/${other.uuid}`);
    await advance(platform, '20m');
    expect(await incidents(platform)).toMatchObject([{ title: 'ALERT: web-01', started_at: begun, status: 'open' }]);
  });

  test('with neither watches everything of its kind', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform, { name: 'any' });
    await busy(platform, droplet.id, 5);
    await cpuPolicy(platform, { mail: ['ops@example.com'] }, { compare: 'LessThan', value: 10 });
    await advance(platform, '5m');
    expect(await incidents(platform)).toMatchObject([{ title: 'ALERT: any' }]);
    expect(await outbox(platform)).toMatchObject([{ text: expect.stringContaining('cpu below 10% for 5m since 12:00 UTC: 5%') }]);
  });

  test('does not fire for a measure that is at its value', async () => {
    await using platform = await emptyPlatform();
    const { id } = await activeDroplet(platform, { name: 'even' });
    await busy(platform, id, 80);
    const told = { mail: ['ops@example.com'] };
    const above = await cpuPolicy(platform, told, { compare: 'GreaterThan', value: 80 });
    const below = await cpuPolicy(platform, told, { compare: 'LessThan', value: 80 });
    await advance(platform, '10m');
    expect(await incidents(platform)).toEqual([]);
    await busy(platform, id, 80.1);
    await advance(platform, '6m');
    expect(await incidents(platform)).toMatchObject([{ alert: above.uuid, status: 'open' }]);
    await busy(platform, id, 79.9);
    await advance(platform, '6m');
    expect(await incidents(platform)).toMatchObject([{ alert: above.uuid }, { alert: below.uuid, status: 'open' }]);
  });

  test('watches clusters, by their tags too, and load balancers as it does instances', async () => {
    await using platform = await emptyPlatform();
    const cluster = await onlineCluster(platform, { name: 'orders', tags: ['production'] });
    const balancer = await activeBalancer(platform, { name: 'front' });
    const [ofClusters, ofBalancers] = ['v1/dbaas/alerts/cpu_alerts', 'v1/insights/lbaas/avg_cpu_utilization_percent'] as const;
    const scripted = async (resource: string, metric: string, constant: number) =>
      expect((await platform.post('/_emulator/metrics', { resource, metric, constant })).status).toBe(201);
    await scripted(cluster.id, ofClusters, 95);
    await scripted(balancer.id, ofBalancers, 5);
    const told = { mail: ['ops@example.com'] };
    await cpuPolicy(platform, told, { type: ofClusters, tags: ['production'] });
    await cpuPolicy(platform, told, { type: ofBalancers, entities: [balancer.id], compare: 'LessThan', value: 10, window: '10m' });
    await advance(platform, '10m');
    expect(await incidents(platform)).toMatchObject([
      { title: 'ALERT: orders', of: cluster.id, status: 'open' },
      { title: 'ALERT: front', of: balancer.id, status: 'open' },
    ]);
    expect((await outbox(platform)).map(({ text }) => text.split('\n')[0])).toEqual([
      expect.stringMatching(`^ALERT: orders \\(database ${cluster.id}\\) cpu_alerts above 80% for 5m since .*: 95%$`),
      expect.stringMatching(`^ALERT: front \\(load balancer ${balancer.id}\\) avg_cpu_utilization_percent below 10% for 10m since .*: 5%$`),
    ]);
    await scripted(cluster.id, ofClusters, 20);
    await scripted(balancer.id, ofBalancers, 50);
    await advance(platform, '10m');
    expect((await incidents(platform)).map(({ status }) => status)).toEqual(['recovered', 'recovered']);
  });

  test('does not fire for what comes and goes within its window, and one that comes and goes is one incident', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const restless = [95, 95, 95, 10, 95, 95, 95, 10, 95, 95, 95, 10];
    await platform.post('/_emulator/metrics', { resource: droplet.id, metric: 'cpu', list: restless, for: '12m' });
    await cpuPolicy(platform, { mail: ['ops@example.com'] });
    await advance(platform, '12m');
    expect(await incidents(platform)).toEqual([]);
    await busy(platform, droplet.id, 95);
    await advance(platform, '6m');
    await platform.post('/_emulator/metrics', { resource: droplet.id, metric: 'cpu', list: restless, for: '12m' });
    await advance(platform, '30m');
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
  });

  test('survives a restart in the middle of its window', async () => {
    await using data = await dataDirectory();
    await using receiver = await chatReceiver();
    const first = await startPlatform({ dataDir: data.path });
    await first.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
    await first.post('/_emulator/reset', { seed: 'empty' });
    await busyDroplet(first, { chat: [`${receiver.url}/x`] });
    await advance(first, '3m');
    await first[Symbol.asyncDispose]();
    await using second = await startPlatform({ dataDir: data.path });
    await advance(second, '119s');
    expect(await incidents(second)).toEqual([]);
    await advance(second, '1s');
    expect(await incidents(second)).toMatchObject([{ started_at: '2026-02-10T12:00:45Z', fired_at: '2026-02-10T12:05:45Z' }]);
    expect(receiver.deliveries).toHaveLength(1);
  });

  test('is quiet while it is disabled, begins anew when it asks for something else, and ends with what it watches', async () => {
    await using platform = await emptyPlatform();
    const { droplet, policy } = await busyDroplet(platform, { mail: ['ops@example.com'] });
    const path = `/v2/monitoring/alerts/${policy.uuid}`;
    await advance(platform, '3m');
    await platform.put(path, { ...policy, enabled: false });
    await advance(platform, '1h');
    expect(await incidents(platform)).toEqual([]);
    await platform.put(path, { ...policy, description: 'another name' });
    await advance(platform, '5m');
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
    await platform.put(path, { ...policy, description: 'and another' });
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
    await platform.put(path, { ...policy, value: 90 });
    expect(await incidents(platform)).toMatchObject([{ status: 'withdrawn' }]);
    await advance(platform, '5m');
    expect(await incidents(platform)).toMatchObject([{ status: 'withdrawn' }, { status: 'open' }]);
    await platform.del(`/v2/droplets/${droplet.id}`);
    await advance(platform, '10m');
    expect(await incidents(platform)).toMatchObject([{ status: 'withdrawn' }, { status: 'withdrawn' }]);
    expect(await outbox(platform)).toHaveLength(2);
  });

  test('neither fires nor recovers for an instance that is off', async () => {
    await using platform = await emptyPlatform();
    const { droplet } = await busyDroplet(platform, { mail: ['ops@example.com'] });
    await advance(platform, '5m');
    await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'power_off' });
    await advance(platform, '1h');
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
  });

  test('goes on after its clock was set back', async () => {
    await using platform = await emptyPlatform();
    const { droplet } = await busyDroplet(platform, { mail: ['ops@example.com'] });
    await advance(platform, '3m');
    await platform.post('/_emulator/clock', { now: '2026-02-10T12:01:00Z' });
    await busy(platform, droplet.id, 95);
    await advance(platform, '6m');
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
  });

  test('tells each of its people once, however often they are named', async () => {
    await using receiver = await chatReceiver();
    await using platform = await emptyPlatform();
    const url = `${receiver.url}/x`;
    const alerts = recipients({ chat: [url, url], mail: ['a@example.com', 'b@example.com', 'a@example.com'] });
    await busyDroplet(platform, {}, { alerts });
    await advance(platform, '5m');
    expect((await outbox(platform)).map(({ to }) => to)).toEqual(['#ops', 'a@example.com', 'b@example.com']);
    expect(receiver.deliveries).toHaveLength(1);
  });

  test('leaves the newest thousand of its incidents, and whatever is open', async () => {
    await using directory = await dataDirectory();
    let shown: Json[];
    {
      await using platform = await emptyPlatform({ dataDir: directory.path });
      const { policy: lasting } = await busyDroplet(platform, {});
      await advance(platform, '5m');
      await platform.post('/_emulator/populate', { droplets: 400 });
      const policy = await cpuPolicy(platform, {}, { value: 0 });
      for (const value of [0, 0.01, 0.02]) {
        await platform.put(`/v2/monitoring/alerts/${policy.uuid}`, { ...policy, value });
        await advance(platform, '5m');
      }
      shown = await incidents(platform);
      expect(shown).toHaveLength(1000);
      expect(shown).not.toContainEqual(expect.objectContaining({ alert: lasting.uuid }));
    }
    const [file = ''] = (await readdir(join(directory.path, 'accounts'))).filter((name) => name.endsWith('.sqlite'));
    using db = new DatabaseSync(join(directory.path, 'accounts', file));
    const kept = db
      .prepare('SELECT doc FROM alert_incidents ORDER BY seq')
      .all()
      .map(({ doc }) => JSON.parse(String(doc)));
    expect(kept.slice(-1000)).toEqual(shown);
    expect(kept.length).toBeLessThan(1100);
    expect(kept[0]).toMatchObject({ title: 'ALERT: web-01', status: 'open' });
  });
});
