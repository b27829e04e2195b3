import { expect, it } from 'vitest';
import type { CommunityAccount, Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

const ORDER = { region: 'nyc3', size: 's-1vcpu-1gb', image: 'ubuntu-24-04-x64' } as const;
type Begun = Promise<{ readonly data: { readonly action: { readonly id: number; readonly type: string; readonly status: string } } }>;

/** Lets an action that begins now finish; answers its droplet, and its type. */
async function finished({ client, later }: CommunityAccount, droplet_id: number, begun: Begun) {
  const { action } = (await begun).data;
  expect(action).toMatchObject({ status: 'in-progress', resource_id: droplet_id, resource_type: 'droplet' });
  await later('2m');
  const done = (await client.droplet.getDropletAction({ droplet_id, action_id: action.id })).data.action;
  expect(done).toMatchObject({ id: action.id, type: action.type, status: 'completed' });
  return { type: done.type, ...(await client.droplet.getDroplet({ droplet_id })).data.droplet };
}

export function dropletStories(enter: Enter): void {
  it('takes one droplet through its life', async () => {
    const account = await enter();
    const { client, later } = account;
    const { droplet: made } = (await client.droplet.createDroplet({ ...ORDER, name: 'lone', tags: ['story'], backups: true })).data;
    expect(made).toMatchObject({ name: 'lone', status: 'new', tags: ['story'] });
    await later('1m');
    const droplet_id = made.id;
    const { droplet } = (await client.droplet.getDroplet({ droplet_id })).data;
    expect(droplet).toMatchObject({ status: 'active', locked: false, image: { slug: 'ubuntu-24-04-x64' }, region: { slug: 'nyc3' } });
    expect(droplet.networks.v4.map(({ type }) => type)).toEqual(['public', 'private']);
    expect(await refusal(client.droplet.powerOnDroplet({ droplet_id }))).toMatchObject({ status: 422, id: 'unprocessable_entity' });

    const end = (begun: Begun) => finished(account, droplet_id, begun);
    const of = client.droplet;
    expect(await end(of.shutdownDroplet({ droplet_id }))).toMatchObject({ type: 'shutdown', status: 'off' });
    expect(await end(of.resizeDroplet({ droplet_id, size: 's-2vcpu-2gb', disk: true }))).toMatchObject({ vcpus: 2, disk: 60 });
    expect(await end(of.powerOnDroplet({ droplet_id }))).toMatchObject({ type: 'power_on', status: 'active' });
    expect(await end(of.rebootDroplet({ droplet_id }))).toMatchObject({ type: 'reboot', status: 'active' });
    expect(await end(of.powerCycleDroplet({ droplet_id }))).toMatchObject({ type: 'power_cycle', status: 'active' });
    expect(await end(of.powerOffDroplet({ droplet_id }))).toMatchObject({ type: 'power_off', status: 'off' });
    expect(await end(of.renameDroplet({ droplet_id, name: 'lone-2' }))).toMatchObject({ name: 'lone-2' });
    expect(await end(of.resetDropletPassword({ droplet_id }))).toMatchObject({ type: 'password_reset' });
    expect((await end(of.enableDropletIpv6({ droplet_id }))).networks.v6).toHaveLength(1);
    expect((await end(of.disableDropletBackups({ droplet_id }))).features).not.toContain('backups');
    expect((await end(of.enableDropletBackups({ droplet_id }))).features).toContain('backups');
    expect((await end(of.snapshotDroplet({ droplet_id, name: 'kept' }))).snapshot_ids).toHaveLength(1);
    const { snapshots } = (await of.listDropletSnapshots({ droplet_id })).data;
    expect(snapshots).toMatchObject([{ name: 'kept', min_disk_size: 60, regions: ['nyc3'] }]);
    await later('8d');
    const { backups } = (await of.listDropletBackups({ droplet_id })).data;
    expect(backups[0]).toMatchObject({ type: 'backup', min_disk_size: 60 });
    const backup = Number(backups[0]?.id);
    expect(await end(of.rebuildDroplet({ droplet_id, image: 'debian-12-x64' }))).toMatchObject({ image: { slug: 'debian-12-x64' } });
    expect(await end(of.restoreDroplet({ droplet_id, image: backup }))).toMatchObject({ image: { id: backup } });
    expect((await of.deleteDroplet({ droplet_id })).status).toBe(204);
    expect(await refusal(of.getDroplet({ droplet_id }))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('acts on all droplets of a tag, and finds them by it', async () => {
    const { client, later } = await enter();
    const { droplets } = (await client.droplet.createDroplets({ ...ORDER, names: ['herd-1', 'herd-2'], tags: ['herd'] })).data;
    await later('1m');
    const { actions } = (await client.droplet.doActionByDropletTag({ tag_name: 'herd', type: 'power_off' })).data;
    expect(actions.map(({ resource_id }) => resource_id).sort()).toEqual(droplets.map(({ id }) => id).sort());
    await later('1m');
    const { droplets: found, meta } = (await client.droplet.listDroplets({ tag_name: 'herd', per_page: 1 })).data;
    expect([found.map(({ status }) => status), meta?.total]).toEqual([['off'], 2]);
  });

  it('changes an old droplet: its kernel, its network; and looks at its neighbours', async () => {
    const account = await enter();
    const { droplets } = (await account.client.droplet.listDroplets({ tag_name: 'legacy' })).data;
    const droplet_id = droplets[0]?.id ?? 0;
    const { kernels } = (await account.client.droplet.listDropletKernels({ droplet_id })).data;
    const other = kernels.find(({ id }) => id !== droplets[0]?.kernel.id);
    const begun = account.client.droplet.changeDropletKernel({ droplet_id, kernel: other?.id ?? 0 });
    expect(await finished(account, droplet_id, begun)).toMatchObject({ kernel: other });
    const joined = await finished(account, droplet_id, account.client.droplet.enableDropletPrivateNetworking({ droplet_id }));
    expect(joined.networks.v4.map(({ type }) => type)).toContain('private');
    expect((await account.client.droplet.listDropletNeighbors({ droplet_id })).data).toMatchObject({ droplets: [] });
  });
}
