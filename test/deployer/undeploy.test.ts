import { describe, expect, it } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { undeploy, undeployAll, undeployProject } from '../../lib/deployer/undeploy.ts';
import { type HostSettings, type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const CONFIG =
  'packages: [{name: a, functions: [{name: x, triggers: [{name: night, type: scheduled, scheduledDetails: {cron: "0 3 * * *"}}]}]}]\n';
const FILES = { 'packages/a/x.js': HELLO, 'packages/a/y.js': HELLO, 'packages/b/z.js': HELLO, 'packages/default/d.js': HELLO };

function project(files: Readonly<Record<string, string>> = { ...FILES, 'project.yml': CONFIG }) {
  return readProject(tempProject(files), { env: {} });
}

async function deployed(settings: HostSettings = {}): Promise<RecordingHost> {
  const host = await recordingHost(settings);
  await deployProject(project(), host, { build: 'always' });
  host.forgetRequests();
  return host;
}

const removals = (host: RecordingHost): readonly string[] =>
  host.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path.replace(/^.*\/namespaces\/[^/]+\//, ''));

describe('undeploying by name', () => {
  it('takes a function off after its triggers', async () => {
    const host = await deployed();
    const outcome = await undeploy({ functions: ['a/x', 'default/d'] }, host);
    expect(removals(host)).toEqual(['triggers/night', 'actions/a/x', 'actions/d']);
    expect(outcome).toEqual({
      namespace: 'fn-test',
      removed: [
        { type: 'trigger', name: 'night' },
        { type: 'function', name: 'a/x' },
        { type: 'function', name: 'default/d' },
      ],
      kept: [],
      failed: [],
    });
  });

  it('takes a package off with all of its functions, and a trigger alone', async () => {
    const host = await deployed();
    await undeploy({ triggers: ['night'], packages: ['a'] }, host);
    expect(removals(host)).toEqual(['triggers/night', 'actions/a/x', 'actions/a/y', 'packages/a']);
  });

  it('says what is not there, with the nearest name, and does the rest', async () => {
    const host = await deployed();
    const outcome = await undeploy({ functions: ['a/xx', 'b/z'], packages: ['none'], triggers: ['nigth'] }, host);
    expect(outcome.removed).toEqual([{ type: 'function', name: 'b/z' }]);
    expect(outcome.failed).toEqual([
      { name: 'trigger nigth', error: 'there is no trigger nigth in namespace fn-test; did you mean "night"?' },
      { name: 'a/xx', error: 'there is no function a/xx in namespace fn-test; did you mean "a/x"?' },
      { name: 'none', error: 'there is no package none in namespace fn-test' },
    ]);
  });

  it('keeps a function whose trigger cannot go, and its package', async () => {
    let isReady = false;
    const host = await deployed({ refuse: (method, path) => (isReady && method === 'DELETE' && path.includes('/triggers/') ? 500 : null) });
    isReady = true;
    const outcome = await undeploy({ packages: ['a'] }, host);
    expect(outcome.removed).toEqual([{ type: 'function', name: 'a/y' }]);
    expect(outcome.failed.map((failed) => failed.name)).toEqual(['a/x']);
    expect(removals(host)).not.toContain('packages/a');
  });
});

describe('undeploying', () => {
  it('a project takes off its functions and triggers, and packages that hold nothing else', async () => {
    const host = await deployed();
    const outcome = await undeployProject(
      project({ 'packages/a/x.js': HELLO, 'packages/b/z.js': HELLO, 'packages/b/new.js': HELLO }),
      host,
    );
    expect(removals(host)).toEqual(['triggers/night', 'actions/a/x', 'actions/b/z', 'packages/b']);
    expect(outcome.kept).toEqual(['a']);
    expect(outcome.failed).toEqual([]);
  });

  it('everything leaves the namespace empty', async () => {
    const host = await deployed();
    const outcome = await undeployAll(host);
    expect(outcome.failed).toEqual([]);
    expect(outcome.removed.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
      'function a/x',
      'function a/y',
      'function b/z',
      'function d',
      'package a',
      'package b',
      'trigger night',
    ]);
    expect((await undeployAll(host)).removed).toEqual([]);
  });
});
