import { describe, expect, it } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { type Arrived, json, scriptedPlatform } from '../support/platform.ts';

const kib = 1024;

// biome-ignore lint/suspicious/noExplicitAny: results have every shape
type Result = any;

/** A call over MCP, and what it is answered as structure; the text beside it says the same. */
async function modelCalls(url: string, tool: string, given: object, query = ''): Promise<{ result: Result; isError: boolean }> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } };
  const { json } = await gateway({ PLATFORM_API_URL: url, CONFIRM: 'off' })('POST', `/mcp${query}`, { body });
  const { structuredContent, content, isError } = json.result;
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  return { result: structuredContent, isError };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** A platform with so many instances, paged as the platform pages; each record takes some bytes more than `bytes`. */
function withInstances(count: number, bytes: number) {
  const all = Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `i${index + 1}`, note: 'x'.repeat(bytes) }));
  return scriptedPlatform((response, { url }) => {
    const query = new URL(url, 'http://x').searchParams;
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
    json(response, 200, { droplets: all.slice((page - 1) * size, page * size), meta: { total: count } });
  });
}

const withRecord = (reply: object) => scriptedPlatform((response) => json(response, 200, reply));

describe('a list that is larger than a result may be', () => {
  it.each([
    [{ PerPage: 200 }, 1],
    [{ PerPage: 50, Page: 3 }, 101],
    [{ PerPage: 7, Page: 5 }, 29],
    [{}, 1],
  ])('%j is cut at whole items, and followed through next every item comes once', async (paging, first) => {
    const platform = await withInstances(431, 1500);
    const ids: number[] = [];
    let given: object | undefined = { ...paging, Fields: '*' };
    while (given) {
      const { result, isError }: { result: Result; isError: boolean } = await modelCalls(platform.url, 'instance-list', given);
      expect(isError).toBe(false);
      expect(bytesOf(result)).toBeLessThanOrEqual(32 * kib);
      expect(result.items.every(({ note }: Result) => note.length === 1500)).toBe(true);
      expect((result.page - 1) * result.perPage).toBe(first - 1 + ids.length);
      ids.push(...result.items.map(({ id }: Result) => id));
      const { nextPage, perPage, next, truncated } = result;
      expect(truncated === undefined).toBe(next === undefined);
      given = next ? next[0].arguments : nextPage && { Page: nextPage, PerPage: perPage, Fields: '*' };
    }
    expect(ids).toEqual(Array.from({ length: 431 - first + 1 }, (_, index) => first + index));
  });

  it('says how much is missing and what it would have taken', async () => {
    const platform = await withInstances(50, 1500);
    const { result } = await modelCalls(platform.url, 'instance-list', { Fields: '*' });
    expect(result).toMatchObject({
      perPage: 20,
      total: 50,
      nextPage: 2,
      truncated: { message: expect.stringMatching(/^20 of 50 items/), bytes: expect.any(Number), maxBytes: 32 * kib },
      next: [{ tool: 'instance-list', arguments: { Page: 2, PerPage: 20, Fields: '*' } }],
    });
    expect(result.truncated.bytes).toBeGreaterThan(50 * 1500);
  });

  it('is told, and not cut, where one of its items is too large by itself', async () => {
    const platform = await withInstances(3, 40_000);
    const { result } = await modelCalls(platform.url, 'instance-list', { Fields: '*' });
    expect(result).toMatchObject({ items: [], total: 3, truncated: { members: { note: 40_002 } } });
    const [next] = result.next;
    expect(next).toEqual({ tool: 'instance-list', arguments: { Page: 1, PerPage: 50, Fields: 'id,name' } });
    expect((await modelCalls(platform.url, next.tool, next.arguments)).result.items).toHaveLength(3);
  });

  it('which the platform returns whole is continued by page all the same', async () => {
    const users = Array.from({ length: 60 }, (_, index) => ({ name: `user${index}`, role: 'x'.repeat(1000) }));
    const platform = await withRecord({ users });
    const { result } = await modelCalls(platform.url, 'db-cluster-list-users', { id: 'c' });
    expect(result).toMatchObject({ page: 1, perPage: 30, total: 60, nextPage: 2 });
    const [{ tool, arguments: given }] = result.next;
    expect((await modelCalls(platform.url, tool, given)).result).toMatchObject({ items: users.slice(30), nextPage: null });
  });
});

describe('a record that is larger than a result may be', () => {
  const droplet = { id: 7, name: 'web', status: 'active', tags: ['a'], note: 'x'.repeat(50_000) };

  it('is told by its name with what its members take, and next asks for those that fit', async () => {
    const platform = await withRecord({ droplet });
    const { result, isError } = await modelCalls(platform.url, 'instance-get', { ID: 7 });
    expect(isError).toBe(false);
    expect(result).toMatchObject({
      id: 7,
      name: 'web',
      status: 'active',
      truncated: { bytes: bytesOf(droplet), members: { note: 50_002 } },
    });
    expect(result).not.toHaveProperty('note');
    const [{ tool, arguments: given }] = result.next;
    const { note: _, ...others } = droplet;
    expect((await modelCalls(platform.url, tool, given)).result).toEqual(others);
  });

  it('names the members of a member that is too large itself', async () => {
    const options = { pg: { sizes: 'x'.repeat(30_000) }, kafka: { sizes: 'y'.repeat(12_000) } };
    const platform = await withRecord({ options, version_availability: {} });
    const { result } = await modelCalls(platform.url, 'db-cluster-list-options', {});
    expect(Object.keys(result.truncated.members)).toEqual(['options.pg', 'options.kafka', 'version_availability']);
    const [{ tool, arguments: given }] = result.next;
    expect((await modelCalls(platform.url, tool, given)).result).toEqual({ options: { kafka: options.kafka }, version_availability: {} });
  });

  it('that a write made is no failure: what was made is told', async () => {
    const platform = await withRecord({ ssh_key: { id: 9, name: 'laptop', fingerprint: 'f', public_key: 'x'.repeat(40_000) } });
    const { result, isError } = await modelCalls(platform.url, 'key-create', { Name: 'laptop', PublicKey: 'x' });
    expect(isError).toBe(false);
    expect(result).toMatchObject({ id: 9, name: 'laptop', truncated: { message: expect.stringContaining('maxBytes') } });
    expect(platform.arrived).toHaveLength(1);
  });
});

describe('a list of instances as it comes', () => {
  it('costs a model under 12 KB for fifty', async () => {
    const network = (type: string, ip_address: string) => ({ ip_address, netmask: '255.255.240.0', gateway: '192.0.2.1', type });
    const droplets = Array.from({ length: 50 }, (_, index) => ({
      id: 520_000_000 + index,
      name: `web-${index}.example.com`,
      memory: 1024,
      vcpus: 1,
      status: 'active',
      created_at: '2026-11-21T10:00:00Z',
      features: ['monitoring', 'private_networking'],
      image: { id: 1, name: '24.04 (LTS) x64', distribution: 'Ubuntu', slug: 'ubuntu-24-04-x64', regions: ['nyc3'] },
      size: { slug: 's-1vcpu-1gb', memory: 1024, price_monthly: 6 },
      size_slug: 's-1vcpu-1gb',
      networks: { v4: [network('private', `10.100.0.${index}`), network('public', `203.0.113.${index}`)], v6: [] },
      region: { name: 'New York 3', slug: 'nyc3', sizes: [] },
      tags: ['web'],
    }));
    const { result } = await modelCalls((await withRecord({ droplets, meta: { total: 50 } })).url, 'instance-list', {});
    expect(result).toMatchObject({ page: 1, perPage: 50, total: 50, nextPage: null });
    expect(result.items).toHaveLength(50);
    expect(bytesOf(result)).toBeLessThanOrEqual(12 * kib);
  });
});

describe('what a result may take', () => {
  it('is set by the address, in both protocols; a plain call is otherwise answered whole', async () => {
    const platform = await withInstances(200, 1000);
    const { result } = await modelCalls(platform.url, 'instance-list', { PerPage: 200, Fields: '*' }, '?maxBytes=100000');
    expect(result.items.length).toBe(90);
    const plain = async (query: string) => {
      const body = { PerPage: 200, Fields: '*' };
      return (await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/instance-list${query}`, { body })).json.result;
    };
    expect((await plain('')).items).toHaveLength(200);
    expect((await plain('?maxBytes=20000')).items).toHaveLength(15);
  });

  it('is never more than an answer holds', async () => {
    const platform = await withInstances(200, 2000);
    const { result } = await modelCalls(platform.url, 'instance-list', { PerPage: 200, Fields: '*' }, '?maxBytes=99999999');
    expect(bytesOf(result)).toBeLessThanOrEqual(256 * kib);
    expect(result.items.length).toBeGreaterThan(100);
  });

  it.each(['10', '-1', '32k', ''])('is refused as %j', async (text) => {
    const answers = [
      await gateway()('POST', `/mcp?maxBytes=${text}`, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
      await gateway()('POST', `/tools/key-list?maxBytes=${text}`),
    ];
    for (const { status, text: said } of answers) {
      expect(status).toBe(400);
      expect(said).toContain('maxBytes: expected a number of bytes, from 2048 to 262144');
    }
  });

  it('is shared by the answers of a batch, so that none is lost', async () => {
    const platform = await withInstances(50, 1000);
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'instance-list', arguments: { Fields: '*' } },
    });
    const body = Array.from({ length: 50 }, (_, id) => call(id));
    const { json } = await gateway({ PLATFORM_API_URL: platform.url })('POST', '/mcp', { body });
    expect(json).toHaveLength(50);
    for (const { result } of json) expect(result.structuredContent.items.length).toBeGreaterThan(0);
  });
});

describe('the fields of a record', () => {
  it('are those that were asked for, as text or as a list', async () => {
    const platform = await withRecord({ droplet: { id: 7, name: 'web', region: { slug: 'nyc3', name: 'New York 3' } } });
    const { result } = await modelCalls(platform.url, 'instance-get', { ID: 7, Fields: 'name,region.slug' });
    expect(result).toEqual({ name: 'web', region: { slug: 'nyc3' } });
    expect((await modelCalls(platform.url, 'instance-get', { ID: 7, Fields: ['id', 'nme'] })).result).toEqual({
      id: 7,
      missingFields: ['nme'],
    });
    expect((await modelCalls(platform.url, 'instance-get', { ID: 7, Fields: [1] })).result.error.problems).toEqual([
      { field: 'Fields', got: '[1]', expected: 'a string or a list of strings' },
    ]);
  });
});

describe('what somebody wrote into the name of a resource', () => {
  const hidden =
    'a\u0000\u001b[31m\u061c\u202ebc\u200b\u2066d\u{e0041}\u{e0042}\ufeff\u0085e\u{e0100}\u{e01ef}\ufe00\u00ad\u034f\u3164\ufff9';
  const shown = 'a[31mbcde';
  const record = { droplet: { id: 1, name: hidden, note: 'one\n\ttwo \\b \\u0000 ok é 👍', [`k${hidden}`]: [hidden] } };

  it('reaches a model without characters that are not seen', async () => {
    const { result } = await modelCalls((await withRecord(record)).url, 'instance-get', { ID: 1 });
    expect(result).toEqual({ id: 1, name: shown, note: record.droplet.note, [`k${shown}`]: [shown] });
  });

  it('in a failure too', async () => {
    const refuses = (response: Parameters<typeof json>[0], _: Arrived) => json(response, 422, { id: 'x', message: `no ${hidden}` });
    const { result, isError } = await modelCalls((await scriptedPlatform(refuses)).url, 'instance-get', { ID: 1 });
    expect(isError).toBe(true);
    expect(result.error.platform.message).toBe(`no ${shown}`);
  });

  it('reaches a program as the platform has it', async () => {
    const { url } = await withRecord(record);
    const { json } = await gateway({ PLATFORM_API_URL: url })('POST', '/tools/instance-get', { body: { ID: 1 } });
    expect(json.result).toEqual(record.droplet);
  });
});
