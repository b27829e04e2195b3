import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProjectFunction } from '../../lib/deployer/project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { problemsOf } from './support/problems-of.ts';
import { HELLO, tempProject } from './support/temp-project.ts';

function functionsOf(dir: string): readonly ProjectFunction[] {
  return readProject(dir, { env: {} }).packages.flatMap((pack) => pack.functions);
}

const NPM = (scripts: object): string => JSON.stringify({ name: 'f', scripts });

describe('functions that are single files', () => {
  it.each([
    ['hello.js', 'hello', null],
    ['hello.mjs', 'hello', null],
    ['hello.cjs', 'hello', null],
    ['hello.world.js', 'hello.world', null],
    ['hello.nodejs-22.js', 'hello', 'nodejs:22'],
    ['hello.ts', 'hello', null],
    ['hello.nodejs-22.ts', 'hello', 'nodejs:22'],
    ['hello.nodejs-18.zip', 'hello', 'nodejs:18'],
    ['hello.nodejs-default.zip', 'hello', 'nodejs:default'],
  ])('reads %s', (file, name, runtime) => {
    const [entry] = functionsOf(tempProject({ [`packages/tools/${file}`]: HELLO }));
    expect(entry).toMatchObject({ name, package: 'tools', fullName: `tools/${name}`, runtime, source: { type: 'file' } });
  });

  it('asks for the kind of a zip, which does not tell it', () => {
    expect(problemsOf({ 'packages/tools/hello.zip': 'x' })).toEqual([
      'packages/tools/hello.zip: function tools/hello: a zip does not tell its kind: name it hello.nodejs-24.zip, or declare the runtime in project.yml',
    ]);
    const files = {
      'packages/tools/hello.zip': 'x',
      'project.yml': 'packages: [{name: tools, functions: [{name: hello, runtime: "nodejs:22"}]}]\n',
    };
    expect(functionsOf(tempProject(files))[0]?.runtime).toBe('nodejs:22');
  });

  it.each([
    ['hello.tsx', 'TypeScript is not run by the Node.js kinds'],
    ['hello.py', 'Python: only Node.js functions are deployed'],
    ['hello.go', 'Go: only Node.js functions are deployed'],
    ['hello.python-3.11.zip', 'python:3.11: only Node.js functions are deployed'],
  ])('names %s as a function that cannot run', (file, reason) => {
    const [entry] = functionsOf(tempProject({ [`packages/tools/${file}`]: 'x' }));
    expect(entry).toMatchObject({ name: 'hello', source: { type: 'unsupported', reason: expect.stringContaining(reason) } });
  });

  it('tells files that are no functions from those that are', () => {
    const dir = tempProject({
      'packages/tools/hello.js': HELLO,
      'packages/tools/README.md': 'x',
      'packages/tools/types.d.ts': 'x',
      'packages/tools/node_modules/x/index.js': 'x',
      'packages/tools/.hidden.js': 'x',
      'packages/tools/hello.js~': 'x',
      'packages/notes.txt': 'x',
      'packages/.git/config': 'x',
    });
    const project = readProject(dir, { env: {} });
    expect(project.packages.map((pack) => [pack.name, pack.functions.map((entry) => entry.name)])).toEqual([['tools', ['hello']]]);
    expect(project.strays.map((stray) => stray.name)).toEqual([
      'packages/notes.txt',
      'packages/tools/README.md',
      'packages/tools/node_modules',
      'packages/tools/types.d.ts',
    ]);
  });
});

describe('functions that are directories', () => {
  it.each([
    [
      'build.sh before package.json and .include',
      { 'build.sh': '#!/bin/sh\n', 'package.json': NPM({ build: 'x' }), '.include': 'index.js\n' },
      'build.sh',
      1,
    ],
    ['package.json with a build script', { 'package.json': NPM({ build: 'rollup -c' }), '.include': 'bundle.js\n' }, 'npm-build', 1],
    ['package.json without one', { 'package.json': NPM({ test: 'x' }) }, 'npm-install', null],
    ['package.json with an empty one', { 'package.json': NPM({ build: '' }) }, 'npm-install', null],
    ['.include alone', { '.include': 'index.js\n./lib/\n\n' }, null, 2],
    ['plain files', {}, null, null],
  ])('chooses the build: %s', (_, files, build, included) => {
    const prefixed = Object.fromEntries(
      Object.entries({ 'index.js': HELLO, ...files }).map(([name, text]) => [`packages/tools/hello/${name}`, text]),
    );
    const [entry] = functionsOf(tempProject(prefixed));
    if (entry?.source.type !== 'directory') throw new Error('expected a directory');
    expect(entry.source.build?.type ?? null).toBe(build);
    expect(entry.source.include?.length ?? null).toBe(included);
  });

  it.each([
    [
      'a comment',
      'index.js\n# assets\n',
      'packages/tools/hello/.include:2: "# assets" is taken for the name of a file: .include has no comments, remove the line',
    ],
    ['a negation', '!x\n', '.include:1: "!x" is taken for the name of a file: .include only adds'],
    ['an absolute path', '/etc/passwd\n', '.include:1: "/etc/passwd" is absolute'],
    ['a neighbour', '../other/index.js\n', '.include:1: "../other/index.js" leaves the function\'s directory: only ../../../lib'],
    ['a way out of lib', '../../../lib/../secrets\n', '.include:1: "../../../lib/../secrets" leaves the function\'s directory'],
    ['a name like lib', '../../../library/x.js\n', '.include:1: "../../../library/x.js" leaves the function\'s directory'],
    ['nothing', '\n  \n', '.include: lists nothing'],
  ])('refuses a .include with %s', (_, list, expected) => {
    const problems = problemsOf({ 'packages/tools/hello/index.js': HELLO, 'packages/tools/hello/.include': list });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('lets .include reach into the lib of the project', () => {
    const list = '../../../lib\n../../../lib/shared.js\r\n';
    expect(problemsOf({ 'packages/tools/hello/index.js': HELLO, 'packages/tools/hello/.include': list, 'lib/shared.js': '' })).toEqual([]);
  });

  it('refuses .include beside .ignore, and either of them in lib', () => {
    const files = {
      'packages/tools/hello/index.js': HELLO,
      'packages/tools/hello/.include': 'index.js\n',
      'packages/tools/hello/.ignore': 'x\n',
    };
    expect(problemsOf({ ...files, 'lib/.include': 'x', 'lib/.ignore': 'x' })).toEqual([
      'packages/tools/hello/.include: stands beside .ignore, and only one of them can say what is deployed: remove one',
      'lib/.include: has no meaning in lib: only the functions list what they deploy; remove it',
      'lib/.ignore: has no meaning in lib: only the functions list what they deploy; remove it',
    ]);
  });

  it('refuses a build.sh that cannot be executed, in a function and in lib', () => {
    const files = { 'packages/tools/hello/index.js': HELLO, 'packages/tools/hello/build.sh': 'x', 'lib/build.sh': 'x' };
    const dir = tempProject(files);
    expect(() => readProject(dir, { env: {} })).not.toThrow();
    for (const name of ['packages/tools/hello/build.sh', 'lib/build.sh']) chmodSync(join(dir, name), 0o644);
    expect(() => readProject(dir, { env: {} })).toThrow(
      /hello\/build\.sh: is not executable and would exit with 126: run chmod \+x on it\n.*lib\/build\.sh/s,
    );
  });

  it.skipIf(process.platform === 'win32')('refuses a build.cmd alone, which runs on Windows only', () => {
    const files = { 'packages/tools/hello/index.js': HELLO, 'packages/tools/hello/build.cmd': 'x' };
    expect(problemsOf(files)).toEqual(['packages/tools/hello/build.cmd: runs on Windows only: put a build.sh beside it']);
  });

  it('refuses a package.json that is not JSON, and an empty directory', () => {
    const dir = tempProject({ 'packages/tools/hello/package.json': '{', 'packages/tools/hello/index.js': HELLO });
    mkdirSync(join(dir, 'packages/tools/empty'));
    expect(() => readProject(dir, { env: {} })).toThrow(/tools\/empty: has no files.*tools\/hello\/package\.json: is not valid JSON/s);
  });

  it.each([
    ['Python', { '__main__.py': 'x', 'requirements.txt': '', 'build.sh': '#!/bin/sh\n' }],
    ['Go', { 'main.go': 'x' }],
    ['PHP', { 'index.php': 'x' }],
  ])('names a directory in %s as one that cannot run', (language, files) => {
    const prefixed = Object.fromEntries(Object.entries(files).map(([name, text]) => [`packages/tools/hello/${name}`, text]));
    expect(functionsOf(tempProject(prefixed))[0]?.source).toEqual({
      type: 'unsupported',
      reason: `${language}: only Node.js functions are deployed`,
    });
    const declared = { ...prefixed, 'project.yml': 'packages: [{name: tools, functions: [{name: hello, runtime: "nodejs:24"}]}]\n' };
    expect(functionsOf(tempProject(declared))[0]?.source.type).toBe('directory');
  });

  it('names a function in an image as one that cannot run', () => {
    const files = { 'project.yml': 'packages: [{name: tools, functions: [{name: hello, docker: "me/image:1"}]}]\n' };
    expect(functionsOf(tempProject(files))[0]?.source).toEqual({
      type: 'unsupported',
      reason: 'the image me/image:1: only Node.js functions are deployed',
    });
  });

  it('believes a declared runtime of another language', () => {
    const files = {
      'packages/tools/hello/index.js': HELLO,
      'project.yml': 'packages: [{name: tools, functions: [{name: hello, runtime: "php:8.2"}]}]\n',
    };
    expect(functionsOf(tempProject(files))[0]?.source).toEqual({
      type: 'unsupported',
      reason: 'php:8.2: only Node.js functions are deployed',
    });
  });
});

describe('project.yml and the disk together', () => {
  const twoFunctions = { 'packages/tools/hello.js': HELLO, 'packages/tools/other/index.js': HELLO };

  it('deploys what project.yml does not name with defaults, and without a project.yml at all', () => {
    const declared = { ...twoFunctions, 'project.yml': 'packages: [{name: tools, functions: [{name: hello, limits: {timeout: 5000}}]}]\n' };
    expect(functionsOf(tempProject(declared)).map((entry) => [entry.fullName, entry.limits])).toEqual([
      ['tools/hello', { timeout: 5000 }],
      ['tools/other', {}],
    ]);
    expect(functionsOf(tempProject(twoFunctions)).map((entry) => entry.fullName)).toEqual(['tools/hello', 'tools/other']);
  });

  it('refuses a named function that does not exist, and suggests one', () => {
    expect(problemsOf({ ...twoFunctions, 'project.yml': 'packages:\n  - name: tools\n    functions:\n      - name: helo\n' })).toEqual([
      'project.yml:4: function tools/helo: there is no packages/tools/helo (a directory, or a file helo.js); did you mean "hello"?',
    ]);
  });

  it('refuses one function twice, and a sequence that has code', () => {
    expect(problemsOf({ 'packages/tools/a.js': HELLO, 'packages/tools/a/index.js': HELLO })).toEqual([
      'packages/tools/a.js: is the function a a second time, beside packages/tools/a: rename or remove one',
    ]);
    expect(
      problemsOf({ ...twoFunctions, 'project.yml': 'packages: [{name: tools, functions: [{name: hello, sequence: [a]}]}]\n' }),
    ).toEqual([
      'project.yml:1: function tools/hello: a sequence has no code of its own, and packages/tools/hello.js exists: remove one of them',
    ]);
  });

  it('refuses names the platform would not take', () => {
    expect(problemsOf({ 'packages/to!ols/a.js': HELLO, 'packages/ok/b_tmp_.js': HELLO })).toEqual([
      'packages/ok/b_tmp_.js: "b_tmp_" cannot be a name: the platform leaves out every path with _tmp_ in it',
      'packages/to!ols: "to!ols" cannot be a name: letters, digits, _ @ . - and inner spaces, beginning with a letter, a digit or _',
    ]);
  });

  it('takes the code of a function from elsewhere in the project', () => {
    const config = (file: string): string => `packages: [{name: tools, functions: [{name: far, file: "${file}"}]}]\n`;
    const files = { 'src/far.js': HELLO, 'src/dir/index.js': HELLO, 'src/notes.md': 'x' };
    expect(functionsOf(tempProject({ ...files, 'project.yml': config('./src/far.js') }))[0]?.source.type).toBe('file');
    expect(functionsOf(tempProject({ ...files, 'project.yml': config('src/dir/') }))[0]?.source.type).toBe('directory');
    expect(problemsOf({ ...files, 'project.yml': config('../far.js') })).toEqual([
      'project.yml:1: function tools/far: file: "../far.js" leaves the project: name a path inside it',
    ]);
    expect(problemsOf({ ...files, 'project.yml': config('src/x.js') })).toEqual([
      'project.yml:1: function tools/far: file: "src/x.js" does not exist in the project',
    ]);
    expect(problemsOf({ ...files, 'project.yml': config('src/notes.md') })[0]).toContain('file: "src/notes.md" is no function');
  });

  it('refuses functions in a bound package', () => {
    const bound = 'packages:\n  - name: tools\n    binding: {namespace: other, name: shared}\n';
    expect(problemsOf({ ...twoFunctions, 'project.yml': bound })).toEqual([
      'project.yml:2: package tools: a bound package has no functions of its own, and packages/tools/ has some',
    ]);
    expect(problemsOf({ 'project.yml': `${bound}    functions: [{name: x, sequence: [a]}]\n` })).toEqual([
      'project.yml:2: package tools: a bound package has no functions of its own',
    ]);
  });
});

describe('a selection of functions', () => {
  const files = { 'packages/a/x.js': HELLO, 'packages/a/y.js': HELLO, 'packages/b/z.js': HELLO, 'packages/default/w.js': HELLO };
  const selected = (only: { include?: readonly string[]; exclude?: readonly string[] }): readonly string[] =>
    readProject(tempProject(files), { env: {}, only }).packages.flatMap((pack) => pack.functions.map((entry) => entry.fullName));

  it.each([
    [{ include: ['a'] }, ['a/x', 'a/y']],
    [{ include: ['a/'] }, ['a/x', 'a/y']],
    [{ include: ['a/x', 'b'] }, ['a/x', 'b/z']],
    [{ include: ['default/w'] }, ['w']],
    [{ exclude: ['a/x', 'default'] }, ['a/y', 'b/z']],
    [{ include: ['a'], exclude: ['a/y'] }, ['a/x']],
    [{ include: ['a/x'], exclude: ['a'] }, ['a/x']],
  ])('%j', (only, expected) => {
    expect(selected(only)).toEqual(expected);
  });

  it('refuses a name that the project does not have', () => {
    expect(() => selected({ include: ['a/xx'] })).toThrow('the project has no package or function a/xx; did you mean "a/x"?');
  });

  it('still checks the whole project', () => {
    const broken = { ...files, 'project.yml': 'packages: [{name: b, functions: [{name: gone}]}]\n' };
    expect(problemsOf(broken, { only: { include: ['a'] } })).toHaveLength(1);
  });
});
