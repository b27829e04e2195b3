import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** An installation on which one caller, `claude`, may do what the options say, and another, `ci`, everything. */
async function installation(options: string) {
  const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
  const request = gateway({
    PLATFORM_API_URL: platform.url,
    PLATFORM_API_TOKEN: 'own',
    ACCESS_TOKENS: `claude=sha256:${hash('one')}${options}, ci=sha256:${hash('two')}`,
  });
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  return {
    platform,
    names: async (path: string, token: string): Promise<readonly string[]> => {
      const answer = await request('POST', path, { body: list, ...as(token) });
      return answer.json.result.tools.map((tool: { name: string }) => tool.name);
    },
    call: (tool: string, body: unknown, token: string) => request('POST', `/tools/${tool}`, { body, ...as(token) }),
    rpc: (body: unknown, token: string, path = '/mcp') => request('POST', path, { body, ...as(token) }),
    search: (words: string, token: string) => request('GET', `/tools?q=${words}`, as(token)),
  };
}

describe('what the operator caps for a caller', () => {
  it.each([
    [';toolsets=dns+traffic', 34],
    [';tools=key-*+!*-delete', 3],
    [';tools=!*-delete', 143],
    [';readonly', 60],
    [';toolsets=account;readonly', 8],
  ])('%s leaves %i tools, and other callers all of them', async (options, count) => {
    const { names } = await installation(options);
    expect(await names('/mcp', 'one')).toHaveLength(count);
    expect(await names('/mcp', 'two')).toHaveLength(158);
  });

  it('is narrowed by what the caller asks for and never widened', async () => {
    const { names } = await installation(';toolsets=account;tools=!key-delete');
    expect(await names('/mcp/account,images', 'one')).toHaveLength(9);
    expect(await names('/mcp/images', 'one')).toEqual([]);
    expect(await names('/mcp?tools=key-*', 'one')).toEqual(['key-create', 'key-get', 'key-list']);
  });

  it('holds at the call, and says to whom a tool is not open', async () => {
    const { call, rpc, platform } = await installation(';toolsets=account;readonly');
    for (const tool of ['instance-get', 'key-delete']) {
      const answer = await call(tool, { ID: 1 }, 'one');
      expect(answer).toMatchObject({ status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } });
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: { ID: 1 } } };
      const failed = { isError: true, structuredContent: { error: { code: 'forbidden' } } };
      expect(await rpc(message, 'one')).toMatchObject({ status: 200, json: { result: failed } });
    }
    expect((await call('instance-get', { ID: 1 }, 'one')).json.error.message).toContain('not open to claude');
    expect(platform.arrived).toEqual([]);
  });
});

describe('how often a caller may call', () => {
  it('counts calls of every protocol, refuses the one too many with when to come back, and lets it in then', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const { call, rpc } = await installation(';rate=2/m');
    const tool = 'account-get-information';
    expect((await call(tool, {}, 'one')).status).toBe(200);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool } };
    expect((await rpc(message, 'one')).json.result.isError).toBe(false);
    const refused = await call(tool, {}, 'one');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    expect(refused.json.error).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 30_000 });
    expect((await rpc(message, 'one')).json.result.structuredContent.error.code).toBe('rate_limited');
    expect((await call(tool, {}, 'two')).status).toBe(200);
    vi.setSystemTime(30_000);
    expect((await call(tool, {}, 'one')).status).toBe(200);
    expect((await call(tool, {}, 'one')).status).toBe(429);
    vi.useRealTimers();
  });

  it('counts a search of the tools, by whichever door', async () => {
    const { call, rpc, search } = await installation(';rate=2/h');
    expect((await search('restart', 'one')).status).toBe(200);
    const find = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool-search', arguments: { query: 'restart' } } };
    expect((await rpc(find, 'one', '/mcp/discover')).json.result.isError).toBe(false);
    expect(await search('restart', 'one')).toMatchObject({ status: 429, json: { error: { code: 'rate_limited' } } });
    expect((await rpc(find, 'one', '/mcp/discover')).json.result.structuredContent.error.code).toBe('rate_limited');
    expect((await call('account-get-information', {}, 'one')).status).toBe(429);
  });

  it('counts every call of a batch, and no list', async () => {
    const { names, rpc } = await installation(';rate=2/h');
    for (const _ of [1, 2, 3]) expect(await names('/mcp', 'one')).toHaveLength(158);
    const calls = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'account-get-information' } }));
    const { json: answers } = await rpc(calls, 'one');
    const failed = answers.filter(({ result }: { result: { isError: boolean } }) => result.isError);
    expect(failed).toHaveLength(1);
  });
});

describe('many calls of one caller at the same moment', () => {
  it('all get through while the rate has room for them, and no more than that', async () => {
    const { call } = await installation(';rate=30/h');
    const answers = await Promise.all(Array.from({ length: 32 }, () => call('account-get-information', {}, 'one')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(30).fill(200), 429, 429]);
  });
});

describe('whoever is not let in', () => {
  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  it.each([
    ['initialize', {}, {}],
    ['tools/list', {}, {}],
    ['server/discover', { _meta: modern }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }],
  ])('is told how to come in at %s too', async (method, params, headers) => {
    const request = gateway({ PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')}` });
    const body = { jsonrpc: '2.0', id: 1, method, params };
    for (const authorization of ['Bearer other', 'Basic eDp5', '']) {
      const answer = await request('POST', '/mcp', { body, headers: { ...headers, authorization } });
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(answer.json.error.data.code).toBe('unauthenticated');
    }
  });
});
