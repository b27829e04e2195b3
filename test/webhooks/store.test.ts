import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileStore, redisProgram, redisStore, type TestStore } from '../access/support/stores.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { hooksFunction, settings, token } from './support/sender.ts';

const text = `hooks:
  target:
    verify: github
    secret: env:SECRET
    caller: ci
    on: [{ run: [{ tool: key-create, with: { Name: "=body.name", PublicKey: "ssh-ed25519 AAAA" } }] }]
`;

const stores: readonly (readonly [string, () => Promise<TestStore>])[] = [
  ['a file', async () => fileStore()],
  ...(redisProgram === undefined ? [] : ([['a Redis server', () => redisStore(redisProgram ?? '')]] as const)),
];

const body = '{"name":"canary-body"}';
const headers = {
  'content-type': 'application/json',
  'x-github-delivery': 'one',
  'x-hub-signature-256': `sha256=${createHmac('sha256', 'canary-secret').update(body).digest('hex')}`,
};

describe.each(stores)('instances that share %s', (_, open) => {
  it('let ten thousand deliveries of one id have one effect, and remember it together', async () => {
    const store = await open();
    onTestFinished(() => store.end());
    const platform = await scriptedPlatform((response, __, attempt) =>
      json(response, 201, { ssh_key: { id: attempt, name: 'n', public_key: 'k' } }),
    );
    const instances = Array.from({ length: 4 }, () => hooksFunction(text, { ...settings(platform.url), KV_URL: store.url }));
    const counts: Record<string, number> = {};
    for (let round = 0; round < 100; round++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (__, index) => instances[index % 4]?.send('/target', { body, headers })),
      );
      for (const answer of answers) {
        const status = `${answer?.status} ${answer?.json.status}`;
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }
    expect(counts).toEqual({ '200 done': 1, '200 duplicate': 9999 });
    expect(platform.arrived).toHaveLength(1);
    const list = await instances[3]?.send('/target/deliveries', { method: 'GET', headers: { authorization: `Bearer ${token}` } });
    expect(list?.json.deliveries).toMatchObject([{ id: 'one', status: 'done' }]);
  });
});

it('does nothing, and asks to be sent it again, while the store is away', async () => {
  const platform = await scriptedPlatform((response) => json(response, 201, {}));
  const { send } = hooksFunction(text, { ...settings(platform.url), KV_URL: 'redis://127.0.0.1:1' });
  expect(await send('/target', { body, headers })).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
  expect(platform.arrived).toHaveLength(0);
});
