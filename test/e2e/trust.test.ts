import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { fileStore, redisProgram, redisStore, type TestStore } from '../access/support/stores.ts';
import { jsonOf } from '../support/json-of.ts';
import { taskSession } from '../support/task-session.ts';

/** What an installation with an account of its own promises, seen through its deployed router. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const tokens = { agent: 'canary-token-agent', reader: 'canary-token-reader', hurried: 'canary-token-hurried' };
const sealKey = 'canary-seal-key-0123456789abcdef-0123';

let dataDir: string;
let emulator: Emulator;
let host: Host;
let store: TestStore;
const logs: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  store = redisProgram === undefined ? fileStore() : await redisStore(redisProgram);
  emulator = await startEmulator({ speed: 0 });
  host = await startHost({ dataDir, mounts: { '/': 'gateway/router' }, onActivation: (activation) => logs.push(...activation.logs) });
  await buildAll(root);
  if (!existsSync(join(root, 'settings.env'))) copyFileSync(join(root, 'settings.env.example'), join(root, 'settings.env'));
  const project = readProject(root);
  const environment = {
    PLATFORM_API_URL: emulator.url,
    PLATFORM_API_TOKEN: emulator.token,
    ACCESS_TOKENS: [
      `agent=sha256:${sha256(tokens.agent)}`,
      `reader=sha256:${sha256(tokens.reader)};toolsets=dns+account;readonly`,
      `hurried=sha256:${sha256(tokens.hurried)};rate=2/h`,
    ].join(', '),
    SEAL_KEY: sealKey,
    KV_URL: store.url,
  };
  const packages = project.packages.filter(({ name }) => name === 'gateway').map((pack) => ({ ...pack, environment }));
  const outcome = await deployProject({ ...project, packages }, { apihost: host.url, auth: host.auth }, { build: 'never' });
  expect(outcome.failed).toEqual([]);
});
afterAll(async () => {
  await host.close();
  await emulator.close();
  await store.end();
  rmSync(dataDir, { recursive: true, force: true });
});

async function post(path: string, body: unknown, token: string, headers: Record<string, string> = {}) {
  const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  const answer = await fetch(`${host.url}${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  return { status: answer.status, headers: answer.headers, json: await jsonOf(answer) };
}
const call = (tool: string, given: object, token: string, headers?: Record<string, string>) =>
  post(`/tools/${tool}`, given, token, headers);
async function modelCalls(tool: string, given: object, token: string) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } };
  return (await post('/mcp', message, token)).json.result.structuredContent;
}
const domain = (Name: string) => ({ Name, IPAddress: '203.0.113.7' });

describe('a deployed router with callers of its own', () => {
  it('turns strangers away, at lists too, and says how to come in', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const path of ['/mcp', '/mcp/discover', '/tools/key-list']) {
      const answer = await post(path, list, 'stranger');
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  it('shows each caller what the operator opens to them, and no more to call', async () => {
    const { json } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, tokens.reader);
    const names: readonly string[] = json.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('domain-list');
    expect(names.filter((name) => /instance|delete|create/.test(name))).toEqual([]);
    const refused = await call('domain-create', domain('reader.example.com'), tokens.reader);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, 'Bearer error="insufficient_scope"']);
    expect((await call('domain-list', {}, tokens.reader)).status).toBe(200);
    expect((await post('/mcp/dnss', {}, tokens.reader)).status).toBe(400);
  });

  it('has three tools that find all others, and call them by the rights of the caller', async () => {
    const rpc = async (name: string, given: object, token: string) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
      return (await post('/mcp/discover', message, token)).json.result.structuredContent;
    };
    const found = await rpc('tool-search', { query: 'dns recrods of a domain', limit: 1 }, tokens.reader);
    expect(found.items).toMatchObject([{ tool: 'domain-record-list', call: 'tool-read' }]);
    expect(await rpc('tool-read', { tool: 'domain-list' }, tokens.reader)).toMatchObject({ page: 1 });
    expect((await rpc('tool-read', { tool: 'key-create', arguments: {} }, tokens.agent)).error.code).toBe('forbidden');
    expect((await rpc('tool-read', { tool: 'instance-list' }, tokens.reader)).error.message).toContain('not open to reader');
    const made = await rpc('tool-run', { tool: 'domain-create', arguments: domain('run.example.com') }, tokens.agent);
    expect(made.name).toBe('run.example.com');
  });

  it('shows a model nothing of a name that a person would not see, and no more than a model takes', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJZ1YX1Qb0m2jz0pS0g0zV2Xb0m2jz0pS0g0zV2Xb0m2 a@b';
    const made = await modelCalls('key-create', { Name: 'lap\u202etop\u{e0041}', PublicKey: key }, tokens.agent);
    expect(made.name).toBe('laptop');
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'size-list', arguments: { PerPage: 200, Fields: '*' } },
    };
    const { result } = (await post('/mcp?maxBytes=4096', message, tokens.agent)).json;
    expect(Buffer.byteLength(result.content[0].text)).toBeLessThanOrEqual(4096);
    expect(result.structuredContent).toMatchObject({ truncated: { maxBytes: 4096 }, next: [{ tool: 'size-list' }] });
  });

  it('describes itself to those who do not speak MCP, as far as they may call', async () => {
    const get = async (path: string, token: string) => {
      const answer = await fetch(`${host.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return { status: answer.status, json: answer.ok ? await jsonOf(answer) : undefined };
    };
    const { openapi, paths } = (await get('/openapi.json', tokens.reader)).json;
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toContain('/tools/domain-list');
    expect(Object.keys(paths)).not.toContain('/tools/domain-delete');
    const forModels = await Promise.all(
      ['openai', 'anthropic'].map((format) => get(`/tools?format=${format}&tools=key-list`, tokens.agent)),
    );
    expect(forModels.map(({ json }) => json.tools)).toMatchObject([
      [{ type: 'function', function: { name: 'key-list' } }],
      [{ name: 'key-list', input_schema: { type: 'object' } }],
    ]);
    expect((await get('/openapi.json', 'stranger')).status).toBe(401);
  });

  it('holds a caller to their rate', async () => {
    const answers = [];
    for (const _ of [1, 2, 3]) answers.push(await call('key-list', {}, tokens.hurried));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(1000);
  });

  it('has a person agree before a model destroys something, once for each token', async () => {
    const Name = 'consent.example.com';
    await call('domain-create', domain(Name), tokens.agent);
    const { error } = await modelCalls('domain-delete', { Name }, tokens.agent);
    expect(error).toMatchObject({ code: 'confirmation_required', confirmation: { resource: { name: Name } } });
    const Confirm = error.confirmation.token;
    const altered = await modelCalls('domain-delete', { Name, Confirm: `${Confirm}x` }, tokens.agent);
    expect(altered.error.code).toBe('forbidden');
    expect(await modelCalls('domain-delete', { Name, Confirm }, tokens.agent)).toEqual({ done: true, Name });
    await call('domain-create', domain(Name), tokens.agent);
    expect((await modelCalls('domain-delete', { Name, Confirm }, tokens.agent)).error.message).toContain('used before');
  });

  it('shows what would be sent, and sends nothing', async () => {
    const Name = 'dry.example.com';
    const { json } = await call('domain-create', { ...domain(Name), DryRun: true }, tokens.agent);
    expect(json.result).toEqual({
      dryRun: true,
      request: { method: 'POST', path: '/v2/domains', body: { name: Name, ip_address: '203.0.113.7' } },
    });
    expect((await call('domain-get', { Name }, tokens.agent)).status).toBe(404);
  });

  it('hands what takes its time to a client of the tasks extension as a task, which it follows to the end', async () => {
    const session = await taskSession(`${host.url}/mcp`, tokens.agent);
    const images = await call('image-list', { Type: 'distribution' }, tokens.agent);
    const given = { Name: 'task-1', Region: 'nyc3', Size: 's-1vcpu-1gb', ImageID: images.json.result.items[0].id };
    const execution = await session.callTool('instance-create', given);
    expect(execution.kind).toBe('task');
    const { outcome } = await execution.settle();
    const result = resultFromTaskOutcome(outcome);
    expect(result).toMatchObject({ isError: false, structuredContent: { name: 'task-1', status: 'active' } });
    await session.close();
  });

  it('makes a change once under its key, with a store that instances share', async () => {
    const used = { 'idempotency-key': 'once' };
    const twins = await Promise.all([1, 2, 3].map(() => call('domain-create', domain('once.example.com'), tokens.agent, used)));
    expect(twins.map(({ status, json }) => [status, json.result?.name])).toEqual(Array(3).fill([200, 'once.example.com']));
    expect((await call('domain-create', domain('other.example.com'), tokens.agent, used)).status).toBe(409);
  });

  it('keeps a record of each call, and no secret in any', async () => {
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const certificate = { Name: 'c', PrivateKey: 'canary-private-key', LeafCertificate: 'x', CertificateChain: 'y' };
    await call('custom-certificate-create', certificate, tokens.agent, { traceparent: trace });
    await call('domain-get', { Name: 'once.example.com' }, tokens.agent, { traceparent: trace });
    const records = () => logs.flatMap((line) => (line.includes('{"log":"call"') ? [JSON.parse(line.slice(line.indexOf('{')))] : []));
    const recorded = () => records().find(({ call: tool, traceparent }) => tool === 'domain-get' && traceparent === trace);
    // The host tells of an activation after its answer has left.
    await vi.waitFor(() => expect(recorded()).toBeDefined());
    expect(recorded()).toMatchObject({
      caller: 'agent',
      outcome: 'ok',
      decision: 'allowed',
      arguments: { Name: 'once.example.com' },
      platformRequestId: expect.any(String),
      time: expect.stringMatching(/^\d{4}-/),
      durationMs: expect.any(Number),
      remainingMs: expect.any(Number),
    });
    expect(new Set(records().map(({ decision }) => decision))).toEqual(
      new Set([undefined, 'allowed', 'asked', 'confirmed', 'dry_run', 'replayed']),
    );
    const written = logs.join('\n');
    for (const secret of ['canary', emulator.token, sealKey]) expect(written).not.toContain(secret);
  });
});
