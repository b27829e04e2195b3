import { describe, expect, it } from 'vitest';
import { everyTool } from '../support/call-of.ts';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const key = { id: 7, name: 'laptop', fingerprint: 'aa:bb', public_key: 'ssh-ed25519 AAAA' };

async function discovering(environment: Record<string, string> = {}) {
  const platform = await scriptedPlatform((response, { method }) =>
    method === 'DELETE' ? response.writeHead(204).end() : json(response, 200, { ssh_key: key }),
  );
  const request = gateway({ PLATFORM_API_URL: platform.url, CONFIRM: 'off', ...environment });
  const rpc = async (method: string, params: object = {}, path = '/mcp/discover', headers = {}) => {
    const { json } = await request('POST', path, { body: { jsonrpc: '2.0', id: 1, method, params }, headers });
    return json;
  };
  const call = async (name: string, given: object = {}, path?: string, headers = {}) =>
    (await rpc('tools/call', { name, arguments: given }, path, headers)).result;
  return { platform, rpc, call };
}

describe('/mcp/discover', () => {
  it('lists three tools in at most 4 KB, and says in the instructions how to go about it', async () => {
    const { rpc } = await discovering();
    const { result } = await rpc('tools/list');
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['tool-search', 'tool-read', 'tool-run']);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(4096);
    const { instructions } = (await rpc('initialize', { protocolVersion: '2025-11-25' })).result;
    for (const name of ['tool-search', 'tool-read', 'tool-run']) expect(instructions).toContain(name);
    // Four bytes and more make a token: both together stay under a thousand of them.
    expect(Buffer.byteLength(JSON.stringify(result) + instructions)).toBeLessThan(4000);
  });

  it('marks what only reads, so that a client may allow it for good', async () => {
    const { rpc } = await discovering();
    const [search, read, run] = (await rpc('tools/list')).result.tools;
    for (const tool of [search, read]) expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(run.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  it('leaves the whole list to the other addresses', async () => {
    const { rpc } = await discovering();
    expect((await rpc('tools/list', {}, '/mcp')).result.tools).toHaveLength(158);
  });

  it('introduces itself to the newest revision too', async () => {
    const { rpc } = await discovering();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const headers = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
    const { result } = await rpc('server/discover', { _meta }, '/mcp/discover', headers('server/discover'));
    expect(result.instructions).toContain('tool-search');
    const list = await rpc('tools/list', { _meta }, '/mcp/discover/readonly', headers('tools/list'));
    expect(list.result).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: expect.any(Number) });
  });
});

describe('tool-search', () => {
  it('shows what is needed to call: name, arguments, and the tool to call it by', async () => {
    const { call } = await discovering();
    const { structuredContent, isError } = await call('tool-search', { query: 'delete an ssh key', limit: 1 });
    expect(isError).toBe(false);
    expect(structuredContent.items).toEqual([
      {
        tool: 'key-delete',
        title: 'Delete an SSH key',
        description: expect.any(String),
        call: 'tool-run',
        destructive: true,
        arguments: { ID: expect.objectContaining({ type: 'integer' }) },
        required: ['ID'],
      },
    ]);
    expect(structuredContent.more).toContain('key-list');
  });

  it('stays small, whatever is found', async () => {
    const { call } = await discovering();
    for (const query of ['create', 'database config', 'load balancer', 'kafka topic', 'alert policy']) {
      const { structuredContent } = await call('tool-search', { query, limit: 20 });
      expect(Buffer.byteLength(JSON.stringify(structuredContent)), query).toBeLessThanOrEqual(9 * 1024);
      expect(structuredContent.items.length, query).toBeGreaterThan(0);
    }
  });

  it('names all tools where nothing is asked, and says so where nothing fits', async () => {
    const { call } = await discovering();
    const { toolsets } = (await call('tool-search')).structuredContent;
    expect(Object.values(toolsets).flat()).toEqual(everyTool.names);
    expect((await call('tool-search', { query: 'xqzvkj' })).structuredContent).toEqual({
      items: [],
      hint: expect.stringContaining('without a query'),
    });
  });

  it.each([
    ['/mcp/discover/dns', {}],
    ['/mcp/discover?toolsets=dns', {}],
    ['/mcp/discover', { 'x-mcp-toolsets': 'dns' }],
  ])('finds only what is selected at %s %j', async (path, headers) => {
    const { call } = await discovering();
    const { toolsets } = (await call('tool-search', {}, path, headers)).structuredContent;
    expect(Object.keys(toolsets)).toEqual(['dns']);
    const { items } = (await call('tool-search', { query: 'create', limit: 20 }, path, headers)).structuredContent;
    expect(items.map(({ tool }: { tool: string }) => tool)).toContain('domain-create');
    expect(items.map(({ tool }: { tool: string }) => tool)).not.toContain('instance-create');
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ queri: 'x' }, 'queri'],
    [{ query: 7 }, 'query'],
  ])('tells what is wrong with %j', async (given, field) => {
    const { call } = await discovering();
    const answer = await call('tool-search', given);
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_arguments', problems: [{ field }] } } });
  });
});

describe('tool-read and tool-run', () => {
  it.each(['tool-read', 'tool-run'])('%s calls a tool that reads, and answers what the tool answers', async (name) => {
    const { call, platform } = await discovering();
    const direct = await call('key-get', { ID: 7 }, '/mcp');
    expect(await call(name, { tool: 'key-get', arguments: { ID: 7 } })).toEqual(direct);
    expect(platform.arrived.map(({ url }) => url)).toEqual(['/v2/account/keys/7', '/v2/account/keys/7']);
  });

  it('takes arguments that come as their text', async () => {
    const { call } = await discovering();
    expect((await call('tool-read', { tool: 'key-get', arguments: '{"ID": 7}' })).structuredContent).toEqual(key);
  });

  it('tool-run changes what it is told to', async () => {
    const { call, platform } = await discovering();
    expect((await call('tool-run', { tool: 'key-delete', arguments: { ID: 7 } })).isError).toBe(false);
    expect(platform.arrived).toMatchObject([{ method: 'DELETE', url: '/v2/account/keys/7' }]);
  });

  it('tool-read changes nothing, and names the tool that does', async () => {
    const { call, platform } = await discovering();
    const { isError, structuredContent } = await call('tool-read', { tool: 'key-delete', arguments: { ID: 7 } });
    expect(isError).toBe(true);
    expect(structuredContent.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('tool-run') });
    expect(platform.arrived).toEqual([]);
  });

  it.each(['/mcp/discover/readonly', '/mcp/discover?readonly=true'])('lists and runs nothing that changes at %s', async (path) => {
    const { rpc, call, platform } = await discovering();
    const { tools } = (await rpc('tools/list', {}, path)).result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['tool-search', 'tool-read']);
    const { structuredContent } = await call('tool-run', { tool: 'key-delete', arguments: { ID: 7 } }, path);
    expect(structuredContent.error.code).toBe('forbidden');
    expect(platform.arrived).toEqual([]);
  });

  it('calls nothing that is not selected', async () => {
    const { call, platform } = await discovering();
    const { structuredContent } = await call('tool-read', { tool: 'key-get', arguments: { ID: 7 } }, '/mcp/discover/dns');
    expect(structuredContent.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('toolset account') });
    expect(platform.arrived).toEqual([]);
  });

  it('asks for consent as a direct call does, and goes on with its token', async () => {
    const { call, platform } = await discovering({ CONFIRM: 'destructive' });
    const asked = (await call('tool-run', { tool: 'key-delete', arguments: { ID: 7 } })).structuredContent.error;
    expect(asked).toMatchObject({ code: 'confirmation_required', confirmation: { token: expect.any(String) } });
    expect(platform.arrived.map(({ method }) => method)).not.toContain('DELETE');
    const { token } = asked.confirmation;
    expect((await call('tool-run', { tool: 'key-delete', arguments: { ID: 7, Confirm: token } })).isError).toBe(false);
    expect(platform.arrived.at(-1)?.method).toBe('DELETE');
  });

  it('puts the question to a client that can ask, and takes its answer', async () => {
    const { rpc, platform } = await discovering({ CONFIRM: 'destructive' });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tool-run' };
    const params = { name: 'tool-run', arguments: { tool: 'key-delete', arguments: { ID: 7 } }, _meta };
    const { result } = await rpc('tools/call', params, '/mcp/discover', headers);
    expect(result.resultType).toBe('input_required');
    const [question] = Object.keys(result.inputRequests);
    const { properties } = result.inputRequests[question ?? ''].params.requestedSchema;
    const content = Object.fromEntries(
      Object.entries<{ type: string; const?: string }>(properties).map(([name, { type }]) => [name, type === 'boolean' ? true : 'laptop']),
    );
    const inputResponses = { [question ?? '']: { action: 'accept', content } };
    const answered = await rpc('tools/call', { ...params, inputResponses, requestState: result.requestState }, '/mcp/discover', headers);
    expect(answered.result).toMatchObject({ resultType: 'complete', isError: false });
    expect(platform.arrived.at(-1)?.method).toBe('DELETE');
  });

  it('shows what would be sent with DryRun', async () => {
    const { call, platform } = await discovering();
    const { structuredContent } = await call('tool-run', { tool: 'key-delete', arguments: { ID: 7, DryRun: true } });
    expect(structuredContent).toEqual({ dryRun: true, request: { method: 'DELETE', path: '/v2/account/keys/7' } });
    expect(platform.arrived).toEqual([]);
  });

  it.each([
    ['an unknown tool', { tool: 'key-gett' }, 'unknown_tool', /nearest are key-get/],
    ['one of the three', { tool: 'tool-run' }, 'unknown_tool', /no tool/],
    ['no tool', {}, 'invalid_arguments', /tool-read: tool: expected/],
    ['arguments that do not fit', { tool: 'key-get', arguments: { ID: 'x' } }, 'invalid_arguments', /key-get: ID/],
    ['arguments that are none', { tool: 'key-get', arguments: 'ID=7' }, 'invalid_arguments', /arguments: expected an object/],
    ['arguments beside', { tool: 'key-get', ID: 7 }, 'invalid_arguments', /ID/],
  ])('refuses %s in a result that the model sees', async (_, given, code, message) => {
    const { call } = await discovering();
    const { isError, structuredContent } = await call('tool-read', given);
    expect(isError).toBe(true);
    expect(structuredContent.error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('says how to go about it when a tool is called that is not listed', async () => {
    const { rpc } = await discovering();
    const { error } = await rpc('tools/call', { name: 'key-get', arguments: { ID: 7 } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('tool-run') });
  });

  it('refuses a misspelt address, and opens nothing wider', async () => {
    const request = gateway();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const path of ['/mcp/discover/dsn', '/mcp/discovr', '/mcp/dns/discover']) {
      expect((await request('POST', path, { body })).status, path).toBe(400);
    }
  });
});

describe('GET /tools?q=', () => {
  it('answers the tools that fit, best first, in any format', async () => {
    const request = gateway();
    const names = async (path: string) =>
      (await request('GET', path)).json.tools.map(
        (tool: { name?: string; function?: { name: string } }) => tool.name ?? tool.function?.name,
      );
    expect((await names('/tools?q=restart+a+sever'))[0]).toBe('instance-reboot');
    expect((await names('/tools?q=dns+recrod&format=openai'))[0]).toMatch(/^domain-record-/);
    expect(await names('/tools?q=delete&readonly=true&toolsets=dns')).not.toContain('domain-delete');
    expect(await names('/tools?q=xqzvkj')).toEqual([]);
  });
});
