import { describe, expect, test } from 'vitest';
import { INBOUND_SSH, INBOUND_WEB, lookAtFirewall, newFirewall, OUTBOUND_DNS, pendingChange, settleFirewalls } from './firewall-steps.ts';
import { activeDroplet, emptyPlatform } from './platform.ts';

describe('a rule', () => {
  const rule = (changes: Record<string, unknown>) => ({ ...INBOUND_WEB, ...changes });

  test.each([
    ['all ports', rule({ ports: 'all' }), { ports: '0' }],
    ['all ports, as 0', rule({ ports: '0' }), { ports: '0' }],
    ['a range', rule({ ports: '8000-9000' }), { ports: '8000-9000' }],
    ['icmp without ports', { protocol: 'icmp', sources: INBOUND_WEB.sources }, { ports: '0' }],
    ['icmp with ports', rule({ protocol: 'icmp', ports: '22' }), { ports: '0' }],
    [
      'an IPv6 address in a long form',
      rule({ sources: { addresses: ['2001:DB8:0::/48', '192.0.2.1'] } }),
      { sources: { addresses: ['2001:db8::/48', '192.0.2.1'] } },
    ],
  ])('with %s is stored in its normal form', async (_what, given, shown) => {
    await using platform = await emptyPlatform();
    expect((await newFirewall(platform, { inbound_rules: [given] })).inbound_rules[0]).toMatchObject(shown);
  });

  const range = 'you must specify a valid range for ports';
  test.each([
    ['tcp without ports', rule({ ports: undefined }), 'you must specify a positive value for ports'],
    ['udp with empty ports', rule({ protocol: 'udp', ports: '' }), 'you must specify a positive value for ports'],
    ['ports that are a number', rule({ ports: 80 }), undefined],
    ['a range that goes down', rule({ ports: '90-80' }), range],
    ['a port beyond the last', rule({ ports: '65536' }), range],
    ['ports that are no range', rule({ ports: '80,443' }), range],
    ['an unknown protocol', rule({ protocol: 'gre' }), undefined],
    ['no sources', rule({ sources: undefined }), undefined],
    ['empty sources', rule({ sources: { addresses: [] } }), undefined],
    ['an address that is none', rule({ sources: { addresses: ['192.0.2.300'] } }), undefined],
    ['a prefix that is none', rule({ sources: { addresses: ['192.0.2.0/33'] } }), undefined],
    ['a droplet that is not there', rule({ sources: { droplet_ids: [5] } }), undefined],
    ['a tag that is not there', rule({ sources: { tags: ['none'] } }), undefined],
    ['a load balancer that is not there', rule({ sources: { load_balancer_uids: ['4de7ac8b-495b-4884-9a69-1050c6793cd6'] } }), undefined],
    ['a cluster', rule({ sources: { kubernetes_ids: ['41b74c5d-9bd0-5555-5555-a57c495b81a3'] } }), undefined],
    ['destinations on the way in', rule({ destinations: INBOUND_WEB.sources }), undefined],
    ['an unknown kind of source', rule({ sources: { countries: ['nl'] } }), undefined],
  ])('is refused for %s', async (_what, given, message) => {
    await using platform = await emptyPlatform();
    const answer = await platform.post('/v2/firewalls', { name: 'new', inbound_rules: [given] });
    expect(answer.status).toBe(422);
    expect(message ?? answer.body.message).toBe(answer.body.message);
  });

  test('is added and removed by what it says, in whatever order it says it', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await newFirewall(platform, { droplet_ids: [droplet.id] });
    await settleFirewalls(platform);
    expect(
      (await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [INBOUND_SSH], outbound_rules: [OUTBOUND_DNS] })).status,
    ).toBe(204);
    const changed = await lookAtFirewall(platform, id);
    expect(changed).toMatchObject({ status: 'waiting', inbound_rules: [INBOUND_WEB, INBOUND_SSH], outbound_rules: [OUTBOUND_DNS] });
    expect(changed.pending_changes).toEqual([pendingChange(droplet.id)]);
    await settleFirewalls(platform);
    const reversed = { ...INBOUND_WEB, sources: { addresses: ['::/0', '0.0.0.0/0'] } };
    expect((await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [reversed] })).status).toBe(422);
    expect((await platform.del(`/v2/firewalls/${id}/rules`, { inbound_rules: [reversed] })).status).toBe(204);
    expect((await lookAtFirewall(platform, id)).inbound_rules).toEqual([INBOUND_SSH]);
  });

  test('that is not there is removed without a change', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await newFirewall(platform, { droplet_ids: [droplet.id] });
    await settleFirewalls(platform);
    const before = await lookAtFirewall(platform, id);
    const other = { ...INBOUND_WEB, ports: '81', sources: { droplet_ids: [1], tags: ['gone'] } };
    expect((await platform.del(`/v2/firewalls/${id}/rules`, { inbound_rules: [other] })).status).toBe(204);
    expect(await lookAtFirewall(platform, id)).toEqual(before);
  });

  test('comes at most fifty times, each once; a refusal adds none of them', async () => {
    await using platform = await emptyPlatform();
    const { id } = await newFirewall(platform);
    const many = (count: number) => Array.from({ length: count }, (_each, index) => rule({ ports: String(1000 + index) }));
    const path = `/v2/firewalls/${id}/rules`;
    expect((await platform.post(path, { inbound_rules: [...many(2), ...many(1)] })).status).toBe(422);
    expect((await platform.post(path, { inbound_rules: many(50) })).status).toBe(422);
    expect((await platform.post(path, {})).status).toBe(422);
    expect((await lookAtFirewall(platform, id)).inbound_rules).toEqual([INBOUND_WEB]);
    expect((await platform.post(path, { inbound_rules: many(49) })).status).toBe(204);
  });
});
