import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { talkTo } from '../host/support/test-host.ts';
import { zip } from '../host/support/zip.ts';
import { runServerless, tempDir } from './support/run-serverless.ts';
import { sharedHost } from './support/shared-host.ts';

const shared = sharedHost();
const echo = 'exports.main = (event) => ({ body: event });';
const run = (...args: readonly string[]) => runServerless({ cwd: shared().dir }, ...args);

beforeAll(async () => {
  const { host, dir } = shared();
  const talk = talkTo(host, dir);
  await talk.deploy('tools/echo', {
    code: echo,
    parameters: [
      { key: 'WORD', value: 'secret', init: true },
      { key: 'LEVEL', value: '3', init: true },
      { key: 'bound', value: 'by the function' },
    ],
  });
  await talk.deploy('tools/zipped', { code: await zip({ 'index.js': echo }), web: false });
  await talk.deploy('tools/failing', { code: "exports.main = () => { console.log('about to'); return { error: 'too bad' }; };" });
  await talk.deploy('alone', { code: echo, web: 'raw' });
});

describe('functions list', () => {
  it('has the columns of the platform, the most recently updated first', async () => {
    const { code, out } = await run('functions', 'list');
    expect(code).toBe(0);
    const [heading, ...rows] = out
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(['Latest Update', 'Latest Version', 'Runtime Kind', 'Function Name']);
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['0.0.1', 'nodejs:24', 'alone'],
      ['0.0.1', 'nodejs:24', 'tools/failing'],
      ['0.0.1', 'nodejs:24', 'tools/zipped'],
      ['0.0.1', 'nodejs:24', 'tools/echo'],
    ]);
    expect(rows[0]?.[0]).toMatch(/^\d\d\/\d\d \d\d:\d\d:\d\d$/);
  });

  it('takes aliases, a package, a page, an order and columns', async () => {
    expect((await run('fn', 'ls', 'tools', '--name', '--no-header', '--format', 'function')).out).toBe(
      'tools/echo\ntools/failing\ntools/zipped\n',
    );
    expect((await run('function', 'list', '-l', '1', '-s', '1', '--no-header', '--format', 'Function')).out).toBe('tools/failing\n');
  });

  it('is JSON by -o json and by --json', async () => {
    const { out } = await run('functions', 'list', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject([{ name: 'alone' }, { name: 'failing' }, { name: 'zipped' }, { name: 'echo' }]);
    expect((await run('functions', 'list', '--json')).out).toBe(out);
  });

  it('counts, and says what a column that does not exist may have been', async () => {
    expect((await run('functions', 'list', '--count')).out).toBe('There are 4 functions in this namespace.\n');
    expect(await run('functions', 'list', '--count', '--format', 'Function')).toMatchObject({ code: 1 });
    const { code, err } = await run('functions', 'list', '--format', 'Functoin');
    expect([code, err]).toEqual([1, expect.stringContaining('did you mean "Function"?')]);
  });
});

describe('functions get', () => {
  it('prints the metadata, without the code', async () => {
    const { out } = await run('functions', 'get', 'tools/echo');
    expect(JSON.parse(out)).toMatchObject({ name: 'echo', version: '0.0.1', exec: { kind: 'nodejs:24', binary: false } });
    expect(out).not.toContain('exports.main');
  });

  it('prints the address of a web function, of one in no package, and of one that is none', async () => {
    const { url, namespace } = shared().host;
    expect((await run('functions', 'get', 'tools/echo', '--url')).out).toBe(`${url}/api/v1/web/${namespace}/tools/echo\n`);
    expect((await run('functions', 'get', 'alone', '-r')).out).toBe(`${url}/api/v1/web/${namespace}/default/alone\n`);
    expect((await run('functions', 'get', 'tools/zipped', '-r')).out).toBe(`${url}/api/v1/namespaces/${namespace}/actions/tools/zipped\n`);
  });

  it('takes the full name and the default package too', async () => {
    const { namespace } = shared().host;
    expect(JSON.parse((await run('functions', 'get', `/${namespace}/tools/echo`)).out)).toMatchObject({ name: 'echo' });
    expect(JSON.parse((await run('functions', 'get', 'default/alone')).out)).toMatchObject({ name: 'alone' });
  });

  it('prints the code, or writes it to a file', async () => {
    const cwd = shared().dir;
    expect((await run('functions', 'get', 'tools/echo', '--code')).out).toBe(`${echo}\n`);
    expect(JSON.parse((await run('functions', 'get', 'tools/echo', '--code', '--json')).out)).toEqual({ code: echo });
    expect(await run('functions', 'get', 'tools/zipped', '--code')).toMatchObject({ code: 1, err: expect.stringContaining('--save') });
    expect(await run('functions', 'get', 'tools/echo', '--save')).toMatchObject({ code: 0, out: '' });
    expect(readFileSync(join(cwd, 'echo.js'), 'utf8')).toBe(echo);
    await run('functions', 'get', 'tools/zipped', '--save');
    expect(readFileSync(join(cwd, 'zipped.zip')).subarray(0, 2).toString()).toBe('PK');
    await run('functions', 'get', 'tools/echo', '--save-as', 'other.cjs');
    expect(readFileSync(join(cwd, 'other.cjs'), 'utf8')).toBe(echo);
  });

  it('writes the environment for its owner alone, and no other parameters', async () => {
    const cwd = shared().dir;
    await run('functions', 'get', 'tools/echo', '-E', 'echo.env', '-J', 'echo.json');
    expect(readFileSync(join(cwd, 'echo.env'), 'utf8')).toBe('WORD=secret\nLEVEL=3\n');
    expect(JSON.parse(readFileSync(join(cwd, 'echo.json'), 'utf8'))).toEqual({ WORD: 'secret', LEVEL: '3' });
    expect(statSync(join(cwd, 'echo.env')).mode & 0o077).toBe(0);
  });

  it('names the nearest for a function that is not there, or that of its name where the package was left out', async () => {
    const { code, out, err } = await run('functions', 'get', 'tools/ecko');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('did you mean "tools/echo"?');
    expect((await run('functions', 'get', 'echo')).err).toContain('there is no function echo');
    expect((await run('functions', 'invoke', 'echo')).err).toContain('did you mean "tools/echo"?');
    expect(await run('functions', 'get', 'a/b/c/d')).toMatchObject({ code: 1, err: expect.stringContaining('is no function') });
  });
});

describe('functions invoke', () => {
  it('prints the result, of inputs with commas, repeated options and a file', async () => {
    const file = join(tempDir(), 'inputs.json');
    writeFileSync(file, '{"list":[1,2],"name":"from the file"}');
    const { code, out } = await run('functions', 'invoke', 'tools/echo', '-p', 'name:Sammy,words:a,b', '-p', 'url:http://x', '-P', file);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      body: { bound: 'by the function', name: 'Sammy', words: 'a,b', url: 'http://x', list: [1, 2] },
    });
  });

  it('prints the whole record with --full, and the id with --no-wait', async () => {
    const full = JSON.parse((await run('functions', 'invoke', 'alone', '--full')).out);
    expect(full).toMatchObject({ name: 'alone', response: { success: true, result: { body: {} } }, logs: [] });
    const { out } = await run('functions', 'invoke', 'alone', '-n');
    expect(JSON.parse(out)).toEqual({ activationId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it('prints what a function that failed says, where its log is, and ends with 1', async () => {
    const { code, out, err } = await run('functions', 'invoke', 'tools/failing');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ error: 'too bad' });
    const [, id = ''] = /activations logs ([0-9a-f]{32})/.exec(err) ?? [];
    expect((await run('activations', 'logs', id, '--strip')).out).toBe('about to\n! too bad\n');
  });

  it('calls the address of a web function with --web, and refuses for one that is none', async () => {
    const { code, out } = await run('functions', 'invoke', 'tools/echo', '--web', '-p', 'name:Sammy');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ name: 'Sammy', http: { method: 'GET' } });
    expect(await run('functions', 'invoke', 'tools/zipped', '--web')).toMatchObject({ code: 1, out: '' });
  });

  it('refuses inputs that are none, before anything runs', async () => {
    expect(await run('functions', 'invoke', 'alone', '-p', 'novalue')).toMatchObject({
      code: 1,
      err: expect.stringContaining('key:value'),
    });
    const wanted = 'expected a file with a JSON object of inputs, such as {"name": "Sammy"}';
    for (const [file, wrong] of [
      ['no/such.json', `there is no ${join(shared().dir, 'no/such.json')}; ${wanted}`],
      ['.', `${shared().dir} is a directory; ${wanted}`],
      ['broken.json', "Expected property name or '}' in JSON"],
      ['list.json', wanted],
    ] as const) {
      writeFileSync(join(shared().dir, 'broken.json'), '{name: 1}');
      writeFileSync(join(shared().dir, 'list.json'), '[1]');
      const { code, err } = await run('functions', 'invoke', 'alone', '-P', file);
      expect([code, err]).toEqual([1, expect.stringContaining(`--param-file ${file}: ${wrong}`)]);
    }
    expect(await run('functions', 'invoke', 'tools/nope')).toMatchObject({ code: 1, err: expect.stringContaining('there is no function') });
  });

  it('by web says where to see what went wrong, and that an empty answer is one', async () => {
    const { host, dir } = shared();
    const { deploy } = talkTo(host, dir);
    await deploy('odd/text', "exports.main = () => 'text';");
    await deploy('odd/empty', "exports.main = () => ({ text: 'text' });");
    const { code, err } = await run('functions', 'invoke', 'odd/text', '--web');
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringMatching(/odd\/text answered 400; its log: npx deckhand serverless activations logs \w{32}/),
    });
    const { out } = await run('activations', 'logs', /logs (\w{32})/.exec(err)?.[1] ?? '');
    expect(out).toBe('! The function did not return a dictionary.\n');
    expect(await run('functions', 'invoke', 'odd/empty', '--web')).toMatchObject({
      code: 0,
      err: expect.stringContaining('204, with nothing'),
    });
  });
});

describe('functions delete and undeploy', () => {
  const names = async () => (await run('functions', 'list', '--name', '--no-header', '--format', 'Function')).out.trim().split('\n');

  it('delete functions, all named or none', async () => {
    const { host, dir } = shared();
    const { deploy } = talkTo(host, dir);
    await deploy('gone/one', echo);
    await deploy('gone/two', echo);
    expect(await run('functions', 'delete', 'gone/one', 'gone/nope')).toMatchObject({ code: 1 });
    expect(await names()).toContain('gone/one');
    expect(await run('functions', 'rm', 'gone/one')).toMatchObject({ code: 0 });
    expect(await names()).not.toContain('gone/one');

    expect(await run('undeploy', 'gone/two', 'gone/nope')).toMatchObject({ code: 1, err: expect.stringContaining('gone/nope') });
    expect(await names()).not.toContain('gone/two');
  });

  it('remove packages with what is in them', async () => {
    const { host, dir } = shared();
    const { deploy, api } = talkTo(host, dir);
    await deploy('pack/one', echo);
    await deploy('pack/two', echo);
    expect(await run('undeploy', 'pack', '--packages')).toMatchObject({
      code: 0,
      out: 'The requested resources have been undeployed.\n',
    });
    expect((await api('GET', 'packages/pack')).status).toBe(404);
  });

  it('want to know what', async () => {
    expect(await run('undeploy')).toMatchObject({ code: 1, err: expect.stringContaining('--all') });
    expect(await run('undeploy', 'x', '--all')).toMatchObject({ code: 1 });
    expect(await run('undeploy', 'x', '--packages', '--triggers')).toMatchObject({ code: 1 });
  });

  it('remove everything with --all', async () => {
    expect(await run('undeploy', '--all')).toMatchObject({ code: 0 });
    expect((await run('functions', 'list', '--count')).out).toBe('There are 0 functions in this namespace.\n');
  });
});
