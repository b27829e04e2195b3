import { createHash } from 'node:crypto';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { json, type ScriptedPlatform, scriptedPlatform } from '../support/platform.ts';

afterEach(() => void vi.useRealTimers());

const extension = 'io.modelcontextprotocol/tasks';
const capabilities = { extensions: { [extension]: {} } };
const action = (status: string, id = 1, resource_id = 7) => ({ id, status, type: 'reboot', resource_id, resource_type: 'droplet' });

/** What the platform answers to reads, by path; anything that changes something starts an action. */
interface Script {
  reads: Record<string, { readonly status?: number; readonly body: object; readonly headers?: Record<string, string> }>;
  started: object | undefined;
}

async function installation(environment: Record<string, string> = {}) {
  const script: Script = { started: { action: action('in-progress') }, reads: {} };
  const platform = await scriptedPlatform((response, { method, url }) => {
    if (method !== 'GET') return script.started ? json(response, 201, script.started) : response.writeHead(204).end();
    const { status = 200, body, headers } = script.reads[url] ?? { status: 404, body: { id: 'not_found', message: 'not there' } };
    return json(response, status, body, headers);
  });
  const request = gateway({ PLATFORM_API_URL: platform.url, SEAL_KEY: 'k'.repeat(32), CONFIRM: 'off', ...environment });
  const rpc = async (
    method: string,
    params: Record<string, unknown> = {},
    { path = '/mcp', token = 'one', declared = capabilities as object, leftMs = 20_000 } = {},
  ) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': declared };
    const named = params.name ?? params.taskId;
    const headers = {
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
    };
    const context = { getRemainingTimeInMillis: () => leftMs };
    const answer = await request('POST', path, {
      context,
      body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      headers,
    });
    return { status: answer.status, ...answer.json };
  };
  return {
    platform,
    script,
    request,
    rpc,
    /** Starts a task and returns its id. */
    async started(name = 'instance-reboot', given: object = { ID: 7 }, sent: Parameters<typeof rpc>[2] = {}): Promise<string> {
      const { result } = await rpc('tools/call', { name, arguments: given }, sent);
      expect(isCreateTaskResultV2(result), JSON.stringify(result)).toBe(true);
      return result.taskId;
    },
    async state(taskId: string, sent: Parameters<typeof rpc>[2] = {}) {
      const { result, error } = await rpc('tasks/get', { taskId }, sent);
      expect(error).toBeUndefined();
      expect(isDetailedTaskV2(result), JSON.stringify(result)).toBe(true);
      return result;
    },
  };
}

const looks = ({ arrived }: ScriptedPlatform) => arrived.filter(({ method }) => method === 'GET').map(({ url }) => url);
const look = '/v2/droplets/7/actions/1';

describe('a call that sets something going, by a client that knows tasks', () => {
  it('is answered with a task at once, which is asked for until the action is over', async () => {
    const { rpc, script, platform, state } = await installation();
    const { result } = await rpc('tools/call', { name: 'instance-reboot', arguments: { ID: 7 } });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 86_400_000, pollIntervalMs: 1000 });
    expect(isCreateTaskResultV2(result)).toBe(true);
    expect(looks(platform)).toEqual([]);
    script.reads[look] = { body: { action: action('in-progress') } };
    expect(await state(result.taskId)).toMatchObject({ resultType: 'complete', status: 'working', taskId: result.taskId });
    expect(looks(platform)).toEqual([look]);
    script.reads[look] = { body: { action: action('completed') } };
    const ended = await state(result.taskId);
    expect(ended).toMatchObject({ resultType: 'complete', status: 'completed', createdAt: result.createdAt });
    expect(ended.result).toMatchObject({ isError: false, structuredContent: action('completed') });
    expect(JSON.parse(ended.result.content[0].text)).toEqual(action('completed'));
  });

  it('is completed with an error where the action ends in one', async () => {
    const { started, state, script } = await installation();
    script.reads[look] = { body: { action: action('errored') } };
    expect(await state(await started())).toMatchObject({
      status: 'completed',
      result: { isError: true, structuredContent: { status: 'errored' } },
    });
  });

  it('is answered with the result where nothing is left to wait for, and where the call does not want to', async () => {
    const { rpc, script } = await installation();
    const answered = async (given: object) => (await rpc('tools/call', { name: 'instance-reboot', arguments: given })).result;
    for (const more of [{ Wait: false }, { DryRun: true }])
      expect(await answered({ ID: 7, ...more })).toMatchObject({ resultType: 'complete' });
    expect(await answered({ ID: 7, Wait: true })).toMatchObject({ resultType: 'task' });
    script.started = { action: action('completed') };
    expect(await answered({ ID: 7 })).toMatchObject({ resultType: 'complete', structuredContent: action('completed') });
  });

  it('keeps every action of a tag in one task, and tells how each ended', async () => {
    const { started, state, script } = await installation();
    script.started = { actions: [action('in-progress', 1, 11), action('in-progress', 2, 12), action('in-progress', 3, 13)] };
    const task = await started('power-on-instances-tag', { Tag: 'web' });
    script.reads['/v2/droplets/11/actions/1'] = { body: { action: action('completed', 1, 11) } };
    script.reads['/v2/droplets/12/actions/2'] = { body: { action: action('in-progress', 2, 12) } };
    expect((await state(task)).status).toBe('working');
    script.reads['/v2/droplets/12/actions/2'] = { body: { action: action('completed', 2, 12) } };
    const { result } = await state(task);
    expect(result.isError).toBe(true);
    const gone = { error: expect.objectContaining({ code: 'not_found' }) };
    expect(result.structuredContent.items).toEqual([action('completed', 1, 11), action('completed', 2, 12), gone]);
  });

  it('is a task of all that a tag reaches where some of it is over already', async () => {
    const { started, state, script } = await installation();
    script.started = { actions: [action('completed', 1, 11), action('in-progress', 2, 12)] };
    const task = await started('power-on-instances-tag', { Tag: 'web' });
    script.reads['/v2/droplets/11/actions/1'] = { body: { action: action('completed', 1, 11) } };
    script.reads['/v2/droplets/12/actions/2'] = { body: { action: action('completed', 2, 12) } };
    expect((await state(task)).result.structuredContent.items).toEqual([action('completed', 1, 11), action('completed', 2, 12)]);
  });

  it('is looked at once for each of many actions, as often as it is asked for', async () => {
    const { started, state, script, platform } = await installation();
    const instances = Array.from({ length: 12 }, (_, index) => index);
    script.started = { actions: instances.map((id) => action('in-progress', id, id)) };
    const task = await started('power-on-instances-tag', { Tag: 'web' });
    const paths = instances.map((id) => `/v2/droplets/${id}/actions/${id}`);
    for (const id of instances) script.reads[paths[id] ?? ''] = { body: { action: action('completed', id, id) } };
    expect((await state(task)).result.structuredContent.items).toHaveLength(12);
    expect(looks(platform).toSorted()).toEqual(paths.toSorted());
  });

  it.each([
    ['as many actions as an id can hold are', 40, 'task'],
    ['more are not', 41, 'complete'],
  ])('is no task for a tag that reaches too much: %s', async (_, count, resultType) => {
    const { rpc, script } = await installation();
    const actions = Array.from({ length: count }, (_, index) => action('in-progress', index, index));
    script.started = { actions };
    const { result } = await rpc('tools/call', { name: 'power-on-instances-tag', arguments: { Tag: 'web' } });
    expect(result.resultType).toBe(resultType);
    if (resultType === 'complete') expect(result.structuredContent.items).toEqual(actions);
  });

  it.each([
    ['one of many actions has no name to be asked for by', { actions: [action('in-progress', 1, 11), { status: 'in-progress', id: 2 }] }],
    ['nothing was started', { actions: [] }],
  ])('is no task where %s', async (_, started) => {
    const { rpc, script } = await installation();
    script.started = started;
    const { result } = await rpc('tools/call', { name: 'power-on-instances-tag', arguments: { Tag: 'web' } });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { items: started.actions } });
  });

  it('does not take a change for over that is not to be seen yet', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { started, state, script, platform } = await installation();
    const cluster = { id: 'c', status: 'online', size: 's', num_nodes: 1 };
    script.started = undefined;
    script.reads['/v2/databases/c'] = { body: { database: cluster } };
    const task = await started('db-cluster-resize', { id: 'c', size: 'm', num_nodes: 2 });
    expect((await state(task)).status).toBe('working');
    vi.setSystemTime(Date.now() + 6000);
    expect((await state(task)).result.structuredContent).toEqual({ done: true, id: 'c', status: 'online' });
    expect(looks(platform)).toHaveLength(2);
  });

  it('shows the secrets of the result only where the call set RevealSecrets', async () => {
    const { started, state, script } = await installation();
    const cluster = (status: string) => ({ database: { id: 'c', status, connection: { password: 'hush' } } });
    const given = { name: 'main', engine: 'pg', version: '16', region: 'r', size: 's', num_nodes: 1 };
    script.started = cluster('creating');
    script.reads['/v2/databases/c'] = { body: cluster('online') };
    expect(JSON.stringify(await state(await started('db-cluster-create', given)))).not.toContain('hush');
    const shown = await state(await started('db-cluster-create', { ...given, RevealSecrets: true }));
    expect(shown.result.structuredContent.connection.password).toBe('hush');
  });

  it('is a task through discovery too', async () => {
    const { started, state, script } = await installation();
    const path = '/mcp/discover';
    const task = await started('tool-run', { tool: 'instance-reboot', arguments: { ID: 7 } }, { path });
    script.reads[look] = { body: { action: action('completed') } };
    expect(await state(task, { path })).toMatchObject({ status: 'completed' });
  });

  it('is no task for a client that does not say so on that very request, or cannot', async () => {
    const { rpc, request } = await installation();
    const call = { name: 'instance-reboot', arguments: { ID: 7 } };
    expect((await rpc('tools/call', call, { declared: {} })).result).toMatchObject({ resultType: 'complete', isError: false });
    const { json } = await request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call } });
    expect(json.result.structuredContent).toEqual(action('in-progress'));
  });
});

describe('asking for a task', () => {
  it('is refused without the extension, and without a task', async () => {
    const { rpc, started } = await installation();
    const taskId = await started();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const undeclared = await rpc(method, { taskId }, { declared: {} });
      expect(undeclared).toMatchObject({ status: 400, error: { code: -32021, data: { requiredCapabilities: capabilities } } });
      for (const other of ['instances.x', 'x', '', undefined]) {
        expect(await rpc(method, { taskId: other }), `${method} ${other}`).toMatchObject({
          error: { code: -32602 },
        });
      }
    }
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('is refused where the header of %s names another task', async (method) => {
    const { request, started, platform } = await installation();
    const taskId = await started();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'instances.other' };
    const body = { jsonrpc: '2.0', id: 1, method, params: { taskId, _meta } };
    expect(await request('POST', '/mcp', { headers, body })).toMatchObject({ status: 400, json: { id: 1, error: { code: -32020 } } });
    expect(looks(platform)).toEqual([]);
  });

  it('is refused to whoever was not handed it, for one that was changed, and after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { rpc, started, state, platform, script } = await installation();
    script.reads[look] = { body: { action: action('in-progress') } };
    const taskId = await started();
    const refused = { error: { code: -32602, message: expect.stringContaining('no such task') } };
    const turned = `${taskId.slice(0, -2)}${taskId.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(await rpc('tasks/get', { taskId }, { token: 'two' })).toMatchObject(refused);
    expect(await rpc('tasks/get', { taskId: turned })).toMatchObject(refused);
    expect(looks(platform)).toEqual([]);
    vi.setSystemTime(Date.now() + 86_399_000);
    expect((await state(taskId)).pollIntervalMs).toBe(5000);
    vi.setSystemTime(Date.now() + 2000);
    expect(await rpc('tasks/get', { taskId })).toMatchObject(refused);
  });

  it('takes no confirmation, and no other thing that was sealed, for a task', async () => {
    const { rpc, script } = await installation({ CONFIRM: 'destructive' });
    script.reads['/v2/account/keys/7'] = { body: { ssh_key: { id: 7, name: 'laptop' } } };
    const { result } = await rpc('tools/call', { name: 'key-delete', arguments: { ID: 7 } });
    const { error } = result.structuredContent;
    expect(await rpc('tasks/get', { taskId: `account.${error.confirmation.token}` })).toMatchObject({ error: { code: -32602 } });
  });

  it('sends nothing but reads, and is open where only reading is', async () => {
    const { started, state, script, platform } = await installation();
    const taskId = await started();
    script.reads[look] = { body: { action: action('completed') } };
    expect((await state(taskId, { path: '/mcp/readonly' })).status).toBe('completed');
    expect(platform.arrived.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('counts against the rate of its caller, and is not answered for too often', async () => {
    const one = createHash('sha256').update('one').digest('hex');
    const { started, state, script, platform } = await installation({
      PLATFORM_API_TOKEN: 'own',
      ACCESS_TOKENS: `a=sha256:${one};rate=2/h`,
    });
    const taskId = await started();
    script.reads[look] = { body: { action: action('in-progress') } };
    expect((await state(taskId)).statusMessage).toContain('under way');
    const refused = await state(taskId);
    expect(refused).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('2 calls in 3600 s') });
    expect(refused.pollIntervalMs).toBeGreaterThan(60_000);
    expect(looks(platform)).toHaveLength(1);
  });

  it('is held to the selection of the address', async () => {
    const { started, rpc, platform } = await installation();
    const taskId = await started();
    const answer = await rpc('tasks/get', { taskId }, { path: '/mcp/dns' });
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('not among those that were chosen') });
    expect(looks(platform)).toEqual([]);
  });

  it.each([
    ['fails', { status: 500, body: { id: 'x', message: 'oops' } }, 5000],
    ['is down', { status: 503, body: { id: 'x', message: 'down' } }, 5000],
    ['wants to be left alone for a while', { status: 429, body: { id: 'x', message: 'slow' }, headers: { 'retry-after': '60' } }, 60_000],
  ])('says that it is not known yet while the platform %s', async (_, reply, pollIntervalMs) => {
    const { started, rpc, script } = await installation();
    const taskId = await started();
    script.reads[look] = reply;
    const { result } = await rpc('tasks/get', { taskId }, { leftMs: 1500 });
    expect(result).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('cannot be seen just now'), pollIntervalMs });
  });

  it('says that it is not known yet while one of many cannot be seen', async () => {
    const { started, rpc, state, script } = await installation();
    script.started = { actions: [action('in-progress', 1, 11), action('in-progress', 2, 12)] };
    const taskId = await started('power-on-instances-tag', { Tag: 'web' });
    script.reads['/v2/droplets/11/actions/1'] = { body: { action: action('completed', 1, 11) } };
    script.reads['/v2/droplets/12/actions/2'] = { status: 500, body: { id: 'x', message: 'oops' } };
    expect((await rpc('tasks/get', { taskId })).result).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('cannot be seen just now'),
    });
    script.reads['/v2/droplets/12/actions/2'] = { body: { action: action('completed', 2, 12) } };
    expect(await state(taskId)).toMatchObject({ status: 'completed', result: { isError: false } });
  });

  it('ends with the failure where there is nothing to be seen any more', async () => {
    const { started, state } = await installation();
    expect(await state(await started())).toMatchObject({
      status: 'completed',
      result: { isError: true, structuredContent: { error: { code: 'not_found' } } },
    });
  });

  it('is acknowledged where it is cancelled or told something, which the platform is not, and it goes on', async () => {
    const { started, state, rpc, script, platform } = await installation();
    const taskId = await started();
    for (const [method, more] of [
      ['tasks/cancel', {}],
      ['tasks/update', { inputResponses: {} }],
    ] as const) {
      const { result } = await rpc(method, { taskId, ...more });
      expect({ ...result, _meta: undefined }).toEqual({ resultType: 'complete' });
    }
    expect(platform.arrived).toHaveLength(1);
    script.reads[look] = { body: { action: action('in-progress') } };
    expect(await state(taskId)).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('cannot be told to stop') });
  });

  it('shows nothing of the task in its id', async () => {
    const { started } = await installation();
    const taskId = await started();
    expect(taskId).toMatch(/^instances\.[\w-]+$/);
    expect(Buffer.from(taskId.slice(10), 'base64url').toString('latin1')).not.toMatch(/reboot|droplets/);
  });
});

describe('an installation without a key to seal with', () => {
  it('neither declares tasks nor has them', async () => {
    const { rpc } = await installation({ SEAL_KEY: '' });
    expect((await rpc('server/discover')).result.capabilities).toEqual({ tools: {} });
    expect((await rpc('tools/call', { name: 'instance-reboot', arguments: { ID: 7 } })).result.resultType).toBe('complete');
    expect(await rpc('tasks/get', { taskId: 'x' })).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  it('declares them with one', async () => {
    const { rpc, request } = await installation();
    for (const path of ['/mcp', '/mcp/discover']) {
      expect((await rpc('server/discover', {}, { path })).result.capabilities).toEqual({ tools: {}, ...capabilities });
    }
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
    expect((await request('POST', '/mcp', { body })).json.result.capabilities).toEqual({ tools: {} });
    const asked = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'x' } };
    expect((await request('POST', '/mcp', { body: asked })).json.error.code).toBe(-32601);
  });
});
