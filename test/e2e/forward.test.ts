import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import { localSettings } from '../../lib/cli/start/local-settings.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { everyTool } from '../support/call-of.ts';
import { jsonOf } from '../support/json-of.ts';
import { taskSession } from '../support/task-session.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The domain that is not deployed. */
const leftOut = 'network';

let dataDir: string;
let emulator: Emulator;
let host: Host;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  emulator = await startEmulator({ speed: 0 });
  host = await startHost({ dataDir, mounts: { '/': 'gateway/router' } });
  await buildAll(root);
  if (!existsSync(join(root, 'settings.env'))) copyFileSync(join(root, 'settings.env.example'), join(root, 'settings.env'));
  const project = readProject(root);
  const environmentOf = localSettings(project, { platformUrl: emulator.url, token: '', storeFile: join(dataDir, 'store.sqlite') }, {});
  // The router itself could reach no platform: what it answers, a domain has answered.
  const router = { DISPATCH: 'forward', PLATFORM_API_URL: 'http://127.0.0.1:1' };
  const packages = project.packages.map((pack) => ({
    ...pack,
    environment: {
      ...environmentOf('gateway/router', pack.environment),
      CONFIRM: 'destructive',
      SEAL_KEY: 'k'.repeat(32),
      ...(pack.name === 'gateway' && router),
    },
    functions: pack.functions.filter(({ name }) => name !== leftOut),
  }));
  const outcome = await deployProject({ ...project, packages }, { apihost: host.url, auth: host.auth }, { build: 'never' });
  expect(outcome.failed).toEqual([]);
});
afterAll(async () => {
  await host.close();
  await emulator.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
  const headers = { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json', ...more };
  const answer = await fetch(`${host.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, json: await jsonOf(answer) };
};
const rpc = (id: number, name: string, given: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe('a router that hands calls on', () => {
  it('lets the function of the domain answer a plain call', async () => {
    const { status, json } = await post('/tools/key-list', {});
    expect(status).toBe(200);
    expect(json).toMatchObject({ tool: 'key-list', isError: false });
  });

  it('passes failures on as they are', async () => {
    expect(await post('/tools/key-get', { ID: 1 })).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
    expect((await post('/mcp', rpc(1, 'key-get', { ID: 'x' }))).json.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'invalid_arguments' } },
    });
  });

  it('calls over MCP, also several of a batch in several domains', async () => {
    expect((await post('/mcp', rpc(7, 'size-list'))).json).toMatchObject({ id: 7, result: { isError: false } });
    const { json } = await post('/mcp', [rpc(1, 'key-list'), rpc(2, 'instance-list'), rpc(3, 'image-list')]);
    expect(json.map(({ id, result }: { id: number; result: { isError: boolean } }) => [id, result.isError])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ]);
  });

  it('keeps a selection of tools that the domain does not know whole', async () => {
    expect((await post('/mcp/account,images?tools=key-*,image-*', rpc(1, 'key-list'))).json.result.isError).toBe(false);
    expect((await post('/mcp/readonly', rpc(1, 'key-delete', { ID: 1 }))).json.result.structuredContent.error.code).toBe('forbidden');
  });

  it('says by name which domain is not deployed', async () => {
    const error = { code: 'not_configured', message: expect.stringContaining('tools/network is not deployed') };
    expect(await post('/tools/vpc-list', {})).toMatchObject({ status: 503, json: { isError: true, error } });
    expect((await post('/mcp', rpc(1, 'vpc-list'))).json.result).toMatchObject({ isError: true, structuredContent: { error } });
  });

  it('carries out a call once under its key, whichever way it comes', async () => {
    const key = { 'idempotency-key': 'forwarded-1' };
    const domain = { Name: 'once.example.com', IPAddress: '203.0.113.9' };
    const first = await post('/tools/domain-create', domain, key);
    const again = await post('/tools/domain-create', domain, key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json.result).toEqual(first.json.result);
    expect((await post('/mcp', rpc(1, 'domain-create', domain), key)).json.result.structuredContent).toEqual(first.json.result);
    expect(await post('/tools/domain-create', { ...domain, Name: 'other.example.com' }, key)).toMatchObject({
      status: 409,
      json: { error: { code: 'conflict' } },
    });
  });

  it('finds and calls by way of discovery, and asks for consent on the way', async () => {
    const found = await post('/mcp/discover', rpc(1, 'tool-search', { query: 'delete a domain', limit: 1 }));
    expect(found.json.result.structuredContent.items[0].tool).toBe('domain-delete');
    await post('/tools/domain-create', { Name: 'gone.example.com', IPAddress: '203.0.113.9' });
    const call = (given: object) => post('/mcp/discover', rpc(2, 'tool-run', { tool: 'domain-delete', arguments: given }));
    const asked = (await call({ Name: 'gone.example.com' })).json.result.structuredContent.error;
    expect(asked.code).toBe('confirmation_required');
    expect((await post('/tools/domain-get', { Name: 'gone.example.com' })).status).toBe(200);
    const done = await call({ Name: 'gone.example.com', Confirm: asked.confirmation.token });
    expect(done.json.result.isError).toBe(false);
    expect((await post('/tools/domain-get', { Name: 'gone.example.com' })).status).toBe(404);
  });

  it('has the function of the domain hand out tasks, and tell of them', async () => {
    const session = await taskSession(`${host.url}/mcp`, emulator.token);
    const images = await post('/tools/image-list', { Type: 'distribution' });
    const given = { Name: 'task-1', Region: 'nyc3', Size: 's-1vcpu-1gb', ImageID: images.json.result.items[0].id };
    const execution = await session.callTool('instance-create', given);
    expect(execution.kind).toBe('task');
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ isError: false, structuredContent: { name: 'task-1', status: 'active' } });
    await session.close();
  });

  it('answers lists and pages itself', async () => {
    const { json } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(json.result.tools).toHaveLength(everyTool.names.length);
    expect((await fetch(`${host.url}/health`)).status).toBe(200);
  });
});
