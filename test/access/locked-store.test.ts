import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { makeKeyByStore } from '../webhooks/support/key-hook.ts';
import { hooksFunction, settings } from '../webhooks/support/sender.ts';
import { fileStore, type TestStore } from './support/stores.ts';

let store: TestStore;
beforeEach(() => {
  store = fileStore();
});
afterEach(() => store.end());

/** Has another process write into the store until it is told to end. */
async function otherWriter(): Promise<{ end(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('support/lock-holder.ts', import.meta.url)), [fileURLToPath(store.url)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child, 'message');
  return {
    end: async () => {
      child.send('end');
      await ended;
    },
  };
}

const key = { id: 1, name: 'laptop', public_key: 'ssh-ed25519 AAAA' };

/** An installation that has made its calls before: all that is loaded with the first of them is there. */
async function installation() {
  const platform = await scriptedPlatform((response, { method }) =>
    method === 'POST' ? json(response, 201, { ssh_key: key }) : json(response, 200, { account: { status: 'active' } }),
  );
  const request = gateway({ PLATFORM_API_URL: platform.url, KV_URL: store.url });
  const create = (idempotencyKey: string, remainingMs = 20_000) =>
    request('POST', '/tools/key-create', {
      body: { Name: 'laptop', PublicKey: 'ssh-ed25519 AAAA' },
      headers: { 'idempotency-key': idempotencyKey },
      context: { getRemainingTimeInMillis: () => remainingMs },
    });
  const read = () => request('POST', '/tools/account-get-information');
  expect([(await create('first')).status, (await read()).status]).toEqual([200, 200]);
  return { read, create, made: () => platform.arrived.filter(({ method }) => method === 'POST').length - 1 };
}

it('a call that waits for another process keeps no other call of its own process waiting', async () => {
  const { read, create, made } = await installation();
  const writer = await otherWriter();
  const waiting = create('second');
  expect((await read()).status).toBe(200);
  expect(made()).toBe(0);
  await writer.end();
  expect((await waiting).json).toMatchObject({ isError: false, result: key });
  expect(made()).toBe(1);
});

it('a call that another process kept waiting until its time was up has done nothing, and is made once when it is repeated', async () => {
  const { create, made } = await installation();
  const writer = await otherWriter();
  const refused = await create('second', 600);
  expect(refused).toMatchObject({ status: 503, json: { error: { code: 'platform_unavailable', retryable: true } } });
  await writer.end();
  expect(made()).toBe(0);
  expect((await create('second')).json.result).toEqual(key);
  expect((await create('second')).json.result).toEqual(key);
  expect(made()).toBe(1);
});

it('an answer that is kept is given again while another process writes', async () => {
  const { create, made } = await installation();
  const writer = await otherWriter();
  expect((await create('first')).json.result).toEqual(key);
  await writer.end();
  expect(made()).toBe(0);
});

it('a change that was made is answered, though another process keeps it from being written down', async () => {
  let writer: Awaited<ReturnType<typeof otherWriter>> | undefined;
  const platform = await scriptedPlatform(async (response) => {
    writer = await otherWriter();
    json(response, 201, { ssh_key: key });
  });
  const answer = await gateway({ PLATFORM_API_URL: platform.url, KV_URL: store.url })('POST', '/tools/key-create', {
    body: { Name: 'laptop', PublicKey: 'ssh-ed25519 AAAA' },
    headers: { 'idempotency-key': 'one' },
    context: { getRemainingTimeInMillis: () => 3000 },
  });
  expect(answer.json).toMatchObject({ isError: false, result: key });
  await writer?.end();
});

it('a delivery that another process keeps waiting is asked for again, and has its effect when it is sent again; others of it are duplicates meanwhile', async () => {
  const platform = await scriptedPlatform((response) => json(response, 201, { ssh_key: key }));
  const { send } = hooksFunction(makeKeyByStore, { ...settings(platform.url), KV_URL: store.url });
  const body = '{"name":"laptop"}';
  const signature = `sha256=${createHmac('sha256', 'canary-secret').update(body).digest('hex')}`;
  const sent = (id: string) =>
    send('/target', {
      body,
      timeMs: 3000,
      headers: { 'content-type': 'application/json', 'x-github-delivery': id, 'x-hub-signature-256': signature },
    });
  expect((await sent('first')).json.status).toBe('done');
  const writer = await otherWriter();
  expect((await sent('first')).json.status).toBe('duplicate');
  expect(await sent('second')).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
  expect(platform.arrived).toHaveLength(1);
  await writer.end();
  expect((await sent('second')).json.status).toBe('done');
  expect(platform.arrived).toHaveLength(2);
});
