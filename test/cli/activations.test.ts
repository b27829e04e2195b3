import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startHost } from '../../lib/host/start-host.ts';
import { talkTo } from '../host/support/test-host.ts';
import { passingHost } from './support/passing-host.ts';
import { runServerless, startServerless, tempDir } from './support/run-serverless.ts';
import { sharedHost } from './support/shared-host.ts';

const shared = sharedHost();
const run = (...args: readonly string[]) => runServerless({ cwd: shared().dir }, ...args);
const greet = (name: string) => `exports.main = ({ to }) => { console.log('${name} greets ' + to); return { body: to }; };`;
const ids: string[] = [];

beforeAll(async () => {
  const { host, dir } = shared();
  const talk = talkTo(host, dir);
  await talk.deploy('day/hello', greet('hello'));
  await talk.deploy('night/hello', greet('night'));
  await talk.deploy('day/failing', "exports.main = () => ({ error: 'too bad' });");
  for (const [name, to] of [
    ['day/hello', 'one'],
    ['night/hello', 'two'],
    ['day/hello', 'three'],
  ] as const) {
    ids.push((await talk.invoke(name, { to })).activationId);
  }
  ids.push((await talk.invoke('day/failing')).activationId);
});

describe('activations list', () => {
  it('has the columns of the platform, the newest first', async () => {
    const { code, out } = await run('actv', 'ls');
    expect(code).toBe(0);
    const [heading, ...rows] = out
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(['Datetime', 'Status', 'Kind', 'Version', 'Activation ID', 'Start', 'Wait', 'Duration', 'Function']);
    expect(rows.map((row) => [row[1], row[2], row[3], row[4], row[5], row[8]])).toEqual([
      ['application error', 'nodejs:24', '0.0.1', ids[3], 'cold', 'day/failing'],
      ['success', 'nodejs:24', '0.0.1', ids[2], 'warm', 'day/hello'],
      ['success', 'nodejs:24', '0.0.1', ids[1], 'cold', 'night/hello'],
      ['success', 'nodejs:24', '0.0.1', ids[0], 'cold', 'day/hello'],
    ]);
    expect(rows[0]?.[7]).toMatch(/^\d+ms$/);
  });

  it('takes a function as an argument and as an option, a page, times and columns', async () => {
    const shown = async (...args: readonly string[]) =>
      (await run('activations', 'list', ...args, '--no-header', '--format', 'ActivationID')).out.trim().split('\n');
    expect(await shown('day/hello')).toEqual([ids[2], ids[0]]);
    expect(await shown('--function', 'night/hello')).toEqual([ids[1]]);
    expect(await shown('--limit', '2', '--skip', '1')).toEqual([ids[2], ids[1]]);
    const [first] = JSON.parse((await run('activations', 'list', 'night/hello', '--full')).out);
    expect(first).toMatchObject({ activationId: ids[1], logs: [expect.stringContaining('night greets two')] });
    expect(await shown('--upto', String(first.start))).toContain(ids[0]);
    expect(await shown('--upto', String(first.start))).not.toContain(ids[3]);
  });

  it('counts', async () => {
    expect((await run('activations', 'list', '--count')).out).toBe('You have 4 activations in this namespace\n');
    expect((await run('activations', 'list', 'day/hello', '--count')).out).toBe(
      'You have 2 activations in this namespace for function day/hello\n',
    );
  });
});

describe('activations get, logs and result', () => {
  it('get shows the last record, one by its id, and the logs or the result alone', async () => {
    expect(JSON.parse((await run('activations', 'get')).out)).toMatchObject({ activationId: ids[3], date: expect.any(String) });
    expect(JSON.parse((await run('activations', 'get', ids[0] ?? '')).out)).toMatchObject({ activationId: ids[0] });
    const logs = await run('activation', 'get', '-f', 'day/hello', '--logs');
    expect(logs.out).toMatch(new RegExp(`^=== ${ids[2]} success \\d\\d/\\d\\d \\S+ day/hello:0\\.0\\.1\nhello greets three\n$`));
    const result = await run('activation', 'get', '-f', 'day/hello', '--skip', '1', '-r', '-q');
    expect(JSON.parse(result.out)).toEqual({ body: 'one' });
  });

  it('logs shows the last, as many as wanted in the order they came, of a function, of a package, and without times', async () => {
    expect((await run('activations', 'logs', '-f', 'day/hello')).out).toMatch(/===.*\n\d{4}-\S+Z stdout: hello greets three\n\n$/);
    const { out } = await run('activations', 'logs', '--limit', '3', '--strip', '--skip', '1');
    expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('==='))).toEqual([
      'hello greets one',
      'night greets two',
      'hello greets three',
    ]);
    expect((await run('activations', 'logs', '-p', 'night', '-n', '5', '-r')).out).toContain('night greets two');
    expect((await run('activations', 'logs', ids[0] ?? '', '-r')).out).toBe('hello greets one\n');
  });

  it('logs is one list for programs, in the order they came', async () => {
    const { out } = await run('activations', 'logs', '--limit', '3', '--skip', '1', '-o', 'json');
    const printed = JSON.parse(out).flatMap(({ logs }: { logs: readonly string[] }) => logs);
    expect(printed).toEqual(['hello greets one', 'night greets two', 'hello greets three'].map((text) => expect.stringContaining(text)));
  });

  it('logs shows what a function failed with where it printed nothing', async () => {
    expect((await run('activations', 'logs', ids[3] ?? '')).out).toBe('! too bad\n');
    expect((await run('activations', 'logs', '-f', 'day/failing')).out).toMatch(/^=== .* day\/failing:0\.0\.1\n! too bad\n\n$/);
  });

  it('result shows what was returned', async () => {
    expect(JSON.parse((await run('activations', 'result', ids[1] ?? '')).out)).toEqual({ body: 'two' });
    const { out } = await run('activations', 'result', '-f', 'day/hello', '-n', '2');
    expect(out.indexOf('"one"')).toBeGreaterThan(0);
    expect(out.indexOf('"three"')).toBeGreaterThan(out.indexOf('"one"'));
  });

  it('say what is wrong with an id, and that there is nothing', async () => {
    expect(await run('activations', 'get', 'f'.repeat(32))).toMatchObject({ code: 1, err: expect.stringContaining('no activation ffff') });
    expect(await run('activations', 'logs', '-f', 'day/never')).toMatchObject({ code: 1, err: expect.stringContaining('of day/never') });
  });
});

describe('activations logs --follow', () => {
  it('prints what is pushed, each once and in order, until it is interrupted', async () => {
    const { host, dir } = shared();
    const talk = talkTo(host, dir);
    const following = startServerless({ cwd: dir }, 'activations', 'logs', '--follow', '--function', 'day/hello', '--strip');
    await following.until('err', 'following day/hello');
    await talk.invoke('night/hello', { to: 'nobody' });
    for (let count = 0; count < 20; count++) await talk.invoke('day/hello', { to: `number ${count}.` });
    await following.until('out', 'number 19.');
    const { code, out } = await following.interrupt();
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.includes('greets'))).toEqual(
      Array.from({ length: 20 }, (_, count) => `hello greets number ${count}.`),
    );
  });

  it('prints a line of JSON for each with -o json, of a package alone', async () => {
    const { host, dir } = shared();
    const talk = talkTo(host, dir);
    const following = startServerless({ cwd: dir }, 'activations', 'logs', '--follow', '--package', 'night', '-o', 'json');
    await following.until('err', 'following all functions');
    await talk.invoke('day/hello', { to: 'somebody' });
    const { activationId } = await talk.invoke('night/hello', { to: 'us' });
    await following.until('out', 'greets us');
    const { out } = await following.interrupt();
    expect(JSON.parse(out)).toMatchObject({ activationId, name: 'hello', logs: [expect.stringContaining('night greets us')] });
  });
});

describe('activations logs --follow, when things go wrong', () => {
  const greeter = "exports.main = ({ to }) => { console.log('greets ' + to); return {}; };";
  const greetings = (out: string) => out.split('\n').filter((line) => line.startsWith('greets'));

  it('loses nothing and repeats nothing across a restart of the host, also of one where nothing ever ran', async () => {
    const cwd = tempDir();
    const dataDir = join(cwd, '.deckhand', 'host');
    mkdirSync(dirname(dataDir));
    const before = await startHost({ dataDir });
    await talkTo(before, dataDir).deploy('greeter', greeter);
    const following = startServerless({ cwd }, 'activations', 'logs', '--follow', '--strip');
    await following.until('err', 'following all functions');
    await before.close();
    await following.until('err', 'waiting for it to come back');

    const between = await startHost({ dataDir, port: before.port });
    await talkTo(between, dataDir).invoke('greeter', { to: 'one' });
    await following.until('out', 'greets one');
    await between.close();

    const after = await startHost({ dataDir, port: before.port });
    onTestFinished(() => after.close());
    for (const to of ['two', 'three']) await talkTo(after, dataDir).invoke('greeter', { to });
    await following.until('out', 'greets three');
    const { code, out } = await following.interrupt();
    expect(code).toBe(0);
    expect(greetings(out)).toEqual(['greets one', 'greets two', 'greets three']);
  });

  it('asks again and again where the host pushes nothing, and misses none that began before', async () => {
    const { host, dir } = shared();
    const talk = talkTo(host, dir);
    await talk.deploy('greeter', greeter);
    await talk.invoke('greeter', { to: 'nobody yet' });
    // The platform has no such call.
    const platform = await passingHost(host.url, { before: async ({ url }) => (url?.startsWith('/_local') ? 404 : undefined) });
    const there = ['--apihost', platform, '--auth', host.auth];
    const following = startServerless({ cwd: dir }, 'activations', 'logs', '--follow', '-f', 'greeter', '--strip', ...there);
    await following.until('err', 'asking every');
    for (const to of ['one', 'two', 'three']) await talk.invoke('greeter', { to });
    await following.until('out', 'greets three');
    await talk.invoke('greeter', { to: 'four' });
    await following.until('out', 'greets four');
    const { out } = await following.interrupt();
    expect(greetings(out)).toEqual(['greets one', 'greets two', 'greets three', 'greets four']);
  });

  it('says so where the host is not there, or refuses the key', async () => {
    const { host, dir } = shared();
    const follow = (apihost: string, auth: string) =>
      runServerless({ cwd: dir }, 'activations', 'logs', '--follow', '--apihost', apihost, '--auth', auth);
    expect(await follow('http://127.0.0.1:1', host.auth)).toMatchObject({ code: 1, err: expect.stringContaining('no answer') });
    expect(await follow(host.url, 'no:good')).toMatchObject({ code: 1, err: expect.stringContaining('401') });
  });
});
