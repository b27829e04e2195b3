import { expect, it } from 'vitest';
import type { Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

const ORDER = { region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' } as const;

export function trafficStories(enter: Enter): void {
  it('makes a network that can not be deleted while it has members', async () => {
    const { client, later } = await enter();
    const { vpc } = (await client.vpc.createVpc({ name: 'yard', region: 'nyc3', ip_range: '10.60.0.0/20', description: 'The yard' })).data;
    expect(vpc).toMatchObject({ name: 'yard', ip_range: '10.60.0.0/20', default: false, urn: `do:vpc:${vpc.id}` });
    const { droplet } = (await client.droplet.createDroplet({ ...ORDER, name: 'guard', vpc_uuid: vpc.id })).data;
    await later('1m');
    const { members } = (await client.vpc.listVpcResources({ vpc_id: vpc.id, resource_type: 'droplet' })).data;
    expect(members).toMatchObject([{ name: 'guard', urn: `do:droplet:${droplet.id}` }]);
    expect(await refusal(client.vpc.deleteVpc({ vpc_id: vpc.id }))).toMatchObject({ status: 409, id: 'conflict' });
    expect((await client.vpc.listVpcs({ per_page: 200 })).data.vpcs).toContainEqual(vpc);
    await client.droplet.deleteDroplet({ droplet_id: droplet.id });
    expect((await client.vpc.deleteVpc({ vpc_id: vpc.id })).status).toBe(204);
    expect(await refusal(client.vpc.getVpc({ vpc_id: vpc.id }))).toMatchObject({ status: 404, id: 'not_found' });
    const { vpcs } = (await client.vpc.listVpcs({})).data;
    expect((await client.vpc.getVpc({ vpc_id: vpcs[0]?.id ?? '' })).data.vpc).toEqual(vpcs[0]);
  });

  it('closes a firewall around droplets and tags, rule by rule', async () => {
    const { client, later } = await enter();
    const { droplets } = (await client.droplet.createDroplets({ ...ORDER, names: ['in', 'out'] })).data;
    const [inside, outside] = droplets.map(({ id }) => id);
    await client.tag.createTag({ name: 'walled' });
    await later('1m');
    const ssh = { protocol: 'tcp', ports: '22', sources: { addresses: ['203.0.113.0/24'] } };
    const out = { protocol: 'tcp', ports: '0', destinations: { addresses: ['0.0.0.0/0'] } };
    const order = { name: 'wall', inbound_rules: [ssh], outbound_rules: [out], droplet_ids: [inside ?? 0], tags: [] };
    const { firewall } = (await client.firewall.createFirewall(order)).data;
    expect(firewall).toMatchObject({ status: 'waiting', pending_changes: [{ droplet_id: inside, removing: false, status: 'waiting' }] });
    await later('1m');
    const firewall_id = firewall.id ?? '';
    const look = async () => (await client.firewall.getFirewall({ firewall_id })).data.firewall;
    expect(await look()).toMatchObject({ status: 'succeeded', pending_changes: [], inbound_rules: [ssh], outbound_rules: [out] });
    await client.firewall.addDropletsToFirewall({ firewall_id, droplet_ids: [outside ?? 0] });
    await client.firewall.removeDropletsFromFirewall({ firewall_id, droplet_ids: [inside ?? 0] });
    await client.firewall.addTagsToFirewall({ firewall_id, tags: ['walled'] });
    const web = { protocol: 'tcp', ports: '8000-9000', sources: { tags: ['walled'] } };
    await client.firewall.addRulesToFirewall({ firewall_id, inbound_rules: [web], outbound_rules: [] });
    await client.firewall.removeRulesFromFirewall({ firewall_id, inbound_rules: [], outbound_rules: [out] });
    expect(await look()).toMatchObject({ droplet_ids: [outside], tags: ['walled'], inbound_rules: [ssh, web], outbound_rules: [] });
    await client.firewall.removeTagsFromFirewall({ firewall_id, tags: ['walled'] });
    expect((await client.firewall.listFirewalls({})).data.firewalls.find(({ id }) => id === firewall_id)).toMatchObject({ tags: [] });
    expect((await client.firewall.deleteFirewall({ firewall_id })).status).toBe(204);
    expect(await refusal(client.firewall.getFirewall({ firewall_id }))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('balances load over droplets', async () => {
    const { client, later } = await enter();
    const { droplets } = (await client.droplet.createDroplets({ ...ORDER, names: ['left', 'right'] })).data;
    const [left = 0, right = 0] = droplets.map(({ id }) => id);
    await later('1m');
    const http = { entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 8080 };
    const order = { name: 'scales', region: 'nyc3', forwarding_rules: [http], droplet_ids: [left] };
    const { load_balancer } = (await client.loadBalancer.createLoadBalancer(order)).data;
    expect(load_balancer).toMatchObject({ name: 'scales', status: 'new', ip: '', region: { slug: 'nyc3' } });
    const load_balancer_id = load_balancer.id;
    const removed = client.loadBalancer.removeDropletsFromLoadBalancer({ load_balancer_id, droplet_ids: [left] });
    expect(await refusal(removed)).toMatchObject({ status: 403, id: 'forbidden' });
    await later('2m');
    const look = async () => (await client.loadBalancer.getLoadBalancer({ load_balancer_id })).data.load_balancer;
    expect(await look()).toMatchObject({ status: 'active', forwarding_rules: [http], health_check: { protocol: 'http', path: '/' } });
    await client.loadBalancer.addDropletsToLoadBalancer({ load_balancer_id, droplet_ids: [right] });
    await later('1m');
    await client.loadBalancer.removeDropletsFromLoadBalancer({ load_balancer_id, droplet_ids: [left] });
    await later('1m');
    const tcp = {
      entry_protocol: 'tcp',
      entry_port: 5432,
      target_protocol: 'tcp',
      target_port: 5432,
      certificate_id: '',
      tls_passthrough: false,
    };
    await client.loadBalancer.addRulesToLoadBalancer({ load_balancer_id, forwarding_rules: [tcp] });
    await later('1m');
    expect(await look()).toMatchObject({ droplet_ids: [right], forwarding_rules: [http, tcp] });
    await client.loadBalancer.removeRulesFromLoadBalancer({ load_balancer_id, forwarding_rules: [tcp] });
    await later('1m');
    const replaced = { ...order, load_balancer_id, redirect_http_to_https: false, enable_proxy_protocol: true };
    expect((await client.loadBalancer.updateLoadBalancer(replaced)).data.load_balancer).toMatchObject({
      droplet_ids: [left],
      forwarding_rules: [http],
      enable_proxy_protocol: true,
    });
    await later('1m');
    expect((await client.loadBalancer.listLoadBalancers({})).data.load_balancers.map(({ name }) => name)).toContain('scales');
    expect((await client.loadBalancer.deleteLoadBalancer({ load_balancer_id })).status).toBe(204);
    expect(await refusal(client.loadBalancer.getLoadBalancer({ load_balancer_id }))).toMatchObject({ status: 404, id: 'not_found' });
  });
}
