import { describe, expect, test } from 'vitest';
import { INBOUND_SSH, INBOUND_WEB, lookAtFirewall, newFirewall, OUTBOUND_DNS, pendingChange, settleFirewalls } from './firewall-steps.ts';
import { activeDroplet, emptyPlatform, frozenPlatform, type Json, type Platform } from './platform.ts';

/** The names of the firewalls that protect a droplet. */
async function wallsOf(platform: Platform, dropletId: number): Promise<Json> {
  return (await platform.get(`/v2/droplets/${dropletId}/firewalls`)).body.firewalls.map((each: Json) => each.name);
}

describe('a firewall', () => {
  test('waits with a change for each droplet, and succeeds', async () => {
    await using platform = await emptyPlatform();
    const [one, two] = [await activeDroplet(platform), await activeDroplet(platform, { tags: ['web'] })];
    const made = await newFirewall(platform, { outbound_rules: [OUTBOUND_DNS], droplet_ids: [one.id, one.id], tags: ['web'] });
    expect(made).toMatchObject({
      name: 'wall',
      status: 'waiting',
      inbound_rules: [INBOUND_WEB],
      outbound_rules: [OUTBOUND_DNS],
      droplet_ids: [one.id],
      tags: ['web'],
    });
    expect(made.pending_changes).toEqual([pendingChange(one.id), pendingChange(two.id)]);
    await platform.post('/_emulator/clock', { advance: '4s' });
    expect((await lookAtFirewall(platform, made.id)).status).toBe('waiting');
    await platform.post('/_emulator/clock', { advance: '1s' });
    expect(await lookAtFirewall(platform, made.id)).toEqual({ ...made, status: 'succeeded', pending_changes: [] });
    expect((await platform.get('/v2/firewalls')).body).toMatchObject({ firewalls: [{ id: made.id }], meta: { total: 1 } });
  });

  test('waits too where it protects nothing yet, and fails when a fault says so, until its next change', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/_emulator/faults', { action: 'errored', type: 'firewall', times: 1 });
    const { id, status, pending_changes } = await newFirewall(platform);
    expect([status, pending_changes]).toEqual(['waiting', []]);
    await settleFirewalls(platform);
    expect((await lookAtFirewall(platform, id)).status).toBe('failed');
    const droplet = await activeDroplet(platform);
    await platform.post(`/v2/firewalls/${id}/droplets`, { droplet_ids: [droplet.id] });
    await settleFirewalls(platform);
    expect((await lookAtFirewall(platform, id)).status).toBe('succeeded');
  });

  test('is gone from its droplets when it is deleted', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await newFirewall(platform, { droplet_ids: [droplet.id] });
    expect(await wallsOf(platform, droplet.id)).toEqual(['wall']);
    expect((await platform.del(`/v2/firewalls/${id}`)).status).toBe(204);
    await settleFirewalls(platform);
    expect((await platform.get(`/v2/firewalls/${id}`)).status).toBe(404);
    expect(await wallsOf(platform, droplet.id)).toEqual([]);
    expect((await platform.get('/v2/firewalls')).body.meta.total).toBe(0);
  });

  test('has a name of its own', async () => {
    await using platform = await emptyPlatform();
    await newFirewall(platform);
    const { status, body } = await platform.post('/v2/firewalls', { name: 'wall', inbound_rules: [INBOUND_SSH] });
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
    ['rules that are no list', { inbound_rules: INBOUND_WEB }],
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
    const body = { name: 'new', inbound_rules: [INBOUND_WEB], ...changes };
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

describe('what a firewall protects', () => {
  test('is added and removed by droplet; twice is once, and what is not there is no change', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform);
    const { id } = await newFirewall(platform);
    await settleFirewalls(platform);
    const path = `/v2/firewalls/${id}/droplets`;
    expect((await platform.post(path, { droplet_ids: [droplet.id] })).status).toBe(204);
    expect(await lookAtFirewall(platform, id)).toMatchObject({
      status: 'waiting',
      droplet_ids: [droplet.id],
      pending_changes: [pendingChange(droplet.id)],
    });
    await settleFirewalls(platform);
    expect((await platform.post(path, { droplet_ids: [droplet.id] })).status).toBe(204);
    expect((await lookAtFirewall(platform, id)).status).toBe('succeeded');
    expect((await platform.del(path, { droplet_ids: [droplet.id, 77] })).status).toBe(204);
    expect(await lookAtFirewall(platform, id)).toMatchObject({
      status: 'waiting',
      droplet_ids: [],
      pending_changes: [pendingChange(droplet.id, true)],
    });
    expect(await wallsOf(platform, droplet.id)).toEqual([]);
    for (const body of [{}, { droplet_ids: ['x'] }, { droplet_ids: [1] }, { droplet_ids: [], tags: [] }]) {
      expect((await platform.post(path, body)).status, JSON.stringify(body)).toBe(422);
    }
  });

  test('is added and removed by tag, but for what is named by its id as well', async () => {
    await using platform = await emptyPlatform();
    const one = await activeDroplet(platform, { tags: ['web'] });
    const two = await activeDroplet(platform, { tags: ['web', 'db'] });
    const { id } = await newFirewall(platform, { droplet_ids: [one.id] });
    await settleFirewalls(platform);
    const path = `/v2/firewalls/${id}/tags`;
    expect((await platform.post(path, { tags: ['web', 'db'] })).status).toBe(204);
    expect((await lookAtFirewall(platform, id)).pending_changes).toEqual([pendingChange(two.id)]);
    await settleFirewalls(platform);
    await platform.del(path, { tags: ['web'] });
    expect(await lookAtFirewall(platform, id)).toMatchObject({ status: 'succeeded', tags: ['db'] });
    await platform.del(path, { tags: ['db', 'none'] });
    expect((await lookAtFirewall(platform, id)).pending_changes).toEqual([pendingChange(two.id, true)]);
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
    const { id } = await newFirewall(platform, { tags: tags.slice(0, 4) });
    expect((await platform.post(`/v2/firewalls/${id}/tags`, { tags: ['e', 'f'] })).status).toBe(422);
    expect((await lookAtFirewall(platform, id)).tags).toEqual(tags.slice(0, 4));
    expect((await platform.post(`/v2/firewalls/${id}/tags`, { tags: ['e'] })).status).toBe(204);
  });

  test('follows the tags of droplets, new and old', async () => {
    await using platform = await emptyPlatform();
    await platform.post('/v2/tags', { name: 'web' });
    const { id } = await newFirewall(platform, { tags: ['web'] });
    const made = await activeDroplet(platform, { tags: ['web'] });
    expect(await wallsOf(platform, made.id)).toEqual(['wall']);
    const other = await activeDroplet(platform);
    await settleFirewalls(platform);
    const resources = [{ resource_id: String(other.id), resource_type: 'droplet' }];
    await platform.post('/v2/tags/web/resources', { resources });
    expect(await lookAtFirewall(platform, id)).toMatchObject({ status: 'waiting', pending_changes: [pendingChange(other.id)] });
    await settleFirewalls(platform);
    await platform.del('/v2/tags/web/resources', { resources });
    expect((await lookAtFirewall(platform, id)).pending_changes).toEqual([pendingChange(other.id, true)]);
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
    const { id } = await newFirewall(platform, {
      inbound_rules: [{ ...INBOUND_WEB, sources }],
      droplet_ids: [gone.id],
      tags: ['web', 'out'],
    });

    await platform.del(`/v2/droplets/${gone.id}`);
    const left = await lookAtFirewall(platform, id);
    expect(left.droplet_ids).toEqual([]);
    expect(left.pending_changes).toEqual([pendingChange(keep.id)]);
    expect(left.inbound_rules[0].sources.droplet_ids).toEqual([keep.id]);

    await platform.del(`/v2/load_balancers/${uid}`);
    await platform.del('/v2/tags/web');
    const bare = await lookAtFirewall(platform, id);
    expect(bare.tags).toEqual(['out']);
    expect(bare.inbound_rules[0].sources).toEqual({ addresses: ['192.0.2.1'], droplet_ids: [keep.id] });
    expect(await wallsOf(platform, keep.id)).toEqual(['wall']);
    await platform.del('/v2/tags/out');
    expect((await lookAtFirewall(platform, id)).pending_changes).toContainEqual(pendingChange(keep.id, true));
    expect(await wallsOf(platform, keep.id)).toEqual([]);
    // A load balancer of that name can be referred to no more.
    expect(
      (await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [{ ...INBOUND_SSH, sources: { load_balancer_uids: [uid] } }] }))
        .status,
    ).toBe(422);
  });

  test('loses the rules that name nothing any more, or the same as another, and takes new ones', async () => {
    await using platform = await emptyPlatform();
    const [one, other] = [await activeDroplet(platform), await activeDroplet(platform)];
    const alike = [one, other].map(({ id }) => ({ droplet_ids: [id], addresses: ['192.0.2.1'] }));
    const lone = [one, other].map(({ id }) => ({ droplet_ids: [id] }));
    const { id } = await newFirewall(platform, {
      inbound_rules: [...alike.map((sources) => ({ ...INBOUND_WEB, sources })), ...lone.map((sources) => ({ ...INBOUND_SSH, sources }))],
      outbound_rules: lone.map((destinations) => ({ protocol: 'tcp', ports: '25', destinations })),
    });
    await platform.del(`/v2/droplets/${one.id}`);
    expect(await lookAtFirewall(platform, id)).toMatchObject({
      inbound_rules: [{ sources: { addresses: ['192.0.2.1'] } }, { sources: alike[1] }, { sources: lone[1] }],
      outbound_rules: [{ destinations: lone[1] }],
    });
    await platform.del(`/v2/droplets/${other.id}`);
    const left = [{ ...INBOUND_WEB, sources: { addresses: ['192.0.2.1'] } }];
    expect(await lookAtFirewall(platform, id)).toMatchObject({ inbound_rules: left, outbound_rules: [] });
    expect((await platform.post(`/v2/firewalls/${id}/rules`, { inbound_rules: [INBOUND_SSH] })).status).toBe(204);
    expect((await lookAtFirewall(platform, id)).inbound_rules).toMatchObject([...left, INBOUND_SSH]);
  });

  test('has one pending change for a droplet, the last that was asked for', async () => {
    await using platform = await emptyPlatform();
    const { id: droplet } = await activeDroplet(platform);
    const { id } = await newFirewall(platform, { droplet_ids: [droplet] });
    const change = async (method: string, expected: Json): Promise<void> => {
      await platform.call(method, `/v2/firewalls/${id}/droplets`, { droplet_ids: [droplet] });
      expect((await lookAtFirewall(platform, id)).pending_changes).toEqual([expected]);
    };
    await platform.post('/_emulator/clock', { advance: '2s' });
    await change('DELETE', pendingChange(droplet, true));
    await change('POST', pendingChange(droplet));
    await change('DELETE', pendingChange(droplet, true));
    await platform.post('/_emulator/clock', { advance: '3s' });
    expect(await lookAtFirewall(platform, id)).toMatchObject({ status: 'waiting', pending_changes: [pendingChange(droplet, true)] });
    await settleFirewalls(platform);
    expect(await lookAtFirewall(platform, id)).toMatchObject({ status: 'succeeded', pending_changes: [] });
  });

  test('is listed for a droplet newest first, page by page', async () => {
    await using platform = await emptyPlatform();
    const droplet = await activeDroplet(platform, { tags: ['web'] });
    await newFirewall(platform, { name: 'first', droplet_ids: [droplet.id] });
    await newFirewall(platform, { name: 'second', tags: ['web'], droplet_ids: [droplet.id] });
    expect(await wallsOf(platform, droplet.id)).toEqual(['second', 'first']);
    const { body } = await platform.get(`/v2/droplets/${droplet.id}/firewalls?per_page=1&page=2`);
    expect([body.firewalls[0].name, body.meta.total]).toEqual(['first', 2]);
  });
});
