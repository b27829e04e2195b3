import { expect, test } from 'vitest';
import { frozenPlatform, type Json } from './platform.ts';

test('one page has no links; the first and last of several have what leads on', async () => {
  await using platform = await frozenPlatform();
  expect((await platform.get('/v2/droplets')).body).toMatchObject({ links: {}, meta: { total: 6 } });
  const at = async (page: number) => (await platform.get(`/v2/droplets?per_page=2&page=${page}`)).body;
  const href = (page: number): string => `${platform.url}/v2/droplets?page=${page}&per_page=2`;
  expect((await at(1)).links).toEqual({ pages: { next: href(2), last: href(3) } });
  expect((await at(2)).links).toEqual({ pages: { first: href(1), prev: href(1), next: href(3), last: href(3) } });
  expect((await at(3)).links).toEqual({ pages: { first: href(1), prev: href(2) } });
});

test('the links lead to the same records as the whole list', async () => {
  await using platform = await frozenPlatform();
  const whole = (await platform.get('/v2/droplets')).body.droplets.map((droplet: Json) => droplet.id);
  const found: number[] = [];
  let next: string | undefined = `${platform.url}/v2/droplets?per_page=4`;
  while (next !== undefined) {
    const { droplets, links }: Json = (await platform.get(next.slice(platform.url.length))).body;
    found.push(...droplets.map((droplet: Json) => droplet.id));
    next = links.pages?.next;
  }
  expect(found).toEqual(whole);
});

test('links keep the other query fields, and per_page only when it was given', async () => {
  await using platform = await frozenPlatform();
  const { body } = await platform.get('/v2/droplets?tag_name=production&per_page=1');
  expect(body.meta.total).toBe(4);
  expect(body.links.pages.next).toBe(`${platform.url}/v2/droplets?tag_name=production&page=2&per_page=1`);
  const sizes = (await platform.get('/v2/sizes')).body;
  expect(sizes.sizes).toHaveLength(20);
  expect(sizes.links.pages).toEqual({ next: `${platform.url}/v2/sizes?page=2`, last: `${platform.url}/v2/sizes?page=2` });
});

test('a page past the end is empty and keeps the total', async () => {
  await using platform = await frozenPlatform();
  const { status, body } = await platform.get('/v2/droplets?per_page=5&page=9');
  expect([status, body.droplets, body.meta]).toEqual([200, [], { total: 6 }]);
  expect(body.links.pages).toEqual({
    first: `${platform.url}/v2/droplets?page=1&per_page=5`,
    prev: `${platform.url}/v2/droplets?page=2&per_page=5`,
  });
});

test('more than 200 per page gives 200', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/_emulator/populate', { droplets: 250, tag: 'bulk' });
  for (const path of ['/v2/droplets?per_page=1000', '/v2/droplets?per_page=201&tag_name=bulk']) {
    const { body } = await platform.get(path);
    expect(body.droplets, path).toHaveLength(200);
    expect(body.links.pages.next, path).toContain('per_page=200');
  }
});

test.each(['page=0', 'page=-1', 'page=1.5', 'page=two', 'page=', 'per_page=0', 'per_page=x', 'page=99999999999'])(
  'refuses %s',
  async (query) => {
    await using platform = await frozenPlatform();
    expect((await platform.get(`/v2/droplets?${query}`)).status).toBe(422);
  },
);

test('totals follow creations, deletions and tags', async () => {
  await using platform = await frozenPlatform();
  const total = async (path: string): Promise<number> => (await platform.get(path)).body.meta.total;
  await platform.post('/_emulator/populate', { droplets: 7, tag: 'bulk' });
  expect([await total('/v2/droplets?per_page=1'), await total('/v2/droplets?tag_name=bulk&per_page=1')]).toEqual([13, 7]);
  const [one] = (await platform.get('/v2/droplets?tag_name=bulk')).body.droplets;
  await platform.del('/v2/tags/bulk/resources', { resources: [{ resource_id: String(one.id), resource_type: 'droplet' }] });
  expect([await total('/v2/droplets'), await total('/v2/droplets?tag_name=bulk')]).toEqual([13, 6]);
  await platform.del(`/v2/droplets/${one.id}`);
  expect([await total('/v2/droplets'), await total('/v2/droplets?tag_name=bulk')]).toEqual([12, 6]);
  await platform.del('/v2/tags/bulk');
  expect([await total('/v2/droplets'), await total('/v2/droplets?tag_name=bulk')]).toEqual([12, 0]);
  expect((await platform.get('/v2/droplets')).body.droplets.every((droplet: Json) => !droplet.tags.includes('bulk'))).toBe(true);
});
