import openwhisk from 'openwhisk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addNamespace, apiToken, basic, platform } from './support/account.ts';
import { isRunning } from './support/processes.ts';
import { type TestHost, tempDir, testHost } from './support/test-host.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('a namespace', () => {
  test('is made, shown, listed and deleted by the account', async () => {
    const host = await testHost({ apiToken });
    const made = await platform(host, 'POST', '/namespaces', { label: 'second', region: 'nyc1' });
    expect([made.status, made.body]).toEqual([
      200,
      {
        namespace: {
          api_host: host.url,
          namespace: expect.stringMatching(/^fn-[0-9a-f-]{36}$/),
          created_at: time,
          updated_at: time,
          label: 'second',
          region: 'nyc1',
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          key: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
    const { namespace } = made.body.namespace;
    expect((await platform(host, 'GET', `/namespaces/${namespace}`)).body).toEqual(made.body);
    const listed = (await platform(host, 'GET', '/namespaces')).body.namespaces;
    const own = { namespace: host.namespace, uuid: host.auth.split(':')[0], key: host.auth.split(':')[1] };
    expect(listed).toEqual([expect.objectContaining(own), made.body.namespace]);
    expect((await platform(host, 'DELETE', `/namespaces/${namespace}`)).status).toBe(204);
    expect((await platform(host, 'GET', `/namespaces/${namespace}`)).body).toMatchObject({
      id: 'not_found',
      message: 'namespace not found',
      request_id: expect.any(String),
    });
  });

  test('keeps its functions and activations from the others', async () => {
    const host = await testHost({ apiToken });
    const other = await addNamespace(host, 'other');
    for (const [home, name] of [
      [host, 'own'],
      [other, 'other'],
    ] as const) {
      await home.deploy('p/f', `exports.main = (_, context) => ({ body: ['${name}', context.namespace, context.functionName] })`);
    }
    expect(await (await host.web('p/f')).json()).toEqual(['own', host.namespace, `/${host.namespace}/p/f`]);
    expect(await (await other.web('p/f')).json()).toEqual(['other', other.namespace, `/${other.namespace}/p/f`]);
    const { activationId } = await other.invoke('p/f');
    expect((await other.activation(activationId)).namespace).toBe(other.namespace);
    expect((await host.api('GET', `activations/${activationId}`)).status).toBe(404);
    expect((await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 1 });
    expect((await other.api('GET', 'activations?count=true')).body).toEqual({ activations: 2 });
    await other.api('DELETE', 'actions/p/f');
    expect((await other.web('p/f')).status).toBe(404);
    expect((await host.web('p/f')).status).toBe(200);
  });

  test('is not opened by the credentials of another', async () => {
    const host = await testHost({ apiToken });
    const other = await addNamespace(host, 'other');
    const get = (path: string) => fetch(`${host.url}/api/v1/namespaces${path}`, { headers: { authorization: basic(other.auth) } });
    expect(await (await get('')).json()).toEqual([other.namespace]);
    expect((await get(`/${host.namespace}/actions`)).status).toBe(403);
    await host.deploy('p/locked', { code: 'exports.main = () => ({ body: 1 })', annotations: { 'require-whisk-auth': true } });
    expect((await host.web('p/locked', { headers: { authorization: basic(other.auth) } })).status).toBe(401);
    expect((await host.web('p/locked', { headers: { authorization: basic(host.auth) } })).status).toBe(200);
  });

  test('is there again after a restart', async () => {
    const dataDir = tempDir();
    const first = await testHost({ dataDir, apiToken });
    const before = await addNamespace(first, 'kept');
    await before.deploy('p/f', 'exports.main = () => ({ body: "kept" })');
    await first.close();
    const second = await testHost({ dataDir, apiToken });
    const { body } = await platform(second, 'GET', `/namespaces/${before.namespace}`);
    expect(body.namespace).toMatchObject({ label: 'kept', region: 'nyc1', api_host: second.url });
    expect(await (await fetch(`${second.url}/api/v1/web/${before.namespace}/p/f`)).text()).toBe('kept');
  });

  test('takes everything in it along when it is deleted', async () => {
    const host = await testHost({ apiToken });
    const other = await addNamespace(host, 'doomed');
    await other.deploy('p/pid', 'exports.main = () => ({ pid: process.pid })');
    await other.deploy('p/hang', { code: 'exports.main = () => new Promise(() => {})', limits: { timeout: 60_000 } });
    const { activationId, response } = await other.invoke('p/pid');
    const { pid } = response.result as { readonly pid: number };
    const hanging = other.api('POST', 'actions/p/hang?blocking=true', {});
    await platform(host, 'POST', `/namespaces/${other.namespace}/triggers`, {
      name: 't',
      function: 'p/pid',
      type: 'SCHEDULED',
      is_enabled: true,
      scheduled_details: { cron: '* * * * *' },
    });
    expect((await platform(host, 'DELETE', `/namespaces/${other.namespace}`)).status).toBe(204);
    expect((await hanging).status).toBeGreaterThanOrEqual(400);
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await other.api('GET', `activations/${activationId}`)).status).toBe(401);
    expect((await other.web('p/pid')).status).toBe(404);
    expect((await platform(host, 'GET', `/namespaces/${other.namespace}/triggers`)).status).toBe(404);
  });

  test("of the host's own may go too; the next start makes a new one", async () => {
    const dataDir = tempDir();
    const first = await testHost({ dataDir, apiToken, mounts: { '/': 'p/f' } });
    await first.deploy('p/f', 'exports.main = () => ({ body: "here" })');
    expect((await platform(first, 'DELETE', `/namespaces/${first.namespace}`)).status).toBe(204);
    expect((await fetch(first.url)).status).toBe(404);
    expect((await first.api('GET', 'actions')).status).toBe(401);
    await first.close();
    const second = await testHost({ dataDir, apiToken });
    expect(second.namespace).not.toBe(first.namespace);
    expect((await second.api('GET', 'actions')).body).toEqual([]);
  });

  test.each([
    [{ region: 'nyc1' }, 'Invalid request payload: missing label field'],
    [{ label: 7 }, 'Invalid request payload: label: expected a text of at most 256 characters, got 7, missing region field'],
  ])('is refused as the document says: %o', async (body, message) => {
    const host = await testHost({ apiToken });
    const refused = await platform(host, 'POST', '/namespaces', body);
    expect([refused.status, refused.body]).toMatchObject([404, { id: 'bad_request', message }]);
  });

  test('is refused with the label of another, and beyond the limit', async () => {
    const host = await testHost({ apiToken });
    for (let i = 2; i <= 10; i += 1) {
      expect((await platform(host, 'POST', '/namespaces', { label: `n${i}`, region: 'nyc1' })).status).toBe(200);
    }
    expect((await platform(host, 'POST', '/namespaces', { label: 'n2', region: 'nyc1' })).body.id).toBe('conflict');
    const refused = await platform(host, 'POST', '/namespaces', { label: 'n11', region: 'nyc1' });
    expect([refused.status, refused.body]).toMatchObject([422, { id: 'unprocessable_entity', message: 'namespace limit reached' }]);
  });
});

describe('the account', () => {
  test.each([
    ['nothing', '', 401, 'unauthorized'],
    ['another token', 'Bearer dh_wrong', 401, 'unauthorized'],
    ['a key of nobody', basic('a:b'), 401, 'unauthorized'],
  ])('is not whoever shows %s', async (_what, authorization, status, id) => {
    const host = await testHost({ apiToken });
    const refused = await platform(host, 'GET', '/namespaces', undefined, authorization);
    expect([refused.status, refused.body]).toMatchObject([status, { id, message: 'Unable to authenticate you.' }]);
  });

  test('is needed for what concerns more than the triggers of one namespace', async () => {
    const host = await testHost({ apiToken });
    const other = await addNamespace(host, 'other');
    const as = (method: string, path: string) => platform(host, method, path, undefined, basic(other.auth));
    for (const [method, path] of [
      ['GET', '/namespaces'],
      ['DELETE', `/namespaces/${other.namespace}`],
      ['GET', `/namespaces/${other.namespace}/keys`],
      ['GET', `/namespaces/${host.namespace}/triggers`],
    ] as const) {
      expect((await as(method, path)).body, path).toMatchObject({
        id: 'forbidden',
        message: expect.stringContaining('a token of the account'),
      });
    }
    expect((await as('GET', `/namespaces/${other.namespace}/triggers`)).body).toEqual({ triggers: [] });
  });

  test('is nobody where the host was started without a token', async () => {
    const host = await testHost();
    const refused = await platform(host, 'GET', '/namespaces');
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain('started without a token of an account');
  });

  test('is told of paths, methods and bodies that are none', async () => {
    const host = await testHost({ apiToken });
    expect((await platform(host, 'GET', '/elsewhere')).status).toBe(404);
    expect((await platform(host, 'PUT', '/namespaces', {})).body.id).toBe('method_not_allowed');
    expect((await platform(host, 'POST', '/namespaces', '{"label":')).body.id).toBe('bad_request');
  });
});

describe('an access key', () => {
  test('opens its namespace until it is deleted, and shows its secret once', async () => {
    const host = await testHost({ apiToken });
    const keys = `/namespaces/${host.namespace}/keys`;
    const { status, body } = await platform(host, 'POST', keys, { name: 'ci' });
    expect(status).toBe(201);
    const { secret, ...shown } = body.access_key;
    expect(shown).toEqual({ id: expect.stringMatching(/^dof_v1_/), name: 'ci', expires_at: null, created_at: time, updated_at: time });
    const client = openwhisk({ apihost: host.url, api_key: secret });
    expect(await client.actions.list()).toEqual([]);
    expect((await platform(host, 'PUT', `${keys}/${shown.id}`, { name: 'ci-2' })).body.access_key.name).toBe('ci-2');
    expect((await platform(host, 'GET', keys)).body).toEqual({ access_keys: [{ ...shown, name: 'ci-2' }], count: 1 });
    expect((await platform(host, 'POST', keys, { name: 'ci-2' })).body.id).toBe('conflict');
    const deleted = await platform(host, 'DELETE', `${keys}/${shown.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, {}]);
    await expect(client.actions.list()).rejects.toThrow(/401/);
    expect((await platform(host, 'DELETE', `${keys}/${shown.id}`)).body.id).toBe('not_found');
  });

  const keyOf = async (host: TestHost, namespace: string, name: string) =>
    (await platform(host, 'POST', `/namespaces/${namespace}/keys`, { name })).body.access_key;
  const statusWith = async (host: TestHost, credentials: string) =>
    (await fetch(`${host.url}/api/v1/namespaces`, { headers: { authorization: basic(credentials) } })).status;

  test('opens nothing with another secret, and neither does the key of the namespace itself', async () => {
    const host = await testHost({ apiToken });
    const { secret } = await keyOf(host, host.namespace, 'ci');
    for (const credentials of [secret, host.auth]) {
      expect(await statusWith(host, credentials)).toBe(200);
      const [id] = credentials.split(':');
      for (const wrong of ['', 'x', `${credentials.split(':')[1]}x`]) expect(await statusWith(host, `${id}:${wrong}`)).toBe(401);
    }
  });

  test('is known after a restart, unless it was deleted before', async () => {
    const dataDir = tempDir();
    const first = await testHost({ dataDir, apiToken });
    const kept = await keyOf(first, first.namespace, 'kept');
    const deleted = await keyOf(first, first.namespace, 'deleted');
    await platform(first, 'DELETE', `/namespaces/${first.namespace}/keys/${deleted.id}`);
    await first.close();
    const second = await testHost({ dataDir, apiToken });
    expect([await statusWith(second, kept.secret), await statusWith(second, deleted.secret)]).toEqual([200, 401]);
  });

  test('goes with its namespace, and takes none of another with it', async () => {
    const host = await testHost({ apiToken });
    const other = await addNamespace(host, 'doomed');
    const [mine, theirs] = [await keyOf(host, host.namespace, 'mine'), await keyOf(host, other.namespace, 'theirs')];
    expect([await statusWith(host, mine.secret), await statusWith(host, theirs.secret)]).toEqual([200, 200]);
    await platform(host, 'DELETE', `/namespaces/${other.namespace}`);
    expect([await statusWith(host, mine.secret), await statusWith(host, theirs.secret)]).toEqual([200, 401]);
    expect((await platform(host, 'GET', `/namespaces/${host.namespace}/keys`)).body).toMatchObject({ count: 1 });
  });

  test('opens nothing after its time', async () => {
    const host = await testHost({ apiToken });
    const { body } = await platform(host, 'POST', `/namespaces/${host.namespace}/keys`, { name: 'short', expires_in: '1h' });
    const { secret, expires_at: expiresAt } = body.access_key;
    const status = async () => (await fetch(`${host.url}/api/v1/namespaces`, { headers: { authorization: basic(secret) } })).status;
    expect(await status()).toBe(200);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.parse(expiresAt) + 1000);
    onTestFinished(() => clock.mockRestore());
    expect(await status()).toBe(401);
  });

  test.each([{ name: '' }, { name: 'x', expires_in: '10m' }, { name: 'x', expires_in: '0h' }])('is refused as %o', async (body) => {
    const host = await testHost({ apiToken });
    expect((await platform(host, 'POST', `/namespaces/${host.namespace}/keys`, body)).body.id).toBe('bad_request');
  });
});
