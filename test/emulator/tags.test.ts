import { describe, expect, test } from 'vitest';
import { activeDroplet, frozenPlatform } from './platform.ts';

describe('tags', () => {
  test('count what carries them, and name the last', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const [image] = (await platform.get('/v2/images?private=true')).body.images;
    await platform.post('/v2/tags', { name: 'mixed' });
    const resources = [
      { resource_id: String(droplet.id), resource_type: 'droplet' },
      { resource_id: String(image.id), resource_type: 'image' },
    ];
    expect((await platform.post('/v2/tags/mixed/resources', { resources })).status).toBe(204);
    expect((await platform.post('/v2/tags/mixed/resources', { resources })).status).toBe(204);
    const { tag } = (await platform.get('/v2/tags/mixed')).body;
    expect(tag).toMatchObject({
      name: 'mixed',
      resources: { count: 2, droplets: { count: 1 }, images: { count: 1 }, databases: { count: 0 } },
    });
    expect(tag.resources.droplets.last_tagged_uri).toMatch(new RegExp(`/v2/droplets/${droplet.id}$`));
    expect((await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.tags).toEqual(['mixed']);
    expect((await platform.get(`/v2/images/${image.id}`)).body.image.tags).toContain('mixed');
    await platform.del('/v2/tags/mixed');
    expect((await platform.get('/v2/tags/mixed')).status).toBe(404);
    expect((await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.tags).toEqual([]);
    expect((await platform.get(`/v2/images/${image.id}`)).body.image.tags).not.toContain('mixed');
  });

  test('keep the capitals of their first use', async () => {
    await using platform = await frozenPlatform();
    await platform.post('/v2/tags', { name: 'PROD' });
    expect((await platform.post('/v2/tags', { name: 'prod' })).body.tag.name).toBe('PROD');
    expect((await platform.get('/v2/tags/prod')).status).toBe(404);
    expect((await activeDroplet(platform, { tags: ['Prod'] })).tags).toEqual(['PROD']);
  });

  test('that read as the same number are different tags', async () => {
    await using platform = await frozenPlatform();
    const names = ['7', '07', '007', '1e3', '1000'];
    for (const name of names) {
      expect((await platform.post('/v2/tags', { name })).body.tag.name).toBe(name);
    }
    expect((await activeDroplet(platform, { tags: ['1E3', '07'] })).tags).toEqual(['1e3', '07']);
  });

  test('are taken with colons and dashes, and refused otherwise', async () => {
    await using platform = await frozenPlatform();
    expect((await platform.post('/v2/tags', { name: 'env:prod_1-a' })).status).toBe(201);
    for (const name of ['a b', 'ä', '', 'x'.repeat(256), 5]) {
      expect((await platform.post('/v2/tags', { name })).status, String(name)).toBe(422);
    }
  });

  test('find no unknown tag, resource or type; one wrong resource undoes the others', async () => {
    await using platform = await frozenPlatform();
    const droplet = await activeDroplet(platform);
    const good = { resource_id: String(droplet.id), resource_type: 'droplet' };
    expect((await platform.post('/v2/tags/none/resources', { resources: [good] })).status).toBe(404);
    expect(
      (await platform.post('/v2/tags/web/resources', { resources: [good, { resource_id: '1', resource_type: 'droplet' }] })).status,
    ).toBe(404);
    expect((await platform.post('/v2/tags/web/resources', { resources: [good, { ...good, resource_type: 'ship' }] })).status).toBe(422);
    expect((await platform.post('/v2/tags/web/resources', { resources: [7] })).status).toBe(422);
    expect((await platform.get(`/v2/droplets/${droplet.id}`)).body.droplet.tags).toEqual([]);
  });
});
