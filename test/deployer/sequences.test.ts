import { describe, expect, it } from 'vitest';
import { type DeployOutcome, deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { problemsOf } from './support/problems-of.ts';
import { type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const FILES = { 'packages/p/one.js': HELLO, 'packages/default/two.js': HELLO };

function deploy(host: RecordingHost, functions: string, incremental = false): Promise<DeployOutcome> {
  const project = readProject(tempProject({ ...FILES, 'project.yml': `packages: [{name: p, functions: [${functions}]}]\n` }), { env: {} });
  return deployProject(project, host, { build: 'always', incremental });
}

describe('a sequence', () => {
  it('is put after what it runs, with full names', async () => {
    const host = await recordingHost();
    const outcome = await deploy(host, '{name: both, web: false, sequence: [p/one, two, /_/p/one, /fn-test/p/one]}');
    expect(host.puts()).toEqual(['packages/p', 'actions/two', 'actions/p/one', 'actions/p/both']);
    expect(host.put('actions/p/both').exec).toEqual({
      kind: 'sequence',
      components: ['/fn-test/p/one', '/fn-test/two', '/fn-test/p/one', '/fn-test/p/one'],
    });
    expect(outcome.deployed.at(-1)).toMatchObject({ name: 'p/both', kind: 'sequence', bytes: 0, version: '0.0.1' });
  });

  it('comes after the sequences it runs, whatever the order of their names', async () => {
    const host = await recordingHost();
    await deploy(host, '{name: a, sequence: [p/b, p/c]}, {name: b, sequence: [p/c]}, {name: c, sequence: [two]}');
    expect(host.puts().slice(-3)).toEqual(['actions/p/c', 'actions/p/b', 'actions/p/a']);
  });

  it('is left alone when nothing of it has changed', async () => {
    const host = await recordingHost();
    await deploy(host, '{name: both, sequence: [p/one, two]}');
    expect((await deploy(host, '{name: both, sequence: [p/one, two]}', true)).deployed.every((entry) => entry.unchanged)).toBe(true);
    const changed = await deploy(host, '{name: both, sequence: [two, p/one]}', true);
    expect(changed.deployed.filter((entry) => !entry.unchanged).map((entry) => entry.name)).toEqual(['p/both']);
  });

  it('that the host refuses fails alone', async () => {
    const host = await recordingHost({ refuse: (method, path) => (method === 'PUT' && path.includes('both') ? 400 : null) });
    const outcome = await deploy(host, '{name: both, sequence: [p/one, two]}');
    expect(outcome.failed).toEqual([{ name: 'p/both', error: expect.stringContaining('the host answered 400') }]);
    expect(outcome.deployed).toHaveLength(2);
  });

  it('that comes back to itself is refused where the project is read', () => {
    const config = 'packages:\n  - name: p\n    functions:\n      - {name: a, sequence: [p/b]}\n      - {name: b, sequence: [two, p/a]}\n';
    expect(problemsOf({ ...FILES, 'project.yml': config })).toEqual([
      'project.yml:4: the sequences p/a -> p/b -> p/a run each other without end: break the circle',
    ]);
  });
});
