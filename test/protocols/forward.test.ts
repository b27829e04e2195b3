import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { gateway, handlerOf } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

type Answer = Parameters<typeof scriptedPlatform>[0];

const ours: Answer = (response) => json(response, 200, { tool: 'key-list', isError: false, result: { items: [] }, activationId: 'b' });
const failed: Answer = (response) => json(response, 504, { error: 'There was an error processing your request.', code: 'x' });
const notYet: Answer = (response) => json(response, 202, { error: 'Response not yet ready.' });
const broken: Answer = (response) => response.socket?.destroy();
const silent: Answer = () => {};

/** A router that hands calls on to functions which answer as the test says. Nobody waits long for one that never does. */
async function routerBefore(answer: Answer) {
  const host = await scriptedPlatform(answer);
  const remainingMs = answer === silent ? 1500 : 20_000;
  const context = { apiHost: host.url, namespace: 'fn-1', activationId: 'a', getRemainingTimeInMillis: () => remainingMs };
  return { host, request: gateway({ DISPATCH: 'forward' }), context };
}

const rpc = (name: string, given = {}) => ({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: given } });

describe('a router that hands calls on', () => {
  it('passes the request on as it came, and the answer back as it is', async () => {
    const { host, request, context } = await routerBefore(ours);
    const answer = await request('POST', '/tools/key-list?PerPage=2', {
      context,
      body: '{"Page": 1}',
      headers: { 'x-mcp-readonly': 'true' },
    });
    expect(answer).toMatchObject({ status: 200, json: { activationId: 'b' } });
    expect(host.arrived).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/web/fn-1/tools/account/tools/key-list?PerPage=2',
        body: '{"Page": 1}',
        headers: { authorization: 'Bearer tester', 'x-mcp-readonly': 'true' },
      },
    ]);
  });

  it.each([
    ['is answered by the platform in its place', failed],
    ['is not ready', notYet],
    ['breaks the connection', broken],
    ['does not answer in time', silent],
  ])('says that the outcome of a write is unknown when the function %s', async (_, answer) => {
    const { request, context } = await routerBefore(answer);
    const plain = await request('POST', '/tools/key-delete', { context, body: { ID: 1 } });
    expect(plain).toMatchObject({
      status: 504,
      json: { tool: 'key-delete', isError: true, error: { code: 'outcome_unknown', retryable: false } },
    });
    const { json } = await request('POST', '/mcp', { context, body: rpc('key-delete', { ID: 1 }) });
    expect(json).toMatchObject({ id: 7, result: { isError: true, structuredContent: { error: { code: 'outcome_unknown' } } } });
  });

  it.each([
    ['is answered by the platform in its place', failed, 'platform_unavailable'],
    ['breaks the connection', broken, 'platform_unavailable'],
    ['does not answer in time', silent, 'deadline_exceeded'],
  ])('says that nothing happened to a read when the function %s', async (_, answer, code) => {
    const { request, context } = await routerBefore(answer);
    expect((await request('POST', '/tools/key-list', { context })).json.error).toMatchObject({ code, retryable: true });
  });

  it.each([
    [404, 'not_configured', /tools\/account is not deployed here/],
    [401, 'not_configured', /tools\/account over the web/],
    [413, 'invalid_arguments', /larger/],
    [429, 'rate_limited', /too many/],
  ])('knows that nothing happened when the platform answers %i in place of the function, and names it', async (status, code, message) => {
    const { request, context } = await routerBefore((response) => json(response, status, { error: 'The platform says so.', code: 'x' }));
    const error = { code, message: expect.stringMatching(message) };
    expect((await request('POST', '/tools/key-delete', { context, body: { ID: 1 } })).json).toMatchObject({ isError: true, error });
    const overMcp = await request('POST', '/mcp', { context, body: rpc('key-delete', { ID: 1 }) });
    expect(overMcp.json.result).toMatchObject({ isError: true, structuredContent: { error } });
  });

  it.each(['key-delete', 'key-get'])('has %s answered where the function has closed the connection that was kept', async (tool) => {
    const used = new Set<unknown>();
    const { request, context } = await routerBefore((response, ...others) => {
      const { socket } = response;
      if (used.has(socket)) return socket?.destroy();
      used.add(socket);
      return ours(response, ...others);
    });
    for (const _ of [1, 2, 3]) expect((await request('POST', `/tools/${tool}`, { context, body: { ID: 1 } })).status).toBe(200);
  });

  it.each([401, 403])('passes on what a client is told of the token that it needs, where the function answers %i', async (status) => {
    const challenge = 'Bearer error="insufficient_scope", scope="keys"';
    const error = { code: -32600, message: 'not with this token', data: { code: 'forbidden' } };
    const { request, context } = await routerBefore((response) =>
      json(response, status, { jsonrpc: '2.0', id: 7, error }, { 'www-authenticate': challenge }),
    );
    const answer = await request('POST', '/mcp', { context, body: rpc('key-delete', { ID: 1 }) });
    expect(answer).toMatchObject({ status, headers: { 'www-authenticate': challenge }, json: { id: 7, error } });
  });

  it('hands on a call that came by way of discovery, and finds tools itself', async () => {
    const result = { content: [], structuredContent: { done: true }, isError: false };
    const { host, request, context } = await routerBefore((response) => json(response, 200, { jsonrpc: '2.0', id: 7, result }));
    const body = rpc('tool-run', { tool: 'key-delete', arguments: { ID: 1 } });
    expect((await request('POST', '/mcp/discover', { context, body })).json.result).toEqual(result);
    expect(host.arrived).toMatchObject([{ url: '/api/v1/web/fn-1/tools/account/mcp/discover' }]);
    expect(JSON.parse(host.arrived[0]?.body ?? '')).toEqual(body);
    const found = await request('POST', '/mcp/discover', { context, body: rpc('tool-search', { query: 'ssh keys' }) });
    expect(found.json.result.structuredContent.items[0].tool).toBe('key-list');
    const refused = await request('POST', '/mcp/discover', {
      context,
      body: rpc('tool-read', { tool: 'key-delete', arguments: { ID: 1 } }),
    });
    expect(refused.json.result.structuredContent.error.code).toBe('forbidden');
    expect(host.arrived).toHaveLength(1);
  });

  it('passes on as JSON what the platform took apart', async () => {
    const { host, context } = await routerBefore(ours);
    const http = { method: 'POST', path: '/tools/key-get', headers: { authorization: 'Bearer tester' } };
    expect((await handlerOf({ DISPATCH: 'forward' })({ http, ID: 7 }, context)).statusCode).toBe(200);
    expect(host.arrived).toMatchObject([
      { url: '/api/v1/web/fn-1/tools/account/tools/key-get', body: '{"ID":7}', headers: { authorization: 'Bearer tester' } },
    ]);
  });

  it('tells a schedule to go to the domain itself, which has what the call needs', async () => {
    const answer = await handlerOf({ DISPATCH: 'forward' })({ tool: 'key-list', arguments: {} });
    expect(answer).toMatchObject({
      isError: true,
      result: { error: { code: 'not_configured', message: expect.stringContaining('tools/<toolset>') } },
    });
  });

  it('knows its callers without having a token for the platform', async () => {
    const { host, context } = await routerBefore(ours);
    const hash = createHash('sha256').update('tester').digest('hex');
    const request = gateway({ DISPATCH: 'forward', ACCESS_TOKENS: `ci=sha256:${hash};toolsets=account` });
    expect((await request('POST', '/tools/key-list', { context })).status).toBe(200);
    expect((await request('POST', '/tools/domain-list', { context })).status).toBe(403);
    expect((await request('POST', '/tools/key-list', { context, headers: { authorization: 'Bearer other' } })).status).toBe(401);
    expect(host.arrived).toHaveLength(1);
  });

  it('passes a question back to the client, and its answers on with the state', async () => {
    const question = { resultType: 'input_required', inputRequests: { confirm: { method: 'elicitation/create', params: {} } } };
    const { host, request, context } = await routerBefore((response) => json(response, 200, { jsonrpc: '2.0', id: 7, result: question }));
    const version = '2026-07-28';
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const answers = { inputResponses: { confirm: { action: 'accept', content: {} } }, requestState: 'sealed' };
    const answer = await request('POST', '/mcp', {
      context,
      headers: { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'key-delete' },
      body: { ...rpc('key-delete', { ID: 1 }), params: { name: 'key-delete', arguments: { ID: 1 }, ...answers, _meta } },
    });
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 7, result: question });
    expect(JSON.parse(host.arrived[0]?.body ?? '').params).toEqual({ name: 'key-delete', arguments: { ID: 1 }, ...answers, _meta });
  });

  it('says so where it cannot know where the functions are', async () => {
    const answer = await gateway({ DISPATCH: 'forward' })('POST', '/tools/key-list', { context: {} });
    expect(answer).toMatchObject({
      status: 503,
      json: { error: { code: 'not_configured', message: expect.stringContaining('DISPATCH=inline') } },
    });
  });

  it('asks no function about a tool that there is not, or that is not to be called', async () => {
    const { host, request, context } = await routerBefore(ours);
    expect((await request('POST', '/tools/key-lst', { context })).status).toBe(404);
    expect((await request('POST', '/tools/key-delete?readonly=true', { context, body: { ID: 1 } })).status).toBe(403);
    expect(host.arrived).toEqual([]);
  });
});
