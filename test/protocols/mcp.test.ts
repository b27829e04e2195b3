import { describe, expect, it } from 'vitest';
import { gateway, type Sent } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of revision 2026-07-28, whole; `changed` replaces headers and parameters. */
function modern(
  method: string,
  params: Record<string, unknown> = {},
  changed: { headers?: Record<string, string | undefined>; meta?: unknown } = {},
): Sent {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...changed.headers };
  const present = Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return { headers: present, body: rpc(method, { ...params, _meta: changed.meta ?? modernMeta }) };
}

async function post(sent: Sent, path = '/mcp') {
  return gateway()('POST', path, sent);
}

async function withAccount() {
  const platform = await scriptedPlatform((response) => json(response, 200, { account: { email: 'a@example.com' } }));
  return gateway({ PLATFORM_API_URL: platform.url });
}

describe('MCP with a handshake', () => {
  it.each(legacyVersions)('agrees on %s when asked for it', async (protocolVersion) => {
    const { status, json, headers } = await post({
      body: rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }),
    });
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'deckhand' },
      instructions: expect.any(String),
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
  });

  it('offers its newest revision when asked for one it does not know', async () => {
    expect((await post({ body: rpc('initialize', { protocolVersion: '1999-01-01' }) })).json.result.protocolVersion).toBe('2025-11-25');
  });

  it('lists its tools on one page, in the shape of the older revisions', async () => {
    const { json } = await post({ body: rpc('tools/list') });
    expect(json.result.tools).toHaveLength(158);
    expect(Object.keys(json.result)).toEqual(['tools']);
    expect(json.result.tools[0]).toMatchObject({
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    });
  });

  it('calls a tool: the result as structure and as text, where it came from in _meta', async () => {
    const { json } = await (await withAccount())('POST', '/mcp', { body: rpc('tools/call', { name: 'account-get-information' }) });
    expect(json.result).toEqual({
      content: [{ type: 'text', text: '{"email":"a@example.com"}' }],
      structuredContent: { email: 'a@example.com' },
      isError: false,
      _meta: { 'deckhand/tool': 'account-get-information', 'deckhand/activationId': 'a'.repeat(32) },
    });
  });

  it('tells a failure of a tool as a result with the error flag', async () => {
    const { status, json } = await post({ body: rpc('tools/call', { name: 'key-get', arguments: { ID: 'x' } }) });
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'invalid_arguments', problems: [{ field: 'ID' }] } },
    });
    expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
  });

  it('tells an unknown tool as an error of the protocol, with the nearest names', async () => {
    const { status, json } = await post({ body: rpc('tools/call', { name: 'instance-lst' }) });
    expect(status).toBe(200);
    expect(json.error).toMatchObject({ code: -32602, data: { code: 'unknown_tool', problems: [{ nearest: 'instance-list' }] } });
  });

  it.each([
    ['ping', {}, { result: {} }],
    ['prompts/list', {}, { error: { code: -32601 } }],
    ['server/discover', {}, { error: { code: -32601 } }],
    ['__proto__', {}, { error: { code: -32601 } }],
    ['tools/list', { cursor: 'x' }, { error: { code: -32602 } }],
    ['tools/call', { name: 1 }, { error: { code: -32602 } }],
    ['tools/call', { name: 'key-get', arguments: [1] }, { error: { code: -32602 } }],
  ])('answers %s %j', async (method, params, answer) => {
    const { status, json } = await post({ body: rpc(method, params, 'id-1') });
    expect(status).toBe(200);
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 'id-1', ...answer });
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a response', { jsonrpc: '2.0', id: 4, result: {} }],
  ])('takes %s without a word', async (_, body) => {
    expect(await post({ body })).toMatchObject({ status: 202, text: '' });
  });

  it.each(['9007199254740993', '-9007199254740993', '9007199254740992', '1e400'])(
    'refuses the id %s, whose digits it could not say again',
    async (id) => {
      const { status, json } = await post({ body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}` });
      expect(status).toBe(400);
      expect(json).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining('id') } });
    },
  );

  it.each([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, '9007199254740993'])('answers under the id %j', async (id) => {
    expect((await post({ body: rpc('ping', undefined, id) })).json).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('answers with JSON whoever would take a stream as well', async () => {
    const headers = { accept: 'application/json, text/event-stream' };
    expect(await post({ body: rpc('ping'), headers })).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  });

  it('passes over a session it never gave out', async () => {
    expect((await post({ body: rpc('ping'), headers: { 'mcp-session-id': 'old', 'last-event-id': '7' } })).status).toBe(200);
  });

  it('answers at the root as at /mcp', async () => {
    expect((await post({ body: rpc('ping') }, '/')).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });
});

describe.each(['/mcp', '/mcp/discover'])('what %s can do', (path) => {
  it.each(legacyVersions)('is tools, and nothing else, in %s', async (protocolVersion) => {
    const { json } = await post({ body: rpc('initialize', { protocolVersion }) }, path);
    expect(json.result.capabilities).toEqual({ tools: {} });
  });

  it('is tools, and nothing else, in 2026-07-28', async () => {
    expect((await post(modern('server/discover'), path)).json.result.capabilities).toEqual({ tools: {} });
  });
});

describe('batches', () => {
  it('are answered without their notifications, each under its id', async () => {
    const body = [rpc('ping', undefined, 'a'), { jsonrpc: '2.0', method: 'notifications/cancelled' }, rpc('nothing', undefined, 2), 7];
    const { status, json } = await post({ body });
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { id: 'a', result: {} },
      { id: 2, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  it('of notifications alone are taken without a word', async () => {
    expect(await post({ body: [{ jsonrpc: '2.0', method: 'notifications/initialized' }] })).toMatchObject({ status: 202, text: '' });
  });

  it.each([
    ['are refused where the revision has none', [rpc('ping')], { 'mcp-protocol-version': '2025-06-18' }],
    ['are refused under a revision that never was', [rpc('ping')], { 'mcp-protocol-version': '1900' }],
    ['are refused where the revision has none any more', [rpc('ping')], { 'mcp-protocol-version': '2026-07-28' }],
    ['are refused when empty', [], {}],
    ['are refused when they are too long', Array.from({ length: 51 }, () => rpc('ping')), {}],
  ])('%s', async (_, body, headers) => {
    expect(await post({ body, headers })).toMatchObject({ status: 400, json: { id: null, error: { code: -32600 } } });
  });

  it('are answered up to fifty messages long', async () => {
    const { status, json } = await post({ body: Array.from({ length: 50 }, (_, id) => rpc('ping', undefined, id)) });
    expect(status).toBe(200);
    expect(json.map(({ id, result }: { id: number; result: object }) => [id, result])).toEqual(
      Array.from({ length: 50 }, (_, id) => [id, {}]),
    );
  });

  it('keep what fits into one answer, and say of the rest that it was done', async () => {
    const { status, text, json } = await post({ body: Array.from({ length: 20 }, (_, id) => rpc('tools/list', undefined, id)) });
    expect(status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(1024 * 1024);
    expect(json).toHaveLength(20);
    expect(json[0].result.tools).toBeDefined();
    expect(json[19]).toMatchObject({ id: 19, error: { code: -32603, message: expect.stringContaining('carried out') } });
  });

  it('carry calls of tools', async () => {
    const request = await withAccount();
    const call = (id: number) => rpc('tools/call', { name: 'account-get-information' }, id);
    const { json } = await request('POST', '/mcp', { body: [call(1), call(2)], headers: { 'mcp-protocol-version': '2025-03-26' } });
    expect(json.map(({ id, result }: { id: number; result: { isError: boolean } }) => [id, result.isError])).toEqual([
      [1, false],
      [2, false],
    ]);
  });
});

describe('MCP of 2026-07-28', () => {
  it('says what it is', async () => {
    const { status, json } = await post(modern('server/discover'));
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: expect.arrayContaining(['2026-07-28']),
      ttlMs: expect.any(Number),
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'deckhand' } },
    });
  });

  it('lists its tools with how long and for whom the list may be kept', async () => {
    const { json } = await post(modern('tools/list'));
    expect(json.result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
    expect(json.result.tools).toHaveLength(158);
    expect((await post(modern('tools/list'), '/mcp/readonly')).json.result.cacheScope).toBe('private');
  });

  it('calls a tool', async () => {
    const { json } = await (await withAccount())('POST', '/mcp', modern('tools/call', { name: 'account-get-information' }));
    expect(json.result).toMatchObject({ resultType: 'complete', isError: false, structuredContent: { email: 'a@example.com' } });
  });

  it('takes a name that a header cannot carry in Base64', async () => {
    const name = 'schlüssel';
    const sent = modern('tools/call', { name }, { headers: { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` } });
    expect((await post(sent)).json.error.code).toBe(-32602);
  });

  it.each([
    ['no version header', { headers: { 'mcp-protocol-version': undefined } }, 400, -32020],
    ['no version in _meta', { meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }, 400, -32602],
    ['no _meta', { meta: {} }, 400, -32602],
    ['a version that it does not know, and no _meta', { meta: {}, headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, -32602],
    ['no capabilities in _meta', { meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, 400, -32602],
    ['a header that says another version than _meta', { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32020],
    ['no method header', { headers: { 'mcp-method': undefined } }, 400, -32020],
    ['a header that says another method', { headers: { 'mcp-method': 'tools/list' } }, 400, -32020],
    ['a header that says another name', { headers: { 'mcp-name': 'key-list' } }, 400, -32020],
    ['no name header', { headers: { 'mcp-name': undefined } }, 400, -32020],
    ['a name in Base64 that nothing encodes to', { headers: { 'mcp-name': '=?base64?a2V5LWdldA?=' } }, 400, -32020],
  ])('refuses %s', async (_, changed, status, code) => {
    const answer = await post(modern('tools/call', { name: 'key-get', arguments: { ID: 1 } }, changed));
    expect(answer).toMatchObject({ status, json: { id: 1, error: { code } } });
  });

  it('refuses a name that is no text, under the id of the message', async () => {
    const sent = { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' } };
    const answer = await post({ ...sent, body: rpc('tools/call', { name: { toString: 1 }, _meta: modernMeta }, 7) });
    expect(answer).toMatchObject({ status: 400, json: { id: 7, error: { code: -32020 } } });
  });

  it('refuses a version it does not know, and says which it does', async () => {
    const meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { status, json } = await post(modern('tools/list', {}, { headers: { 'mcp-protocol-version': '2099-01-01' }, meta }));
    expect(status).toBe(400);
    expect(json.error).toMatchObject({
      code: -32022,
      data: { supported: expect.arrayContaining(['2026-07-28']), requested: '2099-01-01' },
    });
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'subscriptions/listen', 'toString'])(
    'has no %s',
    async (method) => {
      expect(await post(modern(method))).toMatchObject({ status: 404, json: { id: 1, error: { code: -32601 } } });
    },
  );

  it.each(['resources/subscribe', 'constructor', '__proto__'])('has no %s, whatever a header says of its subject', async (method) => {
    const answer = await post(modern(method, {}, { headers: { 'mcp-name': 'x' } }));
    expect(answer).toMatchObject({ status: 404, json: { id: 1, error: { code: -32601 } } });
  });

  it('takes a notification without a word', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/cancelled' };
    for (const params of [{ _meta: modernMeta }, {}]) {
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      expect((await post({ body, headers })).status).toBe(202);
    }
  });
});

describe('what is no MCP', () => {
  it.each([
    ['malformed JSON', '{"jsonrpc":', 400, -32700],
    ['no object', '7', 400, -32600],
    ['another protocol', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', 400, -32600],
    ['parameters that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32600],
    ['nothing', '', 400, -32700],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await post({ body })).toMatchObject({ status, json: { jsonrpc: '2.0', error: { code, message: expect.any(String) } } });
  });

  it('refuses another content type, which any page could send', async () => {
    const answered = (type: string) => post({ body: rpc('ping'), headers: { 'content-type': type } });
    for (const type of ['text/plain', '', 'application/jsonp', 'text/plain; application/json']) {
      expect(await answered(type), type).toMatchObject({ status: 415, json: { id: null, error: { code: -32600 } } });
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON ;charset=utf-8']) {
      expect(await answered(type), type).toMatchObject({ status: 200, json: { result: {} } });
    }
  });

  it('wants a bearer before anything else', async () => {
    const answer = await post({ body: '{"jsonrpc":', headers: { authorization: '' } });
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' }, json: { jsonrpc: '2.0' } });
  });
});
