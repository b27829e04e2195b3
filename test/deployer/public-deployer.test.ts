import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { runServerless } from '../cli/support/run-serverless.ts';
import { registryProblem } from './support/registry-problem.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPLOYER = join(ROOT, 'test/support/nimbella-deploy.mjs');
const run = promisify(execFile);

interface Outcome {
  readonly successes: readonly string[];
  readonly failures: readonly string[];
}

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-public-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function cloneOf(fixture: string): string {
  const dir = tempDir();
  cpSync(join(ROOT, 'test/fixtures/projects', fixture), dir, {
    recursive: true,
    filter: (path) => !/\/(node_modules|bundle\.js|out|package-lock\.json)$/.test(path),
  });
  return dir;
}

async function hostForTest(): Promise<{ readonly host: Host; readonly dataDir: string }> {
  const dataDir = tempDir();
  const host = await startHost({ dataDir });
  onTestFinished(() => host.close());
  return { host, dataDir };
}

/** Deploys with the public deployer, which finds the credentials that the host keeps in its data directory. */
async function deployPublicly(dir: string, dataDir: string, variables: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const env = { ...process.env, ...variables, NIMBELLA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [DEPLOYER, dir], { env, maxBuffer: 16e6 });
  // The program prints this and nothing else.
  return JSON.parse(stdout) as Outcome;
}

async function answersOf(host: Host, names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const answers = names.map(async (name) => {
    const answer = await fetch(`${host.url}/api/v1/web/${host.namespace}/${name}?title=Hello+You`);
    return [name, answer.ok ? await answer.json() : answer.status] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

const EXAMPLES = ['plain', 'rollup', 'webpack', 'parcel'];

describe.skipIf(process.platform === 'win32')("the specification's example shapes, built with the real bundlers", () => {
  it('answer alike when deployed from here and by the public deployer', async (context) => {
    const problem = await registryProblem();
    if (problem !== null) return context.skip(problem);
    const dir = cloneOf('bundlers');
    const expected = Object.fromEntries(
      EXAMPLES.map((example) => [
        `examples/${example}`,
        { example, slug: 'Hello-You', ...(example === 'plain' && { note: 'an included file' }) },
      ]),
    );
    const ours = await hostForTest();
    const target = { apihost: ours.host.url, auth: ours.host.auth };
    const outcome = await deployProject(readProject(dir, { env: {} }), target, { build: 'always' });
    expect(outcome).toMatchObject({ failed: [], skipped: [] });
    expect(await answersOf(ours.host, Object.keys(expected))).toEqual(expected);

    const theirs = await hostForTest();
    const { successes, failures } = await deployPublicly(dir, theirs.dataDir);
    expect(failures).toEqual([]);
    expect(successes.toSorted()).toEqual(Object.keys(expected).toSorted());
    expect(await answersOf(theirs.host, Object.keys(expected))).toEqual(expected);
  }, 180_000);
});

describe.skipIf(process.platform === 'win32')('the public deployer', () => {
  it('deploys a project with functions of every shape', async () => {
    const dir = cloneOf('shapes');
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
