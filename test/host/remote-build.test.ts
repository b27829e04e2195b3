import { execFile, spawn } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildSlice } from '../../lib/cli/start/build-slice.ts';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import type { RemoteBuilt, RemoteSlice } from '../../lib/host/start-host.ts';
import { addNamespace, apiToken, basic } from './support/account.ts';
import { isRunning } from './support/processes.ts';
import { type Reply, type TestHost, talkTo, tempDir, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

const builderPath = '/api/v1/namespaces/nimbella/actions/builder';

async function invokeBuilder(host: TestHost, action: string, body: object = {}): Promise<Reply> {
  const response = await fetch(`${host.url}${builderPath}/${action}`, {
    method: 'POST',
    headers: { authorization: basic(host.auth), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The result of a builder's call, waited for as clients do. */
async function resultOf(host: TestHost, { status, body }: Reply) {
  expect(status).toBe(202);
  await expect.poll(async () => (await host.api('GET', `activations/${body.activationId}`)).status, { timeout: 30_000 }).toBe(200);
  return (await host.activation(body.activationId)).response;
}

async function upload(host: TestHost, content: Buffer): Promise<string> {
  const { result } = await resultOf(host, await invokeBuilder(host, 'getUploadUrl', { action: 'p_f' }));
  const { url, sliceName } = result as { readonly url: string; readonly sliceName: string };
  expect((await fetch(url, { method: 'PUT', body: new Uint8Array(content) })).status).toBe(200);
  return sliceName;
}

function projectYml(extra: object = {}): string {
  return JSON.stringify({ slice: true, packages: [{ name: 'p', functions: [{ name: 'f', runtime: 'nodejs:24' }] }], ...extra });
}

const sources = {
  'packages/p/f/build.sh': { content: 'echo "exports.main = () => ({ body: \'built\' })" > index.js; echo building', mode: 0o100755 },
  'packages/p/f/.include': 'index.js',
};

describe('a remote build', () => {
  test('builds what was sent and deploys it into the namespace of the sender', async () => {
    const host = await testHost({ apiToken, remoteBuild: buildSlice });
    const other = await addNamespace(host, 'other');
    const toBuild = await upload(other, await zip({ 'project.yml': projectYml(), ...sources }));
    const { success, result } = await resultOf(other, await invokeBuilder(other, 'build_nodejs_24', { toBuild }));
    expect([success, result]).toMatchObject([
      true,
      { transcript: expect.any(Array), outcome: { successes: [{ name: 'p/f' }], failures: [], namespace: other.namespace } },
    ]);
    expect(await (await other.web('p/f')).text()).toBe('built');
    expect((await host.web('p/f')).status).toBe(404);
    expect(readdirSync(join(host.dataDir, 'slices'))).toEqual([]);
  });

  test('reads an encrypted project.yml, and goes by the key it came with, not by the credentials in it', async () => {
    const host = await testHost({ apiToken, remoteBuild: buildSlice });
    const other = await addNamespace(host, 'other');
    const key = randomBytes(32);
    const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(16));
    const credentials = { namespace: host.namespace, ow: { apihost: host.url, api_key: host.auth } };
    const encrypted = cipher.update(projectYml({ credentials, flags: {} }), 'utf8', 'hex') + cipher.final('hex');
    const slice = await zip({ 'project.yml': encrypted, ...sources });
    const inputs = { toBuild: await upload(other, slice), encryptionKey: key.toString('hex') };
    expect((await resultOf(other, await invokeBuilder(other, 'build_nodejs_24', inputs))).success).toBe(true);
    expect([(await other.web('p/f')).status, (await host.web('p/f')).status]).toEqual([200, 404]);
    const wrong = { toBuild: await upload(other, slice), encryptionKey: randomBytes(32).toString('hex') };
    const refused = await resultOf(other, await invokeBuilder(other, 'build_nodejs_24', wrong));
    expect(refused).toMatchObject({ success: false, result: { error: expect.stringContaining('cannot be read with this encryptionKey') } });
  });

  test('has no activation until it has ended: who asks is told that there is none, who waits is answered its id', async () => {
    let end: (built: RemoteBuilt) => void = () => {};
    const building = new Promise<RemoteBuilt>((resolve) => (end = resolve));
    const host = await testHost({ answerWaitMs: 200, remoteBuild: () => building });
    const toBuild = await upload(host, await zip({ 'project.yml': projectYml() }));
    const call = await invokeBuilder(host, 'build_nodejs_24?blocking=true', { toBuild });
    expect([call.status, Object.keys(call.body)]).toEqual([202, ['activationId']]);
    const { activationId } = call.body;
    for (const path of ['', '/result', '/logs'])
      expect((await host.api('GET', `activations/${activationId}${path}`)).status, path).toBe(404);
    const names = async () => (await host.api('GET', 'activations')).body.map(({ name }: { readonly name: string }) => name);
    expect(await names()).toEqual(['getUploadUrl']);
    end({ transcript: ['done'], outcome: { successes: [], failures: [] } });
    expect(await resultOf(host, call)).toMatchObject({ success: true, result: { transcript: ['done'] } });
    expect((await names()).sort()).toEqual(['build_nodejs_24', 'getUploadUrl']);
    expect((await host.api('GET', `activations/${activationId}/result`)).body).toMatchObject({ result: { transcript: ['done'] } });
  });

  test('that fails says why, and keeps the old version', async () => {
    const host = await testHost({ remoteBuild: buildSlice });
    await host.deploy('p/f', 'exports.main = () => ({ body: "old" })');
    const broken = { ...sources, 'packages/p/f/build.sh': { content: 'echo the reason; exit 3', mode: 0o100755 } };
    const toBuild = await upload(host, await zip({ 'project.yml': projectYml(), ...broken }));
    const { result } = await resultOf(host, await invokeBuilder(host, 'build_nodejs_24', { toBuild }));
    expect(result).toMatchObject({ outcome: { successes: [], failures: [{ message: expect.stringContaining('the reason') }] } });
    expect(await (await host.web('p/f')).text()).toBe('old');
  });

  test('is ended with everything it started when its time is over', async () => {
    const timeUp = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const clock = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === 120_000 ? timeUp.signal : timeout(ms)));
    onTestFinished(() => clock.mockRestore());
    const host = await testHost({ remoteBuild: buildSlice });
    const note = join(tempDir(), 'pid');
    const endless = {
      ...sources,
      'packages/p/f/build.sh': { content: `sleep 600 & echo $! > ${note}.new; mv ${note}.new ${note}; wait`, mode: 0o100755 },
    };
    const toBuild = await upload(host, await zip({ 'project.yml': projectYml(), ...endless }));
    const call = await invokeBuilder(host, 'build_nodejs_24', { toBuild });
    await expect.poll(() => existsSync(note), { timeout: 10_000 }).toBe(true);
    timeUp.abort();
    expect(await resultOf(host, call)).toMatchObject({ success: false, result: { error: 'the build was ended: it may take 120 seconds' } });
    await expect.poll(() => isRunning(Number(readFileSync(note, 'utf8')))).toBe(false);
  });

  test('is ended by the next start of a host that was killed', async () => {
    const dataDir = tempDir();
    const program = fileURLToPath(new URL('./support/building-host.ts', import.meta.url));
    const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const gone = once(child, 'exit');
    const [line] = await once(child.stdout, 'data');
    const host = talkTo(JSON.parse(String(line)), dataDir);
    const note = join(tempDir(), 'pid');
    const script = `setsid sleep 600 & echo $! $$ > ${note}.new; mv ${note}.new ${note}; wait`;
    const endless = { ...sources, 'packages/p/f/build.sh': { content: script, mode: 0o100755 } };
    await invokeBuilder(host, 'build_nodejs_24', { toBuild: await upload(host, await zip({ 'project.yml': projectYml(), ...endless })) });
    await expect.poll(() => existsSync(note), { timeout: 10_000 }).toBe(true);
    child.kill('SIGKILL');
    await gone;
    const pids = readFileSync(note, 'utf8').split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await testHost({ dataDir });
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test('is ended with the host, and its directory removed', async () => {
    let slice: RemoteSlice | undefined;
    const ended = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    const host = await testHost({
      remoteBuild: async (given) => {
        slice = given;
        await ended(given.signal);
        return { transcript: [], outcome: {} };
      },
    });
    const toBuild = await upload(host, await zip({ 'project.yml': projectYml() }));
    await invokeBuilder(host, 'build_nodejs_24', { toBuild });
    await expect.poll(() => slice).toBeDefined();
    expect(existsSync(join(slice?.dir ?? '', 'project.yml'))).toBe(true);
    await host.close();
    expect([slice?.signal.aborted, existsSync(slice?.dir ?? '')]).toEqual([true, false]);
  });

  test('with more output than a record keeps still tells its outcome and the end of what it printed', async () => {
    const transcript = Array.from({ length: 5000 }, (_, line) => `line ${line} of what the build printed`);
    const host = await testHost({ remoteBuild: async () => ({ transcript, outcome: { successes: [{ name: 'p/f' }] } }) });
    const toBuild = await upload(host, await zip({ 'project.yml': projectYml() }));
    const { result } = await resultOf(host, await invokeBuilder(host, 'build_nodejs_24', { toBuild }));
    const kept = result as { readonly transcript: readonly string[]; readonly outcome: object };
    expect(kept.outcome).toEqual({ successes: [{ name: 'p/f' }] });
    expect(kept.transcript.length).toBeGreaterThan(1000);
    expect(kept.transcript).toEqual(transcript.slice(-kept.transcript.length));
  });
});

describe('an upload address', () => {
  test('is good for one upload, of one size, by PUT', async () => {
    const host = await testHost({ remoteBuild: buildSlice });
    const address = async () => {
      const { result } = await resultOf(host, await invokeBuilder(host, 'getUploadUrl', { action: 'p_f' }));
      return (result as { readonly url: string }).url;
    };
    const url = await address();
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(404);
    const tooLarge = await fetch(await address(), { method: 'PUT', body: new Uint8Array(64 * 1024 * 1024 + 1) });
    expect(tooLarge.status).toBe(413);
    expect((await fetch(`${host.url}/_local/slices/guessed`, { method: 'PUT', body: 'x' })).status).toBe(404);
  });

  test('is not granted without end', async () => {
    const host = await testHost({ remoteBuild: buildSlice });
    for (let i = 0; i < 20; i += 1) await invokeBuilder(host, 'getUploadUrl');
    const { result } = await resultOf(host, await invokeBuilder(host, 'getUploadUrl'));
    expect(result).toEqual({ error: '20 remote builds are under way: wait until one has ended' });
  });
});

describe('a slice', () => {
  test('is built once, and only for who sent it', async () => {
    const host = await testHost({ apiToken, remoteBuild: buildSlice });
    const other = await addNamespace(host, 'other');
    const toBuild = await upload(host, await zip({ 'project.yml': projectYml(), ...sources }));
    const build = async (as: TestHost) => resultOf(as, await invokeBuilder(as, 'build_nodejs_24', { toBuild }));
    const refused = { success: false, result: { error: expect.stringContaining('there is no slice') } };
    expect(await build(other)).toMatchObject(refused);
    expect((await build(host)).success).toBe(true);
    expect(await build(host)).toMatchObject(refused);
  });

  test.each([
    ['that is no zip', async () => Buffer.from('nothing'), /the slice is not a zip that can be unpacked/],
    ['that climbs', () => zip({ '../../evil': 'x' }), /the slice is not a zip that can be unpacked/],
    ['without a project.yml', () => zip({ 'packages/p/f/index.js': 'x' }), /the slice has no project.yml/],
  ])('%s is refused', async (_what, content, message) => {
    const host = await testHost({ remoteBuild: buildSlice });
    const toBuild = await upload(host, await content());
    const { success, result } = await resultOf(host, await invokeBuilder(host, 'build_nodejs_24', { toBuild }));
    expect([success, result]).toEqual([false, { error: expect.stringMatching(message) }]);
  });

  test('needs a builder of its kind, and a host that builds', async () => {
    const building = await testHost({ remoteBuild: buildSlice });
    expect((await invokeBuilder(building, 'build_python_3', {})).status).toBe(404);
    expect((await invokeBuilder(building, 'build_nodejs_99', {})).status).toBe(404);
    const { status, body } = await invokeBuilder(await testHost(), 'getUploadUrl');
    expect([status, body.error]).toEqual([404, 'This host does not build: it was started without a builder. Build on your own machine.']);
  });
});

describe('clients', () => {
  /** A project whose one function is made by its build. */
  function projectDir(): string {
    const dir = tempDir();
    const files = {
      'project.yml': 'packages:\n  - name: p\n    functions:\n      - name: f\n        runtime: nodejs:24\n',
      'packages/p/f/build.sh': '#!/bin/sh\ncat ../../../lib/greeting.js > index.js\n',
      'packages/p/f/.include': 'index.js\n',
      'lib/greeting.js': 'exports.main = () => ({ body: "built over there" })\n',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
    }
    return dir;
  }

  test("this project's deployer has its functions built there", async () => {
    const host = await testHost({ remoteBuild: buildSlice });
    const dir = projectDir();
    const target = { apihost: host.url, auth: host.auth };
    const outcome = await deployProject(readProject(dir), target, { build: 'always', remoteBuild: true });
    expect([outcome.deployed.map(({ name }) => name), outcome.failed]).toEqual([['p/f'], []]);
    expect(await (await host.web('p/f')).text()).toBe('built over there');
    expect(existsSync(join(dir, 'packages/p/f/index.js'))).toBe(false);
  });

  test("the platform's public deployer too", async () => {
    const host = await testHost({ remoteBuild: buildSlice });
    const dir = projectDir();
    const program = fileURLToPath(new URL('../support/nimbella-deploy.mjs', import.meta.url));
    const env = { PATH: process.env.PATH, HOME: tempDir(), NIMBELLA_DIR: host.dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, [program, dir, '--remote-build'], { env });
    expect(JSON.parse(stdout)).toEqual({ successes: ['p/f'], failures: [] });
    expect(await (await host.web('p/f')).text()).toBe('built over there');
    expect(existsSync(join(dir, 'packages/p/f/index.js'))).toBe(false);
  });
});
