import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actionBody, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

const code = 'exports.main = (event) => ({ event })';

describe('GET /api/v1', () => {
  test('tells kinds and limits without credentials, one kind being the default', async () => {
    const host = await testHost();
    const info = JSON.parse(await (await fetch(`${host.url}/api/v1`)).text());
    const { nodejs } = info.runtimes;
    expect(nodejs.map(({ kind }: { kind: string }) => kind)).toEqual(['nodejs:14', 'nodejs:18', 'nodejs:22', 'nodejs:24']);
    expect(nodejs.filter((kind: { default: boolean }) => kind.default)).toHaveLength(1);
    expect(info.limits).toMatchObject({
      default_action_duration: 3000,
      max_action_duration: 900_000,
      default_action_memory: 256 * 2 ** 20,
    });
    expect(info).toMatchObject({ api_paths: ['/api/v1'], support: { github: expect.any(String), slack: expect.any(String) } });
  });
});

describe('credentials', () => {
  test.each([
    ['none', undefined, 'The resource requires authentication, which was not supplied with the request'],
    ['another scheme', 'Bearer abc', 'The supplied authentication is invalid'],
    ['a wrong key', `Basic ${btoa('uuid:key')}`, 'The supplied authentication is invalid'],
  ])('are asked for when there is %s', async (_name, authorization, error) => {
    const host = await testHost();
    const response = await fetch(`${host.url}/api/v1/namespaces`, { headers: authorization ? { authorization } : {} });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error, code: expect.any(String) });
  });

  test('open their own namespace, by name and as _, and no other', async () => {
    const host = await testHost();
    const headers = { authorization: `Basic ${btoa(host.auth)}` };
    const status = async (namespace: string) => (await fetch(`${host.url}/api/v1/namespaces/${namespace}/packages?`, { headers })).status;
    expect(await (await fetch(`${host.url}/api/v1/namespaces`, { headers })).json()).toEqual([host.namespace]);
    expect([await status('_'), await status(host.namespace), await status('other')]).toEqual([200, 200, 403]);
  });
});

describe('packages', () => {
  test('are made, updated, listed and deleted', async () => {
    const host = await testHost();
    const parameters = [
      { key: 'a', value: 1 },
      { key: 'B', value: 'x', init: true },
    ];
    const made = await host.api('PUT', 'packages/p?overwrite=true', {
      parameters,
      annotations: [{ key: 'deployer', value: {} }],
      publish: false,
      binding: {},
    });
    expect(made.body).toMatchObject({
      name: 'p',
      namespace: host.namespace,
      version: '0.0.1',
      publish: false,
      parameters,
      updated: expect.any(Number),
    });
    expect((await host.api('PUT', 'packages/p', {})).body).toEqual({ error: 'resource already exists', code: expect.any(String) });
    const updated = await host.api('PUT', 'packages/p?overwrite=true', { publish: true });
    expect(updated.body).toMatchObject({ version: '0.0.2', publish: true, parameters });
    await afterThisMillisecond();
    await host.deploy('q/f', code);
    expect((await host.api('GET', 'packages')).body.map(({ name }: { name: string }) => name)).toEqual(['q', 'p']);
    expect((await host.api('GET', 'packages?limit=1&skip=1')).body).toMatchObject([{ name: 'p' }]);
    expect((await host.api('GET', 'packages/q')).body.actions).toEqual([{ name: 'f', version: '0.0.1', annotations: expect.any(Array) }]);
    expect((await host.api('DELETE', 'packages/q')).status).toBe(409);
    expect((await host.api('DELETE', 'packages/p')).body).toMatchObject({ name: 'p' });
    expect((await host.api('GET', 'packages/p')).status).toBe(404);
  });
});

test('a package cannot be called default', async () => {
  const host = await testHost();
  const reply = await host.api('PUT', 'packages/default', {});
  expect(reply).toMatchObject({ status: 400, body: { error: "Package name 'default' is reserved." } });
});

test.each(['triggers', 'rules', 'triggers/t', 'rules/r'])('%s are told not to be there, and what is in their place', async (path) => {
  const host = await testHost();
  const reply = await host.api(path.includes('/') ? 'PUT' : 'GET', path, path.includes('/') ? {} : undefined);
  expect(reply.status).toBe(404);
  expect(reply.body.error).toMatch(
    /^The requested resource does not exist: there are no (triggers|rules) here; functions are called by schedules/,
  );
});

describe('functions', () => {
  test('are made and told with what the platform adds', async () => {
    const host = await testHost();
    const { status, body } = await host.deploy('p/f', { code, annotations: { final: true } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      namespace: `${host.namespace}/p`,
      name: 'f',
      version: '0.0.1',
      publish: false,
      limits: { timeout: 3000, memory: 256, logs: 16, concurrency: 1 },
      exec: { kind: 'nodejs:24', binary: false },
    });
    expect(body.annotations).toEqual(
      expect.arrayContaining([
        { key: 'exec', value: 'nodejs:24' },
        { key: 'provide-api-key', value: false },
        { key: 'final', value: true },
      ]),
    );
    expect((await host.api('GET', 'actions/p/f')).body.exec).toEqual({ kind: 'nodejs:24', binary: false, code });
    expect((await host.api('GET', 'actions/p/f?code=false')).body.exec).toEqual({ kind: 'nodejs:24', binary: false });
  });

  test('keep what an update leaves out and count their versions', async () => {
    const host = await testHost();
    await host.deploy('p/f', { code, limits: { timeout: 1000 }, parameters: [{ key: 'a', value: 1 }] });
    const { body } = await host.api('PUT', 'actions/p/f?overwrite=true', { limits: { memory: 512 } });
    expect(body).toMatchObject({ version: '0.0.2', limits: { timeout: 1000, memory: 512 }, parameters: [{ key: 'a', value: 1 }] });
    expect((await host.invoke('p/f')).response.result).toEqual({ event: { a: 1 } });
    expect((await host.api('PUT', 'actions/p/f', actionBody({ code }))).status).toBe(409);
  });

  test('live in the default package when they are given none', async () => {
    const host = await testHost();
    await host.deploy('f', code);
    expect((await host.api('GET', 'actions/f')).body.namespace).toBe(host.namespace);
    expect((await host.invoke('f', { n: 1 })).response.result).toEqual({ event: { n: 1 } });
    expect((await fetch(`${host.url}/api/v1/web/${host.namespace}/default/f.json`)).status).toBe(200);
  });

  test('are listed newest first, all or by package, without code', async () => {
    const host = await testHost();
    for (const name of ['p/one', 'p/two', 'q/three']) {
      await host.deploy(name, code);
      await afterThisMillisecond();
    }
    const names = async (path: string) => (await host.api('GET', path)).body.map(({ name }: { name: string }) => name);
    expect(await names('actions')).toEqual(['three', 'two', 'one']);
    expect(await names('actions/p/?limit=30&skip=0')).toEqual(['two', 'one']);
    expect((await host.api('GET', 'actions?limit=1')).body[0].exec).toEqual({ kind: 'nodejs:24', binary: false });
    expect((await host.api('GET', 'actions?limit=201')).status).toBe(400);
    expect((await host.api('GET', 'actions/nothing/')).status).toBe(404);
  });

  test('are deleted once', async () => {
    const host = await testHost();
    await host.deploy('p/f', code);
    expect((await host.api('DELETE', 'actions/p/f')).body).toMatchObject({ name: 'f', version: '0.0.1' });
    expect((await host.api('DELETE', 'actions/p/f')).status).toBe(404);
    expect((await host.api('POST', 'actions/p/f?blocking=true', {})).status).toBe(404);
  });

  test('are taken for a zip by their code, whatever the request says', async () => {
    const host = await testHost();
    await host.api('PUT', 'packages/p', {});
    const zipped = (await zip({ 'index.js': code })).toString('base64');
    const { body } = await host.api('PUT', 'actions/p/f', { exec: { kind: 'nodejs:default', code: zipped } });
    expect(body.exec).toEqual({ kind: 'nodejs:24', binary: true });
    expect((await host.api('GET', 'actions/p/f')).body.exec.code).toBe(zipped);
    expect((await host.invoke('p/f', { n: 1 })).response.result).toEqual({ event: { n: 1 } });
  });

  test.each([
    ['an unknown kind', { exec: { kind: 'python:3', code } }, 400, /kind 'python:3' not in Set\(nodejs:14, .*nodejs:default, sequence\)/],
    ['no kind', { exec: { code } }, 400, /kind ''/],
    ['no code', { exec: { kind: 'nodejs:24' } }, 400, /exec\.code: expected the source text.*got nothing/],
    ['nothing to run', {}, 400, /exec: expected \{kind, code\}/],
    ['exec as a list', { exec: [] }, 400, /exec: expected an object, got \[\]/],
    [
      'a timeout too long',
      { exec: { kind: 'nodejs:24', code }, limits: { timeout: 900_001 } },
      400,
      /limits\.timeout: expected a whole number from 100 to 900000, got 900001/,
    ],
    [
      'a timeout too short',
      { exec: { kind: 'nodejs:24', code }, limits: { timeout: 99 } },
      400,
      /limits\.timeout: .*from 100 to 900000, got 99/,
    ],
    [
      'too little memory',
      { exec: { kind: 'nodejs:24', code }, limits: { memory: 127 } },
      400,
      /limits\.memory: .*from 128 to 1024, got 127/,
    ],
    [
      'too much memory',
      { exec: { kind: 'nodejs:24', code }, limits: { memory: 1025 } },
      400,
      /limits\.memory: .*from 128 to 1024, got 1025/,
    ],
    ['too much of a log', { exec: { kind: 'nodejs:24', code }, limits: { logs: 17 } }, 400, /limits\.logs: .*from 0 to 16, got 17/],
    ['memory in a string', { exec: { kind: 'nodejs:24', code }, limits: { memory: '256' } }, 400, /limits\.memory: .*got "256"/],
    ['a parameter without a key', { exec: { kind: 'nodejs:24', code }, parameters: [{ value: 1 }] }, 400, /parameters\[0\]/],
    ['a main that is no name', { exec: { kind: 'nodejs:24', code, main: '../x' } }, 400, /exec\.main/],
    ['base64 that is no zip', { exec: { kind: 'nodejs:24', code: 'YWJj' } }, 400, /exec\.code is not a zip that can be unpacked/],
    [
      'parameters above 1 MB',
      { exec: { kind: 'nodejs:24', code }, parameters: [{ key: 'a', value: 'x'.repeat(2 ** 20) }] },
      413,
      /parameters are larger/,
    ],
    ['broken JSON', '{"exec":', 400, /The request content was malformed/],
    ['a list', '[]', 400, /expected a JSON object, got \[\]/],
  ])('are refused with %s', async (_name, body, status, error) => {
    const host = await testHost();
    await host.api('PUT', 'packages/p', {});
    const reply = await host.api('PUT', 'actions/p/f', body);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({ error: expect.stringMatching(error), code: expect.any(String) });
    expect((await host.api('GET', 'actions/p/f')).status).toBe(404);
  });

  test('are refused in a package that does not exist, under a bad name, and with a method that is not', async () => {
    const host = await testHost();
    expect((await host.api('PUT', 'actions/none/f', actionBody({ code }))).status).toBe(404);
    expect((await host.api('PUT', 'actions/..%2Ff', actionBody({ code }))).body.error).toMatch(/"\.\.\/f" is not a name/);
    expect((await host.api('PATCH', 'actions/f', {})).status).toBe(405);
  });

  test('keep their old version when a new one cannot be made whole', async () => {
    const host = await testHost();
    await host.deploy('p/f', code);
    expect((await host.deploy('p/f', 'YWJj')).status).toBe(400);
    expect((await host.api('GET', 'actions/p/f')).body).toMatchObject({ version: '0.0.1', exec: { code } });
    expect((await host.invoke('p/f')).response.success).toBe(true);
  });
});

describe('an invocation', () => {
  test('answers at once unless it is blocking, and its record follows', async () => {
    const host = await testHost();
    await host.deploy('p/f', code);
    const { status, body, headers } = await host.api('POST', 'actions/p/f', { n: 1 });
    expect(status).toBe(202);
    expect(body).toEqual({ activationId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(headers.get('x-openwhisk-activation-id')).toBe(body.activationId);
    await expect.poll(async () => (await host.api('GET', `activations/${body.activationId}`)).status).toBe(200);
    expect((await host.activation(body.activationId)).response.result).toEqual({ event: { n: 1 } });
  });

  test('answers the record when blocking, the result alone when asked, with an empty body as no input', async () => {
    const host = await testHost();
    await host.deploy('p/f', code);
    expect((await host.api('POST', 'actions/p/f?blocking=true&result=true', { n: 1 })).body).toEqual({ event: { n: 1 } });
    expect((await host.api('POST', 'actions/p/f?blocking=true&result=true')).body).toEqual({ event: {} });
    const record = await host.invoke('p/f');
    expect(record).toEqual({
      activationId: expect.stringMatching(/^[0-9a-f]{32}$/),
      namespace: host.namespace,
      name: 'f',
      version: '0.0.1',
      subject: host.namespace,
      start: expect.any(Number),
      end: record.start + record.duration,
      duration: expect.any(Number),
      publish: false,
      statusCode: 0,
      response: { status: 'success', statusCode: 0, success: true, size: 12, result: { event: {} } },
      logs: [],
      annotations: expect.arrayContaining([
        { key: 'path', value: `${host.namespace}/p/f` },
        { key: 'waitTime', value: expect.any(Number) },
        { key: 'kind', value: 'nodejs:24' },
        { key: 'entry', value: 'main' },
        { key: 'timeout', value: false },
        { key: 'limits', value: { concurrency: 1, logs: 16, memory: 256, timeout: 3000 } },
      ]),
    });
  });

  test('is 502 when the function fails, whoever is to blame', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = ({ how }) => { if (how === "exit") process.exit(); return { error: how }; }');
    const call = (how: string) => host.api('POST', 'actions/p/f?blocking=true&result=true', { how });
    expect(await call('mine')).toMatchObject({ status: 502, body: { error: 'mine' } });
    expect(await call('exit')).toMatchObject({ status: 502, body: { error: expect.stringMatching(/exited unexpectedly/) } });
  });

  test('gives the activation id when the function takes longer than the caller waits', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => new Promise((done) => setTimeout(done, 300, { late: true }))');
    const { status, body } = await host.api('POST', 'actions/p/f?blocking=true&timeout=20', {});
    expect(status).toBe(202);
    await expect
      .poll(async () => (await host.api('GET', `activations/${body.activationId}`)).body?.response?.result)
      .toEqual({ late: true });
  });

  test('overrides bound parameters, the function those of its package, unless they are final', async () => {
    const host = await testHost();
    await host.api('PUT', 'packages/p', {
      parameters: [
        { key: 'a', value: 'package' },
        { key: 'b', value: 'package' },
        { key: 'E', value: 'package', init: true },
      ],
    });
    const echo = 'exports.main = (event) => ({ event, E: process.env.E })';
    await host.api('PUT', 'actions/p/f', actionBody({ code: echo, parameters: [{ key: 'b', value: 'function' }] }));
    expect((await host.invoke('p/f', { c: 'request' })).response.result).toEqual({
      event: { a: 'package', b: 'function', c: 'request' },
      E: 'package',
    });
    expect((await host.invoke('p/f', { a: 'request' })).response.result).toMatchObject({ event: { a: 'request' } });
    await host.api('PUT', 'packages/p?overwrite=true', { parameters: [{ key: 'E', value: 'changed', init: true }] });
    expect((await host.invoke('p/f')).response.result).toEqual({ event: { b: 'function' }, E: 'changed' });
    await host.api(
      'PUT',
      'actions/p/f?overwrite=true',
      actionBody({ code: echo, annotations: { final: true }, parameters: [{ key: 'b', value: 1 }] }),
    );
    const refused = await host.api('POST', 'actions/p/f?blocking=true', { b: 2 });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^Request defines parameters that are not allowed/) },
    });
  });

  test('is refused with input above 1 MB, and a result above 1 MB is an error of the application', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = ({ size }) => ({ text: "x".repeat(size) })');
    const large = await host.api('POST', 'actions/p/f?blocking=true', { text: 'x'.repeat(2 ** 20) });
    expect(large).toMatchObject({ status: 413, body: { error: 'Request larger than allowed: 1048587 > 1048576 bytes.' } });
    const { response } = await host.invoke('p/f', { size: 2 ** 20 });
    expect(response).toMatchObject({
      status: 'application_error',
      result: { error: 'The action produced a response that exceeded the allowed length: 1048587 > 1048576 bytes.' },
    });
    expect((await host.invoke('p/f', { size: 2 ** 20 - 11 })).response).toMatchObject({ success: true, size: 2 ** 20 });
  });
});

describe('activations', () => {
  test('are listed newest first, by name and time, short or whole, and counted', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => { console.log("hello"); return {}; }');
    await host.deploy('p/g', code);
    const first = await host.invoke('p/f');
    const second = await host.invoke('p/g');
    const ids = async (query: string) =>
      (await host.api('GET', `activations${query}`)).body.map((each: { activationId: string }) => each.activationId);
    expect(await ids('?')).toEqual([second.activationId, first.activationId]);
    expect(await ids('?name=f')).toEqual([first.activationId]);
    expect(await ids('?name=p/g')).toEqual([second.activationId]);
    expect(await ids('?name=q/g')).toEqual([]);
    expect(await ids(`?upto=${first.start - 1}`)).toEqual([]);
    expect(await ids(`?since=${first.start}&limit=1&skip=1`)).toEqual([first.activationId]);
    const [short] = (await host.api('GET', 'activations?limit=1')).body;
    expect(short).toMatchObject({ statusCode: 0, name: 'g', duration: expect.any(Number) });
    expect(short).not.toHaveProperty('response');
    expect((await host.api('GET', 'activations?docs=true&limit=0')).body).toEqual([second, first]);
    expect((await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 2 });
    expect((await host.api('GET', 'activations?count=true&docs=true')).status).toBe(400);
    expect((await host.api('GET', 'activations?since=yesterday')).body.error).toMatch(/since: expected a whole number/);
  });

  test('tell their logs and their result apart, and a cold start by its initTime', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => { console.log("hello"); return {}; }');
    const cold = await host.invoke('p/f');
    const warm = await host.invoke('p/f');
    expect((await host.api('GET', `activations/${cold.activationId}/logs`)).body).toEqual({
      logs: [expect.stringMatching(/Z stdout: hello$/)],
    });
    expect((await host.api('GET', `activations/${cold.activationId}/result`)).body).toEqual(cold.response);
    const initTime = { key: 'initTime', value: expect.any(Number) };
    expect(cold.annotations).toContainEqual(initTime);
    expect(warm.annotations).not.toContainEqual(initTime);
    expect((await host.api('GET', `activations/${'0'.repeat(32)}`)).status).toBe(404);
  });

  test('keep no secret of a request, though its function prints and answers with all it got', async () => {
    const host = await testHost();
    await host.deploy('p/f', {
      code: 'exports.main = (event) => { console.log(event); console.error(JSON.stringify(event)); return { body: event }; }',
      annotations: { 'require-whisk-auth': 'shared-secret' },
    });
    const secrets = { authorization: 'Bearer to"ken-1', cookie: 'a=1; session=cookie-value', 'x-require-whisk-auth': 'shared-secret' };
    const answer = await host.web('p/f', { headers: { ...secrets, 'x-plain': 'kept' } });
    expect(await answer.json()).toMatchObject({ http: { headers: secrets } });
    const text = JSON.stringify(await host.activation(answer.headers.get('x-openwhisk-activation-id')));
    for (const secret of ['ken-1', 'cookie-value', 'shared-secret']) expect(text).not.toContain(secret);
    expect(text).toContain('Bearer [redacted]');
    expect(text).toContain('kept');
    const stored = readdirSync(host.dataDir).map((file) => readFileSync(join(host.dataDir, file), 'latin1'));
    expect(stored.some((content) => content.includes('cookie-value'))).toBe(false);
  });

  test('have the secrets of a request taken out of results of every shape, and all else in them as it was', async () => {
    const host = await testHost();
    await host.deploy(
      'p/f',
      `exports.main = ({ http: { headers } }) => ({ body: {
        [headers['x-api-key']]: [headers.cookie, 7, null, true, { deep: headers['proxy-authorization'] }],
        none: null, zero: 0, no: false, empty: '', short: headers['x-short'],
      } })`,
    );
    const secrets = { 'x-api-key': 'key-of-six', 'proxy-authorization': 'Basic cHJveHk6cHJveHk=', cookie: 'a=sixsix; b=fiver' };
    const answer = await host.web('p/f', { headers: { ...secrets, 'x-short': 'fiver' } });
    expect(answer.status).toBe(200);
    const record = await host.activation(answer.headers.get('x-openwhisk-activation-id'));
    expect(record.response.result).toEqual({
      body: {
        '[redacted]': ['a=[redacted]; b=fiver', 7, null, true, { deep: 'Basic [redacted]' }],
        ...{ none: null, zero: 0, no: false, empty: '', short: 'fiver' },
      },
    });
  });

  test('can be read whatever a caller chose for a secret', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = ({ http }) => { console.log(http.headers.cookie); return { body: http.headers.cookie }; }');
    const beginningOfNow = String(Date.now()).slice(0, 6);
    const answer = await host.web('p/f', { headers: { cookie: `a=${beginningOfNow}; b=response; c=success` } });
    const record = await host.activation(answer.headers.get('x-openwhisk-activation-id'));
    expect(record).toMatchObject({
      start: expect.any(Number),
      response: { status: 'success', success: true, result: { body: 'a=[redacted]; b=[redacted]; c=[redacted]' } },
      logs: [expect.stringMatching(/stdout: a=\[redacted\]; b=\[redacted\]; c=\[redacted\]$/)],
    });
    expect((await host.api('GET', 'activations?docs=true')).body).toEqual([record]);
  });

  test('keep neither headers nor large results', async () => {
    const host = await testHost();
    await host.deploy(
      'p/f',
      'exports.main = ({ size = "1" }) => ({ headers: { "set-cookie": "secret" }, body: "x".repeat(Number(size)) })',
    );
    const small = await host.web('p/f', { headers: { authorization: 'Bearer also-secret' } });
    expect(small.headers.get('set-cookie')).toBe('secret');
    const record = await host.activation(small.headers.get('x-openwhisk-activation-id'));
    expect(record.response.result).toEqual({ body: 'x' });
    expect(JSON.stringify(record)).not.toContain('secret');
    await host.deploy(
      'p/failing',
      'exports.main = () => ({ error: { statusCode: 401, headers: { "set-cookie": "secret" }, body: "no" } })',
    );
    const failed = await host.web('p/failing');
    expect([failed.status, failed.headers.get('set-cookie')]).toEqual([401, 'secret']);
    const failure = await host.activation(failed.headers.get('x-openwhisk-activation-id'));
    expect(failure.response.result).toEqual({ error: { statusCode: 401, body: 'no' } });
    const large = await host.web('p/f?size=70000');
    const kept = (await host.activation(large.headers.get('x-openwhisk-activation-id'))).response;
    expect(kept.size).toBeGreaterThan(70_000);
    expect(kept.result).toEqual({ truncated: expect.stringMatching(/^The result had \d+ bytes/) });
  });
});

/** What is made from here on has a later time than what was made before. */
async function afterThisMillisecond(): Promise<void> {
  const now = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(now);
}
