import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runServerless } from '../cli/support/run-serverless.ts';
import { tempProject, writeFiles } from '../deployer/support/temp-project.ts';
import { jsonOf } from '../support/json-of.ts';
import { type Started, started } from '../support/started.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let running: Started;
let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  running = await started(['--data', data], { GITHUB_WEBHOOK_SECRET: 'canary-secret' });
});
afterAll(async () => {
  await running.end();
  rmSync(data, { recursive: true, force: true });
});

/** The gateway of this repository as a project: its project.yml reads these settings, its functions are built. */
function gatewayWith(settings: string): string {
  const functions = ['router', 'hooks'].map((name) => `{name: ${name}, runtime: "nodejs:24", web: raw, limits: {timeout: 25000}}`);
  const project = `environment: \${<settings.env}\npackages: [{name: gateway, functions: [${functions.join(', ')}]}]\n`;
  const dir = tempProject({ 'project.yml': project, 'settings.env': settings });
  for (const name of ['router', 'hooks']) {
    writeFiles(dir, { [`packages/gateway/${name}/.include`]: 'bundle.js\n' });
    cpSync(join(root, 'packages/gateway', name, 'bundle.js'), join(dir, 'packages/gateway', name, 'bundle.js'));
  }
  return dir;
}

async function deployAgain(settings: string): Promise<void> {
  const { apihost, auth } = running.ready;
  const { code, err } = await runServerless({ cwd: data }, 'deploy', gatewayWith(settings), '--apihost', apihost, '--auth', auth);
  expect(code, err).toBe(0);
}

function call(tool: string, given: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { tools, token } = running.ready;
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  return fetch(`${tools}/${tool}`, { method: 'POST', headers: own, body: JSON.stringify(given) });
}

describe.skipIf(process.platform === 'win32')('what a local start serves, deployed again by somebody', () => {
  it('goes on with the platform, the token, the store and the secrets of the start', async () => {
    await deployAgain('DISPATCH=inline\n');
    expect(await jsonOf(call('account-get-information', {}))).toMatchObject({ isError: false });
    const key = { 'idempotency-key': 'once' };
    const made = { Name: 'one', PublicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl x' };
    const first = await jsonOf(call('key-create', made, key));
    expect(first).toMatchObject({ isError: false });
    expect((await jsonOf(call('key-create', made, key))).result).toEqual(first.result);
    const { hooks } = await jsonOf(fetch(`${running.ready.hooks}/health`));
    expect(hooks).toContainEqual(
      expect.objectContaining({ name: 'github-deploy', ready: true, missing: [], dedupe: expect.stringMatching(/^in the store/) }),
    );
  });

  it('takes the settings that do not say which platform is called, and by whom', async () => {
    await deployAgain('READ_ONLY=true\nPLATFORM_API_TOKEN=dop_v1_real\nACCESS_TOKENS=ci=sha256:abc\nPLATFORM_API_URL=http://127.0.0.1:1\n');
    expect(await jsonOf(call('account-get-information', {}))).toMatchObject({ isError: false });
    expect((await call('key-delete', { ID: 1 })).status).toBe(403);
  });

  it('is shown with what was deployed: nothing of this machine stands in it', async () => {
    await deployAgain('TOOLSETS=account\n');
    const { apihost, auth } = running.ready;
    const basic = { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
    const pack = await jsonOf(fetch(`${apihost}/api/v1/namespaces/_/packages/gateway`, { headers: basic }));
    expect(pack.parameters).toEqual([{ key: 'TOOLSETS', value: 'account', init: true }]);
    const hooks = await jsonOf(fetch(`${apihost}/api/v1/namespaces/_/actions/gateway/hooks?code=false`, { headers: basic }));
    expect(hooks.parameters).toEqual([]);
  });
});
