import { describe, expect, it } from 'vitest';
import { json, scriptedPlatform } from '../support/platform.ts';
import { keyMaker, makeKey, secret } from './support/key-hook.ts';
import { hooksFunction, settings, signed, token } from './support/sender.ts';

const bearer = { authorization: `Bearer ${token}` };

describe('a hook', () => {
  it.each([
    ['its secret', { SECRET: undefined }, 'SECRET missing'],
    ['its caller', { ACCESS_TOKENS: `someone=sha256:${'0'.repeat(64)}` }, 'caller ci missing in ACCESS_TOKENS'],
    ['an account', { PLATFORM_API_TOKEN: undefined, ACCESS_TOKENS: undefined }, 'PLATFORM_API_TOKEN missing'],
  ])('without %s is closed, and says so in /health', async (_, without, missing) => {
    const { send, audited } = hooksFunction(makeKey, { ...settings('http://127.0.0.1:1'), ...without });
    const body = '{"name":"x"}';
    const answer = await send('/target', { body, headers: signed.github(body, secret) });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'not_configured', message: expect.stringContaining(missing) } } });
    expect(answer.headers).toMatchObject({ 'retry-after': '30' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(audited).toMatchObject([{ hook: 'target', outcome: 'refused', http: 503, reason: expect.stringContaining(missing) }]);
    const { json } = await send('/health', { method: 'GET' });
    expect(json.hooks).toMatchObject([{ name: 'target', ready: false, missing: expect.arrayContaining([missing]) }]);
  });

  it('leaves a line in the log for whatever becomes of a delivery, with what was done and without what proves its sender', async () => {
    const platform = await keyMaker();
    const text = makeKey.replace('- run', '- when: body.name != "nothing"\n        run').replace('github', 'url-token');
    const { send, audited } = hooksFunction(text, settings(platform.url));
    const deliver = (body: string, key = secret) =>
      send(`/target/${key}`, { body, headers: { 'idempotency-key': body, 'user-agent': 'Sender/1.2 (x)' } });
    for (const body of ['{"name":"made"}', '{"name":"made"}', '{"name":"nothing"}', '{"name":8}']) await deliver(body);
    await deliver('{"name":"forged"}', 'canary-guess');
    expect(audited.map(({ outcome, http, reason, calls }) => [outcome, http, reason ?? calls?.[0]?.tool])).toEqual([
      ['done', 200, 'key-create'],
      ['duplicate', 200, undefined],
      ['ignored', 200, 'no condition holds'],
      ['failed', 200, 'key-create'],
      ['refused', 401, expect.stringContaining('a proof that does not hold')],
    ]);
    for (const line of audited)
      expect(line).toMatchObject({ hook: 'target', caller: 'ci', client: 'Sender', activationId: 'a'.repeat(32) });
    expect(JSON.stringify(audited)).not.toContain('canary');
  });

  it('that lacks its secret closes no other', async () => {
    const platform = await keyMaker();
    const second = makeKey.replace('hooks:\n', '').replace('target', 'second').replace('env:SECRET', 'env:OTHER');
    const { send } = hooksFunction(`${makeKey}${second}`, settings(platform.url));
    const body = '{"name":"x"}';
    expect((await send('/second', { body, headers: signed.github(body, secret) })).status).toBe(503);
    expect((await send('/target', { body, headers: signed.github(body, secret) })).status).toBe(200);
  });

  it.each(['whsec_', 'whsec_...'])('is closed while its secret is only the beginning of one: %s', async (unfinished) => {
    const platform = await keyMaker();
    const text = makeKey.replace('github', 'standard-webhooks');
    const { send } = hooksFunction(text, { ...settings(platform.url), SECRET: unfinished });
    const body = '{"name":"x"}';
    expect((await send('/target', { body, headers: signed.standard(body, Buffer.alloc(0)) })).status).toBe(503);
    const { hooks } = (await send('/health', { method: 'GET' })).json;
    expect(hooks).toMatchObject([{ ready: false, missing: ['SECRET has no key behind whsec_'] }]);
    expect(platform.arrived).toHaveLength(0);
  });

  it('has the rights of its caller and no more', async () => {
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey.replace('caller: ci', 'caller: other'), settings(platform.url));
    const body = '{"name":"x"}';
    expect((await send('/target', { body, headers: signed.github(body, secret) })).json).toMatchObject({
      status: 'failed',
      calls: [{ tool: 'key-create', isError: true, code: 'forbidden' }],
    });
    expect(platform.arrived).toHaveLength(0);
  });

  it('is held to the rate of its caller, and asks for what is beyond it later', async () => {
    const platform = await keyMaker();
    const { ACCESS_TOKENS, ...others } = settings(platform.url);
    const { send } = hooksFunction(makeKey, { ...others, ACCESS_TOKENS: ACCESS_TOKENS.replace(',', ';rate=1/h,') });
    const deliver = (id: string) => send('/target', { body: '{"name":"x"}', headers: signed.github('{"name":"x"}', secret, id) });
    expect((await deliver('first')).status).toBe(200);
    expect(await deliver('second')).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      json: { status: 'failed', calls: [{ code: 'rate_limited' }] },
    });
    expect(platform.arrived).toHaveLength(1);
  });

  it('says what its memory means, and that a store mends it', async () => {
    const { send } = hooksFunction(makeKey, settings('http://127.0.0.1:1'));
    const { json } = await send('/health', { method: 'GET' });
    expect(json.hooks[0].dedupe).toMatch(/^in memory: .*another instance.*KV_URL/);
  });

  it('shows what it would call, and calls nothing, where that is asked for', async () => {
    const platform = await keyMaker();
    const { send, audited } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"shown"}';
    const sent = { body, headers: signed.github(body, secret, 'dry') };
    const dry = await send('/target', { ...sent, headers: { ...sent.headers, 'x-deckhand-dry-run': 'true' } });
    expect(dry.json.calls).toMatchObject([{ tool: 'key-create', result: { dryRun: true, request: { body: { name: 'shown' } } } }]);
    expect(platform.arrived).toHaveLength(0);
    expect((await send('/target', sent)).json.status).toBe('done');
    expect(audited).toMatchObject([
      { outcome: 'done', http: 200, id: 'dry', dryRun: true, calls: [{ tool: 'key-create' }] },
      { id: 'dry' },
    ]);
    expect(audited[1]).not.toHaveProperty('dryRun');
  });

  it('asked what it would call makes its reads, and shows nothing of what it read', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { account: { email: 'canary@example.com' } }));
    const text = makeKey.replace('[{ tool', '[{ tool: account-get-information }, { tool');
    const { send } = hooksFunction(text, settings(platform.url));
    const body = '{"name":"shown"}';
    const dry = await send('/target', { body, headers: { ...signed.github(body, secret), 'x-deckhand-dry-run': 'true' } });
    expect(dry.json).toMatchObject({ status: 'done', calls: [{ tool: 'account-get-information' }, { result: { dryRun: true } }] });
    expect(dry.json.calls[0]).toEqual({ tool: 'account-get-information', isError: false });
    expect(platform.arrived.map(({ method }) => method)).toEqual(['GET']);
  });

  it('tells its sender which calls were made and not what they came to; the log says with what, and by which request', async () => {
    const platform = await scriptedPlatform((response) => json(response, 201, { ssh_key: { id: 1 } }, { 'x-request-id': 'request-1' }));
    const { send, audited } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"quiet"}';
    const { json: answer } = await send('/target', { body, headers: signed.github(body, secret, 'quiet') });
    expect(answer).toEqual({ id: 'quiet', status: 'done', calls: [{ tool: 'key-create', isError: false }] });
    expect(audited[0]?.calls).toEqual([
      { tool: 'key-create', isError: false, arguments: expect.objectContaining({ Name: 'quiet' }), platformRequestId: 'request-1' },
    ]);
  });

  it.each([
    ['a schedule', { tool: 'key-create', arguments: {} }],
    ['a request that the platform has taken apart', { http: { method: 'POST', path: '/target', headers: {} }, name: 'x' }],
  ])('takes nothing from %s, which has no bytes that are signed', async (_, event) => {
    const platform = await keyMaker();
    const answer = await hooksFunction(makeKey, settings(platform.url)).main(event);
    expect([answer.statusCode, JSON.parse(answer.body ?? '').error.message]).toEqual([400, expect.stringContaining('web: raw')]);
    expect(platform.arrived).toHaveLength(0);
  });

  it('is not there under another name, takes POST alone, and nothing behind its name', async () => {
    const { send } = hooksFunction(makeKey, settings('http://127.0.0.1:1'));
    expect((await send('/nowhere')).status).toBe(404);
    expect((await send('/target', { method: 'GET' })).status).toBe(405);
    expect((await send('/target', { method: 'DELETE' })).status).toBe(405);
    expect((await send('/target/x')).status).toBe(404);
    expect((await send('/target/%zz')).status).toBe(400);
  });
});

describe('the deliveries of a hook', () => {
  it('are listed for its caller, newest first, and can be carried out again', async () => {
    const platform = await keyMaker();
    const { send, audited } = hooksFunction(makeKey, settings(platform.url));
    for (const name of ['first', 'second']) {
      const body = JSON.stringify({ name });
      await send('/target', { body, headers: signed.github(body, secret, name) });
    }
    const list = await send('/target/deliveries', { method: 'GET', headers: bearer });
    expect(list.json.deliveries).toMatchObject([
      { id: 'second', status: 'done', replayable: true, calls: [{ tool: 'key-create', arguments: { Name: 'second' } }] },
      { id: 'first', status: 'done' },
    ]);
    expect((await send('/deliveries/first', { headers: bearer })).json).toMatchObject({ id: 'first', status: 'done' });
    expect(JSON.parse(platform.arrived[2]?.body ?? '').name).toBe('first');
    expect(audited.map(({ id, replay }) => [id, replay])).toEqual([
      ['first', undefined],
      ['second', undefined],
      ['first', true],
    ]);
    const { deliveries } = (await send('/target/deliveries', { method: 'GET', headers: bearer })).json;
    expect(deliveries.map(({ id, replay }: { id: string; replay?: true }) => [id, replay])).toEqual([
      ['first', true],
      ['second', undefined],
      ['first', undefined],
    ]);
    expect((await send('/deliveries/third', { headers: bearer })).status).toBe(404);
  });

  it('are carried out again only where what was sent was short enough to be kept', async () => {
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey, settings(platform.url));
    const body = JSON.stringify({ name: 'x', padding: 'y'.repeat(64 * 1024) });
    expect((await send('/target', { body, headers: signed.github(body, secret, 'long') })).json.status).toBe('done');
    const { json } = await send('/target/deliveries', { method: 'GET', headers: bearer });
    expect(json.deliveries).toMatchObject([{ id: 'long', replayable: false }]);
    expect(await send('/deliveries/long', { headers: bearer })).toMatchObject({ status: 422, json: { error: { code: 'rejected' } } });
    expect(platform.arrived).toHaveLength(1);
  });

  it('are also for a caller who is capped in nothing, and so has its rights', async () => {
    const { send } = hooksFunction(makeKey.replace('caller: ci', 'caller: other'), settings('http://127.0.0.1:1'));
    expect((await send('/target/deliveries', { method: 'GET', headers: bearer })).status).toBe(200);
    expect((await send('/', { method: 'GET', headers: bearer })).json.hooks).toMatchObject([{ name: 'target', caller: 'other' }]);
  });

  it('are for nobody else', async () => {
    const { send } = hooksFunction(makeKey, settings('http://127.0.0.1:1'));
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer nobody' }, 401],
      [{ authorization: 'Bearer dh_other' }, 403],
    ] as const) {
      expect((await send('/target/deliveries', { method: 'GET', headers })).status).toBe(status);
      expect((await send('/deliveries/x', { headers })).status).toBe(status);
      expect((await send('/', { method: 'GET', headers })).status).toBe(status);
    }
  });

  it('ask nothing of the store for somebody who may not see them', async () => {
    const { send } = hooksFunction(makeKey, { ...settings('http://127.0.0.1:1'), KV_URL: 'redis://127.0.0.1:1' });
    for (const [path, method] of [
      ['/deliveries/first', 'POST'],
      ['/target/deliveries', 'GET'],
    ] as const) {
      expect((await send(path, { method })).status, path).toBe(401);
      expect((await send(path, { method, headers: { authorization: 'Bearer dh_other' } })).status, path).toBe(403);
    }
  });

  it('are kept to the last two hundred', async () => {
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey, settings(platform.url));
    for (let number = 1; number <= 203; number++) {
      await send('/target', { body: '{"name":"x"}', headers: signed.github('{"name":"x"}', secret, `n-${number}`) });
    }
    const { json } = await send('/target/deliveries', { method: 'GET', headers: bearer });
    expect([json.deliveries.length, json.deliveries[0].id, json.deliveries.at(-1).id]).toEqual([200, 'n-203', 'n-4']);
  });
});
