import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSlice } from '../../lib/cli/start/build-slice.ts';
import { registryProblem } from '../deployer/support/registry-problem.ts';
import { longBuild } from './support/long-build.ts';
import { passingHost } from './support/passing-host.ts';
import { runServerless, startServerless, tempDir } from './support/run-serverless.ts';
import { sharedHost } from './support/shared-host.ts';

const missing = await registryProblem();
const shared = sharedHost({ remoteBuild: buildSlice });

function writeProject(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

describe('init, deploy, get --url and a request', () => {
  it('take a JavaScript project from nothing to an answer, with no edits', async () => {
    const { dir, host } = shared();
    const made = await runServerless({ cwd: dir }, 'init', '--language', 'js', 'hello');
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('  npx deckhand serverless deploy hello') });

    const deployed = await runServerless({ cwd: dir }, 'deploy', 'hello');
    expect(deployed).toMatchObject({ code: 0 });
    expect(deployed.out).toContain(`to namespace '${host.namespace}'`);
    expect(deployed.out).toMatch(/sample\/hello {2,}nodejs:24 {2,}\d+ B {2,}\d+ ms {2,}\d+ ms {2,}0\.0\.1 {2,}http/);
    expect(deployed.err).toContain('deployed sample/hello');

    const url = (await runServerless({ cwd: dir }, 'function', 'get', 'sample/hello', '--url')).out.trim();
    expect(url).toBe(`${host.url}/api/v1/web/${host.namespace}/sample/hello`);
    expect(await (await fetch(`${url}?name=Sammy`)).text()).toBe('Hello Sammy!');
  });

  it.skipIf(missing !== null)(
    `take a TypeScript project there too, built by Rollup, whose types are checked${missing ? `, not tried: ${missing}` : ''}`,
    async () => {
      const { dir } = shared();
      expect(await runServerless({ cwd: dir }, 'init', '-l', 'ts', 'typed')).toMatchObject({ code: 0 });
      const deployed = await runServerless({ cwd: dir }, 'deploy', 'typed', '-o', 'json');
      expect(deployed, deployed.err).toMatchObject({ code: 0 });
      const [{ url }] = JSON.parse(deployed.out).deployed;
      expect(await (await fetch(`${url}?name=Sammy`)).text()).toBe('Hello Sammy!');

      const source = join(dir, 'typed/packages/sample/hello/src/index.ts');
      writeFileSync(source, readFileSync(source, 'utf8').replace('body: greeting', 'body: 1'));
      const refused = await runServerless({ cwd: dir }, 'deploy', 'typed');
      expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('TS2322') });
      // npm installs the bundler, as slowly as the machine and the network are.
    },
    180_000,
  );
});

describe('init', () => {
  it('writes into an empty directory, refuses one that holds something, and clears it when told', async () => {
    const cwd = tempDir();
    writeProject(cwd, { 'p/mine.txt': 'mine' });
    mkdirSync(join(cwd, 'empty'));
    expect(await runServerless({ cwd }, 'init', 'empty')).toMatchObject({ code: 0 });
    expect(await runServerless({ cwd }, 'init', 'p')).toMatchObject({ code: 1, err: expect.stringContaining('use --overwrite') });
    expect(readFileSync(join(cwd, 'p/mine.txt'), 'utf8')).toBe('mine');
    expect(await runServerless({ cwd }, 'init', 'p', '--overwrite', '--json')).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'p/mine.txt'))).toBe(false);
    expect(existsSync(join(cwd, 'p/packages/sample/hello/hello.js'))).toBe(true);
  });

  it('never clears the directory it runs in', async () => {
    const cwd = tempDir();
    writeProject(cwd, { 'mine.txt': 'mine' });
    expect(await runServerless({ cwd }, 'init', '.', '--overwrite')).toMatchObject({ code: 1 });
    expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('names the languages for one that it does not know', async () => {
    const cwd = tempDir();
    const { code, err } = await runServerless({ cwd }, 'init', '-l', 'tss', 'p');
    expect(code).toBe(1);
    expect(err).toContain('did you mean "ts"? (js, javascript, ts, typescript)');
    expect(existsSync(join(cwd, 'p'))).toBe(false);
  });
});

describe('deploy', () => {
  const hello = 'exports.main = () => ({ body: "hello" });\n';

  it('deploys what it can, says why it could not the rest, and ends with 1', async () => {
    const { dir } = shared();
    writeProject(join(dir, 'mixed'), {
      'packages/mixed/good.js': hello,
      'packages/mixed/other/main.py': 'def main(args): return {}\n',
      'packages/mixed/broken/package.json': '{"scripts":{"build":"echo no such thing && exit 3"}}',
      'packages/mixed/broken/index.js': hello,
    });
    const { code, out, err } = await runServerless({ cwd: dir }, 'deploy', 'mixed');
    expect(code).toBe(1);
    expect(out).toMatch(/mixed\/good {2,}nodejs/);
    expect(out).toMatch(/Skipped:\n {2}- mixed\/other: .*Python/i);
    expect(out).toMatch(/Failures:\n {2}- mixed\/broken: .*npm run build/);
    expect(err).toContain('not everything was deployed: 1 failed, 1 skipped');
    expect(err, 'reasons are told once').not.toMatch(/ended with 3|Python/);
  });

  it('tells everything that is wrong with a project at once, with file, line and what is allowed, before anything is built', async () => {
    const { dir } = shared();
    writeProject(join(dir, 'wrong'), {
      'project.yml': [
        'packages:',
        '  - name: wrong',
        '    enviroment: {}',
        '    functions:',
        '      - name: fn',
        '        runtime: nodejs:16',
        '        limits: { memory: 64 }',
        '',
      ].join('\n'),
      'packages/wrong/fn/package.json': '{"scripts":{"build":"echo built > built.txt"}}',
      'packages/wrong/fn/.include': 'bundle.js\n/etc/passwd\n',
    });
    const { code, out, err } = await runServerless({ cwd: dir }, 'deploy', 'wrong');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/project\.yml:3: .*"enviroment"; did you mean "environment"\?/);
    expect(err).toMatch(/project\.yml:7: .*memory.*128 to 1024/);
    expect(err).toMatch(/packages\/wrong\/fn\/\.include:2: "\/etc\/passwd" is absolute/);
    expect(existsSync(join(dir, 'wrong/packages/wrong/fn/built.txt'))).toBe(false);
  });

  it('tells what it is at as it goes, and now and then that it still is', async () => {
    const { dir, host } = shared();
    writeProject(join(dir, 'slow'), { 'packages/slow/quick.js': hello, 'packages/slow/fn/index.js': hello });
    writeFileSync(join(dir, 'slow/packages/slow/fn/build.sh'), '#!/bin/sh\nmkfifo go && read -r word < go; rm go\n', { mode: 0o755 });
    const building = startServerless({ cwd: dir }, 'deploy', 'slow');
    await building.until('err', 'building slow/fn: ./build.sh');
    await building.until('err', 'deployed slow/quick');
    await building.until('err', 'still building slow/fn (');
    writeFileSync(join(dir, 'slow/packages/slow/fn/go'), 'go\n');
    expect(await building.ended).toMatchObject({ code: 0, err: expect.stringContaining('deployed slow/fn') });

    const remote = join(dir, 'go remote');
    writeFileSync(join(dir, 'slow/packages/slow/fn/build.sh'), `#!/bin/sh\nmkfifo '${remote}' && read -r word < '${remote}'\n`);
    const onHost = startServerless({ cwd: dir }, 'deploy', 'slow', '--include', 'slow/fn', '--remote-build');
    await onHost.until('err', 'still building slow/fn on the host (');
    writeFileSync(remote, 'go\n');
    expect(await onHost.ended).toMatchObject({ code: 0, err: expect.stringContaining('deployed slow/fn') });

    let goOn = (): void => undefined;
    const going = new Promise<undefined>((resolve) => {
      goOn = () => resolve(undefined);
    });
    const isFunction = ({ method, url }: { method?: string; url?: string }) => method === 'PUT' && url?.includes('/actions/');
    const slow = await passingHost(host.url, { before: async (request) => (isFunction(request) ? going : undefined) });
    const target = ['--apihost', slow, '--auth', host.auth];
    const sending = startServerless({ cwd: dir }, 'deploy', 'slow', '--include', 'slow/quick', ...target);
    await sending.until('err', 'still sending slow/quick for nodejs:24');
    goOn();
    expect(await sending.ended).toMatchObject({ code: 0 });
  });

  it('ends at once when it is told to, and its builds with it', async () => {
    const { dir } = shared();
    const build = longBuild(join(dir, 'endless'));
    const deploying = startServerless({ cwd: dir }, 'deploy', 'endless');
    await build.begun;
    expect(await deploying.interrupt()).toMatchObject({ code: null, out: '' });
    await build.gone;
  });

  it('takes packages and functions in and out, and leaves what has not changed', async () => {
    const { dir } = shared();
    writeProject(join(dir, 'parts'), { 'packages/a/one.js': hello, 'packages/a/two.js': hello, 'packages/b/one.js': hello });
    const names = async (...args: readonly string[]) => {
      const { out, err } = await runServerless({ cwd: dir }, 'deploy', 'parts', '--json', ...args);
      expect(out, err).not.toBe('');
      return JSON.parse(out).deployed.map(({ name, unchanged }: { name: string; unchanged: boolean }) => (unchanged ? `${name}=` : name));
    };
    expect(await names('--include', 'a,b/one', '--exclude', 'a/two')).toEqual(['a/one', 'b/one']);
    expect(await names('--incremental')).toEqual(['a/one=', 'a/two', 'b/one=']);
    expect(await runServerless({ cwd: dir }, 'deploy', 'parts', '--include', 'c')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no package or function c'),
    });
  });

  it('takes a certificate that nobody vouches for only when told', async () => {
    const { dir, host } = shared();
    writeProject(join(dir, 'secure'), { 'packages/secure/fn.js': hello });
    const file = (name: string) => readFileSync(new URL(`../fixtures/certificates/${name}`, import.meta.url), 'utf8');
    const https = await passingHost(host.url, { tls: { key: file('plain-key.pem'), cert: file('plain.pem') } });
    const deployed = (...args: readonly string[]) =>
      runServerless({ cwd: dir }, 'deploy', 'secure', '--apihost', https, '--auth', host.auth, ...args);
    expect(await deployed()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('certificate') });
    expect(await deployed('--insecure')).toMatchObject({ code: 0, out: expect.stringContaining('secure/fn') });
  });

  it('refuses --yarn, with what to do in its place', async () => {
    const { dir } = shared();
    expect(await runServerless({ cwd: dir }, 'deploy', 'parts', '--yarn')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('builds run npm; leave it out'),
    });
  });

  it('shows what a build prints when told, and leaves triggers alone when told', async () => {
    const { dir } = shared();
    writeProject(join(dir, 'wordy'), {
      'project.yml': [
        'packages:',
        '  - name: wordy',
        '    functions:',
        '      - name: fn',
        '        triggers: [{ name: wordy-hourly, type: scheduled, scheduledDetails: { cron: "0 * * * *" } }]',
        '',
      ].join('\n'),
      'packages/wordy/fn/package.json': '{"scripts":{"build":"echo words of the build && cp source.js made.js"}}',
      'packages/wordy/fn/.include': 'made.js\n',
      'packages/wordy/fn/source.js': hello,
    });
    const quiet = await runServerless({ cwd: dir }, 'deploy', 'wordy', '--no-triggers');
    expect(quiet).toMatchObject({ code: 0, err: expect.not.stringContaining('words of the build\n') });
    expect((await runServerless({ cwd: dir }, 'triggers', 'list', '--no-header')).out).toBe('');
    const wordy = await runServerless({ cwd: dir }, 'deploy', 'wordy', '--verbose-build');
    expect(wordy).toMatchObject({ code: 0, err: expect.stringContaining('\nwords of the build\n') });
    expect(wordy.out).toMatch(/Triggers:\n {2}- wordy-hourly "0 \* \* \* \*" wordy\/fn\n/);
    expect((await runServerless({ cwd: dir }, 'triggers', 'list', '--no-header')).out).toContain('wordy-hourly');
  });

  it('reads the variables of project.yml from the file of --env, and those of builds from --build-env', async () => {
    const { dir } = shared();
    writeProject(join(dir, 'vars'), {
      'project.yml': `packages:\n  - name: vars\n    functions:\n      - name: show\n        environment:\n          WORD: "\${WORD}"\n`,
      'packages/vars/show/package.json':
        '{"scripts":{"build":"echo \\"exports.main = () => ({ body: process.env.WORD + \'$TAIL\' })\\" > made.js"}}',
      'packages/vars/show/.include': 'made.js\n',
      'run.env': 'WORD=head\n',
      'build.env': 'TAIL=tail\n',
    });
    expect(await runServerless({ cwd: dir }, 'deploy', 'vars')).toMatchObject({ code: 1, err: expect.stringContaining('WORD') });
    const flags = ['--env', 'vars/run.env', '--build-env', 'vars/build.env', '--json'];
    const { out, err } = await runServerless({ cwd: dir }, 'deploy', 'vars', ...flags);
    expect(out, err).not.toBe('');
    expect(await (await fetch(JSON.parse(out).deployed[0].url)).text()).toBe('headtail');
  });
});
