import { describe, expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json } from './platform.ts';

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

describe('VPCs', () => {
  test('the first of a region is its default, a droplet without a wish lands in it', async () => {
    await using platform = await frozenPlatform();
    const { vpc } = (await platform.post('/v2/vpcs', { name: 'mine', region: 'syd1', description: 'd' })).body;
    expect(vpc).toMatchObject({ name: 'mine', region: 'syd1', description: 'd', default: true, urn: `do:vpc:${vpc.id}` });
    expect(vpc.ip_range).toMatch(/^10\.\d+\.\d+\.0\/20$/);
    const droplet = await activeDroplet(platform, { region: 'syd1' });
    expect(droplet.vpc_uuid).toBe(vpc.id);
    const { members } = (await platform.get(`/v2/vpcs/${vpc.id}/members`)).body;
    expect(members).toEqual([{ urn: `do:droplet:${droplet.id}`, name: 'box', created_at: droplet.created_at }]);
    expect((await platform.get(`/v2/vpcs/${vpc.id}/members?resource_type=database`)).body.members).toEqual([]);
  });

  test('the default and one with members are not deleted, another is', async () => {
    await using platform = await frozenPlatform();
    const first = (await platform.post('/v2/vpcs', { name: 'first', region: 'syd1' })).body.vpc;
    const second = (await platform.post('/v2/vpcs', { name: 'second', region: 'syd1' })).body.vpc;
    expect((await platform.del(`/v2/vpcs/${first.id}`)).status).toBe(403);
    const droplet = await activeDroplet(platform, { region: 'syd1', vpc_uuid: second.id });
    const held = await platform.del(`/v2/vpcs/${second.id}`);
    expect([held.status, held.body.message]).toEqual([409, 'Can not delete VPC with members']);
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect((await platform.del(`/v2/vpcs/${second.id}`)).status).toBe(204);
  });

  test('another becomes the default, one at a time', async () => {
    await using platform = await frozenPlatform();
    const first = (await platform.post('/v2/vpcs', { name: 'first', region: 'syd1' })).body.vpc;
    const second = (await platform.post('/v2/vpcs', { name: 'second', region: 'syd1' })).body.vpc;
    const changed = await platform.put(`/v2/vpcs/${second.id}`, { name: 'better', default: true });
    expect(changed.body.vpc).toMatchObject({ name: 'better', default: true });
    const { vpcs } = (await platform.get('/v2/vpcs?per_page=200')).body;
    expect(vpcs.find((vpc: Json) => vpc.id === first.id).default).toBe(false);
  });

  test.each([
    ['a public range', { ip_range: '8.8.0.0/16' }],
    ['a range too wide', { ip_range: '10.0.0.0/15' }],
    ['a range too narrow', { ip_range: '10.0.0.0/29' }],
    ['bits behind the prefix', { ip_range: '10.0.0.1/24' }],
    ['no range', { ip_range: 'ten' }],
    ['a range that overlaps', { ip_range: '10.100.0.0/16' }],
    ['a name that is taken', { name: 'default-nyc3' }],
    ['a name with a blank', { name: 'a b' }],
    ['a closed region', { region: 'sfo1' }],
    ['a long description', { description: 'x'.repeat(256) }],
  ])('refuse %s', async (_what, changes) => {
    await using platform = await frozenPlatform();
    const { status, body } = await platform.post('/v2/vpcs', { name: 'new', region: 'nyc3', ...changes });
    expect([status, body.id]).toEqual([422, 'unprocessable_entity']);
  });
});
