import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DeployError } from '../../lib/deployer/deploy-error.ts';
import { type DeployOptions, type DeployOutcome, deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { buildingHost } from './support/building-host.ts';
import { type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const BUILD = '#!/bin/bash\nset -e\necho built with $STAGE\nsed s/NAME/remote/ source.txt > made.js\n';
const FILES = {
  'lib/shared.js': '// shared\n',
  'packages/p/made/build.sh': BUILD,
  'packages/p/made/source.txt': "exports.main = () => ({ body: 'NAME' });\n",
  'packages/p/made/.include': 'made.js\n',
  'packages/p/made/node_modules/native/index.js': 'of another machine',
  'packages/p/plain.js': HELLO,
  'project.yml':
    'parameters: {a: 1}\npackages: [{name: p, functions: [{name: made, web: raw, environment: {WHO: me}, limits: {timeout: 5000}, triggers: [{name: night, type: scheduled, scheduledDetails: {cron: "0 3 * * *"}}]}]}]\n',
};

function deploy(
  host: RecordingHost,
  files: Readonly<Record<string, string>>,
  options: Partial<DeployOptions> = {},
): Promise<DeployOutcome> {
  const dir = tempProject(files);
  chmodSync(join(dir, 'packages/p/made/build.sh'), 0o755);
  return deployProject(readProject(dir, { env: {} }), host, { build: 'always', remoteBuild: true, ...options });
}

describe.skipIf(process.platform === 'win32')('a remote build', () => {
  it('sends the sources, lib and settings, and the host builds and puts', async () => {
    const host = await buildingHost();
    const lines: string[] = [];
    const outcome = await deploy(host, FILES, { buildEnv: { STAGE: 'test' }, onProgress: (line) => lines.push(line) });
    expect(outcome).toMatchObject({ failed: [], skipped: [], triggers: [{ name: 'night' }] });
    expect(outcome.deployed.map(({ name, kind, version }) => [name, kind, version])).toEqual([
      ['p/made', 'nodejs:24', '0.0.1'],
      ['p/plain', 'nodejs:24', '0.0.1'],
    ]);
    expect(host.put('actions/p/made')).toMatchObject({
      exec: { code: "exports.main = () => ({ body: 'remote' });\n", kind: 'nodejs:24' },
      parameters: [{ key: 'WHO', value: 'me', init: true }],
      limits: { timeout: 5000 },
      annotations: expect.arrayContaining([{ key: 'raw-http', value: true }]),
    });
    expect(host.put('packages/p').parameters).toEqual([{ key: 'a', value: 1 }]);
    expect(host.puts().filter((path) => path === 'packages/p')).toHaveLength(1);
    expect(host.slices[0]?.map((file) => file.name).sort()).toEqual([
      'lib/shared.js',
      'packages/p/made/.include',
      'packages/p/made/build.sh',
      'packages/p/made/source.txt',
      'project.yml',
    ]);
  });

  it('shows what the build printed, and keeps the key of the namespace out of it', async () => {
    const host = await buildingHost();
    const files = { ...FILES, 'packages/p/made/build.sh': `${BUILD}exit 3\n` };
    const lines: string[] = [];
    const { failed, deployed } = await deploy(host, files, { buildEnv: { STAGE: 'test' }, onProgress: (line) => lines.push(line) });
    expect(deployed.map((entry) => entry.name)).toEqual(['p/plain']);
    expect(failed).toEqual([
      { name: 'p/made', error: expect.stringMatching(/^the remote build did not deploy it: .*ended with 3:\nbuilt with test/s) },
    ]);
    const config = host.slices[0]?.find((file) => file.name === 'project.yml')?.content ?? '';
    expect(config).toContain(host.auth);
    expect(JSON.stringify([failed, lines])).not.toContain(host.auth);
  });

  it('is asked for by the function alone, or refused by it', async () => {
    const config = (key: string): string => `packages: [{name: p, functions: [{name: made, ${key}: true}]}]\n`;
    const asked = await buildingHost();
    expect((await deploy(asked, { ...FILES, 'project.yml': config('remoteBuild') }, { remoteBuild: false })).failed).toEqual([]);
    expect(asked.slices).toHaveLength(1);
    const refused = await buildingHost();
    expect((await deploy(refused, { ...FILES, 'project.yml': config('localBuild') })).failed).toEqual([]);
    expect(refused.slices).toHaveLength(0);
  });

  it('is not repeated by an incremental deployment while sources and settings are the same', async () => {
    const host = await buildingHost();
    await deploy(host, FILES);
    const again = await deploy(host, FILES, { incremental: true });
    expect(again.deployed.map(({ name, unchanged }) => [name, unchanged])).toEqual([
      ['p/made', true],
      ['p/plain', true],
    ]);
    const changed = await deploy(host, { ...FILES, 'lib/shared.js': '// other\n' }, { incremental: true });
    expect(changed.deployed.map(({ name, unchanged }) => [name, unchanged])).toEqual([
      ['p/made', false],
      ['p/plain', true],
    ]);
    expect(host.slices).toHaveLength(2);
  });

  it('takes what the platform answers for its failures', async () => {
    const crashed = await buildingHost({ answers: { error: 'The action exceeded its time limits of 120000 milliseconds.' } });
    expect((await deploy(crashed, FILES)).failed[0]?.error).toBe(
      'the remote build failed: The action exceeded its time limits of 120000 milliseconds.',
    );
    const mute = await buildingHost({ answers: { transcript: ['npm ERR!'], outcome: { failures: [{ context: "action 'p/made'" }] } } });
    expect((await deploy(mute, FILES)).failed[0]?.error).toBe("the remote build did not deploy it: action 'p/made'\nnpm ERR!");
  });

  it('of a host that does not build is a failure with a way out', async () => {
    const host = await recordingHost();
    const { failed, deployed } = await deploy(host, FILES);
    expect(deployed.map((entry) => entry.name)).toEqual(['p/plain']);
    expect(failed[0]?.error).toContain('the host does not build there (');
    expect(failed[0]?.error).toContain('build on this machine, without remote build');
  });
});

describe('a project that cannot be built on the host', () => {
  const remotely = (dir: string, host: RecordingHost): Promise<unknown> =>
    deployProject(readProject(dir, { env: {} }), host, { build: 'always', remoteBuild: true }).then(
      () => null,
      (error: unknown) => error,
    );

  it('is refused before anything is sent: this one uses its root', async () => {
    const host = await buildingHost();
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const project = readProject(root, { env: {}, config: 'packages: []\n' });
    const error = await deployProject(project, host, { build: 'always', remoteBuild: true }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DeployError);
    expect(error).toMatchObject({ code: 'unsupported' });
    expect(String(error)).toContain(
      'function tools/dns: its build (rollup -c ../../../build/rollup.config.js) uses build/rollup.config.js, and a remote build gets the function',
    );
    expect(host.puts()).toEqual([]);
  });

  it('is refused where a tool comes from above', async () => {
    const host = await buildingHost();
    const dir = tempProject({
      'packages/p/f/package.json': '{"scripts": {"build": "tool --all"}}',
      'packages/p/f/index.js': HELLO,
      'node_modules/.bin/tool': '',
    });
    expect(String(await remotely(dir, host))).toContain("runs tool of the project's root, which a remote build does not get");
    expect(host.puts()).toEqual([]);
  });
});
