import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

export function imageStories(enter: Enter): void {
  it('imports an image, describes it, moves it and deletes it', async () => {
    const { v2, later } = await enter();
    const order = {
      name: 'harbour',
      url: 'https://images.example.com/harbour.qcow2',
      region: 'nyc3',
      distribution: 'Debian',
      tags: ['story'],
    };
    const { image } = await v2.images.post(order);
    expect(image).toMatchObject({ name: 'harbour', type: 'custom', status: 'NEW', distribution: 'Debian', createdAt: expect.any(Date) });
    await later('5m');
    const mine = v2.images.byImage_id(image.id);
    expect((await mine.get()).image).toMatchObject({ status: 'available', regions: ['nyc3'], minDiskSize: expect.any(Number) });
    expect((await mine.put({ name: 'harbour-2', description: 'Ours' })).image).toMatchObject({ name: 'harbour-2', description: 'Ours' });

    const moving = await mine.actions.post({ type: 'transfer', region: 'fra1' });
    expect(wrapped(moving)).toMatchObject({ type: 'transfer', status: 'in-progress', resource_id: image.id, resource_type: 'image' });
    expect(await refusal(mine.delete())).toMatchObject({ status: 422, id: 'unprocessable_entity' });
    await later('2m');
    expect(wrapped(await mine.actions.byAction_id(wrapped(moving).id).get())).toMatchObject({ type: 'transfer', status: 'completed' });
    expect((await mine.get()).image.regions).toEqual(['nyc3', 'fra1']);

    expect((await v2.images.get({ queryParameters: { private: true, tagName: 'story' } })).images).toMatchObject([{ id: image.id }]);
    await mine.delete();
    expect(await refusal(mine.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('makes a snapshot of a backup, which is found and deleted as one', async () => {
    const { v2, later } = await enter();
    const { images } = await v2.images.get({ queryParameters: { private: true, perPage: 200 } });
    const backup = images.find(({ type }: Json) => type === 'backup');
    const converting = wrapped(await v2.images.byImage_id(backup.id).actions.post({ type: 'convert' }));
    expect(converting).toMatchObject({ type: 'convert', status: 'in-progress' });
    await later('1m');
    const snapshot = v2.snapshots.bySnapshot_id(backup.id);
    expect((await snapshot.get()).snapshot).toMatchObject({
      id: String(backup.id),
      resourceType: 'droplet',
      minDiskSize: backup.minDiskSize,
    });
    await snapshot.delete();
    expect(await refusal(snapshot.get())).toMatchObject({ status: 404, id: 'not_found' });
    expect(await refusal(v2.images.byImage_id(97_000_114).delete())).toMatchObject({ status: 403, id: 'forbidden' });
  });
}

/** The client takes an image's action for a bare one: its envelope ends up beside the fields that it knows. */
function wrapped(model: Json): Json {
  return model.additionalData.action;
}
