import { describe, expect, it } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

async function deployTo(
  host: RecordingHost,
  project: string,
  files: Readonly<Record<string, string>> = { 'packages/tools/hello.js': HELLO },
) {
  const dir = tempProject({ ...files, ...(project === '' ? {} : { 'project.yml': project }) });
  return { dir, ...(await deployProject(readProject(dir, { env: {} }), host, { build: 'always' })) };
}

const withFunction = (line: string): string => `packages: [{name: tools, functions: [{name: hello, ${line}}]}]\n`;

describe('the body of a function', () => {
  it('has all that is declared, and the environment as parameters for the start', async () => {
    const host = await recordingHost();
    const { dir, deployed } = await deployTo(
      host,
      withFunction(
        'runtime: "nodejs:22", main: handler, web: raw, webSecure: s3cret, parameters: {n: 1, o: {p: [2]}}, environment: {E: v}, annotations: {note: x}, limits: {timeout: 20000, memory: 512}',
      ),
    );
    expect(host.put('actions/tools/hello')).toEqual({
      annotations: [
        { key: 'note', value: 'x' },
        { key: 'final', value: true },
        { key: 'web-export', value: true },
        { key: 'raw-http', value: true },
        { key: 'require-whisk-auth', value: 's3cret' },
        { key: 'deployer', value: { user: expect.any(String), projectPath: dir, digest: deployed[0]?.digest, zipped: false } },
      ],
      parameters: [
        { key: 'n', value: 1 },
        { key: 'o', value: { p: [2] } },
        { key: 'E', value: 'v', init: true },
      ],
      exec: { code: HELLO, binary: false, kind: 'nodejs:22', main: 'handler' },
      limits: { timeout: 20000, memory: 512 },
    });
    expect(deployed[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has no more than that where nothing is declared', async () => {
    const host = await recordingHost({ kinds: ['nodejs:18', 'nodejs:22'] });
    await deployTo(host, '');
    const body = host.put('actions/tools/hello');
    expect(Object.keys(body).sort()).toEqual(['annotations', 'exec', 'parameters']);
    expect(body.exec).toEqual({ code: HELLO, binary: false, kind: 'nodejs:18' });
    expect(body.parameters).toEqual([]);
  });

  it.each([
    ['true', true, false, 'web'],
    ['raw', true, true, 'web'],
    ['false', false, false, 'namespaces'],
  ])('says who may call it: web: %s', async (web, exported, raw, segment) => {
    const host = await recordingHost();
    const { deployed } = await deployTo(host, withFunction(`web: ${web}`));
    expect(host.put('actions/tools/hello').annotations).toEqual(
      expect.arrayContaining([
        { key: 'web-export', value: exported },
        { key: 'raw-http', value: raw },
        { key: 'require-whisk-auth', value: false },
      ]),
    );
    const path = segment === 'web' ? '/api/v1/web/fn-test/tools/hello' : '/api/v1/namespaces/fn-test/actions/tools/hello';
    expect(deployed[0]?.url).toBe(`${host.apihost}${path}`);
  });

  it('takes back limits, parameters and annotations that are no longer declared', async () => {
    const host = await recordingHost();
    await deployTo(host, withFunction('limits: {timeout: 9000, logs: 1}, parameters: {a: 1}, annotations: {note: x}'));
    await deployTo(host, withFunction('limits: {memory: 512}'));
    expect(host.put('actions/tools/hello')).toMatchObject({ limits: { timeout: 3000, logs: 16, memory: 512 }, parameters: [] });
    expect(host.put('actions/tools/hello').annotations?.map((annotation) => annotation.key)).not.toContain('note');
  });

  it('goes to names of the default package, and to names that need escaping', async () => {
    const host = await recordingHost();
    const { deployed } = await deployTo(host, '', { 'packages/default/hello.js': HELLO, 'packages/my tools/a@b.js': HELLO });
    expect(host.puts()).toEqual(['packages/my%20tools', 'actions/hello', 'actions/my%20tools/a%40b']);
    expect(deployed.map(({ name, url }) => [name, url.replace(host.apihost, '')])).toEqual([
      ['hello', '/api/v1/web/fn-test/default/hello'],
      ['my tools/a@b', '/api/v1/web/fn-test/my%20tools/a%40b'],
    ]);
  });
});

describe('the body of a package', () => {
  it('has what project and package declare', async () => {
    const host = await recordingHost();
    const { dir } = await deployTo(
      host,
      'parameters: {a: 1}\nenvironment: {E: top}\npackages: [{name: tools, shared: true, parameters: {b: 2}, environment: {F: own}, annotations: {note: x}}]\n',
    );
    expect(host.put('packages/tools')).toEqual({
      parameters: [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
        { key: 'E', value: 'top', init: true },
        { key: 'F', value: 'own', init: true },
      ],
      annotations: [
        { key: 'note', value: 'x' },
        { key: 'deployer', value: { user: expect.any(String), projectPath: dir, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      ],
      publish: true,
    });
  });

  it('has the binding of a bound package', async () => {
    const host = await recordingHost();
    await deployTo(host, 'packages: [{name: bound, binding: {namespace: other, name: theirs}}]\n', {});
    expect(host.put('packages/bound')).toMatchObject({ binding: { namespace: 'other', name: 'theirs' }, publish: false });
  });
});

describe('an incremental deployment', () => {
  const files = { 'packages/tools/hello.js': HELLO, 'packages/tools/other/index.js': HELLO, 'packages/tools/other/data.txt': 'x' };

  async function again(host: RecordingHost, change: Readonly<Record<string, string>>): Promise<Readonly<Record<string, boolean>>> {
    const dir = tempProject({ ...files, ...change });
    host.forgetRequests();
    const { deployed } = await deployProject(readProject(dir, { env: {} }), host, { build: 'always', incremental: true });
    return Object.fromEntries(deployed.map((entry) => [entry.name, entry.unchanged]));
  }

  it('touches nothing when nothing has changed, wherever the project lies', async () => {
    const host = await recordingHost();
    const first = await deployTo(host, '', files);
    expect(await again(host, {})).toEqual({ 'tools/hello': true, 'tools/other': true });
    expect(host.puts()).toEqual([]);
    const third = await deployProject(readProject(tempProject(files), { env: {} }), host, { build: 'always', incremental: true });
    expect(third.deployed.map(({ version, digest }) => [version, digest])).toEqual(
      first.deployed.map(({ version, digest }) => [version, digest]),
    );
  });

  it.each([
    ['code', { 'packages/tools/hello.js': `${HELLO}// changed\n` }, ['actions/tools/hello']],
    ['a file of a zip', { 'packages/tools/other/data.txt': 'y' }, ['actions/tools/other']],
    ['a new file', { 'packages/tools/other/more.txt': '' }, ['actions/tools/other']],
    ['web', { 'project.yml': withFunction('web: raw') }, ['actions/tools/hello']],
    ['webSecure', { 'project.yml': withFunction('webSecure: x') }, ['actions/tools/hello']],
    ['the runtime', { 'project.yml': withFunction('runtime: "nodejs:22"') }, ['actions/tools/hello']],
    ['main', { 'project.yml': withFunction('main: other') }, ['actions/tools/hello']],
    ['a parameter', { 'project.yml': withFunction('parameters: {a: 1}') }, ['actions/tools/hello']],
    ['the environment', { 'project.yml': withFunction('environment: {A: b}') }, ['actions/tools/hello']],
    ['a limit', { 'project.yml': withFunction('limits: {timeout: 4000}') }, ['actions/tools/hello']],
    ['an annotation', { 'project.yml': withFunction('annotations: {a: 1}') }, ['actions/tools/hello']],
    ['a parameter of the package', { 'project.yml': 'packages: [{name: tools, parameters: {a: 1}}]\n' }, ['packages/tools']],
    ['the environment of the project', { 'project.yml': 'environment: {A: b}\n' }, ['packages/tools']],
    ['the order of keys alone', { 'project.yml': withFunction('limits: {}, parameters: {}') }, []],
  ])('puts what has changed and nothing else: %s', async (_, change, puts) => {
    const host = await recordingHost();
    await deployTo(host, '', files);
    await again(host, change);
    expect(host.puts()).toEqual(puts);
  });

  it('is right when the host has lost everything', async () => {
    const host = await recordingHost();
    await deployTo(host, '', files);
    host.forget();
    expect(await again(host, {})).toEqual({ 'tools/hello': false, 'tools/other': false });
    expect(host.puts()).toEqual(['packages/tools', 'actions/tools/hello', 'actions/tools/other']);
  });

  it('is asked for: without it everything is put', async () => {
    const host = await recordingHost();
    await deployTo(host, '', files);
    const second = await deployTo(host, '', files);
    expect(second.deployed.map(({ version, unchanged }) => [version, unchanged])).toEqual([
      ['0.0.2', false],
      ['0.0.2', false],
    ]);
  });
});
