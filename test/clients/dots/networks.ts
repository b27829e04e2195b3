import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

const ORDER = { region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' } as const;

export function networkStories(enter: Enter): void {
  it('makes two networks, joins them, and can not delete one that has members', async () => {
    const { v2, later } = await enter();
    const { vpc } = await v2.vpcs.post({ name: 'yard', region: 'nyc3', ipRange: '10.60.0.0/20', description: 'The yard' });
    expect(vpc).toMatchObject({ name: 'yard', ipRange: '10.60.0.0/20', defaultEscaped: false, urn: `do:vpc:${vpc.id}` });
    expect(vpc.createdAt).toEqual(new Date('2026-02-10T12:00:00Z'));
    const overlapping = v2.vpcs.post({ name: 'yard-2', region: 'nyc3', ipRange: '10.60.8.0/24' });
    expect(await refusal(overlapping)).toMatchObject({ status: 422, message: expect.stringContaining('overlaps') });
    const other = (await v2.vpcs.post({ name: 'dock', region: 'fra1' })).vpc;
    expect((await v2.vpcs.get({ queryParameters: { perPage: 200 } })).vpcs.map(({ id }: Json) => id)).toEqual(
      expect.arrayContaining([vpc.id, other.id]),
    );
    expect((await v2.vpcs.byVpc_id(other.id).get()).vpc).toEqual(other);

    const { droplet } = await v2.droplets.post({ ...ORDER, name: 'guard', vpcUuid: vpc.id });
    await later('1m');
    const { members, meta } = await v2.vpcs.byVpc_id(vpc.id).members.get({ queryParameters: { resourceType: 'droplet' } });
    expect([members, meta.total]).toMatchObject([[{ name: 'guard', urn: `do:droplet:${droplet.id}` }], 1]);
    expect(await refusal(v2.vpcs.byVpc_id(vpc.id).delete())).toMatchObject({ status: 409, id: 'conflict' });

    const { vpcPeering } = await v2.vpc_peerings.post({ name: 'yard-dock', vpcIds: [vpc.id, other.id] });
    expect(vpcPeering).toMatchObject({ status: 'PROVISIONING', vpcIds: [vpc.id, other.id] });
    await later('1m');
    const peering = v2.vpc_peerings.byVpc_peering_id(vpcPeering.id);
    expect((await peering.get()).vpcPeering).toMatchObject({ name: 'yard-dock', status: 'ACTIVE' });
    const { vpcPeerings } = await v2.vpc_peerings.get();
    expect(vpcPeerings.map(({ id }: Json) => id)).toContain(vpcPeering.id);
    expect((await peering.delete()).vpcPeering).toMatchObject({ id: vpcPeering.id, status: 'DELETING' });
    await later('1m');
    expect(await refusal(peering.get())).toMatchObject({ status: 404 });
    await v2.vpcs.byVpc_id(other.id).delete();
    expect(await refusal(v2.vpcs.byVpc_id(other.id).get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('moves a reserved address between droplets', async () => {
    const { v2, later } = await enter();
    const { droplets } = await v2.droplets.post({ ...ORDER, names: ['one', 'two'] });
    const { reservedIp } = await v2.reserved_ips.post({ region: 'nyc3' });
    expect(reservedIp).toMatchObject({ region: { slug: 'nyc3' }, locked: true, projectId: expect.any(String) });
    await later('1m');
    const address = v2.reserved_ips.byReserved_ip(reservedIp.ip);
    const { action } = await address.actions.post({ type: 'assign', dropletId: droplets[0].id });
    expect(action).toMatchObject({ type: 'assign_ip', status: 'in-progress', resourceType: 'reserved_ip' });
    expect(await refusal(address.actions.post({ type: 'unassign' }))).toMatchObject({ status: 422 });
    await later('1m');
    expect((await address.get()).reservedIp).toMatchObject({ locked: false, droplet: { id: droplets[0].id, name: 'one' } });
    await address.actions.post({ type: 'assign', dropletId: droplets[1].id });
    await later('1m');
    expect((await address.get()).reservedIp.droplet.name).toBe('two');
    await address.actions.post({ type: 'unassign' });
    await later('1m');
    const { reservedIps } = await v2.reserved_ips.get({ queryParameters: { perPage: 200 } });
    expect(reservedIps.find(({ ip }: Json) => ip === reservedIp.ip)).toMatchObject({ locked: false, droplet: {} });
    await address.delete();
    expect(await refusal(address.get())).toMatchObject({ status: 404, id: 'not_found' });
    const direct = (await v2.reserved_ips.post({ dropletId: droplets[0].id })).reservedIp;
    await later('1m');
    expect((await v2.reserved_ips.byReserved_ip(direct.ip).get()).reservedIp.droplet.name).toBe('one');
  });

  it('gives a droplet a reserved IPv6 address', async () => {
    const { v2, later } = await enter();
    const { droplet } = await v2.droplets.post({ ...ORDER, name: 'six', ipv6: true });
    await later('1m');
    const { reservedIpv6 } = await v2.reserved_ipv6.post({ regionSlug: 'nyc3' });
    expect(reservedIpv6).toMatchObject({ regionSlug: 'nyc3', reservedAt: expect.any(Date), ip: expect.stringContaining(':') });
    const address = v2.reserved_ipv6.byReserved_ipv6(reservedIpv6.ip);
    const { action } = await address.actions.post({ type: 'assign', dropletId: droplet.id });
    expect(action).toMatchObject({ type: 'assign_ip', resourceType: 'reserved_ipv6' });
    await later('1m');
    expect((await address.get()).reservedIpv6).toMatchObject({ ip: reservedIpv6.ip, droplet: { name: 'six' } });
    expect(await refusal(address.delete())).toMatchObject({ status: 422 });
    await address.actions.post({ type: 'unassign' });
    await later('1m');
    expect((await v2.reserved_ipv6.get()).reservedIpv6s.map(({ ip }: Json) => ip)).toContain(reservedIpv6.ip);
    await address.delete();
    expect(await refusal(address.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('brings a network of its own', async () => {
    const { v2, later } = await enter();
    const order = { prefix: '203.0.113.0/24', signature: 'b3BlbiBzZXNhbWU=', region: 'nyc3' };
    // The client takes the answer for a bare prefix: its envelope ends up beside the fields that it knows.
    const begun = (await v2.byoip_prefixes.post(order)).additionalData.byoip_prefix;
    expect(begun).toMatchObject({ region: 'nyc3', status: 'in_progress' });
    const prefix = v2.byoip_prefixes.byByoip_prefix_uuid(begun.uuid);
    await later('1m');
    const active = (await prefix.get()).byoipPrefix;
    expect(active).toMatchObject({ prefix: '203.0.113.0/24', status: 'active', advertised: false, locked: false });
    expect((await v2.byoip_prefixes.get()).byoipPrefixes).toEqual([active]);
    expect((await prefix.ips.get()).ips).toEqual([]);
    await prefix.delete();
    await later('1m');
    expect(await refusal(prefix.get())).toMatchObject({ status: 404 });
  });
}
