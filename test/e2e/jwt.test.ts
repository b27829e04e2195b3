import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildAll } from '../../build/bundle.ts';
import type { Ready } from '../../lib/cli/start/start-options.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { jsonOf } from '../support/json-of.ts';
import { startIssuer, type TokenIssuer } from '../support/token-issuer.ts';
import { sdkV1, sdkV2 } from './clients.ts';

/** A deployed router that hands calls on, and functions of the domains, all of which verify tokens. */
const root = fileURLToPath(new URL('../..', import.meta.url));

let dataDir: string;
let emulator: Emulator;
let host: Host;
let issuer: TokenIssuer;
const logs: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  issuer = await startIssuer();
  emulator = await startEmulator();
  host = await startHost({ dataDir, mounts: { '/': 'gateway/router' }, onActivation: (activation) => logs.push(...activation.logs) });
  await buildAll(root);
  if (!existsSync(join(root, 'settings.env'))) copyFileSync(join(root, 'settings.env.example'), join(root, 'settings.env'));
  const verifying = { JWT_ISSUER: issuer.issuer, JWT_AUDIENCE: `${host.url}/mcp`, JWT_KEYS: issuer.keysUrl };
  const router = { ...verifying, DISPATCH: 'forward', PLATFORM_API_URL: 'http://127.0.0.1:1' };
  const domain = { ...verifying, PLATFORM_API_URL: emulator.url, PLATFORM_API_TOKEN: emulator.token };
  const project = readProject(root);
  const packages = project.packages.map((pack) => ({
    ...pack,
    environment: pack.name === 'gateway' ? router : domain,
    functions: pack.functions.filter(({ name }) => name === 'router' || name === 'account'),
  }));
  const outcome = await deployProject({ ...project, packages }, { apihost: host.url, auth: host.auth }, { build: 'never' });
  expect(outcome.failed).toEqual([]);
});
afterAll(async () => {
  await host.close();
  await emulator.close();
  issuer.end();
  rmSync(dataDir, { recursive: true, force: true });
});

const audience = () => `${host.url}/mcp`;
// Safe: the clients of the kits read nothing else of it.
const readyWith = (token: string) => ({ mcp: audience(), token }) as Ready;

describe('a deployed router whose callers have tokens of an issuer', () => {
  it('lets the clients of both kits in with one, through to the function of the domain', async () => {
    const ready = readyWith(await issuer.token(audience()));
    for (const client of [await sdkV2(ready, 'auto'), await sdkV2(ready), await sdkV1(ready)]) {
      expect(await client.list()).toHaveLength(158);
      expect(await client.call('account-get-information')).toMatchObject({ isError: false, result: { status: 'active' } });
      await client.close();
    }
  });

  it('tells a client without one where to get it, in the way that the kit follows', async () => {
    const refused = await fetch(audience(), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(refused.status).toBe(401);
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
    const metadata = await discoverOAuthProtectedResourceMetadata(audience(), { resourceMetadataUrl });
    expect(metadata).toMatchObject({ resource: audience(), authorization_servers: [issuer.issuer] });
    expect(await discoverOAuthProtectedResourceMetadata(audience())).toEqual(metadata);
  });

  it('has a client ask for the scope that it lacks', async () => {
    const token = await issuer.token(audience(), { scope: 'deckhand:read' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'key-delete', arguments: { ID: 1 } } };
    for (const [path, body] of [
      ['/mcp', message],
      ['/tools/key-delete', { ID: 1 }],
    ] as const) {
      const refused = await fetch(`${host.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(refused.status).toBe(403);
      expect(extractWWWAuthenticateParams(refused)).toMatchObject({ error: 'insufficient_scope', scope: 'deckhand:write' });
    }
  });

  it('is looked at again by the function of the domain, which is reached by others too', async () => {
    const direct = (token: string) =>
      fetch(`${host.url}/api/v1/web/${host.namespace}/tools/account/tools/key-list`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
    expect((await direct(await issuer.token('https://else.example.com'))).status).toBe(401);
    expect((await direct(emulator.token)).status).toBe(401);
    const answer = await direct(await issuer.token(audience()));
    expect([answer.status, (await jsonOf(answer)).isError]).toEqual([200, false]);
  });

  it('writes down whose call it was, and no token', async () => {
    const token = await issuer.token(audience(), { sub: 'canary-subject' });
    const client = await sdkV2(readyWith(token));
    await client.call('key-list');
    await client.close();
    await vi.waitFor(() => expect(logs.join('\n')).toContain('"caller":"jwt/canary-subject"'));
    const written = logs.join('\n');
    for (const secret of [...token.split('.').slice(1), emulator.token]) expect(written).not.toContain(secret);
  });
});
