import { describe, expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json, type Platform } from './platform.ts';

const WEB = { protocol: 'tcp', ports: '80', sources: { addresses: ['0.0.0.0/0', '::/0'] } };
const SSH = { protocol: 'tcp', ports: '22', sources: { addresses: ['192.0.2.0/24'] } };
const OUT = { protocol: 'udp', ports: '53', destinations: { addresses: ['0.0.0.0/0'] } };

async function emptyPlatform(): Promise<Platform> {
  const platform = await frozenPlatform();
  await platform.post('/_emulator/reset', { seed: 'empty' });
  return platform;
}

async function firewall(platform: Platform, body: Record<string, unknown> = {}): Promise<Json> {
  const made = await platform.post('/v2/firewalls', { name: 'wall', inbound_rules: [WEB], ...body });
  expect(made.status, made.body.message).toBe(202);
  return made.body.firewall;
}

/** Lets pending changes be applied. */
async function settle(platform: Platform): Promise<void> {
  await platform.post('/_emulator/clock', { advance: '5s' });
}

async function look(platform: Platform, id: string): Promise<Json> {
  return (await platform.get(`/v2/firewalls/${id}`)).body.firewall;
}

/** The names of the firewalls that protect a droplet. */
async function wallsOf(platform: Platform, dropletId: number): Promise<Json> {
  return (await platform.get(`/v2/droplets/${dropletId}/firewalls`)).body.firewalls.map((each: Json) => each.name);
}

const pending = (droplet_id: number, removing = false) => ({ droplet_id, removing, status: 'waiting' });

describe('a firewall', () => {
  test('waits with a change for each droplet, and succeeds', async () => {
    await using platform = await emptyPlatform();
    const [one, two] = [await activeDroplet(platform), await activeDroplet(platform, { tags: ['web'] })];
    const made = await firewall(platform, { outbound_rules: [OUT], droplet_ids: [one.id, one.id], tags: ['web'] });
    expect(made).toMatchObject({
      name: 'wall',
      status: 'waiting',
      inbound_rules: [WEB],
      outbound_rules: [OUT],
      droplet_ids: [one.id],
      tags: ['web'],
    });
    expect(made.pending_changes).toEqual([pending(one.id), pending(two.id)]);
    await platform.post('/_emulator/clock', { advance: '4s' });
    expect((await look(platform, made.id)).status).toBe('waiting');
    await platform.post('/_emulator/clock', { advance: '1s' });
    expect(await look(platform, made.id)).toEqual({ ...made, status: 'succeeded', pending_changes: [] });
    expect((await platform.get('/v2/firewalls')).body).toMatchObject({ firewalls: [{ id: made.id }], meta: { total: 1 } });
  });

  test('waits too where it protects nothing yet, and fails when a fault says so, until its next change', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/_emulator/faults', { action: 'errored', type: 'firewall', times: 1 });
    const { id, status, pending_changes } = await firewall(platform);
    expect([status, pending_changes]).toEqual(['waiting', []]);
    await settle(platform);
    expect((await look(platform, id)).status).toBe('failed');
    const droplet = await activeDroplet(platform);
    await platform.post(`/v2/firewalls/${id}/droplets`, { droplet_ids: [droplet.id] });
    await settle(platform);
    expect((await look(platform, id)).status).toBe('succeeded');
  });

  test('is gone from its droplets when it is deleted', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await firewall(platform, { droplet_ids: [droplet.id] });
    expect(await wallsOf(platform, droplet.id)).toEqual(['wall']);
    expect((await platform.del(`/v2/firewalls/${id}`)).status).toBe(204);
    await settle(platform);
    expect((await platform.get(`/v2/firewalls/${id}`)).status).toBe(404);
    expect(await wallsOf(platform, droplet.id)).toEqual([]);
    expect((await platform.get('/v2/firewalls')).body.meta.total).toBe(0);
  });

  test('has a name of its own', async () => {
    await using platform = await emptyPlatform();
    await firewall(platform);
    const { status, body } = await platform.post('/v2/firewalls', { name: 'wall', inbound_rules: [SSH] });
    expect([status, body.id, body.message]).toEqual([409, 'conflict', 'duplicate name']);
  });

  test.each([
    ['no rules', { inbound_rules: [] }],
    ['no name', { name: undefined }],
    ['a name that begins with a dash', { name: '-wall' }],
    ['a name of one character', { name: 'w' }],
    ['a droplet that is not there', { droplet_ids: [1] }],
    ['a droplet id that is a text', { droplet_ids: ['1'] }],
    ['a tag that is not there', { tags: ['none'] }],
    ['an unknown field', { colour: 'red' }],
    ['rules that are no list', { inbound_rules: WEB }],
    ['eleven droplets', { droplet_ids: 'eleven' }],
  ])('is refused for %s', async (_what, changes: Record<string, unknown>) => {
    await using platform = await frozenPlatform();
    const before = (await platform.get('/v2/firewalls')).body.meta.total;
    const eleven = async (): Promise<number[]> => {
      const names = (from: number, count: number) => Array.from({ length: count }, (_each, index) => `box-${from + index}`);
      const order = { region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' };
      const many = await platform.post('/v2/droplets', { ...order, names: names(0, 10) });
      const one = await platform.post('/v2/droplets', { ...order, names: names(10, 1) });
      return [...many.body.droplets, ...one.body.droplets].map((droplet: Json) => droplet.id);
    };
    const body = { name: 'new', inbound_rules: [WEB], ...changes };
    const asked = changes.droplet_ids === 'eleven' ? { ...body, droplet_ids: await eleven() } : body;
    const answer = await platform.post('/v2/firewalls', asked);
    expect([answer.status, answer.body.id]).toEqual([422, 'unprocessable_entity']);
    expect((await platform.get('/v2/firewalls')).body.meta.total).toBe(before);
  });

  test('that is not there is not found', async () => {
    await using platform = await emptyPlatform();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/droplets'],
      ['DELETE', '/droplets'],
      ['POST', '/tags'],
      ['DELETE', '/tags'],
      ['POST', '/rules'],
      ['DELETE', '/rules'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      expect((await platform.call(method, `/v2/firewalls/none${path}`, body)).status, `${method} ${path}`).toBe(404);
    }
    expect((await platform.get('/v2/droplets/1/firewalls')).status).toBe(404);
  });
});

describe('a rule', () => {
  const rule = (changes: Record<string, unknown>) => ({ ...WEB, ...changes });

  test.each([
    ['all ports', rule({ ports: 'all' }), { ports: '0' }],
    ['all ports, as 0', rule({ ports: '0' }), { ports: '0' }],
    ['a range', rule({ ports: '8000-9000' }), { ports: '8000-9000' }],
    ['icmp without ports', { protocol: 'icmp', sources: WEB.sources }, { ports: '0' }],
    ['icmp with ports', rule({ protocol: 'icmp', ports: '22' }), { ports: '0' }],
    [
      'an IPv6 address in a long form',
      rule({ sources: { addresses: ['2001:DB8:0::/48', '192.0.2.1'] } }),
      { sources: { addresses: ['2001:db8::/48', '192.0.2.1'] } },
    ],
  ])('with %s is stored in its normal form', async (_what, given, shown) => {
    await using platform = await emptyPlatform();
    expect((await firewall(platform, { inbound_rules: [given] })).inbound_rules[0]).toMatchObject(shown);
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
    ['destinations on the way in', rule({ destinations: WEB.sources }), undefined],
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
    const { id } = await firewall(platform, { droplet_ids: [droplet.id] });
    await settle(platform);
    expect((await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [SSH], outbound_rules: [OUT] })).status).toBe(204);
    const changed = await look(platform, id);
    expect(changed).toMatchObject({ status: 'waiting', inbound_rules: [WEB, SSH], outbound_rules: [OUT] });
    expect(changed.pending_changes).toEqual([pending(droplet.id)]);
    await settle(platform);
    const reversed = { ...WEB, sources: { addresses: ['::/0', '0.0.0.0/0'] } };
    expect((await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [reversed] })).status).toBe(422);
    expect((await platform.del(`/v2/firewalls/${id}/rules`, { inbound_rules: [reversed] })).status).toBe(204);
    expect((await look(platform, id)).inbound_rules).toEqual([SSH]);
  });

  test('that is not there is removed without a change', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await firewall(platform, { droplet_ids: [droplet.id] });
    await settle(platform);
    const before = await look(platform, id);
    const other = { ...WEB, ports: '81', sources: { droplet_ids: [1], tags: ['gone'] } };
    expect((await platform.del(`/v2/firewalls/${id}/rules`, { inbound_rules: [other] })).status).toBe(204);
    expect(await look(platform, id)).toEqual(before);
  });

  test('comes at most fifty times, each once; a refusal adds none of them', async () => {
    await using platform = await emptyPlatform();
    const { id } = await firewall(platform);
    const many = (count: number) => Array.from({ length: count }, (_each, index) => rule({ ports: String(1000 + index) }));
    const path = `/v2/firewalls/${id}/rules`;
    expect((await platform.post(path, { inbound_rules: [...many(2), ...many(1)] })).status).toBe(422);
    expect((await platform.post(path, { inbound_rules: many(50) })).status).toBe(422);
    expect((await platform.post(path, {})).status).toBe(422);
    expect((await look(platform, id)).inbound_rules).toEqual([WEB]);
    expect((await platform.post(path, { inbound_rules: many(49) })).status).toBe(204);
  });
});

describe('what a firewall protects', () => {
  test('is added and removed by droplet; twice is once, and what is not there is no change', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await firewall(platform);
    await settle(platform);
    const path = `/v2/firewalls/${id}/droplets`;
    expect((await platform.post(path, { droplet_ids: [droplet.id] })).status).toBe(204);
    expect(await look(platform, id)).toMatchObject({
      status: 'waiting',
      droplet_ids: [droplet.id],
      pending_changes: [pending(droplet.id)],
    });
    await settle(platform);
    expect((await platform.post(path, { droplet_ids: [droplet.id] })).status).toBe(204);
    expect((await look(platform, id)).status).toBe('succeeded');
    expect((await platform.del(path, { droplet_ids: [droplet.id, 77] })).status).toBe(204);
    expect(await look(platform, id)).toMatchObject({ status: 'waiting', droplet_ids: [], pending_changes: [pending(droplet.id, true)] });
    expect(await wallsOf(platform, droplet.id)).toEqual([]);
    for (const body of [{}, { droplet_ids: ['x'] }, { droplet_ids: [1] }, { droplet_ids: [], tags: [] }]) {
      expect((await platform.post(path, body)).status, JSON.stringify(body)).toBe(422);
    }
  });

  test('is added and removed by tag, but for what is named by its id as well', async () => {
    await using platform = await emptyPlatform();
    const one = await activeDroplet(platform, { tags: ['web'] });
    const two = await activeDroplet(platform, { tags: ['web', 'db'] });
    const { id } = await firewall(platform, { droplet_ids: [one.id] });
    await settle(platform);
    const path = `/v2/firewalls/${id}/tags`;
    expect((await platform.post(path, { tags: ['web', 'db'] })).status).toBe(204);
    expect((await look(platform, id)).pending_changes).toEqual([pending(two.id)]);
    await settle(platform);
    await platform.del(path, { tags: ['web'] });
    expect(await look(platform, id)).toMatchObject({ status: 'succeeded', tags: ['db'] });
    await platform.del(path, { tags: ['db', 'none'] });
    expect((await look(platform, id)).pending_changes).toEqual([pending(two.id, true)]);
    expect(await wallsOf(platform, one.id)).toEqual(['wall']);
    for (const body of [{}, { tags: ['none'] }, { tags: 'web' }]) {
      expect((await platform.post(path, body)).status, JSON.stringify(body)).toBe(422);
    }
  });

  test('takes at most five tags', async () => {
    await using platform = await emptyPlatform();
    const tags = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of tags) {
      await platform.post('/v2/tags', { name });
    }
    const { id } = await firewall(platform, { tags: tags.slice(0, 4) });
    expect((await platform.post(`/v2/firewalls/${id}/tags`, { tags: ['e', 'f'] })).status).toBe(422);
    expect((await look(platform, id)).tags).toEqual(tags.slice(0, 4));
    expect((await platform.post(`/v2/firewalls/${id}/tags`, { tags: ['e'] })).status).toBe(204);
  });

  test('follows the tags of droplets, new and old', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/tags', { name: 'web' });
    const { id } = await firewall(platform, { tags: ['web'] });
    const made = await activeDroplet(platform, { tags: ['web'] });
    expect(await wallsOf(platform, made.id)).toEqual(['wall']);
    const other = await activeDroplet(platform);
    await settle(platform);
    const resources = [{ resource_id: String(other.id), resource_type: 'droplet' }];
    await platform.post('/v2/tags/web/resources', { resources });
    expect(await look(platform, id)).toMatchObject({ status: 'waiting', pending_changes: [pending(other.id)] });
    await settle(platform);
    await platform.del('/v2/tags/web/resources', { resources });
    expect((await look(platform, id)).pending_changes).toEqual([pending(other.id, true)]);
    expect(await wallsOf(platform, other.id)).toEqual([]);
  });

  test('loses what is deleted: droplets, tags, load balancers, also from its rules', async () => {
    await using platform = await emptyPlatform();
    const keep = await activeDroplet(platform, { tags: ['web', 'out'] });
    const gone = await activeDroplet(platform, { tags: ['web'] });
    const balancer = await platform.post('/v2/load_balancers', {
      name: 'lb',
      region: 'nyc3',
      tag: 'web',
      forwarding_rules: [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 80 }],
    });
    const uid = balancer.body.load_balancer.id;
    const sources = { addresses: ['192.0.2.1'], droplet_ids: [gone.id, keep.id], load_balancer_uids: [uid], tags: ['web'] };
    const { id } = await firewall(platform, { inbound_rules: [{ ...WEB, sources }], droplet_ids: [gone.id], tags: ['web', 'out'] });

    await platform.del(`/v2/droplets/${gone.id}`);
    const left = await look(platform, id);
    expect(left.droplet_ids).toEqual([]);
    expect(left.pending_changes).toEqual([pending(keep.id)]);
    expect(left.inbound_rules[0].sources.droplet_ids).toEqual([keep.id]);

    await platform.del(`/v2/load_balancers/${uid}`);
    await platform.del('/v2/tags/web');
    const bare = await look(platform, id);
    expect(bare.tags).toEqual(['out']);
    expect(bare.inbound_rules[0].sources).toEqual({ addresses: ['192.0.2.1'], droplet_ids: [keep.id] });
    expect(await wallsOf(platform, keep.id)).toEqual(['wall']);
    await platform.del('/v2/tags/out');
    expect((await look(platform, id)).pending_changes).toContainEqual(pending(keep.id, true));
    expect(await wallsOf(platform, keep.id)).toEqual([]);
    // A load balancer of that name can be referred to no more.
    expect(
      (await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [{ ...SSH, sources: { load_balancer_uids: [uid] } }] })).status,
    ).toBe(422);
  });

  test('is listed for a droplet newest first, page by page', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform, { tags: ['web'] });
    await firewall(platform, { name: 'first', droplet_ids: [droplet.id] });
    await firewall(platform, { name: 'second', tags: ['web'], droplet_ids: [droplet.id] });
    expect(await wallsOf(platform, droplet.id)).toEqual(['second', 'first']);
    const { body } = await platform.get(`/v2/droplets/${droplet.id}/firewalls?per_page=1&page=2`);
    expect([body.firewalls[0].name, body.meta.total]).toEqual(['first', 2]);
  });
});
