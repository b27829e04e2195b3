import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { jsonOf } from '../support/json-of.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the deployed router may take; a call that hangs is answered before. */
const timeoutMs = 4000;

const action = (status: string, id: number) => ({ id, status, type: 'reboot', resource_id: 7, resource_type: 'droplet' });
const wide = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: 'x'.repeat(3000) }));

/** The platform, as each path has it: answers at once, hangs, or dies away in the middle of an answer. */
function answer({ method, url = '' }: http.IncomingMessage, response: http.ServerResponse): unknown {
  const json = (body: object) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const path = url.split('?')[0];
  if (path === '/v2/account') return json({ account: { email: 'a@example.com' } });
  if (path === '/v2/droplets/7/actions') return json({ action: action('in-progress', 1) });
  if (path === '/v2/droplets') return json({ droplets: wide(200), meta: { total: 200 } });
  if (path === '/v2/images') return json({ images: wide(4000), meta: { total: 4000 } });
  if (path === '/v2/vpcs') return response.writeHead(200).write('{"vpcs": [');
  if (path === '/v2/domains' && method === 'GET') return response.writeHead(200, { 'content-length': '9' }).write('{');
  // Everything else is never answered.
  return undefined;
}

let dataDir: string;
let platform: http.Server;
let host: Host;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  platform = http.createServer((request, response) => request.resume().once('end', () => answer(request, response)));
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  host = await startHost({ dataDir, mounts: { '/': 'gateway/router' }, callsPerMinute: Number.POSITIVE_INFINITY });
  await buildAll(root);
  if (!existsSync(join(root, 'settings.env'))) copyFileSync(join(root, 'settings.env.example'), join(root, 'settings.env'));
  const project = readProject(root);
  // Safe: the server listens on a TCP port.
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  const packages = project.packages
    .filter(({ name }) => name === 'gateway')
    .map((pack) => ({
      ...pack,
      environment: { PLATFORM_API_URL: url, CONFIRM: 'destructive' },
      functions: pack.functions
        .filter(({ name }) => name === 'router')
        .map((one) => ({ ...one, limits: { ...one.limits, timeout: timeoutMs } })),
    }));
  const outcome = await deployProject({ ...project, packages }, { apihost: host.url, auth: host.auth }, { build: 'never' });
  expect(outcome.failed).toEqual([]);
  await plain('account-get-information');
});
afterAll(async () => {
  platform.closeAllConnections();
  platform.close();
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const headers = { authorization: 'Bearer tester', 'content-type': 'application/json' };

async function post(path: string, body: unknown) {
  const beganAt = performance.now();
  const response = await fetch(`${host.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const json = await jsonOf(response);
  return { status: response.status, json, tookMs: performance.now() - beganAt };
}

const plain = (tool: string, given: object = {}) => post(`/tools/${tool}`, given);
const rpc = (name: string, given: object = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe('the deployed router, whose time is short', () => {
  it.each([
    ['a read that is not answered', 'key-list', {}, 'deadline_exceeded'],
    ['an answer that does not end', 'vpc-list', {}, 'deadline_exceeded'],
    ['an answer that stops before its length', 'domain-list', {}, 'deadline_exceeded'],
    ['a write that is not answered', 'key-create', { Name: 'a', PublicKey: 'b' }, 'outcome_unknown'],
    ['a read before a write that is not answered', 'db-cluster-resize', { id: 'c', num_nodes: 2 }, 'deadline_exceeded'],
  ])('answers %s before it is ended', async (_, tool, given, code) => {
    const { status, json, tookMs } = await plain(tool, given);
    expect({ status, code: json.error?.code }).toEqual({ status: 504, code });
    expect(tookMs).toBeLessThan(timeoutMs);
  });

  it('answers what waits two seconds earlier, with how to go on', async () => {
    const { status, json, tookMs } = await plain('instance-reboot', { ID: 7, Wait: true });
    expect(status).toBe(200);
    expect(json.result).toEqual({
      ...action('in-progress', 1),
      next: [{ tool: 'instance-action', arguments: { InstanceID: 7, ActionID: 1 } }],
    });
    expect(tookMs).toBeLessThan(timeoutMs - 2000);
  });

  it('asks for consent in time, where what it asks about cannot be read', async () => {
    const { json, tookMs } = await post('/mcp', rpc('instance-delete', { ID: 9 }));
    expect(json.result.structuredContent.error.code).toBe('confirmation_required');
    expect(tookMs).toBeLessThan(timeoutMs);
  });

  it('answers every message of a batch, of which some hang', async () => {
    const body = Array.from({ length: 50 }, (_, id) => rpc(id % 2 ? 'key-list' : 'account-get-information', {}, id));
    const { json, tookMs } = await post('/mcp', body);
    const failed = json.map(({ result }: { result: { isError: boolean } }) => result.isError);
    expect(failed).toEqual(body.map((_, id) => id % 2 === 1));
    expect(tookMs).toBeLessThan(timeoutMs);
  });

  it('cuts a list to what a model takes, and refuses a reply that is beyond all bounds', async () => {
    const { json } = await post('/mcp', rpc('instance-list', { Fields: '*', PerPage: 200 }));
    expect(json.result.structuredContent).toMatchObject({ perPage: 10, total: 200, next: [{ tool: 'instance-list' }] });
    expect((await plain('image-list', { Fields: '*' })).json.error).toMatchObject({ code: 'platform_error' });
  });

  it('lets no call wait for another that hangs', async () => {
    const hanging = [plain('key-list'), plain('key-list')];
    const first = await Promise.race([...hanging, plain('account-get-information')]);
    expect(first.status).toBe(200);
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual(hanging.map(() => 504));
  });

  it('was ended by the host in none of these calls', async () => {
    const response = await fetch(`${host.url}/api/v1/namespaces/_/activations?limit=100`, {
      headers: { authorization: `Basic ${Buffer.from(host.auth).toString('base64')}` },
    });
    const activations: readonly { statusCode: number }[] = await jsonOf(response);
    expect(activations.length).toBeGreaterThan(10);
    expect(activations.filter(({ statusCode }) => statusCode !== 0)).toEqual([]);
  });
});
