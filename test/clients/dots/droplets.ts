import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter, OfficialAccount } from './official-client.ts';
import { refusal } from './refusal.ts';

const ORDER = { region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' } as const;

/** Begins an action, lets it finish, and answers it as the droplet's own list knows it. */
async function act({ v2, later }: OfficialAccount, id: number, order: Json): Promise<Json> {
  const actions = v2.droplets.byDroplet_id(id).actions;
  const { action } = await actions.post(order);
  expect(action).toMatchObject({ type: order.type, status: 'in-progress', resourceId: id, resourceType: 'droplet' });
  await later('2m');
  const done = (await actions.byAction_id(action.id).get()).action;
  expect(done).toMatchObject({ id: action.id, type: order.type, status: 'completed', completedAt: expect.any(Date) });
  return (await v2.droplets.byDroplet_id(id).get()).droplet;
}

export function dropletStories(enter: Enter): void {
  it('takes one droplet through its life', async () => {
    const account = await enter();
    const { v2, later } = account;
    const { droplet, links } = await v2.droplets.post({ ...ORDER, name: 'lone', tags: ['story'], backups: true, monitoring: true });
    expect(droplet).toMatchObject({ name: 'lone', status: 'new', tags: ['story'], sizeSlug: 's-1vcpu-1gb', createdAt: expect.any(Date) });
    expect((await v2.actions.byAction_id(links.actions[0].id).get()).action).toMatchObject({ type: 'create', status: 'in-progress' });
    await later('1m');
    const box = v2.droplets.byDroplet_id(droplet.id);
    const active = (await box.get()).droplet;
    expect(active).toMatchObject({ status: 'active', locked: false, image: { slug: 'ubuntu-24-04-x64' }, region: { slug: 'nyc3' } });
    expect(active.networks.v4.map(({ type }: Json) => type)).toEqual(['public', 'private']);
    expect(active.nextBackupWindow.end - active.nextBackupWindow.start).toBe(4 * 3_600_000);
    expect(await refusal(box.actions.post({ type: 'power_on' }))).toMatchObject({ status: 422, id: 'unprocessable_entity' });

    const { policy } = await box.backups.policy.get();
    expect(policy).toMatchObject({ dropletId: droplet.id, backupEnabled: true, backupPolicy: { plan: 'weekly' } });
    await later('8d');
    const { backups } = await box.backups.get();
    const backup = { type: 'backup', minDiskSize: 25, regions: ['nyc3'] };
    expect(backups).toMatchObject([
      { ...backup, name: 'lone- 2026-02-17', createdAt: new Date('2026-02-17T20:00:00Z') },
      { ...backup, name: 'lone- 2026-02-10' },
    ]);

    expect(await act(account, droplet.id, { type: 'power_off' })).toMatchObject({ status: 'off' });
    expect(await act(account, droplet.id, { type: 'resize', size: 's-2vcpu-2gb', disk: true })).toMatchObject({ vcpus: 2, disk: 60 });
    expect(await act(account, droplet.id, { type: 'power_on' })).toMatchObject({ status: 'active' });
    expect(await act(account, droplet.id, { type: 'rename', name: 'lone-2' })).toMatchObject({ name: 'lone-2' });
    expect(await act(account, droplet.id, { type: 'snapshot', name: 'kept' })).toMatchObject({ snapshotIds: [expect.any(Number)] });
    const { snapshots } = await box.snapshots.get();
    expect(snapshots).toMatchObject([{ name: 'kept', type: 'snapshot', minDiskSize: 60 }]);
    expect(await act(account, droplet.id, { type: 'rebuild', image: snapshots[0].id })).toMatchObject({ image: { id: snapshots[0].id } });
    expect(await act(account, droplet.id, { type: 'restore', image: backups[0].id })).toMatchObject({ image: { id: backups[0].id } });
    const daily = { type: 'change_backup_policy', backupPolicy: { plan: 'daily', hour: 8 } };
    expect(await act(account, droplet.id, daily)).toMatchObject({ features: expect.arrayContaining(['backups']) });
    expect((await box.backups.policy.get()).policy.backupPolicy).toMatchObject({ plan: 'daily', hour: 8 });
    expect((await act(account, droplet.id, { type: 'enable_ipv6' })).networks.v6).toHaveLength(1);

    await box.delete();
    expect(await refusal(box.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('acts on all droplets of a tag, and finds them by it', async () => {
    const { v2, later } = await enter();
    const { droplets } = await v2.droplets.post({ ...ORDER, names: ['herd-1', 'herd-2'], tags: ['herd'] });
    await later('1m');
    const found = await v2.droplets.get({ queryParameters: { tagName: 'herd', perPage: 1 } });
    expect([found.droplets.length, found.meta.total]).toEqual([1, 2]);
    expect((await v2.droplets.get({ queryParameters: { name: 'herd-2' } })).droplets).toMatchObject([{ name: 'herd-2' }]);
    const { actions } = await v2.droplets.actions.post({ type: 'snapshot', name: 'both' }, { queryParameters: { tagName: 'herd' } });
    const ids = droplets.map(({ id }: Json) => id);
    expect(actions.map(({ resourceId }: Json) => resourceId).sort()).toEqual([...ids].sort());
    await later('2m');
    const { snapshots } = await v2.snapshots.get({ queryParameters: { resourceType: 'droplet', perPage: 200 } });
    expect(snapshots.filter(({ resourceId }: Json) => ids.includes(Number(resourceId))).map(({ name }: Json) => name)).toEqual([
      'both',
      'both',
    ]);
  });

  it('changes the kernel of an old droplet, and looks at its neighbours and firewalls', async () => {
    const account = await enter();
    const { droplets } = await account.v2.droplets.get({ queryParameters: { name: 'legacy-app' } });
    const old = account.v2.droplets.byDroplet_id(droplets[0].id);
    const { kernels, meta } = await old.kernels.get({ queryParameters: { perPage: 200 } });
    expect(kernels).toHaveLength(meta.total);
    const other = kernels.find(({ id }: Json) => id !== droplets[0].kernel.id);
    expect(await act(account, droplets[0].id, { type: 'change_kernel', kernel: other.id })).toMatchObject({ kernel: other });
    expect(await old.neighbors.get()).toEqual({ droplets: [] });
    expect((await old.firewalls.get()).firewalls).toEqual([]);
  });
}
