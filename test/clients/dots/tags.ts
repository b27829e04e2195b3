import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

export function tagStories(enter: Enter): void {
  it('tags what is there, counts it, and lets it go', async () => {
    const { v2 } = await enter();
    const { tag } = await v2.tags.post({ name: 'Night-Watch' });
    expect(tag).toMatchObject({ name: 'Night-Watch', resources: { count: 0, droplets: { count: 0 } } });
    const [droplet] = (await v2.droplets.get({ queryParameters: { name: 'web-01' } })).droplets;
    const [image] = (await v2.images.get({ queryParameters: { private: true } })).images;
    const resources = [
      { resourceId: String(droplet.id), resourceType: 'droplet' },
      { resourceId: String(image.id), resourceType: 'image' },
    ];
    const watch = v2.tags.byTag_id('Night-Watch');
    await watch.resources.post({ resources });
    const full = (await watch.get()).tag;
    expect(full.resources).toMatchObject({ count: 2, droplets: { count: 1 } });
    expect(full.resources.droplets.lastTaggedUri).toMatch(new RegExp(`/v2/droplets/${droplet.id}$`));
    expect((await v2.droplets.byDroplet_id(droplet.id).get()).droplet.tags).toContain('Night-Watch');
    await watch.resources.delete({ resources: resources.slice(0, 1) });
    expect((await watch.get()).tag.resources).toMatchObject({ count: 1, droplets: { count: 0 } });
    const { tags } = await v2.tags.get({ queryParameters: { perPage: 200 } });
    expect(tags.map(({ name }: Json) => name)).toContain('Night-Watch');
    await watch.delete();
    expect(await refusal(watch.get())).toMatchObject({ status: 404, id: 'not_found' });
    expect((await v2.images.byImage_id(image.id).get()).image.tags).not.toContain('Night-Watch');
  });
}
