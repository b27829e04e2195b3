import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deferred } from '../../lib/host/activations/deferred.ts';
import type { CallRecord } from '../../lib/protocols/call-log.ts';
import { gateway } from '../support/gateway.ts';
import { heldClock } from '../support/held-clock.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { passageTo } from './support/passage.ts';
import { fileStore, redisProgram, redisStore, type TestStore } from './support/stores.ts';

// What is transformed for a test, and is there in a bundle, takes nothing of a call's time.
beforeAll(() => Promise.all([import('../../lib/access/store/redis-store.ts'), import('../../lib/access/store/sqlite-store.ts')]));
afterEach(() => void vi.useRealTimers());

const key = { name: 'laptop', public_key: 'ssh-ed25519 AAAA' };
const given = { Name: 'laptop', PublicKey: 'ssh-ed25519 AAAA' };

/** An installation with a store, on a platform that makes a key at each request. */
async function installation(url: string, environment: Record<string, string> = {}, answer?: Parameters<typeof scriptedPlatform>[0]) {
  const platform = await scriptedPlatform(
    answer ?? ((response, _, attempt) => json(response, 201, { ssh_key: { ...key, id: attempt, secret: 'canary-answer' } })),
  );
  const records: CallRecord[] = [];
  const request = gateway({ PLATFORM_API_URL: platform.url, KV_URL: url, ...environment }, { log: (record) => records.push(record) });
  return {
    platform,
    records,
    request,
    create: (idempotencyKey: string, body: object = given, authorization = 'Bearer one') =>
      request('POST', '/tools/key-create', { body, headers: { authorization, 'idempotency-key': idempotencyKey } }),
  };
}

let keys = 0;
const newKey = () => `key-${process.pid}-${++keys}`;

const stores: readonly (readonly [string, () => Promise<TestStore>])[] = [
  ['a file', async () => fileStore()],
  ...(redisProgram === undefined ? [] : ([['a Redis server', () => redisStore(redisProgram ?? '')]] as const)),
];

describe.each(stores)('a write with an idempotency key, kept in %s', (_, open) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.end());

  it('is made once, and its first answer is given again, by header and over MCP alike', async () => {
    const { create, request, platform, records } = await installation(store.url);
    const used = newKey();
    const first = await create(used);
    expect(first.json).toMatchObject({ isError: false, result: { id: 1 } });
    expect((await create(used)).json.result).toEqual(first.json.result);
    const params = { name: 'key-create', arguments: given, _meta: { 'deckhand/idempotencyKey': used } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const again = await request('POST', '/mcp', { body: message, headers: { authorization: 'Bearer one' } });
    expect(again.json.result.structuredContent).toEqual(first.json.result);
    expect(platform.arrived).toHaveLength(1);
    expect(records.map(({ decision }) => decision)).toEqual(['allowed', 'replayed', 'replayed']);
  });

  it('is refused for other arguments or another tool, and another caller has keys of its own', async () => {
    const { create, request, platform } = await installation(store.url);
    const used = newKey();
    await create(used);
    expect(await create(used, { ...given, Name: 'other' })).toMatchObject({
      status: 409,
      json: { error: { code: 'conflict', retryable: false } },
    });
    const headers = { authorization: 'Bearer one', 'idempotency-key': used };
    expect((await request('POST', '/tools/key-delete', { body: { ID: 1 }, headers })).status).toBe(409);
    expect((await create(used, given, 'Bearer two')).json.result.id).toBe(2);
    expect(platform.arrived).toHaveLength(2);
  });

  it('waits for a twin that is under way, and has its answer', async () => {
    let answerNow = () => {};
    const { create, platform } = await installation(store.url, {}, (response, _, attempt) => {
      answerNow = () => json(response, 201, { ssh_key: { ...key, id: attempt } });
    });
    const used = newKey();
    const twins = [create(used), create(used), create(used)];
    await vi.waitFor(() => expect(platform.arrived).toHaveLength(1));
    answerNow();
    const answers = await Promise.all(twins);
    expect(answers.map((answer) => answer.json.result.id)).toEqual([1, 1, 1]);
    expect(platform.arrived).toHaveLength(1);
  });

  it('has a twin come back that has no more time to wait for it', async () => {
    let answerNow = () => {};
    const { create, request, platform } = await installation(store.url, {}, (response) => {
      answerNow = () => json(response, 201, { ssh_key: { ...key, id: 1 } });
    });
    const used = newKey();
    const first = create(used);
    await vi.waitFor(() => expect(platform.arrived).toHaveLength(1));
    const headers = { authorization: 'Bearer one', 'idempotency-key': used };
    const context = { getRemainingTimeInMillis: () => 1000 };
    const { json: late } = await request('POST', '/tools/key-create', { body: given, headers, context });
    expect(late.error).toMatchObject({ code: 'conflict', retryable: true, retryAfterMs: 1000 });
    answerNow();
    expect((await first).json.result.id).toBe(1);
    expect(platform.arrived).toHaveLength(1);
  });

  it('gives a refusal of the platform again, and is free for another try where nothing happened', async () => {
    const { create, platform } = await installation(store.url, {}, (response, _, attempt) =>
      attempt === 1
        ? json(response, 429, { id: 'too_many_requests', message: 'slow down' })
        : json(response, 422, { id: 'unprocessable_entity', message: 'no' }),
    );
    const used = newKey();
    expect((await create(used)).json.error.code).toBe('rate_limited');
    expect((await create(used)).json.error.code).toBe('rejected');
    expect((await create(used)).json.error).toMatchObject({ code: 'rejected', platform: { status: 422 } });
    expect(platform.arrived).toHaveLength(2);
  });

  it('keeps an unknown outcome, with the call that finds out', async () => {
    const { create, platform } = await installation(store.url, {}, (response) => response.destroy());
    const used = newKey();
    expect((await create(used)).json.error.code).toBe('outcome_unknown');
    expect((await create(used)).json.error).toMatchObject({ code: 'outcome_unknown', next: [{ tool: 'key-list' }] });
    expect(platform.arrived).toHaveLength(1);
  });

  it('has its caller look where the first call was cut off', async () => {
    const hung = await installation(store.url, {}, () => {});
    const used = newKey();
    void hung.create(used);
    await vi.waitFor(() => expect(hung.platform.arrived).toHaveLength(1));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const { create, platform } = await installation(store.url);
    expect((await create(used)).json.error).toMatchObject({ code: 'outcome_unknown', next: [{ tool: 'key-list' }] });
    expect(platform.arrived).toEqual([]);
  });

  it('needs its consent once', async () => {
    const { request, platform } = await installation(store.url, {}, (response) => response.writeHead(204).end());
    const call = async (given: object, used?: string) => {
      const params = { name: 'key-delete', arguments: given, ...(used && { _meta: { 'deckhand/idempotencyKey': used } }) };
      const { json } = await request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
      return json.result.structuredContent;
    };
    const used = newKey();
    const { error } = await call({ ID: 7 }, used);
    expect(error.code).toBe('confirmation_required');
    const Confirm = error.confirmation.token;
    expect(await call({ ID: 7, Confirm }, used)).toEqual({ done: true, ID: 7 });
    expect(await call({ ID: 7, Confirm }, used)).toEqual({ done: true, ID: 7 });
    expect((await call({ ID: 7, Confirm })).error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('used before') });
    expect(platform.arrived.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  it('is refused with the reason where there is nowhere to keep it, and nothing is sent', async () => {
    const platform = await scriptedPlatform((response) => json(response, 201, { ssh_key: key }));
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const error = { code: 'not_configured', message: expect.stringContaining('KV_URL') };
    const answer = await request('POST', '/tools/key-create', { body: given, headers: { 'idempotency-key': 'a' } });
    expect(answer).toMatchObject({ status: 503, json: { error } });
    const params = { name: 'key-create', arguments: given, _meta: { 'deckhand/idempotencyKey': 'a' } };
    const called = await request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    expect(called.json.result).toMatchObject({ isError: true, structuredContent: { error } });
    expect(platform.arrived).toEqual([]);
  });

  it('does nothing to a read', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
    const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', '/tools/account-get-information', {
      headers: { 'idempotency-key': 'a' },
    });
    expect(answer.status).toBe(200);
  });

  it.each(['', 'x'.repeat(256), 'with\u0007bell'])('that is none is refused: %j', async (bad) => {
    const store = fileStore();
    const { create, platform } = await installation(store.url);
    expect((await create(bad)).json.error).toMatchObject({ code: 'invalid_arguments', problems: [{ field: 'Idempotency-Key' }] });
    expect(platform.arrived).toEqual([]);
    await store.end();
  });

  it('of a call over MCP is that in its _meta, else that of the request', async () => {
    const store = fileStore();
    onTestFinished(() => store.end());
    const { request, platform } = await installation(store.url);
    const call = async (header: string | undefined, own?: unknown) => {
      const params = { name: 'key-create', arguments: given, ...(own !== undefined && { _meta: { 'deckhand/idempotencyKey': own } }) };
      const headers = { authorization: 'Bearer one', ...(header !== undefined && { 'idempotency-key': header }) };
      return (await request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers })).json;
    };
    const made = async (...used: Parameters<typeof call>) => (await call(...used)).result.structuredContent.id;
    expect([await made('a'), await made('a'), await made('b')]).toEqual([1, 1, 2]);
    expect([await made('b', 'a'), await made('a', 'c'), await made(undefined, 'c')]).toEqual([1, 3, 3]);
    expect((await call('a', 7)).error).toMatchObject({ code: -32602, message: expect.stringContaining('deckhand/idempotencyKey') });
    expect(platform.arrived).toHaveLength(3);
  });

  it('belongs to no batch, whose calls have keys of their own', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answer = await gateway()('POST', '/mcp', { body: [message], headers: { 'idempotency-key': 'a' } });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toContain('deckhand/idempotencyKey');
  });

  it('leaves no answer in the store that could be read there', async () => {
    const store = fileStore();
    const { create } = await installation(store.url);
    expect((await create('canary-key')).text).toContain('canary-answer');
    const file = fileURLToPath(store.url);
    for (const suffix of ['', '-wal']) expect(readFileSync(`${file}${suffix}`, 'latin1')).not.toMatch(/canary|laptop|Bearer|one"/);
    await store.end();
  });

  it('stands for its arguments, in whatever order they are written, and for no others', async () => {
    const store = fileStore();
    const { request, platform } = await installation(store.url, {}, (response, { method }) =>
      method === 'GET' ? json(response, 200, { database: { engine: 'kafka' } }) : response.writeHead(204).end(),
    );
    const update = async (config: object) => {
      const headers = { authorization: 'Bearer one', 'idempotency-key': 'ordered' };
      const id = '9cc10173-e9ea-4176-9dbc-a4cee4c4ff30';
      return (await request('POST', '/tools/db-cluster-update-kafka-config', { body: { id, config }, headers })).status;
    };
    const statuses = [
      await update({ a: 1, b: [{ c: 1, d: 2 }, 3], e: null }),
      await update({ e: null, b: [{ d: 2, c: 1 }, 3], a: 1 }),
      await update({ a: 1, b: [{ c: 1, d: 3 }, 3], e: null }),
      await update({ a: 1, b: [3, { c: 1, d: 2 }], e: null }),
      await update({ a: 1, b: [{ c: 1, d: 2 }, 3] }),
    ];
    expect(statuses).toEqual([200, 200, 409, 409, 409]);
    expect(platform.arrived.filter(({ method }) => method !== 'GET')).toHaveLength(1);
    await store.end();
  });

  it('that was used under another seal key is refused, since its answer can no longer be read', async () => {
    const store = fileStore();
    const before = await installation(store.url, { SEAL_KEY: 'a'.repeat(32) });
    const after = await installation(store.url, { SEAL_KEY: 'b'.repeat(32) });
    expect((await before.create('rotated')).status).toBe(200);
    expect(await after.create('rotated')).toMatchObject({ status: 409, json: { error: { message: expect.stringContaining('SEAL_KEY') } } });
    expect(after.platform.arrived).toEqual([]);
    await store.end();
  });

  it.each([
    ['is free again', 401, 'unauthenticated', 2],
    ['is free again', 403, 'forbidden', 2],
    ['is free again', 429, 'rate_limited', 2],
    ['is free again', 503, 'platform_unavailable', 2],
    ['stays taken', 404, 'not_found', 1],
    ['stays taken', 409, 'conflict', 1],
    ['stays taken', 422, 'rejected', 1],
    ['stays taken', 500, 'platform_error', 1],
  ])('%s after a refusal of the platform by %i', async (_, status, code, sent) => {
    const store = fileStore();
    onTestFinished(() => store.end());
    const { create, platform } = await installation(store.url, {}, (response) => json(response, status, { id: 'x', message: 'no' }));
    for (const _time of ['first', 'second']) expect((await create('refused')).json.error.code).toBe(code);
    expect(platform.arrived).toHaveLength(sent);
  });

  it('is free again where the platform could not be reached', async () => {
    const store = fileStore();
    onTestFinished(() => store.end());
    const away = await installation(store.url, { PLATFORM_API_URL: 'http://127.0.0.1:1' });
    expect((await away.create('unreached')).json.error.code).toBe('platform_unavailable');
    const { create } = await installation(store.url);
    expect((await create('unreached')).json).toMatchObject({ isError: false, result: { id: 1 } });
  });

  it('is kept in a file for a day, and then leaves it', async () => {
    const store = fileStore();
    onTestFinished(() => store.end());
    const { create } = await installation(store.url);
    const rows = () => {
      const db = new DatabaseSync(fileURLToPath(store.url), { readOnly: true });
      const { count } = { ...db.prepare('SELECT count(*) AS count FROM entries').get() };
      db.close();
      return count;
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const used of ['one', 'two', 'three']) await create(used);
    vi.setSystemTime(Date.now() + 86_390_000);
    expect((await create('one')).json.result.id).toBe(1);
    expect(rows()).toBe(3);
    vi.setSystemTime(Date.now() + 20_000);
    expect((await create('one')).json.result.id).toBe(4);
    expect(rows()).toBe(1);
  });

  it.skipIf(redisProgram === undefined)('is kept in Redis for a day, under a name that says whose it is', async () => {
    const store = await redisStore(redisProgram ?? '');
    const { create } = await installation(store.url);
    expect((await create('kept')).status).toBe(200);
    const client = await createClient({ url: store.url }).connect();
    const names = await client.keys('*');
    const left = await Promise.all(names.map((name) => client.pTTL(name)));
    client.destroy();
    await store.end();
    expect(names).toEqual([expect.stringMatching(/^deckhand\/once\/[\w-]+$/)]);
    expect(left[0]).toBeGreaterThan(86_000_000);
    expect(left[0]).toBeLessThanOrEqual(86_400_000);
  });

  it('holds between processes that share a file', async () => {
    const store = fileStore();
    let made = 0;
    const platform = await scriptedPlatform((response) => json(response, 201, { ssh_key: { ...key, id: ++made } }));
    const program = fileURLToPath(new URL('support/one-call.ts', import.meta.url));
    const environment = { PLATFORM_API_URL: platform.url, KV_URL: store.url };
    const children = [1, 2, 3, 4].map(() =>
      fork(program, [JSON.stringify(environment)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    );
    const answers = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
    expect(answers.map(({ result }) => result.id)).toEqual([1, 1, 1, 1]);
    expect(platform.arrived).toHaveLength(1);
    await store.end();
  });
});

describe.skipIf(redisProgram === undefined)('a store that is gone', () => {
  it('begins nothing, says so without its password, and serves again when it is back', async () => {
    const store = await redisStore(redisProgram ?? '');
    const { create, platform } = await installation(store.url);
    expect((await create(newKey())).status).toBe(200);
    await store.kill();
    const refused = await create(newKey());
    expect(refused).toMatchObject({
      status: 503,
      json: { error: { code: 'platform_unavailable', message: expect.stringContaining('KV_URL') } },
    });
    expect(refused.text).not.toContain('canary');
    expect(platform.arrived).toHaveLength(1);
    const back = await redisStore(redisProgram ?? '', store.port);
    await vi.waitFor(async () => expect((await create(newKey())).status).toBe(200), { timeout: 10_000, interval: 100 });
    await back.end();
  });

  it('is said of an address where there is none', async () => {
    const { create } = await installation('redis://:canary@127.0.0.1:1');
    const answer = await create(newKey());
    expect(answer.json.error.code).toBe('platform_unavailable');
    expect(answer.text).not.toContain('canary');
  });
});

describe('a store that does not answer', () => {
  const context = { getRemainingTimeInMillis: () => 1200 };
  const inTime = async (store: string, answer?: Parameters<typeof scriptedPlatform>[0]) => {
    const { platform, request, records } = await installation(store, {}, answer);
    const create = () => request('POST', '/tools/key-create', { body: given, headers: { 'idempotency-key': newKey() }, context });
    return { platform, create, records };
  };

  it('holds nobody up beyond their time, and nothing is begun', async () => {
    const silent = net.createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { platform, create } = await inTime(`redis://127.0.0.1:${port}`);
    const clock = heldClock();
    const answer = create();
    await once(silent, 'connection');
    await clock.pass(1199);
    expect((await answer).json.error.code).toBe('platform_unavailable');
    expect(platform.arrived).toEqual([]);
  });

  it.skipIf(redisProgram === undefined)(
    'leaves no key taken under which nothing was begun',
    async () => {
      const store = await redisStore(redisProgram ?? '');
      onTestFinished(() => store.end());
      const passage = await passageTo(store);
      const { platform, request, create } = await installation(passage.url);
      await vi.waitFor(async () => expect((await create(newKey())).status).toBe(200), { timeout: 10_000 });
      const used = newKey();
      // The store takes the key down, and says so too late.
      passage.holdAnswersFrom('EVAL');
      const refused = await request('POST', '/tools/key-create', {
        body: given,
        headers: { authorization: 'Bearer one', 'idempotency-key': used },
        context,
      });
      expect(refused.json.error.code).toBe('platform_unavailable');
      expect(platform.arrived).toHaveLength(1);
      passage.letGo();
      expect((await create(used)).json).toMatchObject({ isError: false, result: { id: 2 } });
      expect(platform.arrived).toHaveLength(2);
    },
    20_000,
  );

  it.skipIf(redisProgram === undefined)('once the change was made does not keep its answer from the caller', async () => {
    const store = await redisStore(redisProgram ?? '');
    onTestFinished(() => store.end());
    const made = deferred<void>();
    const { create, records } = await inTime(store.url, (response) => {
      store.fallSilent();
      json(response, 201, { ssh_key: key });
      made.resolve();
    });
    const clock = heldClock();
    const answer = create();
    await made.promise;
    expect(await clock.passUntilSettled(answer)).toBeLessThan(1200);
    expect((await answer).json).toMatchObject({ isError: false, result: key });
    expect(records).toMatchObject([{ outcome: 'ok', unrecorded: true }]);
  });
});

describe('a rate', () => {
  it('is counted together by instances that share a store', async () => {
    const store = fileStore();
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256').update('one').digest('hex');
    const environment = { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash};rate=2/h` };
    const [one, two] = [await installation(store.url, environment), await installation(store.url, environment)];
    const statuses = [];
    for (const { request } of [one, two, one]) {
      statuses.push((await request('POST', '/tools/key-create', { body: given, headers: { authorization: 'Bearer one' } })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    await store.end();
  });
});
