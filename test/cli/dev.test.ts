import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longBuild } from './support/long-build.ts';
import { type RunningCommand, runServerless, startServerless, tempDir } from './support/run-serverless.ts';

type Files = Readonly<Record<string, string>>;

function write(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

const answering = (word: string) => `exports.main = () => ({ body: '${word}' });\n`;

/** `dev` on a new project, ready and watching. */
async function developing(files: Files, ...args: readonly string[]) {
  const cwd = tempDir();
  write(join(cwd, 'p'), files);
  const running = startServerless({ cwd }, 'dev', 'p', '--port', '0', ...args);
  await running.until('err', 'watching p');
  const urlOf = async (name: string): Promise<string> => {
    const out = await running.until('out', `/${name}\n`);
    return new RegExp(`http://\\S+/${name}$`, 'm').exec(out)?.[0] ?? '';
  };
  const ask = async (name: string): Promise<string> => (await fetch(await urlOf(name))).text();
  return { cwd, project: join(cwd, 'p'), running, urlOf, ask };
}

async function printedBy(running: RunningCommand, text: string): Promise<readonly string[]> {
  return (await running.until('out', text)).split('\n');
}

describe('dev', () => {
  it('starts a host with its state in the project, deploys, and shows each request with what it printed', async () => {
    const code = "exports.main = (event) => { console.log('said', event.word); return { body: 'one' }; };\n";
    const { running, urlOf, project } = await developing({ 'packages/a/one.js': code });
    expect(await (await fetch(`${await urlOf('a/one')}/further?word=hello`)).text()).toBe('one');
    const lines = await printedBy(running, 'said hello');
    const shown = lines.findIndex((line) => line.includes('GET'));
    expect(lines[shown]).toMatch(/^\d\d:\d\d:\d\d {2}GET a\/one\/further {2}200 {2}\d+ ms {2}cold {2}0\.0\.1$/);
    expect(lines[shown + 1]).toBe('  said hello');
    expect(existsSync(join(project, '.deckhand/host/credentials.json'))).toBe(true);
    expect(await running.interrupt()).toMatchObject({ code: 0 });
  });

  it('serves what is saved and leaves the other functions warm', async () => {
    const { running, ask, project } = await developing({ 'packages/a/one.js': answering('one'), 'packages/a/two.js': answering('two') });
    expect([await ask('a/one'), await ask('a/two')]).toEqual(['one', 'two']);
    write(project, { 'packages/a/one.js': answering('changed') });
    await running.until('out', 'serving a/one 0.0.2');
    expect([await ask('a/one'), await ask('a/two')]).toEqual(['changed', 'two']);
    await running.until('out', 'ms  warm  0.0.1');
    expect(await running.interrupt()).toMatchObject({ out: expect.not.stringContaining('a/two 0.0.2') });
  });

  it('shows every one of many runs', async () => {
    const code = "exports.main = (event) => { console.log('run', event.number, 'here'); return { body: event.number }; };\n";
    const { running, urlOf } = await developing({ 'packages/a/one.js': code });
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const url = await urlOf('a/one');
    await Promise.all(numbers.map((number) => fetch(`${url}?number=${number}`)));
    for (const number of numbers) await running.until('out', `run ${number} here`);
    const { out } = await running.interrupt();
    expect(out.match(/GET a\/one {2}200/g)).toHaveLength(60);
  });

  it('says why a build is broken, in full, and the version before goes on serving', async () => {
    const manifest = (script: string) => JSON.stringify({ scripts: { build: script } });
    const { running, ask, project } = await developing({
      'packages/a/built/package.json': manifest('cp source.js made.js'),
      'packages/a/built/.include': 'made.js\n',
      'packages/a/built/source.js': answering('first'),
    });
    expect(await ask('a/built')).toBe('first');
    write(project, { 'packages/a/built/package.json': manifest('echo nothing works today >&2; exit 1') });
    const told = await running.until('err', 'the version before, if there is one, goes on serving');
    expect(told).toContain('nothing works today');
    expect(told.match(/failed a\/built/g), 'once').toHaveLength(1);
    expect(await ask('a/built')).toBe('first');
    await running.interrupt();
  });

  it('ends by Ctrl-C in the middle of a build, with that and without a word of failure', async () => {
    const cwd = tempDir();
    const build = longBuild(join(cwd, 'p'));
    const running = startServerless({ cwd }, 'dev', 'p', '--port', '0');
    await build.begun;
    const { code, out, err } = await running.interrupt();
    await build.gone;
    expect([code, out, err.trim()]).toEqual([0, '', expect.stringMatching(/^host .*\nbuilding slow\/fn: \.\/build\.sh$/)]);
  });

  it('shows what a run failed with that could not print it itself', async () => {
    const { running, ask } = await developing({ 'packages/a/broken.js': 'missing();\nexports.main = () => {};\n' });
    await ask('a/broken');
    const out = await running.until('out', 'ReferenceError');
    expect(out).toContain('! Initialization has failed');
    expect(out).toContain('p/packages/a/broken.js:1');
    await running.interrupt();
  });

  it('finds the sources of a stack trace, by a map in the bundle, beside it, or none', async () => {
    // Line 3 of the bundle is line 7 of the source, column for column.
    const map = { version: 3, sources: ['src/origin.ts'], names: [], mappings: ';;AAMA' };
    const thrower = '// bundled\n\nexports.main = () => { throw new Error("here"); };\n';
    const inline = Buffer.from(JSON.stringify(map)).toString('base64');
    const { running, ask } = await developing({
      'packages/a/inline/.include': 'bundle.js\n',
      'packages/a/inline/bundle.js': `${thrower}//# sourceMappingURL=data:application/json;charset=utf-8;base64,${inline}\n`,
      'packages/a/beside/.include': 'bundle.js\nwords.txt\n',
      'packages/a/beside/words.txt': 'words',
      'packages/a/beside/bundle.js': `${thrower}//# sourceMappingURL=bundle.js.map\n`,
      'packages/a/beside/bundle.js.map': JSON.stringify({ ...map, sources: ['webpack://beside/./src/origin.ts'] }),
      'packages/a/plain.js': thrower,
    });
    for (const name of ['a/inline', 'a/beside', 'a/plain']) await ask(name);
    for (const place of ['a/inline/src/origin.ts:7:', 'a/beside/src/origin.ts:7:', 'a/plain.js:3:']) {
      await running.until('out', `p/packages/${place}`);
    }
    expect((await running.interrupt()).out).not.toContain('deckhand-functions-');
  });

  it('uses the host that runs already, and shows what is called there', async () => {
    const { cwd, running, ask } = await developing({
      'packages/a/one.js': "exports.main = () => { console.log('said'); return { body: 'one' } };",
    });
    const second = startServerless({ cwd }, 'dev', 'p');
    await second.until('err', 'following all functions');
    expect(await second.until('err', 'watching p')).toContain('which runs already');
    await ask('a/one');
    expect(await second.until('out', 'said')).toMatch(/a\/one {2}success {2}\d+ ms/);
    expect(await second.interrupt()).toMatchObject({ code: 0 });
    expect(await ask('a/one')).toBe('one');
    await running.interrupt();
  });

  it('tells programs in lines of JSON', async () => {
    const cwd = tempDir();
    write(cwd, { 'p/packages/a/one.js': answering('one') });
    const running = startServerless({ cwd }, 'dev', 'p', '--port', '0', '--json');
    await running.until('err', 'watching p');
    const deployed = JSON.parse(await running.until('out', '\n'));
    await fetch(deployed.deployed[0].url);
    await running.until('out', '"event":"run"');
    const { out } = await running.interrupt();
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({ event: 'run', function: 'a/one', status: 200, cold: true });
  });

  it('has a function debugged, and says where', async () => {
    const { running } = await developing({ 'packages/a/one.js': answering('one') }, '--inspect', 'a/one', '--inspect-port', '0');
    const port = /a\/one can be debugged at 127\.0\.0\.1:(\d+)/.exec(await running.until('err', 'can be debugged'))?.[1];
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/json/version`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    expect(await running.interrupt()).toMatchObject({ code: 0 });
  });

  it('names the functions there are for one to debug that there is not', async () => {
    const cwd = tempDir();
    write(cwd, { 'p/packages/a/one.js': answering('one') });
    const { code, err } = await runServerless({ cwd }, 'dev', 'p', '--inspect', 'a/oen');
    expect(code).toBe(1);
    expect(err).toContain('no function a/oen; did you mean "a/one"?');
  });

  it('refuses a project that is wrong from the start, before anything is started', async () => {
    const cwd = tempDir();
    mkdirSync(join(cwd, 'p'));
    expect(await runServerless({ cwd }, 'dev', 'p')).toMatchObject({ code: 1, err: expect.stringContaining('holds no function') });
    expect(existsSync(join(cwd, 'p/.deckhand'))).toBe(false);
  });
});
