import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ready } from '../../lib/cli/start/start-options.ts';
import { everyTool } from '../support/call-of.ts';
import { type Started, started } from '../support/started.ts';
import { curl, plainFetch, type StoryClient, sdkV1, sdkV2 } from './clients.ts';
import { expecting, ownAccount } from './own-account.ts';

let running: Started;
beforeAll(async () => {
  running = await started(['--ephemeral', '--speed', '1']);
});
afterAll(async () => {
  await running.end();
});

describe.each([
  ['SDK v2, as it comes', (ready: Ready) => sdkV2(ready)],
  ['SDK v2, choosing the revision', (ready: Ready) => sdkV2(ready, 'auto')],
  ['SDK v1', sdkV1],
  ['fetch', plainFetch],
  ['curl', curl],
] as const)('an instance through its life, with %s', (_, connect) => {
  let client: StoryClient;
  let advance: (time: string) => Promise<void>;
  let id: number;
  let snapshot: number;

  beforeAll(async () => {
    const account = await ownAccount(running.ready);
    advance = account.advance;
    client = await connect(account.ready);
  });
  afterAll(async () => {
    await client.close();
  });

  const succeed = (tool: string, given: Record<string, unknown> = {}) => expecting(client).succeed(tool, given);
  const act = async (tool: string, given: Record<string, unknown> = {}) => {
    const action = await succeed(tool, { ID: id, ...given });
    expect(action.status).toBe('in-progress');
    await advance('5m');
    expect(await succeed('instance-action', { InstanceID: id, ActionID: action.id })).toMatchObject({ status: 'completed' });
    return succeed('instance-get', { ID: id });
  };
  const fail = (tool: string, given: Record<string, unknown> = {}) => expecting(client).fail(tool, { ID: id, ...given });

  it('lists every tool', async () => {
    expect(await client.list()).toEqual(everyTool.names);
  });

  it('is created, new at first and active later', async () => {
    const images = await succeed('image-list', { Type: 'distribution', PerPage: 200 });
    const ImageID = images.items.find(({ slug }: { slug: string }) => slug === 'debian-12-x64').id;
    const made = await succeed('instance-create', { Name: 'story-1', Size: 's-1vcpu-1gb', ImageID, Region: 'nyc3', Tags: ['story'] });
    expect(made).toMatchObject({ name: 'story-1', status: 'new', networks: { v4: [], v6: [] }, actions: [{ rel: 'create' }] });
    id = made.id;
    expect((await succeed('instance-action', { InstanceID: id, ActionID: made.actions[0].id })).status).toBe('in-progress');
    await advance('5m');
    expect(await succeed('instance-get', { ID: id })).toMatchObject({ status: 'active', locked: false, tags: ['story'] });
  });

  it('cannot be powered on while it is on, and says where to look', async () => {
    expect(await fail('power-on-instance')).toMatchObject({
      code: 'rejected',
      platform: { status: 422, message: expect.stringContaining('already') },
      next: [{ tool: 'instance-get', arguments: { ID: id } }],
    });
  });

  it('cannot be resized while it is on, and says what comes first', async () => {
    expect(await fail('resize-instance', { Size: 's-2vcpu-2gb' })).toMatchObject({
      code: 'rejected',
      platform: { message: expect.stringContaining('powered off') },
      next: [{ tool: 'power-off-instance', arguments: { ID: id } }],
    });
  });

  it('takes one action at a time', async () => {
    const { id: first } = await succeed('power-off-instance', { ID: id });
    const failure = await fail('instance-reboot');
    expect(failure).toMatchObject({ code: 'rejected', platform: { message: expect.stringContaining('pending event') } });
    expect(failure.next[0]).toEqual({ tool: 'instance-get', arguments: { ID: id } });
    await advance('1m');
    expect((await succeed('instance-action', { InstanceID: id, ActionID: first })).status).toBe('completed');
    expect((await succeed('instance-get', { ID: id })).status).toBe('off');
  });

  it('is resized while it is off', async () => {
    expect(await act('resize-instance', { Size: 's-2vcpu-2gb' })).toMatchObject({
      size_slug: 's-2vcpu-2gb',
      vcpus: 2,
      memory: 2048,
      disk: 25,
    });
  });

  it('is snapshotted', async () => {
    const { snapshot_ids: ids } = await act('snapshot-instance', { Name: 'story-before' });
    expect(ids).toHaveLength(1);
    snapshot = ids[0];
    expect(await succeed('image-get', { ID: snapshot })).toMatchObject({ name: 'story-before', type: 'snapshot', status: 'available' });
  });

  it('is renamed', async () => {
    expect((await act('rename-instance', { Name: 'story-2' })).name).toBe('story-2');
  });

  it('is rebuilt from its snapshot', async () => {
    expect(await act('rebuild-instance', { ImageID: snapshot })).toMatchObject({ status: 'active', image: { id: snapshot } });
  });

  it('is acted upon by its tag, with what else carries it and nothing besides', async () => {
    const { items } = await succeed('shutdown-instances-tag', { Tag: 'story' });
    expect(items).toMatchObject([{ type: 'shutdown', resource_id: id, status: 'in-progress' }]);
    await advance('5m');
    expect((await succeed('instance-get', { ID: id })).status).toBe('off');
  });

  it('is deleted, and gone', async () => {
    expect(await succeed('instance-delete', { ID: id })).toEqual({ done: true, ID: id });
    expect(await fail('instance-get')).toMatchObject({ code: 'not_found', next: [{ tool: 'instance-list' }] });
    expect((await succeed('image-get', { ID: snapshot })).name).toBe('story-before');
  });
});
