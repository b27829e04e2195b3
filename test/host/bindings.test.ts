import { describe, expect, test } from 'vitest';
import { type TestHost, tempDir, testHost } from './support/test-host.ts';

const echo = 'exports.main = (event) => ({ event, E: process.env.E })';

/** A host with a package `p` that has a function, and a binding `b` of it. */
async function bound(options: { readonly dataDir?: string } = {}): Promise<TestHost> {
  const host = await testHost(options);
  const parameters = [
    { key: 'from', value: 'package' },
    { key: 'only', value: 'package' },
    { key: 'E', value: 'package', init: true },
  ];
  await host.api('PUT', 'packages/p', { parameters });
  await host.deploy('p/f', { code: echo, parameters: [{ key: 'own', value: 'function' }] });
  await host.api('PUT', 'packages/p?overwrite=true', { parameters });
  const reply = await host.api('PUT', 'packages/b', {
    binding: { namespace: '_', name: 'p' },
    parameters: [
      { key: 'from', value: 'binding' },
      { key: 'own', value: 'binding' },
      { key: 'E', value: 'binding', init: true },
    ],
  });
  expect(reply).toMatchObject({ status: 200, body: { binding: { namespace: host.namespace, name: 'p' } } });
  return host;
}

describe('a package binding', () => {
  test('has the functions of its package under its own parameters: package, then binding, then function, then request', async () => {
    const host = await bound();
    const through = await host.invoke('b/f', { n: 1 });
    expect(through.response.result).toEqual({ event: { from: 'binding', only: 'package', own: 'function', n: 1 }, E: 'binding' });
    expect(through.annotations).toEqual(
      expect.arrayContaining([
        { key: 'path', value: `${host.namespace}/p/f` },
        { key: 'binding', value: `${host.namespace}/b` },
      ]),
    );
    const straight = await host.invoke('p/f');
    expect(straight.response.result).toEqual({ event: { from: 'package', only: 'package', own: 'function' }, E: 'package' });
    expect(straight.annotations).not.toContainEqual(expect.objectContaining({ key: 'binding' }));
    expect((await host.api('GET', 'packages/b')).body.actions).toEqual((await host.api('GET', 'packages/p')).body.actions);
    expect((await host.api('GET', 'actions/b/')).body).toEqual((await host.api('GET', 'actions/p/')).body);
  });

  test('follows what becomes of its package, and lasts over a restart', async () => {
    const dataDir = tempDir();
    const first = await bound({ dataDir });
    await first.deploy('p/g', 'exports.main = () => ({ g: 1 })');
    await first.deploy('p/f', 'exports.main = () => ({ f: 2 })');
    expect((await first.invoke('b/g')).response.result).toEqual({ g: 1 });
    expect((await first.invoke('b/f')).response.result).toEqual({ f: 2 });
    await first.api('DELETE', 'actions/p/g');
    expect((await first.api('POST', 'actions/b/g?blocking=true', {})).status).toBe(404);
    await first.close();
    const second = await testHost({ dataDir });
    expect((await second.invoke('b/f')).response.result).toEqual({ f: 2 });
    expect((await second.api('DELETE', 'packages/b')).status).toBe(200);
    expect((await second.api('POST', 'actions/b/f?blocking=true', {})).status).toBe(404);
    expect((await second.invoke('p/f')).response.result).toEqual({ f: 2 });
  });

  test('stands for another package once it says so, and has the functions of that one alone', async () => {
    const host = await bound();
    await host.deploy('q/g', 'exports.main = () => ({ g: 1 })');
    expect((await host.api('PUT', 'packages/b?overwrite=true', { binding: { name: 'q' } })).status).toBe(200);
    expect((await host.invoke('b/g')).response.result).toEqual({ g: 1 });
    expect((await host.api('POST', 'actions/b/f?blocking=true', {})).status).toBe(404);
    expect((await host.api('GET', 'actions/b/f')).status).toBe(404);
    expect((await host.invoke('p/f')).response.success).toBe(true);
  });

  test('is not served on the web and takes no functions of its own', async () => {
    const host = await bound();
    expect((await host.web('p/f')).status).not.toBe(404);
    expect((await host.web('b/f')).status).toBe(404);
    for (const method of ['PUT', 'DELETE']) {
      const reply = await host.api(method, 'actions/b/f?overwrite=true', method === 'PUT' ? {} : undefined);
      expect(reply).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^Operation not permitted on package binding/) } });
    }
  });

  test.each([
    ['a package that does not exist', { name: 'none' }, 400, /does not exist: none/],
    ['another binding', { name: 'b' }, 400, /Cannot bind to another package binding: b/],
    ['a package of another namespace', { namespace: 'fn-other', name: 'p' }, 400, /binding\.namespace: expected fn-.*got "fn-other"/],
  ])('cannot stand for %s', async (_name, binding, status, error) => {
    const host = await bound();
    expect(await host.api('PUT', 'packages/c', { binding })).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
    expect((await host.api('GET', 'packages/c')).status).toBe(404);
  });

  test('is not made of a package that is there', async () => {
    const host = await bound();
    await host.api('PUT', 'packages/c', {});
    const reply = await host.api('PUT', 'packages/c?overwrite=true', { binding: { name: 'p' } });
    expect(reply).toMatchObject({ status: 409, body: { error: 'Resource is a package and cannot be converted into a binding.' } });
  });
});
