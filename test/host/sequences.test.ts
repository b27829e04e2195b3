import { describe, expect, test } from 'vitest';
import type { Reply, TestHost } from './support/test-host.ts';
import { sharedHost } from './support/test-host.ts';

const add = 'exports.main = ({ n = 0, by = 1 }) => { console.log("n is", n); return { n: n + by }; }';
const twice = 'exports.main = ({ n }) => ({ n: 2 * n })';

/** Puts a sequence; components are `package/name`. */
function putSequence(host: TestHost, name: string, components: readonly string[], more: object = {}): Promise<Reply> {
  const exec = { kind: 'sequence', components: components.map((component) => `/_/${component}`) };
  return host.api('PUT', `actions/${name}?overwrite=true`, { exec, ...more });
}

const webExport = { annotations: [{ key: 'web-export', value: true }] };

describe('a sequence', () => {
  const shared = sharedHost();

  test('is made, told, counted in versions and deleted as a function is', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    await host.deploy('twice', twice);
    const components = [`/${host.namespace}/p/add`, `/${host.namespace}/twice`];
    const made = await putSequence(host, 'p/both', ['p/add', 'default/twice'], { parameters: [{ key: 'n', value: 9 }] });
    expect(made).toMatchObject({ status: 200, body: { name: 'both', namespace: `${host.namespace}/p`, version: '0.0.1' } });
    expect(made.body.exec).toEqual({ kind: 'sequence', components });
    expect(made.body.parameters).toEqual([{ key: '_actions', value: components }]);
    expect(made.body.annotations).toContainEqual({ key: 'exec', value: 'sequence' });
    expect((await host.api('GET', 'actions/p/both')).body).toEqual(made.body);
    expect((await host.api('GET', 'actions/p/')).body.map(({ name }: { name: string }) => name).sort()).toEqual(['add', 'both']);
    expect((await putSequence(host, 'p/both', ['p/add'])).body).toMatchObject({ version: '0.0.2', exec: { components: [components[0]] } });
    expect((await host.api('PUT', 'actions/p/both?overwrite=true', webExport)).body).toMatchObject({
      version: '0.0.3',
      exec: { components: [components[0]] },
    });
    expect((await host.api('DELETE', 'actions/p/both')).body).toMatchObject({ name: 'both', version: '0.0.3' });
    expect((await host.api('POST', 'actions/p/both?blocking=true', {})).status).toBe(404);
  });

  test('gives each component what the one before it returned, and records the calls it made', async () => {
    const host = shared();
    await host.deploy('p/add', { code: add, parameters: [{ key: 'by', value: 10 }], limits: { memory: 128 } });
    await host.deploy('p/twice', twice);
    await putSequence(host, 'p/both', ['p/add', 'p/twice', 'p/add']);
    const record = await host.invoke('p/both', { n: 1 });
    expect(record).toMatchObject({ name: 'both', version: '0.0.1', response: { status: 'success', result: { n: 32 } }, statusCode: 0 });
    expect(record).not.toHaveProperty('cause');
    expect(record.annotations).toEqual([
      { key: 'topmost', value: true },
      { key: 'path', value: `${host.namespace}/p/both` },
      { key: 'kind', value: 'sequence' },
      { key: 'limits', value: { timeout: 3000, memory: 256, logs: 16, concurrency: 1 } },
    ]);
    const made = await Promise.all(record.logs.map((id) => host.activation(id)));
    expect(made.map(({ name, response }) => [name, response.result])).toEqual([
      ['add', { n: 11 }],
      ['twice', { n: 22 }],
      ['add', { n: 32 }],
    ]);
    expect(made[0]?.logs).toEqual([expect.stringMatching(/n is 1$/)]);
    for (const { cause, annotations } of made) {
      expect(cause).toBe(record.activationId);
      expect(annotations).toContainEqual({ key: 'causedBy', value: 'sequence' });
    }
    expect(record.duration).toBe(made.reduce((sum, { duration }) => sum + duration, 0));
    expect(await host.activation(record.activationId)).toEqual(record);
    expect((await host.api('GET', 'activations?name=p/both&docs=true')).body).toEqual([record]);
  });

  test('answers its id where nobody waits, and its result alone where it is asked for', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    await putSequence(host, 'p/both', ['p/add', 'p/add']);
    expect((await host.api('POST', 'actions/p/both?blocking=true&result=true', { n: 1 })).body).toEqual({ n: 3 });
    const { status, body, headers } = await host.api('POST', 'actions/p/both', { n: 2 });
    expect(status).toBe(202);
    expect(headers.get('x-openwhisk-activation-id')).toBe(body.activationId);
    await expect.poll(async () => (await host.api('GET', `activations/${body.activationId}`)).body?.response?.result).toEqual({ n: 4 });
    const wait = 'exports.main = () => new Promise((done) => setTimeout(done, 300, { late: true }))';
    await host.deploy('p/wait', wait);
    await putSequence(host, 'p/long', ['p/add', 'p/wait']);
    expect((await host.api('POST', 'actions/p/long?blocking=true&timeout=20', {})).status).toBe(202);
  });

  test.each([
    ['answers an error', 'exports.main = () => ({ error: "mine" })', 'application_error', 'mine'],
    ['exits', 'exports.main = () => process.exit(1)', 'action_developer_error', expect.stringMatching(/exited unexpectedly/)],
  ])('ends with the first component that %s', async (_does, code, status, error) => {
    const host = shared();
    await host.deploy('p/add', add);
    await host.deploy('p/fail', code);
    await putSequence(host, 'p/all', ['p/add', 'p/fail', 'p/add']);
    const { status: httpStatus, body } = await host.api('POST', 'actions/p/all?blocking=true', {});
    expect(httpStatus).toBe(502);
    expect(body.response).toMatchObject({ status, result: { error } });
    expect(body.logs).toHaveLength(2);
  });

  test('has no time limit of its own: each component has its own', async () => {
    const host = shared();
    const wait = 'exports.main = () => new Promise((done) => setTimeout(done, 150, {}))';
    await host.deploy('p/wait', { code: wait, limits: { timeout: 5000 } });
    await host.deploy('p/hang', { code: 'exports.main = () => new Promise(() => {})', limits: { timeout: 300 } });
    await putSequence(host, 'p/slow', ['p/wait', 'p/wait'], { limits: { timeout: 100 } });
    expect((await host.invoke('p/slow')).response.success).toBe(true);
    await putSequence(host, 'p/hangs', ['p/wait', 'p/hang']);
    expect((await host.invoke('p/hangs')).response.result).toEqual({ error: 'The action exceeded its time limits of 300 milliseconds.' });
  });

  test('may hold sequences, which leave activations of their own', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    await putSequence(host, 'p/two', ['p/add', 'p/add']);
    await putSequence(host, 'p/five', ['p/two', 'p/add', 'p/two']);
    const record = await host.invoke('p/five');
    expect(record.response.result).toEqual({ n: 5 });
    const [inner = ''] = record.logs;
    const nested = await host.activation(inner);
    expect(nested).toMatchObject({ name: 'two', cause: record.activationId, logs: [expect.any(String), expect.any(String)] });
    expect(nested.annotations).toEqual(
      expect.arrayContaining([
        { key: 'topmost', value: false },
        { key: 'causedBy', value: 'sequence' },
      ]),
    );
    expect((await host.activation(nested.logs[0] ?? '')).cause).toBe(nested.activationId);
  });

  test('is served on the web: the first component gets the request, the answer is the result of the last', async () => {
    const host = shared();
    await host.deploy('p/first', 'exports.main = ({ http, name }) => ({ text: http.method + " " + name, seen: http.headers.cookie })');
    await host.deploy('p/last', 'exports.main = ({ text, seen }) => { console.log(seen); return { statusCode: 201, body: text }; }');
    await putSequence(host, 'p/page', ['p/first', 'p/last'], webExport);
    const answer = await host.web('p/page?name=you', { headers: { cookie: 'session=cookie-value' } });
    expect([answer.status, await answer.text()]).toEqual([201, 'GET you']);
    const record = await host.activation(answer.headers.get('x-openwhisk-activation-id'));
    const made = await Promise.all(record.logs.map((id) => host.activation(id)));
    expect(JSON.stringify(made)).toContain('[redacted]');
    expect(JSON.stringify([record, ...made])).not.toContain('cookie-value');
    await putSequence(host, 'p/page', ['p/first', 'p/last'], { annotations: [{ key: 'web-export', value: false }] });
    expect((await host.web('p/page')).status).toBe(404);
  });

  test('calls through bindings, with the parameters of these', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    const binding = { namespace: '_', name: 'p' };
    await host.api('PUT', 'packages/b?overwrite=true', { binding, parameters: [{ key: 'by', value: 100 }] });
    await putSequence(host, 'p/both', ['p/add', 'b/add']);
    expect((await host.invoke('p/both')).response.result).toEqual({ n: 101 });
    expect((await host.invoke('b/both')).response.result).toEqual({ n: 101 });
    const itself = await putSequence(host, 'p/both', ['b/both']);
    expect(itself).toMatchObject({ status: 400, body: { error: 'Sequence may not refer to itself: b/both.' } });
    await host.api('DELETE', 'packages/b');
  });

  test('calls the version that is served when a component has its turn, and says which component is gone', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    await putSequence(host, 'p/both', ['p/add', 'p/add']);
    expect((await host.invoke('p/both')).response.result).toEqual({ n: 2 });
    await host.deploy('p/add', twice);
    expect((await host.invoke('p/both', { n: 3 })).response.result).toEqual({ n: 12 });
    await host.api('DELETE', 'actions/p/add');
    expect((await host.invoke('p/both')).response).toMatchObject({
      status: 'application_error',
      result: { error: 'Sequence component does not exist: p/add.' },
    });
  });

  test('and a function take each other’s place', async () => {
    const host = shared();
    await host.deploy('p/add', { code: add, parameters: [{ key: 'by', value: 5 }] });
    await host.deploy('p/f', { code: add, parameters: [{ key: 'by', value: 7 }] });
    expect((await host.invoke('p/f')).response.result).toEqual({ n: 7 });
    await putSequence(host, 'p/f', ['p/add']);
    expect((await host.invoke('p/f')).response.result).toEqual({ n: 5 });
    expect((await host.deploy('p/f', add)).body).toMatchObject({ version: '0.0.3', parameters: [], exec: { kind: 'nodejs:24' } });
    expect((await host.invoke('p/f')).response.result).toEqual({ n: 1 });
  });

  test.each<readonly [string, unknown, RegExp]>([
    ['no components', undefined, /exec\.components: expected a list .*got nothing/],
    ['an empty list', [], /^No component specified for the sequence\.$/],
    ['what is not there', ['/_/p/add', '/_/p/none'], /^Sequence component does not exist: p\/none\.$/],
    ['itself', ['/_/p/add', '/_/p/s'], /^Sequence may not refer to itself: p\/s\.$/],
    ['what calls it', ['/_/p/outer'], /^Sequence may not refer to itself: p\/s\.$/],
    ['a function of another namespace', ['/other/p/add'], /exec\.components\[0\]: expected .*in this namespace, got "\/other\/p\/add"/],
    ['a bare name', ['add'], /exec\.components\[0\]: expected .*got "add"/],
    ['no name', [7], /exec\.components\[0\]: expected .*got 7/],
    ['51 functions', Array.from({ length: 51 }, () => '/_/p/add'), /^Too many actions in the sequence: more than 50\.$/],
    ['51 functions, some in other sequences', ['/_/p/thirty', '/_/p/add', '/_/p/thirty'], /^Too many actions in the sequence/],
  ])('is refused with %s', async (_name, components, error) => {
    const host = shared();
    await host.deploy('p/add', add);
    await putSequence(
      host,
      'p/thirty',
      Array.from({ length: 30 }, () => 'p/add'),
    );
    await putSequence(host, 'p/s', ['p/add']);
    await putSequence(host, 'p/outer', ['p/s']);
    const reply = await host.api('PUT', 'actions/p/s?overwrite=true', { exec: { kind: 'sequence', components } });
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
    expect((await host.api('GET', 'actions/p/s')).body.version).toBe('0.0.1');
  });
});

describe('a sequence that waits for a component', () => {
  const shared = sharedHost({ maxInstances: 1 });

  test('ends with the deletion of that component, and says so', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    await host.deploy('p/busy', { code: 'exports.main = () => new Promise(() => {});', limits: { timeout: 60_000 } });
    await putSequence(host, 'p/both', ['p/add', 'p/busy']);
    await host.api('POST', 'actions/p/busy', {});
    const { body } = await host.api('POST', 'actions/p/both', {});
    // Its record tells that the first component is done; the second waits for the one instance there may be.
    await expect.poll(async () => (await host.api('GET', 'activations?name=p/add')).body.length).toBe(1);
    expect((await host.api('DELETE', 'actions/p/busy')).status).toBe(200);
    const { response, logs } = await host.activation(body.activationId);
    expect(response).toMatchObject({
      status: 'whisk_internal_error',
      result: { error: 'The sequence ended at its component: p/busy was deleted while the call waited' },
    });
    expect(logs).toHaveLength(1);
  });
});

describe('a sequence that bindings lead back to itself', () => {
  const shared = sharedHost();

  test.each([
    ['over functions', ['q/add', 'b/s']],
    ['over nothing but sequences', ['b/s', 'b/s']],
  ])('%s ends', async (_name, components) => {
    const host = shared();
    for (const name of ['q/add', 'q/s']) await host.deploy(name, add);
    await host.api('PUT', 'packages/p?overwrite=true', {});
    await host.api('PUT', 'packages/b?overwrite=true', { binding: { namespace: '_', name: 'q' } });
    expect((await putSequence(host, 'p/s', components)).status).toBe(200);
    await host.api('PUT', 'packages/b?overwrite=true', { binding: { namespace: '_', name: 'p' } });
    expect((await host.invoke('p/s')).response).toMatchObject({
      status: 'application_error',
      result: { error: 'Too many actions in the sequence: more than 50.' },
    });
  });
});

describe('the limits of a namespace', () => {
  const shared = sharedHost({ callsPerMinute: 2 });

  test('count a sequence as one call, however many it makes', async () => {
    const host = shared();
    await host.deploy('p/add', add);
    await putSequence(host, 'p/many', ['p/add', 'p/add', 'p/add']);
    for (const _call of [1, 2]) expect((await host.invoke('p/many')).response.result).toEqual({ n: 3 });
    expect((await host.api('POST', 'actions/p/many?blocking=true', {})).status).toBe(429);
  });
});
