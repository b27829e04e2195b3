import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import { orderBalancer, replaceBalancer } from './balancer-orders.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

const ORDER = { region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' } as const;
const EVERYWHERE = { addresses: ['0.0.0.0/0', '::/0'] };
const HTTP = { entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 8080 };

export function trafficStories(enter: Enter): void {
  it('closes a firewall around droplets and tags, rule by rule', async () => {
    const { v2, later } = await enter();
    const { droplets } = await v2.droplets.post({ ...ORDER, names: ['in', 'out'] });
    await v2.tags.post({ name: 'walled' });
    await later('1m');
    const [inside, outside] = droplets.map(({ id }: Json) => id);
    const ssh = { protocol: 'tcp', ports: '22', sources: { addresses: ['203.0.113.0/24'] } };
    const out = { protocol: 'tcp', ports: '0', destinations: EVERYWHERE };
    const { firewall } = await v2.firewalls.post({ name: 'wall', inboundRules: [ssh], outboundRules: [out], dropletIds: [inside] });
    expect(firewall).toMatchObject({ name: 'wall', status: 'waiting', dropletIds: [inside], createdAt: expect.any(Date) });
    expect(firewall.pendingChanges).toMatchObject([{ dropletId: inside, removing: false, status: 'waiting' }]);
    await later('1m');
    const wall = v2.firewalls.byFirewall_id(firewall.id);
    expect((await wall.get()).firewall).toMatchObject({
      status: 'succeeded',
      pendingChanges: [],
      inboundRules: [ssh],
      outboundRules: [out],
    });

    await wall.droplets.post({ dropletIds: [outside] });
    await wall.droplets.delete({ dropletIds: [inside] });
    await wall.tags.post({ tags: ['walled'] });
    const web = { protocol: 'tcp', ports: '8000-9000', sources: { tags: ['walled'], dropletIds: [outside] } };
    await wall.rules.post({ inboundRules: [web] });
    await wall.rules.delete({ outboundRules: [out] });
    await later('1m');
    expect((await wall.get()).firewall).toMatchObject({
      dropletIds: [outside],
      tags: ['walled'],
      inboundRules: [ssh, web],
      outboundRules: [],
    });
    const { firewalls } = await v2.droplets.byDroplet_id(outside).firewalls.get();
    expect(firewalls.map(({ name }: Json) => name)).toEqual(['wall']);
    await wall.tags.delete({ tags: ['walled'] });
    const { firewalls: all, meta } = await v2.firewalls.get();
    expect([all.find(({ id }: Json) => id === firewall.id).tags, meta.total]).toEqual([[], all.length]);
    await wall.delete();
    expect(await refusal(wall.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('balances load over droplets', async () => {
    const account = await enter();
    const { v2, later } = account;
    const { droplets } = await v2.droplets.post({ ...ORDER, names: ['left', 'right'] });
    await later('1m');
    const [left, right] = droplets.map(({ id }: Json) => id);
    const order = { name: 'scales', region: 'nyc3', forwarding_rules: [HTTP], droplet_ids: [left] };
    const { loadBalancer } = await orderBalancer(account, order);
    expect(loadBalancer).toMatchObject({ name: 'scales', status: 'new', ip: '', dropletIds: [left], region: { slug: 'nyc3' } });
    expect(await refusal(replaceBalancer(account, loadBalancer.id, order))).toMatchObject({ status: 403, id: 'forbidden' });
    await later('2m');
    const scales = v2.load_balancers.byLb_id(loadBalancer.id);
    const active = (await scales.get()).loadBalancer;
    expect(active).toMatchObject({
      status: 'active',
      sizeUnit: 1,
      forwardingRules: [{ entryPort: 80, targetPort: 8080, tlsPassthrough: false }],
    });
    expect(active).toMatchObject({ healthCheck: { protocol: 'http', path: '/' }, stickySessions: { type: 'none' } });

    const settle = () => later('1m');
    await scales.droplets.post({ dropletIds: [right] });
    await settle();
    await scales.droplets.delete({ dropletIds: [left] });
    await settle();
    const tcp = { entryProtocol: 'tcp', entryPort: 5432, targetProtocol: 'tcp', targetPort: 5432 };
    await scales.forwarding_rules.post({ forwardingRules: [tcp] });
    await settle();
    expect((await scales.get()).loadBalancer).toMatchObject({ dropletIds: [right], forwardingRules: [{ entryPort: 80 }, tcp] });
    await scales.forwarding_rules.delete({ forwardingRules: [{ ...tcp, tlsPassthrough: false }] });
    await settle();
    const replaced = (await replaceBalancer(account, loadBalancer.id, { ...order, size_unit: 3, sticky_sessions: cookies })).loadBalancer;
    expect(replaced).toMatchObject({ sizeUnit: 3, dropletIds: [left], stickySessions: { type: 'cookies', cookieTtlSeconds: 300 } });
    await settle();
    expect((await v2.load_balancers.get()).loadBalancers.map(({ name }: Json) => name)).toEqual(
      expect.arrayContaining(['scales', 'web-lb']),
    );
    expect(await refusal(scales.cache.delete())).toMatchObject({ status: 422 });

    const settings = { target_protocol: 'http', target_port: 80, cdn: { is_enabled: true } };
    const wide = await orderBalancer(account, {
      name: 'wide',
      type: 'GLOBAL',
      glb_settings: settings,
      target_load_balancer_ids: [active.id],
    });
    await later('2m');
    const world = v2.load_balancers.byLb_id(wide.loadBalancer.id);
    expect((await world.get()).loadBalancer).toMatchObject({ type: 'GLOBAL', glbSettings: { cdn: { isEnabled: true }, targetPort: 80 } });
    await world.cache.delete();
    await scales.delete();
    expect(await refusal(scales.get())).toMatchObject({ status: 404, id: 'not_found' });
  });
}

const cookies = { type: 'cookies', cookie_name: 'LB', cookie_ttl_seconds: 300 };
