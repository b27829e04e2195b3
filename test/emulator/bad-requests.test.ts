import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountContents } from './account-contents.ts';
import { type GoodRequest, goodRequests } from './bad-request-cases.ts';
import { clusterBody } from './database-cluster.ts';
import { dataDirectory } from './emulator-process.ts';
import { balancerBody, dropletBody, frozenPlatform, type Json, type Platform, startPlatform } from './platform.ts';

/** A body with one thing wrong, and where. */
interface BadBody {
  readonly what: string;
  readonly body: unknown;
}

/** A value of a type that can not be meant. */
function wrongTyped(value: unknown): unknown {
  return Array.isArray(value) ? 'not a list' : typeof value === 'boolean' ? 'yes' : typeof value === 'object' ? 5 : { not: 'this' };
}

/** Every body that differs from a good one by one value of a wrong type, at any depth, or by one unknown field more. */
function badBodies(value: unknown, place = ''): readonly BadBody[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      [...itself(item, `${place}[${index}]`), ...badBodies(item, `${place}[${index}]`)].map(({ what, body }) => ({
        what,
        body: value.with(index, body),
      })),
    );
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const inside = Object.entries(value).flatMap(([name, member]) =>
    [...itself(member, `${place}.${name}`), ...badBodies(member, `${place}.${name}`)].map(({ what, body }) => ({
      what,
      body: { ...value, [name]: body },
    })),
  );
  return [{ what: `${place}.surprise`, body: { ...value, surprise: true } }, ...inside];
}

const itself = (value: unknown, what: string): readonly BadBody[] => [{ what: `${what} of a wrong type`, body: wrongTyped(value) }];

describe('a refused request changes nothing, in whole', () => {
  let directory: Awaited<ReturnType<typeof dataDirectory>>;
  let platform: Platform;
  let good: readonly GoodRequest[];

  beforeAll(async () => {
    directory = await dataDirectory();
    platform = await frozenPlatform({ dataDir: directory.path });
    good = await goodRequests(platform);
    await platform.post('/_emulator/snapshots', { name: 'start' });
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  test('wherever a value has a wrong type or a field is unknown, for every operation with a body', async () => {
    const accepted: string[] = [];
    const wrongShape: string[] = [];
    for (const { method, path, body } of good) {
      const before = await accountContents(platform, directory.path);
      for (const bad of badBodies(body)) {
        const where = `${method} ${path} ${bad.what}`;
        const answer = await platform.call(method, path, bad.body);
        if (answer.status < 300) {
          accepted.push(where);
          await platform.post('/_emulator/snapshots/start/restore');
        } else if (answer.status !== 422 || answer.body.id !== 'unprocessable_entity' || typeof answer.body.message !== 'string') {
          wrongShape.push(`${where}: ${answer.status} ${answer.body.message}`);
        }
      }
      expect(await accountContents(platform, directory.path), `${method} ${path}`).toEqual(before);
    }
    expect({ accepted, wrongShape }).toEqual({ accepted: [], wrongShape: [] });
  });

  test('also where it is refused half way through what it does', async () => {
    const [resources] = good.flatMap(({ method, path, body }) => (method === 'POST' && path === '/v2/tags/crew/resources' ? [body] : []));
    const tags = ['fresh', 'not a tag'];
    const refusals: readonly (readonly [number, GoodRequest])[] = [
      [
        404,
        {
          method: 'POST',
          path: '/v2/tags/crew/resources',
          body: { resources: [...Object.values<Json>(resources ?? {})[0], { resource_id: '1', resource_type: 'image' }] },
        },
      ],
      [422, { method: 'POST', path: '/v2/droplets', body: dropletBody({ tags }) }],
      [422, { method: 'POST', path: '/v2/droplets', body: dropletBody({ name: undefined, names: ['one', 'two', 'three'], tags }) }],
      [422, { method: 'POST', path: '/v2/images', body: { name: 'i', url: 'https://example.com/a.iso', region: 'nyc3', tags } }],
      [422, { method: 'POST', path: '/v2/load_balancers', body: balancerBody({ droplet_ids: undefined, tag: 'not a tag' }) }],
      [422, { method: 'POST', path: '/v2/databases', body: clusterBody({ tags }) }],
      [422, { method: 'POST', path: '/v2/reserved_ips', body: { droplet_id: 1 } }],
    ];
    const before = await accountContents(platform, directory.path);
    for (const [status, { method, path, body }] of refusals) {
      const answer = await platform.call(method, path, body);
      expect([path, answer.status]).toEqual([path, status]);
      expect(await accountContents(platform, directory.path), path).toEqual(before);
    }
  });

  test('while the same requests as they should be are accepted', async () => {
    for (const { method, path, body } of good) {
      const answer = await platform.call(method, path, body);
      expect(answer.status, `${method} ${path}: ${answer.body?.message}`).toBeLessThan(300);
      await platform.post('/_emulator/snapshots/start/restore');
    }
  });
});

describe('whatever the operation', () => {
  const deep = (levels: number): string => `{"name":"x","extra":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  test('a body may be nested a hundred levels deep, no deeper, whatever its texts say', async () => {
    await using platform = await startPlatform();
    const send = async (body: string) => {
      const answer = await platform.post('/v2/tags', body);
      return [answer.status, answer.body.message];
    };
    expect(await send(deep(99))).toEqual([422, 'extra is not a known field.']);
    expect(await send(deep(100))).toEqual([400, 'The request body is nested too deeply.']);
    expect(await send(deep(500_000))).toEqual([400, 'The request body is nested too deeply.']);
    expect(await send('['.repeat(500_000))).toEqual([400, 'The request body is nested too deeply.']);
    const brackets = JSON.stringify({ name: `"\\${'['.repeat(500)}` });
    expect((await send(brackets))[0]).toBe(422);
    const wide = JSON.stringify({ name: 'wide', extra: Array.from({ length: 1000 }, () => [{}]) });
    expect((await send(wide))[0]).toBe(422);
  });

  test('a body may be a MiB long, no longer', async () => {
    await using platform = await startPlatform();
    const bodyOf = (length: number): string => JSON.stringify({ name: 'x'.repeat(length - '{"name":""}'.length) });
    expect((await platform.post('/v2/tags', bodyOf(1024 * 1024))).status).toBe(422);
    const long = await platform.post('/v2/tags', bodyOf(1024 * 1024 + 1));
    expect([long.status, long.body]).toEqual([
      413,
      { id: 'payload_too_large', message: 'The request body is larger than 1048576 bytes.', request_id: expect.any(String) },
    ]);
  });

  test.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON', 201],
    ['application/vnd.api+json', 201],
    ['', 201],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/xml', 415],
    ['application/jsonp', 415],
    ['x application/json', 415],
  ])('content type %j: %i', async (type, status) => {
    await using platform = await startPlatform();
    const answer = await platform.call('POST', '/v2/tags', '{"name":"typed"}', { 'content-type': type });
    expect(answer.status).toBe(status);
    if (status === 415) {
      expect(answer.body).toEqual({
        id: 'unsupported_media_type',
        message: 'The request body must be JSON: send it with the content type application/json.',
        request_id: expect.any(String),
      });
      expect((await platform.get('/v2/tags/typed')).status).toBe(404);
    }
  });

  test('a body that is not UTF-8 is refused', async () => {
    await using platform = await startPlatform();
    const response = await fetch(`${platform.url}/v2/tags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'application/json' },
      body: Buffer.from('{"name":"caf\xe9"}', 'latin1'),
    });
    const { id, message }: Json = await response.json();
    expect([response.status, id, message]).toEqual([400, 'bad_request', 'The request body is not valid UTF-8.']);
  });

  test('names that mean something to the language are fields like any other', async () => {
    await using platform = await startPlatform();
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await platform.post('/v2/tags', `{"name":"x","${name}":{"a":1}}`)).status, name).toBe(422);
    }
  });
});
