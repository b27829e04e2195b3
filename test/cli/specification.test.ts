import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildSlice } from '../../lib/cli/start/build-slice.ts';
import { everyKind } from '../host/support/kinds.ts';
import { packageOf, projectOfKinds } from './support/project-of-kinds.ts';
import { type Outcome, runServerless, startServerless } from './support/run-serverless.ts';
import { sharedHost } from './support/shared-host.ts';

/** What the specification says of functions, sentence by sentence, each asked of the command line. The others: test/host/specification.test.ts. */
interface Sentence {
  /** Section of the sentence in specification 3, and its number. */
  readonly at: string;
  readonly says: string;
  holds(): Promise<void>;
}

/** A sentence that each kind has to hold; `on` is the package of its functions. */
interface SentenceOfKinds {
  readonly at: string;
  readonly says: string;
  holds(on: string, kind: string): Promise<void>;
}

const shared = sharedHost({ callsPerMinute: Number.POSITIVE_INFINITY, remoteBuild: buildSlice });
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const tried = await everyKind();
const present = tried.filter(({ absent }) => absent === undefined).map(({ kind }) => kind);
const aMinute = 60_000;

const needs = { dependencies: { greeting: 'file:vendor/greeting' }, devDependencies: { tool: 'file:vendor/tool' } };

/** A function with the two packages that it needs beside it, so that npm installs them with no registry. */
function withPackages(name: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const vendored = {
    'vendor/greeting/package.json': '{"name":"greeting","version":"1.0.0"}',
    'vendor/greeting/index.js': "module.exports = 'Hello';\n",
    'vendor/tool/package.json': '{"name":"tool","version":"1.0.0"}',
    'vendor/tool/index.js': "module.exports = 'made by the tool';\n",
  };
  return Object.fromEntries(Object.entries({ ...vendored, ...files }).map(([file, text]) => [`packages/${name}/fn/${file}`, text]));
}

/** A function whose build wants both packages at hand. */
function built(name: string): Readonly<Record<string, string>> {
  return withPackages(name, {
    'package.json': JSON.stringify({ scripts: { build: 'node build.js' }, ...needs }),
    'build.js': building("require('greeting') + ', ' + require('tool')"),
    '.include': 'made.js\n',
  });
}

function building(word: string): string {
  return `require('fs').writeFileSync('made.js', 'exports.main = () => ({ body: ' + JSON.stringify(${word}) + ' });');\n`;
}

const sentences: readonly Sentence[] = [
  {
    at: 'What the service does 2',
    says: 'a runtime that there is not is refused with those that there are',
    holds: async () => {
      write('wrong', {
        'project.yml': 'packages:\n  - name: wrong\n    functions:\n      - name: fn\n        runtime: nodejs:16\n',
        'packages/wrong/fn.js': "exports.main = () => ({ body: '' });\n",
      });
      const { code, err } = await run('deploy', 'wrong');
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/project\.yml:5.*nodejs:16/) });
      for (const { kind } of tried) expect(err).toContain(kind);
    },
  },
  {
    at: 'Command-line operations 1, Invocation over HTTP 1 and Project layout 1',
    says: 'init makes a project with an example, whose URL get --url tells',
    holds: async () => {
      expect(await run('init', '--language', 'js', 'example')).toMatchObject({ code: 0 });
      expect(existsSync(join(shared().dir, 'example/project.yml'))).toBe(true);
      expect(existsSync(join(shared().dir, 'example/packages/sample/hello/hello.js'))).toBe(true);
      await deployed('example');
      const { out } = await run('function', 'get', 'sample/hello', '--url');
      expect(await (await fetch(`${out.trim()}?name=Sammy`)).text()).toBe('Hello Sammy!');
    },
  },
  {
    at: 'Command-line operations 2 and package.json, dependencies',
    says: 'deploy installs dependencies, and those of production only',
    holds: async () => {
      const asked = "const has = (name) => { try { return require(name); } catch { return 'absent'; } };\n";
      const handler = "exports.main = () => ({ body: [has('greeting'), has('tool')] });\n";
      write('npm', withPackages('npm', { 'package.json': JSON.stringify({ main: 'f.js', ...needs }), 'f.js': asked + handler }));
      await deployed('npm');
      expect(await (await web('npm/fn')).json()).toEqual(['Hello', 'absent']);
    },
  },
  {
    at: 'package.json, scripts.build',
    says: 'a build script is detected, and has dependencies and devDependencies',
    holds: async () => {
      write('built', built('built'));
      await deployed('built');
      expect(await (await web('built/fn')).text()).toBe('Hello, made by the tool');
    },
  },
  {
    at: 'package.json',
    says: 'a build.sh makes what other steps of a build make',
    holds: async () => {
      write('script', { 'packages/script/fn/build.sh': '#!/bin/sh\necho "exports.main = () => ({ body: \'scripted\' });" > index.js\n' });
      await deployed('script');
      expect(await (await web('script/fn')).text()).toBe('scripted');
    },
  },
  {
    at: 'Command-line operations 3',
    says: 'deploy --remote-build builds on the host alone',
    holds: async () => {
      write('remote', built('remote'));
      await deployed('remote', '--remote-build');
      expect(await (await web('remote/fn')).text()).toBe('Hello, made by the tool');
      expect(leftBy('remote')).toEqual([]);
    },
  },
  {
    at: 'Command-line operations 4',
    says: 'watch --remote-build does too, at every change',
    holds: async () => {
      write('watched', built('watched'));
      const watching = startServerless({ cwd: shared().dir }, 'watch', 'watched', '--remote-build');
      await watching.until('err', 'watching watched');
      expect(await (await web('watched/fn')).text()).toBe('Hello, made by the tool');
      write('watched', { 'packages/watched/fn/build.js': building("'again'") });
      await watching.until('out', '0.0.2');
      expect(await (await web('watched/fn')).text()).toBe('again');
      expect(leftBy('watched')).toEqual([]);
      expect(await watching.interrupt()).toMatchObject({ code: 0 });
    },
  },
  {
    at: 'Command-line operations 5',
    says: 'activations logs --follow follows all functions, --function one of them',
    holds: async () => {
      const says = (word: string) => `exports.main = () => { console.log('${word}'); return {}; };\n`;
      write('loud', {
        'packages/loud/one.js': says('of one'),
        'packages/loud/two.js': says('of two'),
        'packages/loud/end.js': says('the end'),
      });
      await deployed('loud');
      const all = startServerless({ cwd: shared().dir }, 'activations', 'logs', '--follow');
      const one = startServerless({ cwd: shared().dir }, 'activations', 'logs', '--follow', '--function', 'loud/one');
      await Promise.all([all.until('err', 'following'), one.until('err', 'following')]);
      for (const name of ['loud/two', 'loud/one']) await web(name);
      await Promise.all([all.until('out', 'of one'), one.until('out', 'of one')]);
      expect((await all.interrupt()).out).toMatch(/stdout: of two\n.*stdout: of one\n/s);
      expect((await one.interrupt()).out).not.toContain('of two');
    },
  },
  {
    at: 'Command-line operations',
    says: 'what any method of the console writes, to stdout or stderr, is reachable through the logs',
    holds: async () => {
      const methods = ['log', 'info', 'debug', 'dir', 'warn', 'error', 'trace'];
      const lines = [
        ...methods.map((method) => `console.${method}('by ${method}');`),
        "console.table([{ by: 'table' }]); console.group('by group'); console.groupEnd(); console.assert(false, 'by assert');",
        "console.count('by count'); console.dirxml('by dirxml'); console.time('by time'); console.timeLog('by time'); console.timeEnd('by time');",
      ];
      write('console', { 'packages/console/fn.js': `exports.main = () => {\n${lines.join('\n')}\nreturn {};\n};\n` });
      await deployed('console');
      await run('functions', 'invoke', 'console/fn');
      const { out } = await run('activations', 'logs', '--function', 'console/fn');
      const streamOf = (method: string) =>
        new RegExp(`Z (std\\w+): .*by ${method}|Z (std\\w+): .*'${method}'`).exec(out)?.slice(1).join('');
      for (const method of ['log', 'info', 'debug', 'dir', 'table', 'group', 'count', 'dirxml', 'time'])
        expect(method + streamOf(method)).toBe(`${method}stdout`);
      for (const method of ['warn', 'error', 'trace', 'assert']) expect(method + streamOf(method)).toBe(`${method}stderr`);
    },
  },
];

describe('specification 3, through the command line', () => {
  test.each(sentences)('$at: $says', ({ holds }) => holds(), aMinute);
});

const wholeFunction = ['data', 'greet.js', 'index.js', 'notes.md'];
const sentencesOfKinds: readonly SentenceOfKinds[] = [
  {
    at: 'What the service does 2',
    says: 'runtime chooses the Node',
    holds: async (on, kind) => expect(await textOf(on, 'version')).toMatch(kind.replace('nodejs:', 'v')),
  },
  { at: 'Handler 1', says: 'main of project.yml names the handler', holds: answers('named', 'named') },
  {
    at: 'Limits, Versioning 2',
    says: 'there are 3000 milliseconds by default, and a version of three numbers',
    holds: async (on) => {
      const { left, functionVersion } = JSON.parse(await textOf(on, 'context'));
      expect(left).toBeGreaterThan(1000);
      expect(left).toBeLessThanOrEqual(3000);
      expect(functionVersion).toMatch(/^\d+\.\d+\.\d+$/);
    },
  },
  { at: 'Project layout 2', says: 'all files are included, and read by relative paths', holds: holdsFiles('whole', wholeFunction) },
  { at: 'Project layout 2', says: '.ignore leaves out', holds: holdsFiles('ignoring', ['data', 'greet.js', 'index.js']) },
  { at: 'Project layout 2', says: '.include takes in', holds: holdsFiles('including', ['data', 'greet.js', 'index.js']) },
  {
    at: 'package.json, main and type',
    says: 'main points to the file; without a type it is CommonJS',
    holds: answers('commonjs', 'commonjs'),
  },
  { at: 'package.json, type', says: 'module selects ES modules', holds: answers('module', 'module') },
  { at: 'package.json, type', says: 'so does .mjs with main', holds: answers('extension', 'extension') },
  { at: 'Bundlers, Rollup', says: 'its bundle of ES modules is deployed alone', holds: answers('rollup', 'rolled up') },
  { at: 'Bundlers, Webpack', says: 'dist/bundle.js assigns global.main', holds: answers('webpack', 'bundled') },
  { at: 'Bundlers, Parcel 2', says: 'bundle.js assigns global.main', holds: answers('parcel', 'bundled') },
  { at: 'Bundlers', says: '.include lists the bundle and other assets', holds: answers('assets', 'asset') },
];

describe.each(tried)('specification 3, through the command line, on $kind', ({ kind, absent, providesPackages }) => {
  test.skipIf(absent !== undefined).each(sentencesOfKinds)(
    '$at: $says',
    ({ holds }) => ofKinds().then(() => holds(packageOf(kind), kind)),
    aMinute,
  );

  if (providesPackages) return;
  test.skipIf(absent !== undefined)(
    'Packages provided by the runtime: it provides none',
    async () => {
      await ofKinds();
      const { code, out, err } = await run('functions', 'invoke', `${packageOf(kind)}/asks`);
      expect({ code, said: out + err }).toMatchObject({ code: 1, said: expect.stringContaining("Cannot find module 'axios'") });
    },
    aMinute,
  );
});

test('Versioning 2: a deployment raises the version in the context', async () => {
  for (const version of ['0.0.1', '0.0.2']) {
    write('versions', { 'packages/versions/fn.js': `exports.main = (_, context) => ({ body: context.functionVersion }); // ${version}\n` });
    await deployed('versions');
    expect(await (await web('versions/fn')).text()).toBe(version);
  }
});

function run(...args: readonly string[]): Promise<Outcome> {
  return runServerless({ cwd: shared().dir }, ...args);
}

function write(project: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(shared().dir, project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

async function deployed(project: string, ...flags: readonly string[]): Promise<void> {
  const { code, out, err } = await run('deploy', project, ...flags);
  expect(code, `${err}${out}`).toBe(0);
}

let everyKindDeployed: Promise<void> | undefined;

/** The project of all kinds, deployed by the first test that needs it. */
function ofKinds(): Promise<void> {
  everyKindDeployed ??= deployKinds();
  return everyKindDeployed;
}

async function deployKinds(): Promise<void> {
  write('kinds', projectOfKinds(present));
  // Rollup comes from the project's root, as after one npm ci there.
  symlinkSync(modules, join(shared().dir, 'kinds/node_modules'));
  await deployed('kinds');
}

/** What a build on this machine would have left in the directory of a project's function. */
function leftBy(project: string): readonly string[] {
  return ['node_modules', 'package-lock.json', 'made.js'].filter((name) =>
    existsSync(join(shared().dir, project, 'packages', project, 'fn', name)),
  );
}

function web(name: string): Promise<Response> {
  const { host } = shared();
  return fetch(`${host.url}/api/v1/web/${host.namespace}/${name}`);
}

async function textOf(on: string, name: string): Promise<string> {
  const response = await web(`${on}/${name}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

function answers(name: string, text: string): SentenceOfKinds['holds'] {
  return async (on) => expect(await textOf(on, name)).toBe(text);
}

function holdsFiles(name: string, files: readonly string[]): SentenceOfKinds['holds'] {
  return async (on) => expect(JSON.parse(await textOf(on, name))).toEqual({ greeting: 'Hello Sammy', files });
}
