import { execFile } from 'node:child_process';
import { chmodSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deployProject } from '../../lib/deployer/deploy-project.ts';
import { readProject } from '../../lib/deployer/read-project.ts';
import { type RecordingHost, recordingHost } from './support/recording-host.ts';
import { HELLO, tempProject } from './support/temp-project.ts';
import { unzip } from './support/unzip.ts';

const F = 'packages/tools/hello';

/** Files of the function `tools/hello`. */
function inFunction(files: Readonly<Record<string, string | Buffer>>): Readonly<Record<string, string | Buffer>> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`${F}/${name}`, content]));
}

async function deploy(
  dir: string,
  host: RecordingHost,
): Promise<{ readonly lines: readonly string[]; readonly failed: string | undefined }> {
  const lines: string[] = [];
  const outcome = await deployProject(readProject(dir, { env: {} }), host, { build: 'never', onProgress: (line) => lines.push(line) });
  return { lines, failed: outcome.failed[0]?.error };
}

/** What arrives at the host for a function of the given files. */
async function arrives(files: Readonly<Record<string, string | Buffer>>): Promise<{ code: string; binary: boolean; zipped: unknown }> {
  const host = await recordingHost();
  expect(await deploy(tempProject(files), host)).toMatchObject({ failed: undefined });
  const { exec, annotations } = host.put('actions/tools/hello');
  const deployer = annotations?.find((annotation) => annotation.key === 'deployer')?.value;
  // The annotation is asserted to be there by its use.
  return { code: exec?.code ?? '', binary: exec?.binary ?? false, zipped: (deployer as { zipped: unknown }).zipped };
}

async function namesOf(files: Readonly<Record<string, string | Buffer>>): Promise<readonly string[]> {
  return (await unzip((await arrives(files)).code)).map((file) => file.name);
}

/** Deploys from a process of its own, in another time zone and with another umask. */
async function deployElsewhere(dir: string, host: RecordingHost): Promise<void> {
  const script = `
    process.umask(0o077);
    const { readProject } = await import(${JSON.stringify(import.meta.resolve('../../lib/deployer/read-project.ts'))});
    const { deployProject } = await import(${JSON.stringify(import.meta.resolve('../../lib/deployer/deploy-project.ts'))});
    await deployProject(readProject(process.argv[1]), { apihost: process.argv[2], auth: process.argv[3] }, { build: 'never' });`;
  const args = ['--input-type=module', '--eval', script, dir, host.apihost, host.auth];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, TZ: 'Asia/Tokyo' } });
}

describe('what is deployed of a function', () => {
  it.each([
    ['a single file', { [`${F}.js`]: HELLO }],
    ['a directory with one file', inFunction({ 'index.js': HELLO })],
    [
      'the one file that .include lists',
      inFunction({ 'dist/bundle.js': HELLO, 'index.js': 'x', 'package.json': '{"type":"module"}', '.include': './dist/bundle.js\n' }),
    ],
    ['the one file that .ignore leaves', inFunction({ 'index.js': HELLO, 'readme.md': 'x', '.ignore': '*.md\n' })],
  ])('travels as text: %s', async (_, files) => {
    expect(await arrives(files)).toEqual({ code: HELLO, binary: false, zipped: false });
  });

  it('keeps text in any script as it is', async () => {
    const code = 'exports.main = () => ({ body: "grüße 你好" });\r\n';
    expect((await arrives(inFunction({ 'index.js': code }))).code).toBe(code);
  });

  it.each([
    ['lying in the package', { 'packages/tools/hello.nodejs-24.zip': Buffer.from('PK-zip') }],
    ['made by a build', inFunction({ 'out.zip': Buffer.from('PK-zip'), '.include': 'out.zip\n' })],
  ])('sends a zip %s as it is', async (_, files) => {
    expect(await arrives(files)).toEqual({ code: Buffer.from('PK-zip').toString('base64'), binary: true, zipped: true });
  });

  it('travels as a zip when there are several files', async () => {
    const files = inFunction({
      'index.js': HELLO,
      'data/words.txt': 'words',
      'node_modules/x/index.js': 'x',
      'node_modules/.package-lock.json': '{}',
    });
    const { code, binary, zipped } = await arrives(files);
    expect({ binary, zipped }).toEqual({ binary: true, zipped: true });
    expect(await unzip(code)).toEqual([
      { name: 'data/words.txt', content: 'words', executable: false },
      { name: 'index.js', content: HELLO, executable: false },
      { name: 'node_modules/.package-lock.json', content: '{}', executable: false },
      { name: 'node_modules/x/index.js', content: 'x', executable: false },
    ]);
  });

  it('leaves out what never travels', async () => {
    const left = [
      '.ignore',
      'build.sh',
      'build.cmd',
      '__deployer__.zip',
      '.gitignore',
      '.git/config',
      'deep/.git/config',
      'a.js~',
      '.a.swp',
      '.DS_Store',
      '.deployed/x',
      'deep/.gitignore',
    ];
    const files = inFunction({ 'index.js': HELLO, 'lib/build.sh': 'kept', ...Object.fromEntries(left.map((name) => [name, ''])) });
    expect(await namesOf(files)).toEqual(['index.js', 'lib/build.sh']);
  });

  it('reads .ignore as git does', async () => {
    const ignored = '# tests\n*.test.js\n/docs\nassets/*\n!assets/keep.txt\n';
    const files = {
      'index.js': HELLO,
      'a.test.js': '',
      'deep/b.test.js': '',
      'docs/a.md': '',
      'deep/docs/a.md': '',
      'assets/a.txt': '',
      'assets/keep.txt': '',
      '.ignore': ignored,
    };
    expect(await namesOf(inFunction(files))).toEqual(['assets/keep.txt', 'deep/docs/a.md', 'index.js']);
  });

  it('takes only what .include lists, directories with all they hold', async () => {
    const files = {
      'bundle.js': HELLO,
      'assets/a.txt': '',
      'assets/deep/b.txt': '',
      'assets/c.txt~': '',
      'other.js': '',
      '.include': 'assets/\nbundle.js\n./assets/a.txt\n',
    };
    expect(await namesOf(inFunction(files))).toEqual(['assets/a.txt', 'assets/deep/b.txt', 'bundle.js']);
  });

  it('names what it reaches in lib by its last name', async () => {
    const files = {
      ...inFunction({ 'index.js': HELLO, '.include': 'index.js\n../../../lib/shared.js\n../../../lib/deep\n' }),
      'lib/shared.js': '1',
      'lib/deep/er/x.js': '2',
      'lib/not.js': '3',
    };
    expect(await namesOf(files)).toEqual(['deep/er/x.js', 'index.js', 'shared.js']);
    const whole = {
      ...inFunction({ 'index.js': HELLO, '.include': 'index.js\n../../../lib\n' }),
      'lib/shared.js': '1',
      'lib/deep/x.js': '2',
    };
    expect(await namesOf(whole)).toEqual(['index.js', 'lib/deep/x.js', 'lib/shared.js']);
  });

  it('says so when the platform rules leave out a file one would expect', async () => {
    const host = await recordingHost();
    const { lines } = await deploy(tempProject(inFunction({ 'index.js': HELLO, 'b.js': '', 'my_tmp_file.js': '' })), host);
    expect(lines).toContain('tools/hello: left out my_tmp_file.js: the platform leaves out _tmp_, .deployed, .nimbella and .# in names');
    expect(host.puts()).toContain('actions/tools/hello');
  });

  it('sends a single file of TypeScript as it is, with a warning', async () => {
    const host = await recordingHost();
    const { lines } = await deploy(tempProject({ [`${F}.ts`]: HELLO }), host);
    expect(host.put('actions/tools/hello').exec).toMatchObject({ code: HELLO, binary: false, kind: 'nodejs:24' });
    expect(lines).toContain('tools/hello: its TypeScript is uploaded as it is, and read as JavaScript: the first type in it stops it');
  });

  it('follows links, and keeps their names', async () => {
    const dir = tempProject({ ...inFunction({ 'index.js': HELLO }), 'shared/a.js': 'a', 'shared/deep/b.js': 'b' });
    symlinkSync('../../../shared/a.js', join(dir, F, 'link.js'));
    symlinkSync('../../../shared/deep', join(dir, F, 'deep'));
    const host = await recordingHost();
    await deploy(dir, host);
    const files = await unzip(host.put('actions/tools/hello').exec?.code ?? '');
    expect(files.map(({ name, content }) => [name, content])).toEqual([
      ['deep/b.js', 'b'],
      ['index.js', HELLO],
      ['link.js', 'a'],
    ]);
  });
});

describe('the zip', () => {
  const files = inFunction({ 'index.js': HELLO, 'b.txt': 'b'.repeat(5000), 'ä.txt': '' });

  it('is the same, whenever and wherever it is made', async () => {
    const first = await arrives(files);
    const dir = tempProject(Object.fromEntries(Object.entries(files).reverse()));
    utimesSync(join(dir, F, 'index.js'), new Date('2001-02-03'), new Date('2001-02-03'));
    chmodSync(join(dir, F, 'b.txt'), 0o600);
    const host = await recordingHost();
    await deployElsewhere(dir, host);
    expect(host.put('actions/tools/hello').exec?.code).toBe(first.code);
  });

  it.skipIf(process.platform === 'win32')('keeps executable bits, and changes with them', async () => {
    const dir = tempProject(inFunction({ 'index.js': HELLO, 'tool.sh': '#!/bin/sh\n' }));
    const host = await recordingHost();
    await deploy(dir, host);
    const before = host.put('actions/tools/hello').exec?.code ?? '';
    expect((await unzip(before)).map(({ name, executable }) => [name, executable])).toEqual([
      ['index.js', false],
      ['tool.sh', true],
    ]);
    chmodSync(join(dir, F, 'tool.sh'), 0o644);
    await deploy(dir, host);
    expect(host.put('actions/tools/hello').exec?.code).not.toBe(before);
  });
});

describe('what cannot be collected', () => {
  it.each([
    [
      'a missing file and nothing that builds',
      inFunction({ 'a.js': '', '.include': 'a.js\nbundle.js\n' }),
      '.include:2 lists bundle.js, which does not exist: create it, or take the line out of .include',
    ],
    [
      'a missing bundle and npm',
      inFunction({ 'package.json': '{"scripts":{"build":"x"}}', '.include': 'bundle.js\n' }),
      '.include:1 lists bundle.js, which does not exist: build it first: (cd packages/tools/hello && npm install --include=dev && npm run build)',
    ],
    [
      'a missing bundle and a script',
      inFunction({ 'build.sh': '#!/bin/sh\n', '.include': 'bundle.js\n' }),
      'build it first: (cd packages/tools/hello && ./build.sh)',
    ],
    [
      'a pattern',
      inFunction({ 'a.js': '', '.include': '*.js\n' }),
      '.include:1 lists *.js, which does not exist (the list takes literal paths, no patterns)',
    ],
    [
      'two files of one name',
      { ...inFunction({ 'a.js': '', '.include': 'a.js\n../../../lib/a.js\n' }), 'lib/a.js': '' },
      '.include brings two files named a.js',
    ],
    [
      'everything ignored',
      inFunction({ 'a.js': '', '.ignore': '*\n' }),
      'packages/tools/hello has no file to deploy: every one is left out by .ignore',
    ],
    [
      'CommonJS that cannot be read',
      inFunction({ 'index.js': 'const a = 1;\nexports.main = ( => ({});\n', 'a.txt': '' }),
      "packages/tools/hello/index.js:2: SyntaxError: Unexpected token '=>'\nexports.main = ( => ({});\n",
    ],
    [
      'an ES module that cannot be read',
      inFunction({ 'index.js': '\nexport const main = ( => ({});\n' }),
      "packages/tools/hello/index.js:2: SyntaxError: Unexpected token '=>'",
    ],
    [
      'a type in a single file of TypeScript',
      { [`${F}.ts`]: 'exports.main = (event: object) => ({ body: event });\n' },
      "packages/tools/hello.ts:1: SyntaxError: Unexpected token ':'\nexports.main = (event: object) => ({ body: event });\n",
    ],
    ['no JavaScript', inFunction({ 'a.txt': '', 'b.json': '' }), 'no JavaScript among the files to deploy (a.txt, b.json)'],
  ])('%s', async (_, files, expected) => {
    const host = await recordingHost();
    const { failed } = await deploy(tempProject(files), host);
    expect(failed).toContain(expected);
    expect(host.puts()).toEqual(['packages/tools']);
  });

  it('an end too early is told without the empty line that it is on', async () => {
    const { failed } = await deploy(tempProject(inFunction({ 'index.js': 'exports.main = (\n' })), await recordingHost());
    expect(failed).toBe('packages/tools/hello/index.js:2: SyntaxError: Unexpected end of input');
  });

  it.each([
    ['to nothing', 'nowhere', 'link is a link to nothing: remove it, or name it in .ignore'],
    ['to a directory above', '..', 'link is a link to a directory above itself'],
  ])('a link %s', async (_, target, expected) => {
    const dir = tempProject(inFunction({ 'index.js': HELLO, 'deep/x.js': '' }));
    symlinkSync(target, join(dir, F, 'deep', 'link'));
    const { failed } = await deploy(dir, await recordingHost());
    expect(failed).toContain(expected);
  });

  it.each([
    [
      'an ES module with top-level await',
      'nodejs:24',
      'const word = await 1;\nexport const main = () => ({ body: import.meta.url + word });',
    ],
    ['CommonJS that returns early, after a hashbang', 'nodejs:24', '#!/usr/bin/env node\nexports.main = () => ({});\nreturn;'],
    [
      'a form of import that only older kinds take',
      'nodejs:18',
      "import a from './a.json' assert { type: 'json' };\nexport const main = () => a;",
    ],
  ])('but not %s', async (_, runtime, code) => {
    const host = await recordingHost();
    const project = `packages:\n  - name: tools\n    functions: [{ name: hello, runtime: "${runtime}" }]\n`;
    const outcome = await deployProject(readProject(tempProject({ 'project.yml': project, [`${F}.js`]: code }), { env: {} }), host, {
      build: 'never',
    });
    expect(outcome).toMatchObject({ failed: [], skipped: [], deployed: [{ name: 'tools/hello' }] });
  });

  it('types of its own in a single file of TypeScript, told with what to do', async () => {
    const { failed } = await deploy(tempProject({ [`${F}.ts`]: 'const one: number = 1;' }), await recordingHost());
    expect(failed).toMatch(/\nTypeScript is not run by the Node\.js kinds: build it to JavaScript \(.*\)$/);
  });

  it('TypeScript that nothing has built', async () => {
    const host = await recordingHost();
    const dir = tempProject({ ...inFunction({ 'index.ts': 'export {}', 'types.d.ts': '' }), 'packages/tools/good.js': HELLO });
    const outcome = await deployProject(readProject(dir, { env: {} }), host, { build: 'never' });
    expect(outcome.skipped).toEqual([
      { name: 'tools/hello', reason: expect.stringContaining('TypeScript is not run by the Node.js kinds: build it to JavaScript') },
    ]);
    expect(outcome.deployed.map((entry) => entry.name)).toEqual(['tools/good']);
  });

  it('more than 48 MB', async () => {
    const host = await recordingHost();
    const { failed } = await deploy(tempProject({ [`${F}.js`]: Buffer.alloc(48 * 1024 * 1024 + 1, 32) }), host);
    expect(failed).toBe('the code has 50331649 bytes, the platform takes 50331648 (48 MB): bundle the function, or list less in .include');
  });
});
