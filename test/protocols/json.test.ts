import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { renderListing } from '../../lib/catalogue/listing.ts';
import { tool } from '../../lib/catalogue/tool.ts';
import { gateway, handlerOf } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const key = { id: 7, name: 'laptop', fingerprint: 'aa:bb', public_key: 'ssh-ed25519 AAAA' };

async function withPlatform(body: unknown = { ssh_key: key }, status = 200) {
  const platform = await scriptedPlatform((response) => json(response, status, body));
  return { platform, request: gateway({ PLATFORM_API_URL: platform.url }) };
}

const endless = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

describe('a plain JSON call', () => {
  it('answers tool, result and activation', async () => {
    const { platform, request } = await withPlatform();
    const answer = await request('POST', '/tools/key-get', { body: { ID: 7 } });
    expect(answer).toMatchObject({ status: 200, json: { tool: 'key-get', isError: false, result: key, activationId: 'a'.repeat(32) } });
    expect(platform.arrived[0]?.headers.authorization).toBe('Bearer tester');
  });

  it.each([
    ['a JSON object', '/tools/key-get', { body: { ID: 7 } }],
    ['a JSON object of any content type', '/tools/key-get', { body: '{"ID":7}', headers: { 'content-type': 'text/plain' } }],
    [
      'a JSON object that curl -d calls a form',
      '/tools/key-get',
      { body: '{"ID":7}', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['a form', '/tools/key-get', { body: 'ID=7', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['query fields', '/tools/key-get?ID=7', {}],
    ['query fields and an object that say the same', '/tools/key-get?readonly=true', { body: { ID: 7 } }],
    ['the root with tool and arguments', '/', { body: { tool: 'key-get', arguments: { ID: 7 } } }],
  ])('takes arguments from %s', async (_, path, sent) => {
    const { platform, request } = await withPlatform();
    expect((await request('POST', path, sent)).json).toMatchObject({ isError: false, result: key });
    expect(platform.arrived[0]?.url).toBe('/v2/account/keys/7');
  });

  it('takes an empty body for no arguments', async () => {
    const { request } = await withPlatform({ account: { email: 'a@example.com' } });
    expect((await request('POST', '/tools/account-get-information')).json.result).toEqual({ email: 'a@example.com' });
  });

  it.each([
    ['malformed JSON', '/tools/key-get', '{"ID":', 400, /not JSON/],
    ['a list', '/tools/key-get', '[1]', 400, /JSON object/],
    ['a misspelt argument', '/tools/key-get', { IDs: 7 }, 400, /did you mean ID/],
    ['a fraction', '/tools/key-get', { ID: 1.5 }, 400, /key-get: ID: expected an integer from 1, got 1\.5/],
    ['one name twice', '/tools/key-get?ID=8', { ID: 7 }, 400, /ID was given twice/],
    ['one name twice in one object', '/tools/key-get', '{"ID":7,"\\u0049D":8}', 400, /"ID" stands twice/],
    ...[' ', '\n', '\r', '\t'].map((space): [string, string, string, number, RegExp] => [
      `one name twice with ${JSON.stringify(space)} behind it`,
      '/tools/key-get',
      `{"ID":7,"ID"${space}:8}`,
      400,
      /"ID" stands twice/,
    ]),
    ['one name before and after an object', '/tools/key-get', '{"ID":7,"x":{"y":[]},"ID":8}', 400, /"ID" stands twice/],
    ['one name before and after a list', '/tools/key-get', '{"ID":7,"x":[{"y":1},"ID"],"ID":8}', 400, /"ID" stands twice/],
    ['what is nested without end', '/tools/instance-list', `{"Page":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, /deeper than 64/],
    [
      'JSON in a text that is nested without end',
      '/tools/db-cluster-update-mysql-config',
      { ID: 'x', config_json: endless },
      400,
      /config_json/,
    ],
    ['the same in a field of a form', '/tools/db-cluster-update-kafka-config', `id=x&config=${endless}`, 400, /config: expected an object/],
    ['half a character in a path', '/tools/uptimecheck-get', '{"ID":"\\ud800"}', 400, /ID: expected a value/],
    ['an unknown tool', '/tools/key-gett', { ID: 7 }, 404, /nearest are key-get/],
    ['a root body that is no call', '/', { ID: 7 }, 400, /"tool"/],
    ['a broken escape in the address', '/tools/%zz', {}, 400, /percent-encoded/],
    ['an unknown address', '/elsewhere', {}, 404, /\/tools/],
  ])('refuses %s, and sends nothing', async (_, path, body, status, message) => {
    const { platform, request } = await withPlatform();
    const form = typeof body === 'string' && body.startsWith('id=');
    const answer = await request('POST', path, { body, ...(form && { headers: { 'content-type': 'application/x-www-form-urlencoded' } }) });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ isError: true, error: { message: expect.stringMatching(message) } });
    expect(platform.arrived).toEqual([]);
  });

  it('takes one name in several objects, one text as name and value, and any number of lists beside each other', async () => {
    const { request } = await withPlatform();
    const source = '{"host":"h","port":1,"dbname":"username","username":"id","password":"id"}';
    const read = await request('POST', '/tools/db-cluster-start-online-migration', { body: `{"source":${source},"id":"x","DryRun":true}` });
    expect(read.json).toMatchObject({ isError: false, result: { dryRun: true, request: { body: { source: '[redacted]' } } } });
    const beside = await request('POST', '/tools/key-get', { body: `{"ID":7,"x":[${'[{"host":1}],'.repeat(100)}{"ID":1,"host":1}]}` });
    expect(beside.json.error.problems).toMatchObject([{ field: 'x' }]);
  });

  it('tells what the platform refuses, with a way out', async () => {
    const { request } = await withPlatform({ id: 'unprocessable_entity', message: 'Droplet already has a pending event.' }, 422);
    const answer = await request('POST', '/tools/power-on-instance', { body: { ID: 5 } });
    expect(answer.status).toBe(422);
    expect(answer.json.error).toMatchObject({
      code: 'rejected',
      platform: { status: 422, message: 'Droplet already has a pending event.' },
      next: [{ tool: 'instance-get', arguments: { ID: 5 } }, { tool: 'action-list' }],
    });
  });

  it('says in headers when to come back', async () => {
    const platform = await scriptedPlatform((response) => json(response, 429, { message: 'slow' }, { 'retry-after': '30' }));
    const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', '/tools/key-create', { body: { Name: 'a', PublicKey: 'b' } });
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
  });

  it('refuses without a bearer, and says how to show one', async () => {
    const answer = await gateway()('POST', '/tools/key-get', { body: { ID: 7 }, headers: { authorization: '' } });
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' }, json: { error: { code: 'unauthenticated' } } });
  });

  it('tells a reply of another shape as a failure of the platform', async () => {
    const { request } = await withPlatform({ unexpected: true });
    expect(await request('POST', '/tools/key-get', { body: { ID: 7 } })).toMatchObject({
      status: 502,
      json: { error: { code: 'platform_error' } },
    });
  });

  it('tells a bug apart from a failure: the activation to the caller, the stack to the log', async () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => log.mockRestore());
    const broken = tool({
      name: 'key-get',
      title: 'Broken',
      description: 'Its declaration throws.',
      input: () => z.object({}),
      route: 'GET /v2/account',
      query: () => {
        throw new Error('some detail');
      },
    });
    const toolsets = [{ name: 'account' as const, title: 'Account', tools: [broken] }];
    const answer = await gateway({}, { toolsets, listing: renderListing(toolsets) })('POST', '/tools/key-get');
    expect(answer).toMatchObject({
      status: 500,
      json: { error: { code: 'internal_error', message: expect.stringContaining('a'.repeat(32)) } },
    });
    expect(answer.text).not.toContain('some detail');
    expect(log.mock.calls.join()).toContain('some detail');
  });
});

describe('results', () => {
  const droplet = {
    id: 1,
    name: 'web',
    status: 'active',
    size_slug: 's',
    region: { slug: 'nyc3', name: 'New York 3' },
    image: { slug: 'u' },
    networks: { v4: [{ ip_address: '203.0.113.4', type: 'public' }] },
    tags: [],
    memory: 1,
  };

  it('keeps the actions of a create beside the record', async () => {
    const { request } = await withPlatform({ droplet, links: { actions: [{ id: 9, rel: 'create', href: 'h' }] } }, 202);
    const body = { Name: 'web', Size: 's', ImageID: 1, Region: 'nyc3' };
    expect((await request('POST', '/tools/instance-create', { body })).json.result).toEqual({
      ...droplet,
      actions: [{ id: 9, rel: 'create', href: 'h' }],
    });
  });

  it('gives lists as items with page, total and the next page', async () => {
    const { request } = await withPlatform({ droplets: [droplet], links: {}, meta: { total: 7 } });
    expect((await request('POST', '/tools/instance-list', { body: { Page: 2, PerPage: 1 } })).json.result).toEqual({
      items: [
        {
          id: 1,
          name: 'web',
          status: 'active',
          size_slug: 's',
          region: { slug: 'nyc3' },
          image: { slug: 'u' },
          networks: { v4: [{ ip_address: '203.0.113.4' }] },
          tags: [],
        },
      ],
      page: 2,
      perPage: 1,
      total: 7,
      nextPage: 3,
    });
  });

  it('has no next page on the last one', async () => {
    const { request } = await withPlatform({ droplets: [droplet], links: {}, meta: { total: 1 } });
    expect((await request('POST', '/tools/instance-list')).json.result.nextPage).toBeNull();
  });

  it('reports the page size that was really asked for', async () => {
    const { platform, request } = await withPlatform({ droplets: [], links: {}, meta: { total: 0 } });
    expect((await request('POST', '/tools/instance-list', { body: { PerPage: 1000 } })).json.result.perPage).toBe(200);
    expect(platform.arrived[0]?.url).toContain('per_page=200');
  });

  it.each([
    ['*', droplet],
    ['name, region.name', { name: 'web', region: { name: 'New York 3' } }],
    [['id', 'networks.v4.type'], { id: 1, networks: { v4: [{ type: 'public' }] } }],
    ['nonsense', {}],
  ])('gives the fields asked for: %j', async (Fields, item) => {
    const { request } = await withPlatform({ droplets: [droplet], links: {}, meta: { total: 1 } });
    expect((await request('POST', '/tools/instance-list', { body: { Fields } })).json.result.items).toEqual([item]);
  });

  it('keeps what a list has beside its items', async () => {
    const { request } = await withPlatform({ invoices: [], invoice_preview: { amount: '1.00' }, links: {}, meta: { total: 0 } });
    expect((await request('POST', '/tools/invoice-list')).json.result).toMatchObject({ items: [], invoice_preview: { amount: '1.00' } });
  });

  it('names the fields that no item has', async () => {
    const { request } = await withPlatform({ droplets: [droplet], links: {}, meta: { total: 1 } });
    const { result } = (await request('POST', '/tools/instance-list', { body: { Fields: 'nmae,id' } })).json;
    expect(result).toMatchObject({ items: [{ id: 1 }], missingFields: ['nmae'] });
  });

  it('that are larger than a function may answer become a word of how to ask for less', async () => {
    const { request } = await withPlatform({ droplets: [{ ...droplet, name: 'x'.repeat(1_100_000) }], links: {}, meta: { total: 1 } });
    expect((await request('POST', '/tools/instance-list')).json.error.message).toMatch(/carried out.*PerPage or Fields/);
  });

  it('take texts out of the query beside a JSON body for what they stand for', async () => {
    const { platform, request } = await withPlatform({ images: [], links: {}, meta: { total: 0 } });
    expect((await request('POST', '/tools/image-list?Type=user', { body: { PerPage: '5' } })).json.isError).toBe(false);
    expect(platform.arrived[0]?.url).toContain('private=true');
  });

  it('gives bulk actions as items', async () => {
    const { request } = await withPlatform({ actions: [{ id: 1 }, { id: 2 }] }, 201);
    expect((await request('POST', '/tools/power-on-instances-tag', { body: { Tag: 'web' } })).json.result).toEqual({
      items: [{ id: 1 }, { id: 2 }],
    });
  });

  it('says done, and to what, where the platform says nothing', async () => {
    const platform = await scriptedPlatform((response) => response.writeHead(204).end());
    const request = gateway({ PLATFORM_API_URL: platform.url });
    expect((await request('POST', '/tools/key-delete', { body: { ID: 7 } })).json.result).toEqual({ done: true, ID: 7 });
  });

  it('gives a reply without an envelope whole', async () => {
    const { request } = await withPlatform({ account_balance: '1.00', generated_at: 'now' });
    expect((await request('POST', '/tools/balance-get')).json.result).toEqual({ account_balance: '1.00', generated_at: 'now' });
  });
});

describe('the pages', () => {
  it('lists the catalogue', async () => {
    const { json } = await gateway()('GET', '/tools', { headers: { accept: 'text/html, application/json' } });
    expect(json.tools).toHaveLength(158);
    expect(json.tools[0]).toMatchObject({ name: 'account-get-information', inputSchema: { type: 'object' } });
  });

  it.each([
    ['openai', { type: 'function', function: { name: 'key-get', description: expect.any(String), parameters: { type: 'object' } } }],
    ['anthropic', { name: 'key-get', description: expect.any(String), input_schema: { type: 'object' } }],
  ])('gives it in the form of %s', async (format, tool) => {
    const { json } = await gateway()('GET', `/tools?q=key%20fingerprint&format=${format}`);
    expect(json.tools[0]).toMatchObject(tool);
  });

  it('searches it', async () => {
    const { json } = await gateway()('GET', '/tools?q=snapshot+tag');
    expect(json.tools.map(({ name }: { name: string }) => name)).toContain('snapshot-instances-tag');
  });

  it('shows one tool', async () => {
    expect((await gateway()('GET', '/tools/resize-instance')).json).toMatchObject({
      name: 'resize-instance',
      annotations: { destructiveHint: true },
    });
  });

  it('answers who it is and that it lives, without a bearer', async () => {
    const anyone = { headers: { authorization: '' } };
    expect((await gateway()('GET', '/', anyone)).json).toMatchObject({ name: 'deckhand', endpoints: { mcp: expect.any(String) } });
    expect((await gateway()('GET', '/health', anyone)).json).toEqual({ status: 'ok', tools: 158 });
  });

  it.each([
    ['GET', '/mcp', {}, 'POST'],
    ['PUT', '/mcp', {}, 'POST'],
    ['DELETE', '/mcp', {}, 'POST'],
    ['DELETE', '/tools/key-get', {}, 'GET, POST'],
    ['PUT', '/tools/key-get', {}, 'GET, POST'],
    ['GET', '/', { accept: 'text/event-stream' }, 'GET, POST'],
    ['GET', '/tools', { accept: 'application/json, text/event-stream' }, 'GET'],
  ])('has no %s %s', async (method, path, headers, allow) => {
    const answer = await gateway()(method, path, { headers });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
  });

  it.each([
    ['POST', '/tools', 405],
    ['POST', '/health', 405],
    ['GET', '/tools/a/b', 404],
    ['GET', '/health/a', 404],
    ['GET', '/openapi.json/a', 404],
    ['GET', '/openapi.json', 200],
    ['HEAD', '/tools', 200],
    ['GET', '//tools/', 200],
    ['GET', '/nowhere', 404],
    ['POST', '/nowhere', 404],
    ['POST', '/other/key-get', 404],
    ['POST', '/tools/key-get/more', 404],
    ['POST', '/openapi.json', 405],
    ['OPTIONS', '/tools/key-get', 405],
    ['GET', '/tools?serach=key', 400],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await gateway()(method, path, { body: method === 'POST' ? {} : undefined })).status).toBe(status);
  });
});

describe('events that are no raw web request', () => {
  it('answers a parsed event for plain calls', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { ssh_key: key }));
    const main = handlerOf({ PLATFORM_API_URL: platform.url });
    const http = { method: 'POST', path: '/tools/key-get', headers: { authorization: 'Bearer t' } };
    expect(JSON.parse((await main({ http, ID: '7', __ow_method: 'post' })).body)).toMatchObject({ isError: false, result: key });
    const root = { method: 'post', path: '', headers: { authorization: 'Bearer t' } };
    expect(JSON.parse((await main({ http: root, tool: 'key-get', arguments: { ID: 7 } })).body)).toMatchObject({ result: key });
  });

  it.each([
    ['DELETE', '/tools/key-delete', 405],
    ['PUT', '/tools/key-delete', 405],
    ['POST', '/nowhere', 404],
    ['POST', '/tools', 404],
    ['POST', '/tools/key-delete/more', 404],
    ['POST', '/tools/%zz', 400],
    ['HEAD', '/health', 200],
  ])('takes a parsed %s %s for what it is', async (method, path, status) => {
    const platform = await scriptedPlatform((response) => response.writeHead(204).end());
    const http = { method, path, headers: { authorization: 'Bearer t' } };
    const answer = await handlerOf({ PLATFORM_API_URL: platform.url })({ http, ...(path !== '/health' && { ID: 5 }) });
    expect(answer.statusCode).toBe(status);
    expect(platform.arrived).toEqual([]);
  });

  it('refuses an event that is nested without end, which is no bug', async () => {
    const nested = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    const call = { tool: 'db-cluster-update-psql-config', arguments: { id: 'x', config: { pgbouncer: { nested } } } };
    const main = handlerOf({
      PLATFORM_API_URL: 'http://127.0.0.1:1',
      PLATFORM_API_TOKEN: 't',
      ACCESS_TOKENS: `a=sha256:${'0'.repeat(64)}`,
    });
    const error = { code: 'invalid_arguments', message: 'the event is nested deeper than 64 levels' };
    expect(await main(call)).toMatchObject({ isError: true, result: { error } });
    const http = { method: 'POST', path: '', headers: { authorization: 'Bearer t' } };
    const parsed = await main({ http, ...call });
    expect(parsed.statusCode).toBe(400);
    expect(JSON.parse(parsed.body)).toMatchObject({ isError: true, error });
  });

  it('takes a field of a parsed event that cannot become a text', async () => {
    const http = { method: 'GET', path: '/health', headers: {} };
    const answer = await handlerOf()({ http, q: { toString: 'no function' } });
    expect(answer.statusCode).toBe(200);
  });

  it('reads the fields of a parsed event as the query of a page', async () => {
    const http = { method: 'GET', path: '/tools', headers: { authorization: 'Bearer t' } };
    const names = async (fields: object) =>
      JSON.parse((await handlerOf()({ http, ...fields })).body).tools.map(({ name }: { name: string }) => name);
    expect(await names({ q: 'snapshot tag' })).toContain('snapshot-instances-tag');
    expect(await names({ toolsets: 'images', readonly: true })).toHaveLength(4);
    expect((await handlerOf()({ http, q: ['snapshot'], serach: 'x' })).statusCode).toBe(400);
  });

  it.each([
    ['at its address', '/mcp', {}],
    ['at the root', '', { jsonrpc: '2.0', method: 'ping', id: 1 }],
  ])('says of a parsed event that MCP %s needs the bytes', async (_, path, fields) => {
    const http = { method: 'POST', path, headers: { authorization: 'Bearer t' } };
    const answer = await handlerOf()({ http, ...fields });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('web: raw');
  });

  const direct = { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `ci=sha256:${'0'.repeat(64)}` };

  it('returns the result of a direct invocation as an object', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { ssh_key: key }));
    const main = handlerOf({ ...direct, PLATFORM_API_URL: platform.url });
    expect(await main({ tool: 'key-get', arguments: { ID: 7 } }, { activationId: 'b' })).toEqual({
      tool: 'key-get',
      isError: false,
      result: key,
      activationId: 'b',
    });
    expect(platform.arrived[0]?.headers.authorization).toBe('Bearer own');
  });

  it('says of a direct invocation whose result is larger than a function may answer that it was carried out', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { ssh_key: { ...key, name: 'x'.repeat(1_100_000) } }));
    const main = handlerOf({ ...direct, PLATFORM_API_URL: platform.url });
    expect(await main({ tool: 'key-get', arguments: { ID: 7 } }, { activationId: 'b' })).toMatchObject({
      tool: 'key-get',
      isError: true,
      result: { error: { code: 'invalid_arguments', message: expect.stringMatching(/carried out.*PerPage or Fields/) } },
      activationId: 'b',
    });
  });

  it.each([{ tool: 'key-get', arguments: {} }, { tool: 'nothing' }, { anything: 1 }])(
    'never returns a top-level error key: %j',
    async (event) => {
      const answer = await handlerOf(direct)(event);
      expect(answer).toMatchObject({ isError: true, result: { error: { code: expect.any(String) } } });
      expect(answer).not.toHaveProperty('error');
    },
  );

  it('does not serve a direct invocation where no token of its own is set', async () => {
    expect(await handlerOf()({ tool: 'key-get', arguments: { ID: 7 } })).toMatchObject({
      isError: true,
      result: { error: { code: 'not_configured' } },
    });
  });
});
