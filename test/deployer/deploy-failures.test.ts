import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { DeployError } from '../../lib/deployer/deploy-error.ts';
import { type DeployOutcome, deployProject } from '../../lib/deployer/deploy-project.ts';
import type { Target } from '../../lib/deployer/functions-api.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { KEY, type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

const FILES = { 'packages/a/x.js': HELLO, 'packages/a/y.js': HELLO, 'packages/b/z.js': HELLO };

function deploy(target: Target, files: Readonly<Record<string, string>> = FILES): Promise<DeployOutcome> {
  return deployProject(readProject(tempProject(files), { env: {} }), target, { build: 'always' });
}

async function errorOf(deployment: Promise<DeployOutcome>): Promise<DeployError> {
  const error = await deployment.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeployError)) throw new Error(`expected a DeployError, got ${error}`);
  return error;
}

describe('what fails for one', () => {
  it('stops no other function', async () => {
    const host = await recordingHost({ refuse: (method, path) => (method === 'PUT' && path.includes('/actions/a/x') ? 502 : null) });
    const outcome = await deploy(host);
    expect(outcome.deployed.map((entry) => entry.name)).toEqual(['a/y', 'b/z']);
    expect(outcome.failed).toEqual([
      { name: 'a/x', error: `${host.apihost}/api/v1/namespaces/_/actions/a/x?overwrite=true: the host answered 502: refused with 502` },
    ]);
  });

  it('of a package is told by its functions, and others go on', async () => {
    const host = await recordingHost({ refuse: (method, path) => (method === 'PUT' && path.includes('/packages/a') ? 409 : null) });
    const outcome = await deploy(host);
    expect(outcome.deployed.map((entry) => entry.name)).toEqual(['b/z']);
    expect(outcome.failed.map((failed) => failed.name)).toEqual(['a/x', 'a/y']);
    expect(outcome.failed[0]?.error).toMatch(/^its package a could not be put: .*the host answered 409: refused with 409$/);
    expect(host.puts()).not.toContain('actions/a/x');
  });

  it('of a package without functions is told by its name', async () => {
    const host = await recordingHost({ refuse: (method) => (method === 'PUT' ? 500 : null) });
    const outcome = await deploy(host, { 'project.yml': 'packages: [{name: bound, binding: {namespace: n, name: p}}]\n' });
    expect(outcome.failed.map((failed) => failed.name)).toEqual(['bound']);
  });

  it.each([
    [413, 'too large for the host (refused with 413): bundle the function'],
    [401, 'the host refused the key (401, refused with 401): check apihost and key'],
    [503, 'the host answered 503: refused with 503'],
  ])('is explained: %i', async (status, expected) => {
    const host = await recordingHost({ refuse: (method, path) => (method === 'PUT' && path.includes('/actions/') ? status : null) });
    expect((await deploy(host)).failed[0]?.error).toContain(expected);
  });

  it('stops no other function when a file cannot be read', async () => {
    const host = await recordingHost();
    const dir = tempProject(FILES);
    const project = readProject(dir, { env: {} });
    rmSync(`${dir}/packages/a/x.js`);
    const outcome = await deployProject(project, host, { build: 'always' });
    expect(outcome.failed).toEqual([{ name: 'a/x', error: expect.stringContaining('ENOENT') }]);
    expect(outcome.deployed).toHaveLength(2);
  });
});

describe('what concerns the whole project is thrown before anything is put', () => {
  it('a runtime the host does not run: every one, with its line', async () => {
    const host = await recordingHost({ kinds: ['nodejs:24', 'nodejs:22'] });
    const config =
      'packages:\n  - name: a\n    functions:\n      - name: x\n        runtime: nodejs:21\n      - name: y\n        runtime: nodejs:14\n      - {name: z, runtime: "go:1.20"}\n';
    const error = await errorOf(
      deploy(host, { 'packages/a/x.js': HELLO, 'packages/a/y.js': HELLO, 'packages/a/z.js': HELLO, 'project.yml': config }),
    );
    expect(error.code).toBe('invalid_project');
    expect(error.problems).toEqual([
      {
        file: 'project.yml',
        line: 5,
        message: `function a/x: runtime: ${host.apihost} does not run nodejs:21; did you mean "nodejs:24"? (allowed: nodejs:24, nodejs:22)`,
      },
      { file: 'project.yml', line: 7, message: expect.stringContaining('does not run nodejs:14') },
    ]);
    expect(host.puts()).toEqual([]);
  });

  it('a host without a default kind', async () => {
    const host = await recordingHost({ kinds: [] });
    expect((await errorOf(deploy(host))).message).toContain(
      'packages/a/x.js: function a/x: ' +
        `${host.apihost} has no default kind of Node.js (it runs no Node.js): declare the runtime in project.yml`,
    );
  });

  it.each([
    ['targetNamespace: fn-other', 'the key belongs to namespace fn-test, and the project is meant for fn-other'],
    ['targetNamespace: {test: fn-one, production: fn-two}', 'is meant for fn-one or fn-two'],
  ])('another namespace: %s', async (line, expected) => {
    const host = await recordingHost();
    expect((await errorOf(deploy(host, { ...FILES, 'project.yml': `${line}\n` }))).message).toContain(expected);
    expect(host.puts()).toEqual([]);
  });

  it.each(['fn-test', '{test: fn-test, production: fn-two}'])('and its own namespace is taken: %s', async (namespace) => {
    const host = await recordingHost();
    expect((await deploy(host, { ...FILES, 'project.yml': `targetNamespace: ${namespace}\n` })).deployed).toHaveLength(3);
  });

  it('a key that the host refuses, and one that is none', async () => {
    const host = await recordingHost();
    expect(await errorOf(deploy({ ...host, auth: 'wrong:key' }))).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('the host refused the key (401, The supplied authentication is invalid)'),
    });
    expect(await errorOf(deploy({ ...host, auth: 'key' }))).toMatchObject({
      code: 'unauthenticated',
      message: 'the key has no colon: it is written uuid:key',
    });
  });

  it.each([
    ['http://127.0.0.1:1', /^GET http:\/\/127\.0\.0\.1:1\/api\/v1: no answer \(.+\): check the address, and that the host is running$/],
    ['127.0.0.1:1', /^GET http:\/\/127\.0\.0\.1:1\/api\/v1: no answer/],
    ['localhost.invalid', /^GET https:\/\/localhost\.invalid\/api\/v1: no answer/],
    ['functions.invalid', /^GET https:\/\/functions\.invalid\/api\/v1: no answer/],
    ['http://', /^"http:\/\/" is no address: write it as https:\/\/host$/],
  ])('a host that does not answer: %s', async (apihost, expected) => {
    expect(await errorOf(deploy({ apihost, auth: KEY }))).toMatchObject({ code: 'unreachable', message: expect.stringMatching(expected) });
  });

  it('something that is no functions host', async () => {
    const server = createServer((_, response) => response.end('<html></html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      expect((await errorOf(deploy({ apihost: `127.0.0.1:${port}`, auth: KEY }))).message).toBe(
        `http://127.0.0.1:${port}/api/v1: expected runtimes: is this a functions host?`,
      );
    } finally {
      server.close();
    }
  });
});

describe('a bug', () => {
  it('is thrown as it is and not taken for a failure of the function', async () => {
    const host = await recordingHost();
    const onProgress = (line: string): void => {
      if (line.startsWith('deployed a/x')) throw new RangeError('a bug');
    };
    const deployment = deployProject(readProject(tempProject(FILES), { env: {} }), host, { build: 'always', parallel: 1, onProgress });
    await expect(deployment).rejects.toThrow(RangeError);
    expect(host.puts()).not.toContain('actions/b/z');
  });
});

describe('the work at a time', () => {
  it.each([
    [1, 1],
    [3, 3],
  ])('is bounded: parallel %i', async (parallel, most) => {
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`packages/p/f${index}.js`, HELLO]));
    const project = readProject(tempProject(files), { env: {} });
    const host = await recordingHost();
    await deployProject(project, host, { build: 'always', parallel });
    expect(highestOpen(host.requests)).toBeLessThanOrEqual(most);
  });
});

/** Of functions whose GET has come and whose PUT has not, the most at once. */
function highestOpen(requests: RecordingHost['requests']): number {
  let open = 0;
  let highest = 0;
  for (const { method } of requests.filter(({ path }) => path.includes('/actions/'))) {
    open += method === 'GET' ? 1 : -1;
    highest = Math.max(highest, open);
  }
  return highest;
}
