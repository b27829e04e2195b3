import { describe, expect, test } from 'vitest';
import type { EnvironmentOf } from '../../lib/host/start-host.ts';
import { addNamespace, apiToken } from './support/account.ts';
import { type TestHost, testHost } from './support/test-host.ts';

const code = 'exports.main = () => ({ local: process.env.LOCAL, given: process.env.GIVEN, taken: process.env.TAKEN })';
const parameters = [
  { key: 'GIVEN', value: 'deployed', init: true },
  { key: 'TAKEN', value: 'deployed', init: true },
];
const environmentOf: EnvironmentOf = (name, { TAKEN: _, ...rest }) => ({ LOCAL: `of ${name}`, ...rest });

async function found(host: TestHost, name: string): Promise<unknown> {
  return (await host.invoke(name)).response.result;
}

describe('a host that says what its functions find in their environment', () => {
  test('says it whoever deploys them, and however often', async () => {
    const host = await testHost({ environmentOf });
    await host.deploy('p/f', { code, parameters });
    expect(await found(host, 'p/f')).toEqual({ local: 'of p/f', given: 'deployed' });
    await host.deploy('p/f', { code, parameters: [{ key: 'GIVEN', value: 'again', init: true }] });
    expect(await found(host, 'p/f')).toEqual({ local: 'of p/f', given: 'again' });
  });

  test('tells nobody who reads the function: what was deployed is what is shown', async () => {
    const host = await testHost({ environmentOf });
    await host.deploy('p/f', { code, parameters });
    expect((await host.api('GET', 'actions/p/f')).body.parameters).toEqual(parameters);
  });

  test('says it by the name of the function also where that is called through a binding', async () => {
    const host = await testHost({ environmentOf });
    await host.deploy('p/f', { code, parameters });
    await host.api('PUT', 'packages/b', { binding: { namespace: '_', name: 'p' } });
    expect(await found(host, 'b/f')).toEqual({ local: 'of p/f', given: 'deployed' });
  });

  test('says it in its own namespace alone', async () => {
    const host = await testHost({ environmentOf, apiToken });
    const other = await addNamespace(host, 'other');
    await other.deploy('p/f', { code, parameters });
    expect(await found(other, 'p/f')).toEqual({ given: 'deployed', taken: 'deployed' });
  });

  test('holds calls back until it knows', async () => {
    let tell: (rule: EnvironmentOf) => void = () => {};
    const host = await testHost({ environmentOf: new Promise((resolve) => (tell = resolve)) });
    await host.deploy('p/f', { code, parameters });
    const { body } = await host.api('POST', 'actions/p/f', {});
    tell(environmentOf);
    expect((await host.activation(body.activationId)).response.result).toEqual({ local: 'of p/f', given: 'deployed' });
  });

  test('ends while calls are held back', async () => {
    const host = await testHost({ environmentOf: new Promise(() => {}) });
    await host.deploy('p/f', { code, parameters });
    await host.api('POST', 'actions/p/f', {});
    await host.close();
    await expect(fetch(host.url)).rejects.toThrow();
  });
});
