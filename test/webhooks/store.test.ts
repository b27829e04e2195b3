import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fileStore, redisProgram, redisStore, type TestStore } from '../access/support/stores.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { type Instance, startInstance } from './support/instances.ts';
import { keyMaker, makeKeyByStore } from './support/key-hook.ts';
import { hooksFunction, settings, token } from './support/sender.ts';

const stores: readonly (readonly [string, () => Promise<TestStore>])[] = [
  ['a file', async () => fileStore()],
  ...(redisProgram === undefined ? [] : ([['a Redis server', () => redisStore(redisProgram ?? '')]] as const)),
];

/** As many as are remembered. */
const count = 200;

const body = '{"name":"canary-body"}';
const headers = {
  'content-type': 'application/json',
  'x-github-delivery': 'one',
  'x-hub-signature-256': `sha256=${createHmac('sha256', 'canary-secret').update(body).digest('hex')}`,
};

let instances: readonly Instance[] = [];
beforeAll(async () => {
  instances = await Promise.all(Array.from({ length: 4 }, startInstance));
});
afterAll(() => {
  for (const each of instances) each[Symbol.dispose]();
});

describe.each(stores)('processes that share %s', (_, open) => {
  it('let ten thousand deliveries of one id have one effect, and remember it together', async () => {
    const store = await open();
    onTestFinished(() => store.end());
    const platform = await keyMaker();
    const environment = { ...settings(platform.url), KV_URL: store.url };
    const counts = await Promise.all(
      instances.map(({ take }) => take({ text: makeKeyByStore, environment, headers, body, ids: Array(2500).fill('one') })),
    );
    const total = (status: string) => counts.reduce((sum, each) => sum + (each[status] ?? 0), 0);
    expect([total('200 done'), total('200 duplicate')], JSON.stringify(counts)).toEqual([1, 9999]);
    expect(platform.arrived).toHaveLength(1);
    const { send } = hooksFunction(makeKeyByStore, environment);
    const list = await send('/target/deliveries', { method: 'GET', headers: { authorization: `Bearer ${token}` } });
    expect(list.json.deliveries).toMatchObject([{ id: 'one', status: 'done' }]);
  }, 60_000);

  it('remember every delivery, even where many end at once', async () => {
    const store = await open();
    onTestFinished(() => store.end());
    const platform = await keyMaker();
    const environment = { ...settings(platform.url), KV_URL: store.url };
    const ids = Array.from({ length: count }, (__, index) => `d-${index}`).sort();
    const share = count / instances.length;
    const counts = await Promise.all(
      instances.map(({ take }, index) =>
        take({ text: makeKeyByStore, environment, headers, body, ids: ids.slice(index * share, (index + 1) * share) }),
      ),
    );
    expect(counts).toEqual(Array(4).fill({ '200 done': share }));
    const { send } = hooksFunction(makeKeyByStore, environment);
    const list = await send('/target/deliveries', { method: 'GET', headers: { authorization: `Bearer ${token}` } });
    expect(list.json.deliveries.map(({ id }: { readonly id: string }) => id).sort()).toEqual(ids);
  }, 60_000);
});

it('does nothing, and asks to be sent it again, while the store is away', async () => {
  const platform = await scriptedPlatform((response) => json(response, 201, {}));
  const { send } = hooksFunction(makeKeyByStore, { ...settings(platform.url), KV_URL: 'redis://127.0.0.1:1' });
  expect(await send('/target', { body, headers })).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
  expect(platform.arrived).toHaveLength(0);
});

it.skipIf(redisProgram === undefined)(
  'answers what it did where the store went away meanwhile, and the log says that it is not kept',
  async () => {
    const server = await redisStore(redisProgram ?? '');
    onTestFinished(() => server.end());
    const platform = await scriptedPlatform(async (response) => {
      await server.kill();
      json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } });
    });
    const { send, audited } = hooksFunction(makeKeyByStore, { ...settings(platform.url), KV_URL: server.url });
    const answer = await send('/target', { body, headers });
    expect(answer).toMatchObject({ status: 200, json: { id: 'one', status: 'done', calls: [{ tool: 'key-create', isError: false }] } });
    expect(audited).toMatchObject([{ id: 'one', outcome: 'done', http: 200, unrecorded: true }]);
  },
);

it.skipIf(redisProgram === undefined)(
  'does nothing while the store hangs, and takes the delivery when it is sent again',
  async () => {
    const server = await redisStore(redisProgram ?? '');
    onTestFinished(() => server.end());
    const platform = await scriptedPlatform((response) => json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } }));
    const { send } = hooksFunction(makeKeyByStore, { ...settings(platform.url), KV_URL: server.url });
    const first = { ...headers, 'x-github-delivery': 'before' };
    expect((await send('/target', { body, headers: first })).json.status).toBe('done');
    server.fallSilent();
    const refused = send('/target', { body, headers });
    expect(await refused).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    expect(platform.arrived).toHaveLength(1);
    // By now it carries out what it was sent meanwhile: the claim of the delivery that was refused.
    server.goOn();
    expect((await send('/target', { body, headers })).json.status).toBe('done');
    expect(platform.arrived).toHaveLength(2);
  },
  20_000,
);
