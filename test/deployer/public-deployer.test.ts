import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { runServerless } from '../cli/support/run-serverless.ts';
import { tempDir } from '../host/support/test-host.ts';
import { answersOf, copyFixture, deployPublicly } from './support/deploy-publicly.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

async function hostForTest(): Promise<{ readonly host: Host; readonly dataDir: string }> {
  const dataDir = tempDir();
  const host = await startHost({ dataDir });
  onTestFinished(() => host.close());
  return { host, dataDir };
}

describe.skipIf(process.platform === 'win32')('the public deployer', () => {
  it('deploys a project with functions of every shape', async () => {
    const dir = tempDir();
    copyFixture('shapes', dir);
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    const { host, dataDir } = await hostForTest();
    const { successes, failures } = await deployPublicly(dir, dataDir);
    expect(failures).toEqual([]);
    const names = ['module', 'plain', 'rollup', 'scripted', 'single'].map((name) => `shapes/${name}`);
    expect(successes).toEqual(expect.arrayContaining(names));
    expect(await answersOf(host, names)).toMatchObject({
      'shapes/module': { shape: 'module' },
      'shapes/plain': { words: 'read by a relative path' },
      'shapes/rollup': { shared: 'from lib' },
      'shapes/scripted': { shape: 'scripted' },
      'shapes/single': { greeting: 'hello' },
    });
  }, 120_000);

  it('deploys the example of nightly snapshots', async () => {
    const dir = tempDir();
    cpSync(join(ROOT, 'examples/nightly-snapshots'), dir, { recursive: true });
    const { host, dataDir } = await hostForTest();
    const outcome = await deployPublicly(dir, dataDir, { ROUTER_URL: 'http://127.0.0.1:1', ROUTER_TOKEN: 'dh_nightly' });
    expect(outcome).toEqual({ successes: ['automation/nightly-snapshots', 'every-night'], failures: [] });
    expect((await fetch(`${host.url}/api/v1/web/${host.namespace}/automation/nightly-snapshots`)).status, "it is nobody's page").toBe(404);
  }, 60_000);

  it('deploys this repository, and the router answers an MCP client', async () => {
    const dir = await cloneOfRepository();
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    writeFileSync(join(dir, 'settings.env'), `PLATFORM_API_URL=${emulator.url}\n`);
    const { host, dataDir } = await hostForTest();
    const { successes, failures } = await deployPublicly(dir, dataDir);
    expect(failures).toEqual([]);
    expect(successes.length).toBeGreaterThanOrEqual(9);

    const client = new Client({ name: 'deckhand-tests', version: '1.0.0' });
    const url = new URL(`${host.url}/api/v1/web/${host.namespace}/gateway/router/mcp`);
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${emulator.token}` } } }),
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(158);
    expect(await client.callTool({ name: 'account-get-information', arguments: {} })).toMatchObject({ isError: false });
  }, 180_000);
});

describe.skipIf(process.platform === 'win32')('the command line of this repository', () => {
  it('deploys it from a fresh clone, by the build rules alone', async () => {
    const dir = await cloneOfRepository();
    cpSync(join(dir, 'settings.env.example'), join(dir, 'settings.env'));
    const { host } = await hostForTest();
    const { code, out, err } = await runServerless({ cwd: dir }, 'deploy', '.', '--apihost', host.url, '--auth', host.auth, '-o', 'json');
    expect(code, err).toBe(0);
    const { deployed, skipped, failed } = JSON.parse(out);
    expect({ skipped, failed }).toEqual({ skipped: [], failed: [] });
    expect(deployed.map(({ name }: { readonly name: string }) => name)).toEqual(expect.arrayContaining(['gateway/router', 'tools/dns']));
    expect((await fetch(`${host.url}/api/v1/web/${host.namespace}/gateway/router/health`)).status).toBe(200);
  }, 180_000);
});

/** What git has of this repository, with the packages installed at its root as one `npm ci` leaves them. */
async function cloneOfRepository(): Promise<string> {
  const dir = tempDir();
  const { stdout } = await run(
    'git',
    ['ls-files', '-z', '--', 'packages', 'lib', 'build', '*.json', '*.yml', '.include', 'settings.env.example'],
    {
      cwd: ROOT,
      maxBuffer: 16e6,
    },
  );
  for (const file of stdout.split('\0').filter((name) => name !== '' && !name.startsWith('test/')))
    cpSync(join(ROOT, file), join(dir, file));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  return dir;
}
