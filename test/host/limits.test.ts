import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActivationEvent } from '../../lib/host/start-host.ts';
import { tempDir, testHost } from './support/test-host.ts';

/** Answers once the file that it is named appears, so that a test decides how long it takes. */
const waits = `exports.main = async ({ until }) => {
  while (until && !require('fs').existsSync(until)) await new Promise((done) => setTimeout(done, 5));
  return { body: 'done' };
}`;

test('calls beyond those of a minute are refused, in the API and on the web, and those of mounted addresses are not counted', async () => {
  const host = await testHost({ callsPerMinute: 3, mounts: { '/m': 'p/f' } });
  await host.deploy('p/f', 'exports.main = () => ({ body: "ok" })');
  for (let call = 0; call < 5; call += 1) expect((await fetch(`${host.url}/m`)).status).toBe(200);
  for (let call = 0; call < 3; call += 1) expect((await host.web('p/f')).status).toBe(200);
  const error = 'Too many requests in the last minute (count: 4, allowed: 3).';
  const web = await host.web('p/f');
  expect([web.status, web.headers.get('access-control-allow-origin'), await web.json()]).toEqual([
    429,
    '*',
    { error, code: expect.any(String) },
  ]);
  expect(await host.api('POST', 'actions/p/f', {})).toMatchObject({ status: 429, body: { error } });
  expect((await host.web('p/f', { method: 'OPTIONS' })).status).toBe(200);
  expect((await fetch(`${host.url}/m`)).status).toBe(200);
});

test('of the calls under way 120 are taken, running or waiting, and more when one of them has ended', async () => {
  const host = await testHost({ maxInstances: 2 });
  const until = join(tempDir(), 'go');
  for (const name of ['p/f', 'p/g']) await host.deploy(name, { code: waits, limits: { timeout: 60_000 } });
  const call = (index: number) => host.api('POST', `actions/${index % 2 ? 'p/f' : 'p/g'}`, { until });
  const replies = await Promise.all(Array.from({ length: 130 }, (_, index) => call(index)));
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(120);
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.body.error).toBe('Too many concurrent requests in flight (count: 121, allowed: 120).');
  await host.deploy('p/touch', `exports.main = () => ({ wrote: require('fs').writeFileSync(${JSON.stringify(until)}, '') })`);
  expect((await host.api('POST', 'actions/p/touch', {})).status).toBe(429);
  writeFileSync(until, '');
  await expect.poll(async () => (await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 120 });
  expect((await host.invoke('p/touch')).response.success).toBe(true);
});

test('a caller that waited as long as it may is answered 202 with the id of the activation, and the call goes on', async () => {
  const told: ActivationEvent[] = [];
  const host = await testHost({ answerWaitMs: 30, onActivation: (event) => told.push(event) });
  const until = join(tempDir(), 'go');
  await host.deploy('p/f', { code: waits, limits: { timeout: 60_000 }, parameters: [{ key: 'until', value: until }] });
  const web = await host.web('p/f');
  expect([web.status, await web.json()]).toEqual([202, { error: 'Response not yet ready.', code: expect.any(String) }]);
  const blocking = await host.api('POST', 'actions/p/f?blocking=true', {});
  expect(blocking).toMatchObject({ status: 202, body: { activationId: expect.stringMatching(/^[0-9a-f]{32}$/) } });
  expect(existsSync(until)).toBe(false);
  await host.deploy('p/touch', `exports.main = () => ({ wrote: require('fs').writeFileSync(${JSON.stringify(until)}, '') })`);
  await host.api('POST', 'actions/p/touch', {});
  const ids = [web.headers.get('x-openwhisk-activation-id'), blocking.body.activationId];
  for (const id of ids) {
    await expect
      .poll(async () => (await host.api('GET', `activations/${id}`)).body.response)
      .toMatchObject({ success: true, result: { body: 'done' } });
  }
  await expect.poll(() => told.filter(({ function: name }) => name === 'p/f').map(({ status }) => status)).toEqual([202, 202]);
});
