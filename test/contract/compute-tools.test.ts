import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import { account } from '../../lib/tools/account/index.ts';
import { images } from '../../lib/tools/images/index.ts';
import { instances } from '../../lib/tools/instances/index.ts';
import { gateway, type Request } from '../support/gateway.ts';
import { jsonOf } from '../support/json-of.ts';
import { openapiPresent } from '../support/openapi.ts';
import { type RecordedPlatform, recordedPlatform } from '../support/recorded-platform.ts';

let emulator: Emulator;
let platform: RecordedPlatform;
let request: Request;
const called = new Set<string>();

// biome-ignore lint/suspicious/noExplicitAny: the story looks into results of every shape
type Result = any;

/** Calls a tool over the wire; it must succeed, and nothing that went either way may be unknown to the platform's document. */
async function call(tool: string, given: Record<string, unknown> = {}): Promise<Result> {
  const before = platform.exchanges.length;
  const { json } = await request('POST', `/tools/${tool}`, { body: given, headers: { authorization: `Bearer ${emulator.token}` } });
  expect(json.isError, JSON.stringify(json.error)).toBe(false);
  expect(platform.exchanges.slice(before).flatMap(({ problems }) => problems)).toEqual([]);
  expect(platform.exchanges).toHaveLength(before + 1);
  called.add(tool);
  return json.result;
}

async function advance(time: string): Promise<void> {
  const headers = { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${emulator.url}/_emulator/clock`, { method: 'POST', headers, body: JSON.stringify({ advance: time }) });
  expect(answer.ok).toBe(true);
}

/** An action on an instance, followed to its end. */
async function act(tool: string, given: Record<string, unknown>): Promise<Result> {
  const { id } = await call(tool, given);
  await advance('10m');
  expect(await call('instance-action', { InstanceID: given.ID, ActionID: id })).toMatchObject({ id, status: 'completed' });
  return call('instance-get', { ID: given.ID });
}

beforeAll(async () => {
  emulator = await startEmulator();
  platform = await recordedPlatform(emulator.url);
  request = gateway({ PLATFORM_API_URL: platform.url });
  await fetch(`${emulator.url}/_emulator/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' },
    body: '{"freeze": true}',
  });
});
afterAll(async () => {
  platform.close();
  await emulator.close();
});

describe(`the account and compute tools against the emulator${openapiPresent ? ', held to the platform document' : ''}`, () => {
  it('account, billing, keys and actions', async () => {
    expect(await call('account-get-information')).toMatchObject({ status: 'active', email_verified: true });
    expect(await call('balance-get')).toMatchObject({ month_to_date_usage: expect.stringMatching(/^\d+\.\d\d$/) });
    expect((await call('billing-history-list')).items.length).toBeGreaterThan(0);
    expect(await call('invoice-list')).toMatchObject({ items: expect.any(Array), invoice_preview: { invoice_period: expect.any(String) } });
    const blob = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl';
    const { id } = await call('key-create', { Name: 'laptop', PublicKey: `ssh-ed25519 ${blob} me` });
    expect(await call('key-get', { ID: id })).toMatchObject({ id, name: 'laptop' });
    expect((await call('key-list')).items).toContainEqual({
      id,
      name: 'laptop',
      fingerprint: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
    });
    expect(await call('key-delete', { ID: id })).toEqual({ done: true, ID: id });
    const { items } = await call('action-list', { PerPage: 3 });
    expect(await call('action-get', { ID: items[0].id })).toMatchObject({ id: items[0].id });
  });

  it('an instance and everything that can be done to it', async () => {
    await call('size-list');
    const { items } = await call('image-list', { Type: 'distribution', PerPage: 200, Fields: 'id,slug' });
    const ImageID = items.find(({ slug }: Result) => slug === 'debian-12-x64').id;
    const { id: ID } = await call('instance-create', {
      Name: 'all',
      Size: 's-1vcpu-1gb',
      ImageID,
      Region: 'nyc3',
      Tags: ['all'],
      Monitoring: true,
    });
    await advance('10m');
    expect((await call('instance-list')).items.find(({ id }: Result) => id === ID)).toMatchObject({
      name: 'all',
      status: 'active',
      tags: ['all'],
    });
    expect((await act('instance-reboot', { ID })).status).toBe('active');
    expect((await act('power-cycle-instance', { ID })).status).toBe('active');
    await act('reset-instance-password', { ID });
    expect((await act('rename-instance', { ID, Name: 'renamed' })).name).toBe('renamed');
    expect((await act('enable-ipv6-instance', { ID })).networks.v6).toHaveLength(1);
    expect((await act('enable-backups-instance', { ID })).features).toContain('backups');
    expect((await act('disable-backups-instance', { ID })).features).not.toContain('backups');
    const { snapshot_ids: snapshots } = await act('snapshot-instance', { ID, Name: 'whole' });
    expect((await act('shutdown-instance', { ID })).status).toBe('off');
    expect((await act('power-on-instance', { ID })).status).toBe('active');
    expect((await act('power-off-instance', { ID })).status).toBe('off');
    expect((await act('resize-instance', { ID, Size: 's-2vcpu-2gb', ResizeDisk: true })).size_slug).toBe('s-2vcpu-2gb');
    expect((await act('rebuild-instance-by-slug', { ID, ImageSlug: 'ubuntu-24-04-x64' })).image.slug).toBe('ubuntu-24-04-x64');
    expect((await act('rebuild-instance', { ID, ImageID })).image.id).toBe(ImageID);
    expect((await act('restore-instance', { ID, ImageID: snapshots[0] })).image.id).toBe(snapshots[0]);
    expect(await call('instance-delete', { ID })).toEqual({ done: true, ID });
  });

  it('what only an old instance takes: another kernel, a private network', async () => {
    const { items } = await call('instance-list', { Fields: '*' });
    const { id: ID, kernel } = items.find((item: Result) => item.tags.includes('legacy'));
    const headers = { authorization: `Bearer ${emulator.token}` };
    const { kernels } = await jsonOf(fetch(`${emulator.url}/v2/droplets/${ID}/kernels`, { headers }));
    const other = kernels.find(({ id }: Result) => id !== kernel.id);
    expect((await act('change-kernel-instance', { ID, KernelID: other.id })).kernel).toEqual(other);
    const { networks } = await act('enable-private-net-instance', { ID });
    expect(networks.v4.map(({ type }: Result) => type)).toContain('private');
  });

  it('all that carry a tag, at once', async () => {
    for (const tool of instances.tools.filter(({ name }) => name.endsWith('-tag')).map(({ name }) => name)) {
      const { items } = await call(tool, { Tag: 'web', ...(tool.startsWith('snapshot') && { Name: 'nightly' }) });
      for (const action of items) expect(action).toMatchObject({ status: 'in-progress', resource_type: 'droplet' });
      await advance('10m');
    }
  });

  it('images of one own', async () => {
    const made = await call('image-create', {
      Name: 'golden',
      Url: 'https://files.example.com/golden.qcow2',
      Region: 'nyc3',
      Distribution: 'Debian',
      Tags: ['base'],
    });
    await advance('1h');
    expect(await call('image-get', { ID: made.id })).toMatchObject({ name: 'golden', status: 'available' });
    expect(await call('image-update', { ID: made.id, Name: 'silver' })).toMatchObject({ name: 'silver' });
    const transfer = await call('image-action-transfer', { ID: made.id, Region: 'ams3' });
    await advance('1h');
    expect(await call('image-action-get', { ImageID: made.id, ActionID: transfer.id })).toMatchObject({
      type: 'transfer',
      status: 'completed',
    });
    expect((await call('image-get', { ID: made.id })).regions).toEqual(expect.arrayContaining(['nyc3', 'ams3']));
    const own = await call('image-list', { Type: 'user' });
    const backup = own.items.find(({ type }: Result) => type === 'backup');
    expect(await call('image-action-convert', { ID: backup.id })).toMatchObject({ status: 'in-progress' });
    await advance('1h');
    expect((await call('image-get', { ID: backup.id })).type).toBe('snapshot');
    expect(await call('image-delete', { ID: made.id })).toEqual({ done: true, ID: made.id });
  });

  it('were all called', () => {
    const all = [account, instances, images].flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(all.filter((name) => !called.has(name))).toEqual([]);
  });
});
