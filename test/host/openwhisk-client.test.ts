import openwhisk from 'openwhisk';
import { describe, expect, test } from 'vitest';
import { type TestHost, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

const code = 'exports.main = ({ n }) => { console.log("n is", n); return { n }; }';

/** What makes a sequence: the client takes it, its types do not know of it. */
function sequenceOf(name: string, sequence: readonly string[]): { readonly name: string; readonly action: string } {
  return { name, sequence } as object as { name: string; action: string };
}

function clientOf(host: TestHost): ReturnType<typeof openwhisk> {
  return openwhisk({ apihost: host.url, api_key: host.auth });
}

describe('the openwhisk client, unmodified', () => {
  test('deploys a zip as a Buffer, calls it and reads its activation', async () => {
    const host = await testHost();
    const client = clientOf(host);
    await client.packages.update({ name: 'p', package: {} });
    const made = await client.actions.update({ name: 'p/f', action: await zip({ 'index.js': code }), kind: 'nodejs:24' });
    expect(made).toMatchObject({ name: 'f', namespace: `${host.namespace}/p`, version: '0.0.1', exec: { binary: true } });
    expect(await client.actions.invoke({ name: 'p/f', params: { n: 1 }, blocking: true, result: true })).toEqual({ n: 1 });
    const { activationId } = await client.actions.invoke({ name: 'p/f', params: { n: 2 } });
    await expect
      .poll(() => client.activations.result({ name: activationId }).catch(() => undefined))
      .toMatchObject({ success: true, result: { n: 2 } });
    expect((await client.activations.logs({ name: activationId })).logs).toEqual([expect.stringMatching(/stdout: n is 2$/)]);
    expect((await client.activations.list({ limit: 5 })).map((each) => each.activationId)).toContain(activationId);
    expect((await client.activations.get({ name: activationId })).response?.result).toEqual({ n: 2 });
  });

  test('deploys source with settings, lists and deletes', async () => {
    const host = await testHost();
    const client = clientOf(host);
    await client.actions.create({
      name: 'f',
      action: code,
      kind: 'nodejs:default',
      params: { n: 7 },
      limits: { timeout: 1000 },
      annotations: { 'web-export': true },
    });
    await expect(client.actions.create({ name: 'f', action: code })).rejects.toThrow(/resource already exists/);
    expect(await client.actions.get({ name: 'f' })).toMatchObject({
      exec: { code, kind: 'nodejs:24' },
      limits: { timeout: 1000 },
      parameters: [{ key: 'n', value: 7 }],
    });
    expect((await client.actions.list()).map(({ name }) => name)).toEqual(['f']);
    expect(await client.actions.invoke({ name: 'f', blocking: true, result: true })).toEqual({ n: 7 });
    await client.actions.delete({ name: 'f' });
    await expect(client.actions.get({ name: 'f' })).rejects.toThrow(/The requested resource does not exist/);
    expect(await client.namespaces.list()).toEqual([host.namespace]);
  });

  test('makes, binds, lists, shows and deletes packages', async () => {
    const host = await testHost();
    const client = clientOf(host);
    const made = await client.packages.create({ name: 'p', package: { parameters: [{ key: 'n', value: 1 }] } });
    expect(made).toMatchObject({ name: 'p', namespace: host.namespace, version: '0.0.1' });
    await expect(client.packages.create({ name: 'p', package: {} })).rejects.toThrow(/resource already exists/);
    await client.actions.create({ name: 'p/f', action: code });
    await client.packages.update({ name: 'b', package: { binding: { namespace: '_', name: 'p' } } });
    expect((await client.packages.list()).map(({ name }) => name).sort()).toEqual(['b', 'p']);
    expect(await client.packages.get({ name: 'b' })).toMatchObject({ binding: { name: 'p' }, actions: [{ name: 'f', version: '0.0.1' }] });
    expect(await client.actions.invoke({ name: 'b/f', blocking: true, result: true })).toEqual({ n: 1 });
    await expect(client.packages.delete({ name: 'p' })).rejects.toThrow(/Package not empty/);
    await client.actions.delete({ name: 'p/f' });
    for (const name of ['b', 'p']) await client.packages.delete({ name });
    expect(await client.packages.list()).toEqual([]);
  });

  test('updates a function, which keeps what it leaves out', async () => {
    const host = await testHost();
    const client = clientOf(host);
    await client.actions.create({ name: 'f', action: code, params: { n: 7 }, limits: { memory: 128 } });
    const updated = await client.actions.update({ name: 'f', action: code.replace('({ n })', '({ n, more: true })') });
    expect(updated).toMatchObject({ version: '0.0.2', limits: { memory: 128 }, parameters: [{ key: 'n', value: 7 }] });
  });

  test('makes a sequence, calls it and reads what it called', async () => {
    const host = await testHost();
    const client = clientOf(host);
    await client.actions.create({ name: 'f', action: 'exports.main = ({ n }) => ({ n: n + 1 })' });
    const sequence = ['/_/f', `/${host.namespace}/f`];
    const made = await client.actions.create(sequenceOf('s', sequence));
    expect(made.exec).toEqual({ kind: 'sequence', components: sequence.map(() => `/${host.namespace}/f`) });
    const activation = await client.actions.invoke({ name: 's', params: { n: 1 }, blocking: true });
    expect(activation.response?.result).toEqual({ n: 3 });
    const { logs = [] } = await client.activations.logs({ name: activation.activationId });
    expect((await client.activations.get({ name: String(logs[0]) })).response?.result).toEqual({ n: 2 });
    await client.actions.update(sequenceOf('s', ['/_/f']));
    expect(await client.actions.invoke({ name: 's', params: { n: 1 }, blocking: true, result: true })).toEqual({ n: 2 });
    await expect(client.actions.create(sequenceOf('t', ['/_/none']))).rejects.toThrow(/Sequence component does not exist: none\./);
  });

  test('is told that there are no triggers and rules', async () => {
    const client = clientOf(await testHost());
    await expect(client.triggers.create({ name: 't' })).rejects.toThrow(/there are no triggers here/);
    await expect(client.rules.list()).rejects.toThrow(/there are no rules here/);
  });

  test('is told why a call failed', async () => {
    const host = await testHost();
    const client = clientOf(host);
    await client.actions.create({ name: 'f', action: 'exports.main = () => ({ error: "mine" })' });
    await expect(client.actions.invoke({ name: 'f', blocking: true })).rejects.toThrow(/mine/);
    const stranger = openwhisk({ apihost: host.url, api_key: 'someone:else' });
    await expect(stranger.actions.list()).rejects.toThrow(/The supplied authentication is invalid/);
  });
});
