import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DeployOutcome, deployProject } from '../../lib/deployer/deploy-project.ts';
import type { Target } from '../../lib/deployer/functions-api.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type Host, startHost } from '../../lib/host/start-host.ts';
import { recordingHost } from './support/recording-host.ts';
import { unzip } from './support/unzip.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The fixture as someone would have cloned it, with the installed packages of this repository above its functions. */
function cloneOfShapes(): string {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-shapes-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(join(ROOT, 'test/fixtures/projects/shapes'), dir, {
    recursive: true,
    filter: (path) => !/(bundle\.js|node_modules|\/out)$/.test(path),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  return dir;
}

const NAMES = ['module', 'plain', 'rollup', 'scripted', 'secured', 'single'].map((name) => `shapes/${name}`);

function deployShapes(dir: string, target: Target, incremental: boolean): Promise<DeployOutcome> {
  return deployProject(readProject(dir, { env: {} }), target, { build: 'always', incremental });
}

describe.skipIf(process.platform === 'win32')('a project with functions of every shape', () => {
  it('is built and put, and what cannot run is named', async () => {
    const host = await recordingHost();
    const outcome = await deployShapes(cloneOfShapes(), host, false);
    expect(outcome.failed).toEqual([]);
    expect(outcome.deployed.map((entry) => entry.name)).toEqual(NAMES);
    expect(outcome.skipped).toEqual([{ name: 'shapes/typescript', reason: expect.stringContaining('TypeScript') }]);
    expect(host.put('actions/shapes/rollup').exec).toMatchObject({
      binary: false,
      code: expect.stringMatching(/from lib[\s\S]*exports\.main = /),
    });
    expect((await unzip(host.put('actions/shapes/plain').exec?.code ?? '')).map((file) => file.name)).toEqual([
      'data/words.txt',
      'index.js',
    ]);
    expect((await unzip(host.put('actions/shapes/module').exec?.code ?? '')).map((file) => file.name)).toEqual([
      'main.mjs',
      'package-lock.json',
      'package.json',
      'shape.mjs',
    ]);
  });

  it('is the same from two clones: nothing is put twice', async () => {
    const host = await recordingHost();
    await deployShapes(cloneOfShapes(), host, false);
    host.forgetRequests();
    const second = await deployShapes(cloneOfShapes(), host, true);
    expect(second.deployed.every((entry) => entry.unchanged)).toBe(true);
    expect(host.puts()).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a project on the functions host', () => {
  it('answers from every shape, and keeps its versions when nothing changes', async () => {
    const dir = cloneOfShapes();
    const host = await hostForTest();
    const target = { apihost: host.url, auth: host.auth };
    const first = await deployShapes(dir, target, true);
    expect(first.failed).toEqual([]);
    expect(await answers(first)).toEqual({
      'shapes/module': { shape: 'module' },
      'shapes/plain': { shape: 'plain', words: 'read by a relative path' },
      'shapes/rollup': { shape: 'rollup', shared: 'from lib', method: 'GET' },
      'shapes/scripted': { shape: 'scripted' },
      'shapes/secured': { shape: 'secured' },
      'shapes/single': { shape: 'single', greeting: 'hello', stage: 'test', note: 'from the env file' },
    });
    const second = await deployShapes(dir, target, true);
    expect(second.deployed.map(({ name, version, unchanged }) => [name, version, unchanged])).toEqual(
      NAMES.map((name) => [name, '0.0.1', true]),
    );
    writeFileSync(join(dir, 'packages/shapes/scripted/template.txt'), "exports.main = () => ({ body: { shape: 'SHAPE again' } });");
    const third = await deployShapes(dir, target, true);
    expect(third.deployed.filter((entry) => !entry.unchanged).map(({ name, version }) => [name, version])).toEqual([
      ['shapes/scripted', '0.0.2'],
    ]);
    expect((await answers(third))['shapes/scripted']).toEqual({ shape: 'scripted again' });
  });
});

async function hostForTest(): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-host-'));
  const host = await startHost({ dataDir });
  onTestFinished(async () => {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return host;
}

async function answers(outcome: DeployOutcome): Promise<Readonly<Record<string, unknown>>> {
  const read: Record<string, unknown> = {};
  for (const { name, url } of outcome.deployed) {
    const response = await fetch(url, { headers: { 'x-require-whisk-auth': 'open-sesame' } });
    read[name] = response.ok ? await response.json() : `${response.status} ${await response.text()}`;
  }
  return read;
}
