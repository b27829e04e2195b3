import { describe, expect, it } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { type Arrived, json, type ScriptedPlatform, scriptedPlatform } from '../support/platform.ts';

const action = (status: string, id = 1, resource_id = 7) => ({ id, status, type: 'reboot', resource_id, resource_type: 'droplet' });

/** A platform that answers each `METHOD /path` with these bodies in turn, the last of them ever after; `null` is never answered. */
function scripted(script: Readonly<Record<string, readonly (object | null | undefined)[]>>): Promise<ScriptedPlatform> {
  const counts = new Map<string, number>();
  return scriptedPlatform((response, { method, url }: Arrived) => {
    const key = `${method} ${url}`;
    const replies = script[key] ?? [];
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const reply = replies[Math.min(count, replies.length - 1)];
    if (reply === null) return;
    if (replies.length === 0) return json(response, 404, { id: 'not_found', message: `nothing is scripted for ${key}` });
    return reply === undefined ? response.writeHead(204).end() : json(response, 200, reply);
  });
}

async function called(platform: ScriptedPlatform, tool: string, given: object, leftMs = 20_000) {
  const context = { getRemainingTimeInMillis: () => leftMs };
  const beganAt = performance.now();
  const { json } = await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/${tool}`, { body: given, context });
  return { ...json, tookMs: performance.now() - beganAt };
}

const looks = ({ arrived }: ScriptedPlatform) => arrived.filter(({ method }) => method === 'GET').map(({ url }) => url);

describe('a call that waits', () => {
  const start = 'POST /v2/droplets/7/actions';
  const look = 'GET /v2/droplets/7/actions/1';
  const onward = [{ tool: 'instance-action', arguments: { InstanceID: 7, ActionID: 1 } }];

  it('is answered with the action once it is over', async () => {
    const steps = [{ action: action('in-progress') }, { action: action('completed') }];
    const platform = await scripted({ [start]: [{ action: action('in-progress') }], [look]: steps });
    const { isError, result } = await called(platform, 'instance-reboot', { ID: 7, Wait: true });
    expect({ isError, result }).toEqual({ isError: false, result: action('completed') });
    expect(looks(platform)).toHaveLength(2);
  });

  it('says how an action ended that failed', async () => {
    const platform = await scripted({ [start]: [{ action: action('in-progress') }], [look]: [{ action: action('errored') }] });
    expect((await called(platform, 'instance-reboot', { ID: 7, Wait: true })).result).toEqual(action('errored'));
  });

  it('without Wait does not look', async () => {
    const platform = await scripted({ [start]: [{ action: action('in-progress') }] });
    expect((await called(platform, 'instance-reboot', { ID: 7 })).result).toEqual(action('in-progress'));
    expect(looks(platform)).toEqual([]);
  });

  it('does not look at what is over already', async () => {
    const platform = await scripted({ [start]: [{ action: action('completed') }] });
    expect((await called(platform, 'instance-reboot', { ID: 7, Wait: true })).result).toEqual(action('completed'));
    expect(looks(platform)).toEqual([]);
  });

  it.each([
    ['goes on for longer', [{ action: action('in-progress') }]],
    ['is not answered when it looks', [null]],
    ['cannot be found when it looks', []],
    ['is answered with something else when it looks', [{ else: 1 }]],
  ])('two seconds before the end tells the action so far and how to go on, where it %s', async (_, replies) => {
    const platform = await scripted({ [start]: [{ action: action('in-progress') }], [look]: replies });
    const { isError, result, tookMs } = await called(platform, 'instance-reboot', { ID: 7, Wait: true }, 3500);
    expect({ isError, result }).toEqual({ isError: false, result: { ...action('in-progress'), next: onward } });
    expect(looks(platform)).not.toEqual([]);
    expect(tookMs).toBeLessThan(1500);
  });

  it.each([
    ['cannot be found', []],
    ['is answered with something else', [{ else: 1 }]],
    ['is answered with a list', [{ action: [] }]],
  ])('looks no more at what %s', async (_, replies) => {
    const platform = await scripted({ [start]: [{ action: action('in-progress') }], [look]: replies });
    expect((await called(platform, 'instance-reboot', { ID: 7, Wait: true }, 5000)).result).toEqual({
      ...action('in-progress'),
      next: onward,
    });
    expect(looks(platform)).toHaveLength(1);
  });

  it.each([400, 1000, 2200])('with %i ms left does not begin to wait', async (leftMs) => {
    const platform = await scripted({ [start]: [{ action: action('in-progress') }], [look]: [null] });
    const { result } = await called(platform, 'instance-reboot', { ID: 7, Wait: true }, leftMs);
    expect(result).toEqual({ ...action('in-progress'), next: onward });
    expect(looks(platform)).toEqual([]);
  });

  it('does not look at what the platform did not name', async () => {
    const nameless = { status: 'in-progress', id: '..', resource_id: 7 };
    const platform = await scripted({ [start]: [{ action: nameless }] });
    expect((await called(platform, 'instance-reboot', { ID: 7, Wait: true })).result).toEqual(nameless);
    expect(looks(platform)).toEqual([]);
  });

  it('that is a dry run sends nothing', async () => {
    const platform = await scripted({});
    expect((await called(platform, 'instance-reboot', { ID: 7, Wait: true, DryRun: true })).result.dryRun).toBe(true);
    expect(platform.arrived).toEqual([]);
  });

  it('and fails, fails as ever', async () => {
    const platform = await scripted({});
    expect((await called(platform, 'instance-reboot', { ID: 7, Wait: true })).error.code).toBe('not_found');
  });

  it('is refused where nothing is started', async () => {
    const { error } = await called(await scripted({}), 'key-delete', { ID: 7, Wait: true });
    expect(error.problems).toMatchObject([{ field: 'Wait' }]);
  });
});

describe('a call on a tag that waits', () => {
  const start = 'POST /v2/droplets/actions?tag_name=web';

  it('follows every action, and names those that are not over', async () => {
    const started = [action('in-progress', 1, 11), action('in-progress', 2, 12), action('in-progress', 3, 13)];
    const platform = await scripted({
      [start]: [{ actions: started }],
      'GET /v2/droplets/11/actions/1': [{ action: action('completed', 1, 11) }],
      'GET /v2/droplets/12/actions/2': [{ action: action('in-progress', 2, 12) }],
      'GET /v2/droplets/13/actions/3': [{ action: action('errored', 3, 13) }],
    });
    const { result } = await called(platform, 'power-on-instances-tag', { Tag: 'web', Wait: true }, 4500);
    expect(result).toEqual({
      items: [action('completed', 1, 11), action('in-progress', 2, 12), action('errored', 3, 13)],
      next: [{ tool: 'instance-action', arguments: { InstanceID: 12, ActionID: 2 } }],
    });
    // What is over is not looked at again.
    expect(looks(platform).filter((url) => url.includes('/11/'))).toHaveLength(1);
    expect(looks(platform).filter((url) => url.includes('/12/')).length).toBeGreaterThan(1);
  });

  it('looks at no more than five at a time, and at all of them', async () => {
    const instances = Array.from({ length: 12 }, (_, index) => 11 + index);
    let open = 0;
    let mostOpen = 0;
    const platform = await scriptedPlatform((response, { method, url }) => {
      if (method === 'POST') return json(response, 201, { actions: instances.map((id) => action('in-progress', id, id)) });
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      const id = Number(url.split('/').at(-1));
      setTimeout(() => {
        open -= 1;
        json(response, 200, { action: action('completed', id, id) });
      }, 20);
    });
    const { result } = await called(platform, 'power-on-instances-tag', { Tag: 'web', Wait: true });
    expect(result).toEqual({ items: instances.map((id) => action('completed', id, id)) });
    expect(mostOpen).toBeLessThanOrEqual(5);
  });

  it('names no more than five calls of those that go on', async () => {
    const started = Array.from({ length: 7 }, (_, index) => action('in-progress', index, index));
    const platform = await scripted({ [start]: [{ actions: started }] });
    const { result } = await called(platform, 'power-on-instances-tag', { Tag: 'web', Wait: true }, 1000);
    expect(result.items).toEqual(started);
    expect(result.next.map((call: { arguments: { ActionID: number } }) => call.arguments.ActionID)).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps what it saw when one of many is not answered', async () => {
    const started = [action('in-progress', 1, 11), action('in-progress', 2, 12)];
    const platform = await scripted({
      [start]: [{ actions: started }],
      'GET /v2/droplets/11/actions/1': [{ action: action('completed', 1, 11) }],
      'GET /v2/droplets/12/actions/2': [null],
    });
    const { result } = await called(platform, 'power-on-instances-tag', { Tag: 'web', Wait: true }, 3500);
    expect(result.items).toEqual([action('completed', 1, 11), action('in-progress', 2, 12)]);
    expect(result.next).toHaveLength(1);
  });
});

describe('a call that waits for a status', () => {
  const wanted = { Name: 'web', Size: 's', ImageID: 1, Region: 'nyc3', Wait: true };
  const created = { droplet: { id: 7, name: 'web', status: 'new' }, links: { actions: [{ id: 1, rel: 'create' }] } };

  it('is answered with the resource as it then is', async () => {
    const active = { id: 7, name: 'web', status: 'active', networks: { v4: [{ ip_address: '192.0.2.1' }] } };
    const platform = await scripted({ 'POST /v2/droplets': [created], 'GET /v2/droplets/7': [created, { droplet: active }] });
    expect((await called(platform, 'instance-create', wanted)).result).toEqual(active);
  });

  it('keeps the actions where it is not over', async () => {
    const platform = await scripted({ 'POST /v2/droplets': [created], 'GET /v2/droplets/7': [created] });
    expect((await called(platform, 'instance-create', wanted, 3500)).result).toEqual({
      ...created.droplet,
      actions: created.links.actions,
      next: [{ tool: 'instance-get', arguments: { ID: 7 } }],
    });
  });

  it('shows no secret of it', async () => {
    const cluster = (status: string) => ({ database: { id: 'c', status, connection: { password: 'hush' } } });
    const platform = await scripted({ 'POST /v2/databases': [cluster('creating')], 'GET /v2/databases/c': [cluster('online')] });
    const given = { name: 'main', engine: 'pg', version: '16', region: 'r', size: 's', num_nodes: 1, Wait: true };
    const { result } = await called(platform, 'db-cluster-create', given);
    expect(result.status).toBe('online');
    expect(JSON.stringify(result)).not.toContain('hush');
  });

  it('does not take a change for over that is not to be seen yet', async () => {
    const cluster = (status: string) => ({ database: { id: 'c', status, size: 's', num_nodes: 1 } });
    const platform = await scripted({
      'PUT /v2/databases/c/resize': [undefined],
      'GET /v2/databases/c': [cluster('online'), cluster('resizing'), cluster('online')],
    });
    const { result } = await called(platform, 'db-cluster-resize', { id: 'c', size: 'm', num_nodes: 2, Wait: true });
    expect(result).toEqual({ done: true, id: 'c', status: 'online' });
    expect(looks(platform)).toHaveLength(3);
  });
});

describe('calls that wait side by side', () => {
  it('are each answered in their own time', async () => {
    const platform = await scripted({
      'POST /v2/droplets/7/actions': [{ action: action('in-progress') }],
      'GET /v2/droplets/7/actions/1': [null],
      'POST /v2/droplets/8/actions': [{ action: action('in-progress', 2, 8) }],
      'GET /v2/droplets/8/actions/2': [{ action: action('completed', 2, 8) }],
    });
    const hanging = called(platform, 'instance-reboot', { ID: 7, Wait: true }, 5000);
    const first = await Promise.race([hanging, called(platform, 'instance-reboot', { ID: 8, Wait: true }, 5000)]);
    expect(first.result).toEqual(action('completed', 2, 8));
    expect((await hanging).result.status).toBe('in-progress');
  });
});
