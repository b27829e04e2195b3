import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildSlice } from '../../lib/cli/start/build-slice.ts';
import { triggersApi } from '../../lib/deployer/api/triggers-api.ts';
import { type DeployOptions, deployProject } from '../../lib/deployer/deploy-project.ts';
import type { Target } from '../../lib/deployer/functions-api.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { undeployAll, undeployProject } from '../../lib/deployer/undeploy.ts';
import { startHost } from '../../lib/host/start-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

async function targetForTest(): Promise<Target & { readonly namespace: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  const host = await startHost({ dataDir, remoteBuild: buildSlice });
  onTestFinished(async () => {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { apihost: host.url, auth: host.auth, namespace: host.namespace };
}

const NIGHT = '{name: night, type: scheduled, scheduledDetails: {cron: "0 3 * * *", body: {deep: true}}}';
const FILES = {
  'project.yml': `packages: [{name: jobs, functions: [{name: nightly, triggers: [${NIGHT}]}]}]\n`,
  'packages/jobs/nightly.js': HELLO,
  'packages/jobs/made/build.sh': '#!/bin/bash\necho made here\necho "exports.main = () => ({ body: 1 });" > made.js\n',
  'packages/jobs/made/.include': 'made.js\n',
};

function deploy(target: Target, files: Readonly<Record<string, string>> = FILES, options: Partial<DeployOptions> = {}) {
  return deployProject(readProject(tempProject(files), { env: {} }), target, { build: 'always', ...options });
}

describe.skipIf(process.platform === 'win32')('on the functions host', () => {
  it('triggers come, stay, change and go with the project', async () => {
    const target = await targetForTest();
    const triggers = triggersApi(target.namespace, target);
    expect(await deploy(target)).toMatchObject({ failed: [], triggers: [{ name: 'night', unchanged: false }] });
    expect(await triggers?.list()).toEqual([
      { name: 'night', function: 'jobs/nightly', isEnabled: true, cron: '0 3 * * *', body: { deep: true } },
    ]);
    expect((await deploy(target, FILES, { incremental: true })).triggers).toMatchObject([{ unchanged: true }]);
    expect(await deploy(target, { ...FILES, 'project.yml': '{}\n' })).toMatchObject({ failed: [], removedTriggers: ['night'] });
    expect(await triggers?.list()).toEqual([]);
  });

  it('a remote build is built and deployed there', async () => {
    const target = await targetForTest();
    const lines: string[] = [];
    const outcome = await deploy(target, FILES, { remoteBuild: true, onProgress: (line) => lines.push(line) });
    expect(outcome.failed).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^sending jobs\/made to be built on the host: \d+ bytes$/));
    const made = outcome.deployed.find((entry) => entry.name === 'jobs/made');
    expect(await (await fetch(made?.url ?? '')).text()).toBe('1');
    const again = await deploy(target, FILES, { remoteBuild: true, incremental: true });
    expect(again.deployed.every((entry) => entry.unchanged)).toBe(true);
  });

  it('sequences come after what they run, stay and change with the project', async () => {
    const target = await targetForTest();
    const config = (sequence: string) =>
      `packages: [{name: jobs, functions: [{name: all, sequence: [jobs/both, jobs/made]}, {name: both, sequence: ${sequence}}]}]\n`;
    const first = await deploy(target, { ...FILES, 'project.yml': config('[jobs/nightly, /_/jobs/made]') });
    expect(first).toMatchObject({ failed: [] });
    const all = first.deployed.find((entry) => entry.name === 'jobs/all');
    expect(all).toMatchObject({ kind: 'sequence', version: '0.0.1' });
    expect(await (await fetch(all?.url ?? '')).text()).toBe('1');
    const again = await deploy(target, { ...FILES, 'project.yml': config('[jobs/made]') }, { incremental: true });
    expect(again.failed).toEqual([]);
    expect(again.deployed.filter((entry) => !entry.unchanged).map((entry) => entry.name)).toEqual(['jobs/both']);
  });

  it('what a project deployed goes with it, and everything leaves nothing', async () => {
    const target = await targetForTest();
    await deploy(target);
    await deploy(target, { 'packages/jobs/other.js': HELLO, 'packages/default/d.js': HELLO });
    const outcome = await undeployProject(readProject(tempProject(FILES), { env: {} }), target);
    expect(outcome.removed.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'function jobs/made',
      'trigger night',
      'function jobs/nightly',
    ]);
    expect(outcome.kept).toEqual(['jobs']);
    expect((await undeployAll(target)).removed.map(({ name }) => name).sort()).toEqual(['d', 'jobs', 'jobs/other']);
  });
});
