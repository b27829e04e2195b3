import { chownSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { talkTo } from '../host/support/test-host.ts';
import { runServerless, tempDir } from './support/run-serverless.ts';
import { apiToken, sharedHost } from './support/shared-host.ts';

const shared = sharedHost();
const run = (...args: readonly string[]) => runServerless({ cwd: shared().dir }, ...args);

describe('namespaces', () => {
  it('are created, listed, shown and deleted, by label and by id', async () => {
    const { host } = shared();
    const created = await run('namespaces', 'create', '--label', 'staging', '--region', 'nyc', '--no-connect');
    expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^New namespace fn-\S+ created, but not connected\.\n$/) });
    const id = /fn-[\w-]+/.exec(created.out)?.[0] ?? '';

    const { out } = await run('ns', 'ls');
    const rows = out.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(['Label', 'Region', 'Namespace ID', 'API Host']);
    expect(rows).toContainEqual(['staging', 'nyc1', id, host.url]);

    const shown = await run('namespaces', 'get', 'staging');
    expect(JSON.parse(shown.out)).toMatchObject({ namespace: id, label: 'staging', region: 'nyc1' });
    expect(shown.out + (await run('namespaces', 'list', '-o', 'json')).out).not.toContain('"key"');

    expect(await run('namespaces', 'create', '-l', 'staging', '-r', 'nyc1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('staging'),
    });
    expect(await run('namespaces', 'delete', 'staging')).toMatchObject({ code: 1, err: expect.stringContaining('--force') });
    expect(await run('namespaces', 'delete', 'stagign', '-f')).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean "staging"'),
    });
    expect(await run('namespaces', 'delete', id, '--force')).toMatchObject({ code: 0, out: 'Namespace successfully deleted\n' });
    expect((await run('namespaces', 'list')).out).not.toContain('staging');
  });

  it('lie in regions, which are told', async () => {
    expect((await run('namespaces', 'list-regions')).out).toContain('nyc nyc1');
    expect(await run('namespaces', 'create', '-l', 'x', '-r', 'nyc9')).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean "nyc'),
    });
  });
});

describe('key', () => {
  it('creates keys whose secret is told once and opens the namespace, lists and deletes them', async () => {
    const { host } = shared();
    const { code, out } = await run('key', 'create', '--name', 'laptop', '--expiration', '7d', '-o', 'json');
    expect(code).toBe(0);
    const { id, secret } = JSON.parse(out);
    expect(secret).toEqual(expect.stringMatching(/.{16}/));
    const listed = await run('keys', 'ls');
    expect(listed.out).toMatch(/^ID +Name +Created At +Expires At\n/);
    expect(listed.out).toContain('laptop');
    expect(listed.out).not.toContain(secret);
    expect(await run('key', 'create', '-n', 'x', '-e', 'soon')).toMatchObject({ code: 1, err: expect.stringContaining('7d') });

    const auth = secret.includes(':') ? secret : `${id}:${secret}`;
    const there = ['--apihost', host.url, '--auth', auth];
    expect(await run('functions', 'list', ...there)).toMatchObject({ code: 0 });
    expect(await run('key', 'delete', id, '--force')).toMatchObject({ code: 0, out: `Key ${id} has been deleted.\n` });
    expect(await run('functions', 'list', ...there)).toMatchObject({ code: 1, err: expect.stringContaining('401') });
  });
});

describe('triggers', () => {
  beforeAll(async () => {
    const { host, dir } = shared();
    const talk = talkTo(host, dir);
    await talk.deploy('jobs/nightly', "exports.main = ({ who }) => { console.log('run by ' + who); return {}; };");
    const headers = { authorization: `Basic ${Buffer.from(host.auth).toString('base64')}`, 'content-type': 'application/json' };
    const scheduled_details = { cron: '0 3 * * *', body: { who: 'the clock' } };
    const body = JSON.stringify({ name: 'at-night', function: 'jobs/nightly', type: 'SCHEDULED', is_enabled: true, scheduled_details });
    const made = await fetch(`${host.url}/v2/functions/namespaces/${host.namespace}/triggers`, { method: 'POST', headers, body });
    expect(made.status).toBe(200);
  });

  it('are listed, of a function too, shown, disabled and enabled', async () => {
    const rows = (await run('triggers', 'list')).out.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows.slice(0, 2)).toEqual([
      ['Name', 'Cron Expression', 'Invokes', 'Enabled', 'Last Run At'],
      ['at-night', '0 3 * * *', 'jobs/nightly', 'true', '_'],
    ]);
    expect((await run('triggers', 'ls', '-f', 'jobs/other', '--no-header')).out).toBe('');
    expect((await run('trig', 'disable', 'at-night', '--format', 'Enabled', '--no-header')).out).toBe('false\n');
    expect((await run('trigger', 'enable', 'at-night', '--format', 'Enabled', '--no-header')).out).toBe('true\n');
    expect(JSON.parse((await run('triggers', 'get', 'at-night', '-o', 'json')).out)).toMatchObject({ name: 'at-night', is_enabled: true });
    expect(await run('triggers', 'get', 'at-nihgt')).toMatchObject({ code: 1, err: expect.stringContaining('did you mean "at-night"') });
  });

  it('fire when told', async () => {
    const { host, dir } = shared();
    const { code, out } = await run('triggers', 'fire', 'at-night');
    expect(code).toBe(0);
    const { activationId } = JSON.parse(out);
    expect((await talkTo(host, dir).activation(activationId)).logs).toEqual([expect.stringContaining('run by the clock')]);
  });

  it('go with undeploy --triggers', async () => {
    expect(await run('undeploy', 'at-night', '--triggers')).toMatchObject({ code: 0 });
    expect((await run('triggers', 'list', '--no-header')).out).toBe('');
  });
});

describe('connect and status', () => {
  it('store the namespace of a key that is good, for its owner alone', async () => {
    const { host } = shared();
    const cwd = tempDir();
    const place = { cwd, env: { NIMBELLA_DIR: join(cwd, 'credentials') } };
    expect(await runServerless(place, 'functions', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('serverless connect') });
    expect(await runServerless(place, 'connect', '--apihost', host.url, '--auth', 'no:good')).toMatchObject({ code: 1 });
    expect(await runServerless(place, 'connect', '--apihost', host.url)).toMatchObject({ code: 1, err: expect.stringContaining('both') });

    const connected = await runServerless(place, 'connect', '--apihost', host.url, '--auth', host.auth);
    expect(connected).toMatchObject({ code: 0, out: `Connected to functions namespace '${host.namespace}' on API host '${host.url}'\n` });
    const file = join(cwd, 'credentials', 'credentials.json');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      currentHost: host.url,
      currentNamespace: host.namespace,
      credentials: { [host.url]: { [host.namespace]: { api_key: host.auth } } },
    });
    expect(await runServerless(place, 'functions', 'list')).toMatchObject({ code: 0 });
    expect((await runServerless(place, 'status')).out).toContain(`Found by serverless connect (${file})`);
  });

  it('choose a namespace of the account by part of its label, and connect to one that is made', async () => {
    const { host } = shared();
    const cwd = tempDir();
    const place = { cwd, env: { NIMBELLA_DIR: join(cwd, 'credentials') } };
    const account = ['--api-url', host.url, '--access-token', apiToken];
    expect(await runServerless(place, 'namespaces', 'create', '-l', 'team-blue', '-r', 'fra', ...account)).toMatchObject({ code: 0 });
    const blue = JSON.parse((await runServerless(place, 'status', '-o', 'json')).out);
    expect(blue).toMatchObject({ apihost: host.url, source: 'connected' });
    expect(blue.namespace).not.toBe(host.namespace);
    await runServerless(place, 'namespaces', 'create', '-l', 'team-red', '-r', 'fra', '--no-connect', ...account);

    expect(await runServerless(place, 'connect', 'team', ...account)).toMatchObject({
      code: 1,
      err: expect.stringContaining('more than one'),
    });
    expect(await runServerless(place, 'connect', 'green', ...account)).toMatchObject({ code: 1, err: expect.stringContaining('green') });
    expect(await runServerless(place, 'connect', 'red', ...account)).toMatchObject({ code: 0 });
    expect(JSON.parse((await runServerless(place, 'status', '-o', 'json')).out).namespace).not.toBe(blue.namespace);
  });

  it('take an access key for the namespace that it is one of, and for no other', async () => {
    const { host } = shared();
    const cwd = tempDir();
    const place = { cwd, env: { NIMBELLA_DIR: join(cwd, 'credentials') } };
    const account = ['--api-url', host.url, '--access-token', apiToken];
    const { id, secret } = JSON.parse((await run('key', 'create', '-n', 'desk', '-e', 'never', '-o', 'json')).out);
    const key = secret.includes(':') ? secret : `${id}:${secret}`;
    expect(await runServerless(place, 'connect', host.namespace, '--access-key', 'desk', ...account)).toMatchObject({
      code: 1,
      err: expect.stringContaining('expected dof_v1_<id>:<secret>'),
    });
    expect(await runServerless(place, 'connect', host.namespace, '--access-key', key, ...account)).toMatchObject({ code: 0 });
    expect(JSON.parse((await runServerless(place, 'status', '--credentials')).out)).toMatchObject({ auth: key });
    await runServerless(place, 'namespaces', 'create', '-l', 'another', '-r', 'fra', '--no-connect', ...account);
    expect(await runServerless(place, 'connect', 'another', '--access-key', key, ...account)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the key is not one of namespace'),
    });
  });

  it('tell what the host runs, the version, and the key only when asked', async () => {
    const { host } = shared();
    const { out } = await run('status', '--languages');
    expect(out).toContain('Found as the host of this machine');
    expect(out).toContain('nodejs:\n  Keywords: javascript, js, typescript, ts\n  Runtime versions:\n');
    expect(out).toContain('    nodejs:24');
    expect(out).not.toContain(host.auth);
    expect((await run('status', '--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await run('status', '--version', '-o', 'json')).out)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect((await run('deploy', 'nowhere', '--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await run('status', '--credentials')).out)).toMatchObject({ auth: host.auth, apihost: host.url });
  });

  it('take flags before the environment, that before the host of this machine, and that before what is stored', async () => {
    const { host, dir } = shared();
    const stored = { NIMBELLA_DIR: join(tempDir(), 'credentials') };
    await runServerless({ cwd: dir, env: stored }, 'connect', '--apihost', host.url, '--auth', host.auth);
    const sourceIn = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      JSON.parse((await runServerless({ cwd: dir, env }, 'status', '--json', ...args)).out).source;
    const environment = { ...stored, __OW_API_HOST: host.url, __OW_API_KEY: host.auth };
    expect(await sourceIn(environment, '--apihost', host.url, '--auth', host.auth)).toBe('flags');
    expect(await sourceIn(environment)).toBe('environment');
    expect(await sourceIn(stored)).toBe('local');
    expect(await sourceIn(stored, '--connected')).toBe('connected');
    expect(await runServerless({ cwd: dir, env: { __OW_API_HOST: host.url } }, 'status')).toMatchObject({
      code: 1,
      err: expect.stringContaining('__OW_API_KEY is not'),
    });
  });

  it('never send the token of the platform to a host of this machine', async () => {
    const { dir } = shared();
    const env = { DIGITALOCEAN_ACCESS_TOKEN: 'dop_v1_of_the_platform' };
    expect(await runServerless({ cwd: dir, env }, 'namespaces', 'list')).toMatchObject({ code: 0 });
  });

  it('ask for the token of the account where the file of this machine has none', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, '.deckhand', 'host'), { recursive: true });
    copyFileSync(join(shared().dir, '.deckhand', 'host', 'credentials.json'), join(dir, '.deckhand', 'host', 'credentials.json'));
    writeFileSync(join(dir, '.deckhand', 'token'), '\n');
    const { code, err } = await runServerless({ cwd: dir }, 'namespaces', 'list');
    expect([code, err]).toEqual([1, expect.stringContaining('wants the token of an account')]);
  });

  it.skipIf(process.getuid?.() !== 0)('are not taken from a file of another user, which only root can make', async () => {
    const open = tempDir();
    const inside = join('.deckhand', 'host', 'credentials.json');
    const file = join(open, inside);
    mkdirSync(dirname(file), { recursive: true });
    mkdirSync(join(open, 'project'));
    copyFileSync(join(shared().dir, inside), file);
    const list = () => runServerless({ cwd: join(open, 'project') }, 'functions', 'list');
    expect((await list()).code).toBe(0);
    chownSync(file, 12_345, 12_345);
    expect(await list()).toMatchObject({ code: 1, err: expect.stringContaining(`${file} belongs to another user`) });
  });

  it('say which address does not answer', async () => {
    const { code, err } = await run('status', '--apihost', 'http://127.0.0.1:1', '--auth', 'a:b');
    expect([code, err]).toEqual([1, expect.stringMatching(/127\.0\.0\.1:1.*is the host at http:\/\/127\.0\.0\.1:1 running\?/)]);
  });
});
