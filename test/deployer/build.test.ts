import { existsSync, readFileSync, utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DeployOptions, type DeployOutcome, deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject, writeFiles } from './support/temp-project.ts';
import { unzip } from './support/unzip.ts';

const F = 'packages/tools/hello';

function inFunction(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`${F}/${name}`, content]));
}

async function deploy(
  dir: string,
  host: RecordingHost,
  options: Partial<DeployOptions> = {},
): Promise<DeployOutcome & { readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const outcome = await deployProject(readProject(dir, { env: {} }), host, {
    build: 'always',
    onProgress: (line) => lines.push(line),
    ...options,
  });
  return { ...outcome, lines };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/**
 * A package.json whose build writes bundle.js from the greeting of the package `greeting`, a development dependency beside the function.
 */
const BUILT = inFunction({
  'package.json': JSON.stringify({
    name: 'hello',
    type: 'module',
    scripts: { build: 'node build.mjs' },
    devDependencies: { greeting: 'file:../../../greeting' },
  }),
  'build.mjs':
    "import { writeFileSync } from 'node:fs';\nimport greeting from 'greeting';\nwriteFileSync('bundle.js', 'exports.main = () => ({ body: ' + JSON.stringify(greeting) + ' });');\n",
  '.include': 'bundle.js\n',
});
const GREETING = {
  'greeting/package.json': JSON.stringify({ name: 'greeting', version: '1.0.0', type: 'module', main: 'index.js' }),
  'greeting/index.js': "export default 'hi';\n",
};

describe.skipIf(process.platform === 'win32')('a build', () => {
  it('installs with development dependencies and runs scripts.build', async () => {
    const host = await recordingHost();
    vi.stubEnv('NODE_ENV', 'production');
    const { failed, lines, deployed } = await deploy(tempProject({ ...BUILT, ...GREETING }), host);
    expect(failed).toEqual([]);
    expect(host.put('actions/tools/hello').exec?.code).toBe('exports.main = () => ({ body: "hi" });');
    expect(lines[0]).toBe('building tools/hello: npm install --include=dev && npm run build');
    expect(deployed[0]?.buildMs).toBeGreaterThan(0);
    expect(deployed[0]?.ms).toBeGreaterThanOrEqual(deployed[0]?.buildMs ?? Number.POSITIVE_INFINITY);
  });

  it('installs production dependencies alone without scripts.build, and takes them along', async () => {
    const manifest = {
      name: 'hello',
      main: 'index.js',
      dependencies: { greeting: 'file:../../../greeting' },
      devDependencies: { unwanted: 'file:../../../unwanted' },
    };
    const files = {
      ...inFunction({ 'package.json': JSON.stringify(manifest), 'index.js': HELLO }),
      ...GREETING,
      'unwanted/package.json': JSON.stringify({ name: 'unwanted', version: '1.0.0' }),
    };
    const host = await recordingHost();
    const { failed } = await deploy(tempProject(files), host);
    expect(failed).toEqual([]);
    const names = (await unzip(host.put('actions/tools/hello').exec?.code ?? '')).map((file) => file.name);
    expect(names).toContain('node_modules/greeting/index.js');
    expect(names).toContain('package.json');
    expect(names.some((name) => name.includes('unwanted/'))).toBe(false);
  });

  it('runs build.sh, whatever package.json says, and leaves the script out', async () => {
    const files = inFunction({
      'build.sh': 'echo "exports.main = () => ({ body: \\"$PWD\\" });" > index.js\n',
      'package.json': '{"scripts":{"build":"exit 9"}}',
      '.ignore': 'package.json\n',
    });
    const host = await recordingHost();
    const dir = tempProject(files);
    const { failed } = await deploy(dir, host);
    expect(failed).toEqual([]);
    expect(host.put('actions/tools/hello').exec).toMatchObject({ binary: false, code: expect.stringContaining('packages/tools/hello') });
  });

  it.each([
    [
      'a failing script',
      inFunction({ 'build.sh': 'echo to stdout; echo to stderr >&2; exit 7\n', 'index.js': HELLO }),
      /"\.\/build\.sh" in .*hello ended with 7:\nto stdout\nto stderr/,
    ],
    ['a silent script', inFunction({ 'build.sh': 'exit 3\n', 'index.js': HELLO }), /ended with 3:\n\(it printed nothing\)/],
    ['a script that is killed', inFunction({ 'build.sh': 'kill -9 $$\n', 'index.js': HELLO }), /ended with (137|SIGKILL)/],
    [
      'a failing npm script',
      inFunction({ 'package.json': '{"scripts":{"build":"echo broken rollup; exit 4"}}', '.include': 'bundle.js\n' }),
      /"npm run build" in .*hello ended with 4:\n.*broken rollup/s,
    ],
    [
      'npm that cannot install',
      inFunction({ 'package.json': '{"dependencies":{"x":"file:../nowhere/at/all.tgz"}}', 'index.js': HELLO }),
      /"npm install --omit=dev .*ended with \d+:\n.*npm error/s,
    ],
    [
      'a build that makes nothing',
      inFunction({ 'build.sh': 'true\n', '.include': 'bundle.js\n' }),
      /\.include:1 lists bundle\.js, which does not exist: the build \(\.\/build\.sh\) ended well without making it/,
    ],
  ])('that fails is shown with its output: %s', async (_, files, expected) => {
    const host = await recordingHost();
    const { failed, deployed, lines } = await deploy(tempProject({ ...files, 'packages/tools/good.js': HELLO }), host);
    expect(failed).toEqual([{ name: 'tools/hello', error: expect.stringMatching(expected) }]);
    expect(deployed.map((entry) => entry.name)).toEqual(['tools/good']);
    expect(lines, 'the reason is in the outcome').toContain('failed tools/hello');
  });

  it('with a command that is missing says where to get it', async () => {
    const files = inFunction({ 'package.json': '{"scripts":{"build":"no-such-bundler -c"}}', '.include': 'bundle.js\n' });
    const { failed } = await deploy(tempProject(files), await recordingHost());
    expect(failed[0]?.error).toMatch(
      /ended with 127:\n.*no-such-bundler.*\na command is missing: list its package under devDependencies, or run npm ci/s,
    );
  });

  it('without .include is deployed with its sources, and says so', async () => {
    const files = inFunction({ 'package.json': '{"scripts":{"build":"echo built > out.js"}}', 'index.js': HELLO });
    const host = await recordingHost();
    const { lines } = await deploy(tempProject(files), host);
    expect(lines).toContain('tools/hello: has no .include, so its sources and development dependencies are deployed beside what it builds');
    const names = (await unzip(host.put('actions/tools/hello').exec?.code ?? '')).map((file) => file.name);
    expect(names).toEqual(expect.arrayContaining(['index.js', 'out.js', 'package.json']));
  });

  it('shows the end of an output that is long', async () => {
    const files = inFunction({ 'build.sh': 'for i in $(seq 1 5000); do echo "line $i"; done; exit 1\n', 'index.js': HELLO });
    const { failed } = await deploy(tempProject(files), await recordingHost());
    expect(failed[0]?.error).toContain('line 5000');
    expect(failed[0]?.error.length).toBeLessThan(17_000);
  });

  it('explains dependencies that a workspace takes away', async () => {
    const files = {
      ...inFunction({ 'package.json': '{"name":"hello","dependencies":{"greeting":"1.0.0"}}', 'index.js': HELLO }),
      ...GREETING,
      'package.json': '{"name":"root","private":true,"workspaces":["packages/tools/hello","greeting"]}',
    };
    const { failed } = await deploy(tempProject(files), await recordingHost());
    expect(failed[0]?.error).toMatch(/npm install left greeting out of .*hello\/node_modules.*take the directory out of the npm workspace/);
  });

  it('sees a clean environment: what shells and npm need, the variables for builds, and no secret of the caller', async () => {
    vi.stubEnv('PLATFORM_API_TOKEN', 'secret');
    vi.stubEnv('npm_config_loglevel', 'silent');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.invalid');
    const dir = tempProject({
      ...inFunction({ 'build.sh': 'env > env.txt; command -v node > node.txt\n', 'index.js': HELLO, '.include': 'index.js\n' }),
      '.env': 'FROM_ENV_FILE=1\n',
    });
    await deploy(dir, await recordingHost(), { buildEnv: { STAGE: 'test' }, nodePath: '/opt/somewhere/bin/node' });
    const names = readFileSync(join(dir, F, 'env.txt'), 'utf8')
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'STAGE', 'HTTPS_PROXY']));
    for (const name of ['PLATFORM_API_TOKEN', 'npm_config_loglevel', 'NODE_OPTIONS', 'FROM_ENV_FILE', 'VITEST'])
      expect(names).not.toContain(name);
    expect(readFileSync(join(dir, F, 'env.txt'), 'utf8')).toMatch(/^PATH=\/opt\/somewhere\/bin:/m);
  });

  it('runs on the Node of this process unless told otherwise', async () => {
    const dir = tempProject(
      inFunction({ 'build.sh': 'node -p process.execPath > node.txt\n', 'index.js': HELLO, '.include': 'index.js\n' }),
    );
    await deploy(dir, await recordingHost());
    expect(readFileSync(join(dir, F, 'node.txt'), 'utf8').trim()).toBe(process.execPath);
  });

  it('is not run with build: never, which takes what is there', async () => {
    const dir = tempProject({ ...BUILT, ...GREETING, 'lib/build.sh': 'touch built\n' });
    const host = await recordingHost();
    const first = await deploy(dir, host, { build: 'never' });
    expect(first.failed[0]?.error).toContain('build it first: (cd packages/tools/hello && npm install --include=dev && npm run build)');
    writeFiles(dir, { [`${F}/bundle.js`]: HELLO });
    expect((await deploy(dir, host, { build: 'never' })).failed).toEqual([]);
    expect(host.put('actions/tools/hello').exec?.code).toBe(HELLO);
    expect(existsSync(join(dir, F, 'node_modules'))).toBe(false);
    expect(existsSync(join(dir, 'lib/built'))).toBe(false);
  });

  it('ends with everything it started when it is told to', async () => {
    const dir = tempProject(inFunction({ 'build.sh': '#!/bin/bash\nsleep 1000 &\ntouch started\nwait\n' }));
    const controller = new AbortController();
    const watcher = watch(join(dir, F), () => {
      if (existsSync(join(dir, F, 'started'))) controller.abort();
    });
    onTestFinished(() => watcher.close());
    // What it left running would hold its output open, and the deployment with it.
    const { failed } = await deploy(dir, await recordingHost(), { signal: controller.signal });
    expect(failed[0]?.error).toContain('"./build.sh" in');
    expect(failed[0]?.error).toContain('ended with its time was over');
  });

  it('of a skipped function is not run', async () => {
    const dir = tempProject(inFunction({ '__main__.py': '', 'build.sh': 'touch built\n' }));
    const { skipped } = await deploy(dir, await recordingHost());
    expect(skipped).toEqual([{ name: 'tools/hello', reason: 'Python: only Node.js functions are deployed' }]);
    expect(existsSync(join(dir, F, 'built'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('the lib of a project', () => {
  const usesLib = inFunction({ 'build.sh': 'cp ../../../lib/made.js index.js\n' });

  it.each([
    ['build.sh', { 'lib/build.sh': 'echo "exports.main = () => ({});" > made.js\n' }],
    ['package.json', { 'lib/package.json': '{"scripts":{"build":"echo \'exports.main = () => ({});\' > made.js"}}' }],
  ])('is built before the functions by its %s', async (_, lib) => {
    const host = await recordingHost();
    const { failed, lines } = await deploy(tempProject({ ...usesLib, ...lib }), host);
    expect(failed).toEqual([]);
    expect(lines[0]).toMatch(/^building lib: /);
    expect(host.put('actions/tools/hello').exec?.code.trim()).toBe('exports.main = () => ({});');
  });

  it('stops the deployment when it does not build, before anything is put', async () => {
    const host = await recordingHost();
    const dir = tempProject({ ...usesLib, 'lib/build.sh': 'echo no compiler; exit 2\n' });
    await expect(deploy(dir, host)).rejects.toThrow(/"\.\/build\.sh" in .*lib ended with 2:\nno compiler/);
    expect(host.puts()).toEqual([]);
  });

  it('is left alone when every function is a single file', async () => {
    const dir = tempProject({ 'packages/tools/hello.js': HELLO, 'lib/build.sh': 'touch built\n' });
    await deploy(dir, await recordingHost());
    expect(existsSync(join(dir, 'lib/built'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('an incremental deployment', () => {
  const builds = (lines: readonly string[]): readonly string[] => lines.filter((line) => /^(not built again|building)/.test(line));

  it('runs a script again until it leaves .built behind', async () => {
    const script = '#!/bin/bash\necho "exports.main = () => ({ body: 1 });" > index.js\n';
    const dir = tempProject(inFunction({ 'build.sh': script, '.include': 'index.js' }));
    const host = await recordingHost();
    for (const _ of [1, 2]) {
      expect(builds((await deploy(dir, host, { incremental: true })).lines)).toEqual(['building tools/hello: ./build.sh']);
    }
    writeFiles(dir, inFunction({ '.built': '' }));
    expect(builds((await deploy(dir, host, { incremental: true })).lines)).toEqual(['not built again tools/hello: it has .built']);
    expect(builds((await deploy(dir, host)).lines)).toEqual(['building tools/hello: ./build.sh']);
  });

  it('installs again only when package.json is newer than what is installed', async () => {
    const manifest = JSON.stringify({ dependencies: { local: 'file:./local' } });
    const local = { 'local/package.json': '{"name": "local", "version": "1.0.0"}', 'local/index.js': '' };
    const dir = tempProject(inFunction({ 'package.json': manifest, 'index.js': HELLO, ...local }));
    const host = await recordingHost();
    const first = await deploy(dir, host, { incremental: true });
    expect(first.failed).toEqual([]);
    expect(builds(first.lines)).toEqual(['building tools/hello: npm install --omit=dev']);
    const again = 'not built again tools/hello: its packages are newer than package.json';
    expect(builds((await deploy(dir, host, { incremental: true })).lines)).toEqual([again]);
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(dir, F, 'package.json'), later, later);
    expect(builds((await deploy(dir, host, { incremental: true })).lines)).toEqual(['building tools/hello: npm install --omit=dev']);
  });

  it('runs a build script again until it leaves .built behind', async () => {
    const dir = tempProject(BUILT);
    const host = await recordingHost();
    await deploy(dir, host, { incremental: true });
    expect(builds((await deploy(dir, host, { incremental: true })).lines)).toEqual([
      'building tools/hello: npm install --include=dev && npm run build',
    ]);
    writeFiles(dir, inFunction({ '.built': '' }));
    expect(builds((await deploy(dir, host, { incremental: true })).lines)).toEqual([
      'not built again tools/hello: it has .built, and its packages are newer than package.json',
    ]);
  });
});
