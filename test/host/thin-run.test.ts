import { expect, test } from 'vitest';
import { testHost } from './support/test-host.ts';

test('deploys a function and serves it over HTTP, at its own address and where it is mounted', async () => {
  const host = await testHost({ mounts: { '/': 'greetings/hello' } });
  const deployed = await host.deploy('greetings/hello', 'exports.main = ({ name, http }) => ({ body: { hello: name, at: http.path } })');
  expect(deployed.status).toBe(200);

  const direct = await host.web('greetings/hello/a/b?name=sammy');
  expect(direct.status).toBe(200);
  expect(await direct.json()).toEqual({ hello: 'sammy', at: '/a/b' });

  const mounted = await fetch(`${host.url}/c?name=sammy`);
  expect(await mounted.json()).toEqual({ hello: 'sammy', at: '/c' });
});
