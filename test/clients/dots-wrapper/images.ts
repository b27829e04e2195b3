import { expect, it } from 'vitest';
import type { Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

export function imageStories(enter: Enter): void {
  it('imports an image, moves it and deletes it', async () => {
    const { client, later } = await enter();
    const url = 'https://images.example.com/harbour.qcow2';
    const order = { name: 'harbour', url, region: 'nyc3', distribution: 'Debian', tags: ['story'], description: 'Ours' };
    const { image } = (await client.image.createCustomImage(order)).data;
    expect(image).toMatchObject({ name: 'harbour', type: 'custom', status: 'NEW', description: 'Ours' });
    await later('5m');
    const image_id = image.id;
    expect((await client.image.getImage({ image_id })).data.image).toMatchObject({ status: 'available', regions: ['nyc3'] });
    const { action } = (await client.image.transferImage({ image_id, region: 'fra1' })).data;
    expect(action).toMatchObject({ type: 'transfer', status: 'in-progress', resource_id: image_id, resource_type: 'image' });
    await later('2m');
    expect((await client.image.getImageAction({ image_id, action_id: action.id })).data.action.status).toBe('completed');
    const { images } = (await client.image.listImages({ user_images: true, tag_name: 'story' })).data;
    expect(images).toMatchObject([{ id: image_id, regions: ['nyc3', 'fra1'] }]);
    // The client posts what the platform wants put.
    expect(await refusal(client.image.updateImage({ image_id, name: 'harbour-2' }))).toMatchObject({ status: 405 });
    expect((await client.image.deleteImage({ image_id })).status).toBe(204);
    expect(await refusal(client.image.getImage({ image_id }))).toMatchObject({ status: 404, id: 'not_found' });
    expect((await client.image.getImage({ slug: 'debian-12-x64' })).data.image).toMatchObject({ distribution: 'Debian', public: true });
  });

  it('makes a snapshot of a backup, which is found and deleted as one', async () => {
    const { client, later } = await enter();
    const { images } = (await client.image.listImages({ user_images: true, per_page: 200 })).data;
    const backup = images.find(({ type }) => type === 'backup');
    const image_id = backup?.id ?? 0;
    expect((await client.image.convertImageToSnapshot({ image_id })).data.action).toMatchObject({ type: 'convert' });
    await later('1m');
    const { snapshots } = (await client.snapshot.listSnapshots({ resource_type: 'droplet' })).data;
    expect(snapshots.map(({ id }) => id)).toContain(String(image_id));
    const { snapshot } = (await client.snapshot.getSnapshot({ snapshot_id: image_id })).data;
    expect(snapshot).toMatchObject({ name: backup?.name, resource_type: 'droplet', min_disk_size: backup?.min_disk_size });
    expect((await client.snapshot.deleteSnapshot({ snapshot_id: image_id })).status).toBe(204);
    expect(await refusal(client.snapshot.getSnapshot({ snapshot_id: image_id }))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('tags what is there, counts it, and lets it go', async () => {
    const { client } = await enter();
    const { tag } = (await client.tag.createTag({ name: 'Night-Watch' })).data;
    expect(tag).toMatchObject({ name: 'Night-Watch', resources: { count: 0, images: { count: 0 } } });
    const { images } = (await client.image.listImages({ user_images: true })).data;
    const resources = [{ resource_id: String(images[0]?.id), resource_type: 'image' }];
    expect((await client.tag.tagResources({ tag_name: tag.name, resources })).status).toBe(204);
    expect((await client.tag.getTag({ tag_name: tag.name })).data.tag.resources).toMatchObject({ count: 1, images: { count: 1 } });
    expect((await client.tag.listTags({ per_page: 200 })).data.tags.map(({ name }) => name)).toContain('Night-Watch');
    expect((await client.tag.untagResources({ tag_name: tag.name, resources })).status).toBe(204);
    expect((await client.tag.getTag({ tag_name: tag.name })).data.tag.resources.count).toBe(0);
    expect((await client.tag.deleteTag({ tag_name: tag.name })).status).toBe(204);
    expect(await refusal(client.tag.getTag({ tag_name: tag.name }))).toMatchObject({ status: 404, id: 'not_found' });
  });
}
