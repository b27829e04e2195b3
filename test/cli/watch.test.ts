import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { talkTo } from '../host/support/test-host.ts';
import { longBuild } from './support/long-build.ts';
import { runServerless, startServerless } from './support/run-serverless.ts';
import { sharedHost } from './support/shared-host.ts';

const shared = sharedHost();
const answering = (word: string) => `exports.main = () => ({ body: '${word}' });\n`;

function write(project: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(shared().dir, project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

describe('watch', () => {
  it('deploys a project, then what changes in it and nothing else', async () => {
    const { host, dir } = shared();
    const { web, api } = talkTo(host, dir);
    write('plain', { 'packages/plain/one.js': answering('one'), 'packages/plain/two.js': answering('two') });
    const watching = startServerless({ cwd: dir }, 'watch', 'plain');
    await watching.until('err', 'watching plain');
    expect(await (await web('plain/one')).text()).toBe('one');

    write('plain', { 'packages/plain/one.js': answering('changed') });
    await watching.until('out', '0.0.2');
    expect(await (await web('plain/one')).text()).toBe('changed');
    expect((await api('GET', 'actions/plain/two?code=false')).body.version).toBe('0.0.1');

    write('plain', { 'packages/plain/three.js': answering('three') });
    await watching.until('out', 'plain/three');
    expect(await (await web('plain/three')).text()).toBe('three');
    expect(await watching.interrupt()).toMatchObject({ code: 0 });
  });

  it('survives a build that breaks and a project that cannot be read, with the last good version in place', async () => {
    const { host, dir } = shared();
    const { web, api } = talkTo(host, dir);
    const built = (script: string) => JSON.stringify({ scripts: { build: script } });
    write('built', {
      'packages/built/fn/package.json': built('cp source.js made.js && cp source.js copy.js'),
      'packages/built/fn/.include': 'made.js\n',
      'packages/built/fn/source.js': answering('first'),
    });
    const watching = startServerless({ cwd: dir }, 'watch', 'built');
    await watching.until('err', 'watching built');
    expect(await (await web('built/fn')).text()).toBe('first');

    write('built', { 'packages/built/fn/package.json': built('echo this build is broken && exit 1') });
    await watching.until('out', 'this build is broken');
    expect(await (await web('built/fn')).text()).toBe('first');

    write('built', { 'packages/built/late.js': 'exports.main = ( => ({});\n' });
    await watching.until('out', 'packages/built/late.js:1: SyntaxError');

    write('built', { 'project.yml': 'packages:\n  - nmae: built\n' });
    await watching.until('err', 'project.yml:2');

    write('built', { 'project.yml': 'packages:\n  - name: built\n' });
    write('built', { 'packages/built/fn/package.json': built('cp source.js made.js'), 'packages/built/fn/source.js': answering('second') });
    await watching.until('out', '0.0.2');
    expect(await (await web('built/fn')).text()).toBe('second');
    await watching.interrupt();
    expect((await api('GET', 'actions/built/fn?code=false')).body.version).toBe('0.0.2');
  });

  it('ends by Ctrl-C in the middle of a build, with that and without a word of failure', async () => {
    const { dir } = shared();
    const build = longBuild(join(dir, 'endless'));
    const watching = startServerless({ cwd: dir }, 'watch', 'endless');
    await build.begun;
    const { code, out, err } = await watching.interrupt();
    await build.gone;
    expect([code, out.trim(), err.trim()]).toEqual([0, '', 'building slow/fn: ./build.sh']);
  });

  it('is told once where a terminal and npm tell it to end at the same time', async () => {
    const { dir } = shared();
    write('twice', { 'packages/twice/one.js': answering('one') });
    const watching = startServerless({ cwd: dir }, 'watch', 'twice');
    await watching.until('err', 'watching twice');
    // Two of the same signal might become one on their way.
    expect(await watching.interrupt('SIGINT', 'SIGTERM')).toMatchObject({ code: 0 });
  });

  it('refuses a project that is wrong from the start', async () => {
    const { dir } = shared();
    expect(await runServerless({ cwd: dir }, 'watch', 'nowhere')).toMatchObject({ code: 1, err: expect.stringContaining('no directory') });
  });
});

describe('get-metadata', () => {
  it('tells what a project holds without deploying it, and which variables have no value', async () => {
    const { dir } = shared();
    write('meta', {
      'project.yml': `packages:\n  - name: meta\n    functions:\n      - name: one\n        environment:\n          WORD: "\${NOWHERE}"\n`,
      'packages/meta/one.js': answering('one'),
      'packages/other/two.js': answering('two'),
    });
    const { code, out } = await runServerless({ cwd: dir }, 'get-metadata', 'meta', '--exclude', 'other');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      packages: [{ name: 'meta', functions: [{ name: 'one', file: 'packages/meta/one.js' }] }],
      unresolvedVariables: ['NOWHERE'],
    });
    expect(await runServerless({ cwd: dir }, 'functions', 'get', 'meta/one')).toMatchObject({ code: 1 });
  });
});
