import { describe, expect, it, vi } from 'vitest';
import { json, scriptedPlatform } from '../support/platform.ts';
import { hooksFunction, settings, signed, token } from './support/sender.ts';

const secret = 'canary-secret';

const hook = (rules: string, { verify = 'github', more = '' } = {}) => `hooks:
  target:
    verify: ${verify}
    secret: env:SECRET
    caller: ci
    dedupe: memory
${more}    on:
${rules
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
`;

const makeKey = hook('- run: [{ tool: key-create, with: { Name: "=body.name", PublicKey: "ssh-ed25519 AAAA" } }]');

/** A platform that makes keys. */
const keyMaker = () =>
  scriptedPlatform((response, _, attempt) => json(response, 201, { ssh_key: { id: attempt, name: 'n', public_key: 'ssh-ed25519 AAAA' } }));

const bearer = { authorization: `Bearer ${token}` };

describe('a delivery', () => {
  it('makes the calls whose conditions hold, with what the expressions find, as the caller it names', async () => {
    const platform = await keyMaker();
    const rules = `- when: headers.\`x-github-event\` = "push" and body.branch = "main"
  run: [{ tool: key-create, with: { Name: "=body.name & '-1'", PublicKey: "ssh-ed25519 AAAA" } }]
- when: body.branch = "other"
  run: [{ tool: key-delete, with: { ID: 1 } }]
- run: [{ tool: key-create, with: { Name: "=$uppercase(body.name)", PublicKey: "ssh-ed25519 AAAA" } }]`;
    const { send, audited } = hooksFunction(hook(rules), settings(platform.url));
    const body = '{"branch":"main","name":"ship"}';
    const answer = await send('/target', { body, headers: signed.github(body, secret, 'd-1') });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        id: 'd-1',
        status: 'done',
        calls: [
          { tool: 'key-create', isError: false },
          { tool: 'key-create', isError: false },
        ],
      },
    });
    expect(platform.arrived.map((request) => JSON.parse(request.body).name)).toEqual(['ship-1', 'SHIP']);
    expect(platform.arrived[0]?.headers.authorization).toBe('Bearer canary-platform-token');
    expect(audited).toMatchObject([
      { hook: 'target', id: 'd-1', outcome: 'done', caller: 'ci', calls: [{ arguments: { Name: 'ship-1' } }, {}] },
    ]);
    expect(JSON.stringify(audited)).not.toContain('canary');
  });

  it('is ignored where no condition holds, and where it is only a greeting', async () => {
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey.replace('- run', '- when: body.name = "x"\n        run'), settings(platform.url));
    const body = '{"name":"y"}';
    expect((await send('/target', { body, headers: signed.github(body, secret) })).json).toMatchObject({ status: 'ignored', calls: [] });
    const ping = '{"name":"x","zen":"Keep it logically awesome."}';
    expect((await send('/target', { body: ping, headers: signed.github(ping, secret, 'p', 'ping') })).json.status).toBe('ignored');
    expect((await send('/target', { body: ping, headers: signed.github(ping, 'guessed', 'p', 'ping') })).status).toBe(401);
    expect(platform.arrived).toHaveLength(0);
  });

  it('has its effect once, however often it is sent', async () => {
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"once"}';
    const sent = { body, headers: signed.github(body, secret, 'same') };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('/target', sent)));
    expect(answers.map(({ json }) => json.status).sort()).toEqual(['done', ...Array(19).fill('duplicate')]);
    expect((await send('/target', sent)).json).toEqual({ id: 'same', status: 'duplicate', calls: [] });
    expect(platform.arrived).toHaveLength(1);
    expect((await send('/target', { body, headers: signed.github(body, secret, 'another') })).json.status).toBe('done');
  });

  it('is known again by the id that its kind of sender puts there, by what the hook says, or else by its body', async () => {
    const platform = await keyMaker();
    const idOf = async (text: string, path: string, body: string, headers: Record<string, string>) =>
      (await hooksFunction(text, settings(platform.url)).send(path, { body, headers })).json.id;
    const run = '- run: [{ tool: account-get-information }]';
    const of = (verify: string, more = '') => hook(run, { verify, more });
    const stripe = '{"id":"evt_7"}';
    expect(await idOf(of('stripe'), '/target', stripe, signed.stripe(stripe, secret))).toBe('evt_7');
    const slack = '{"event_id":"Ev7"}';
    expect(await idOf(of('slack'), '/target', slack, signed.slack(slack, secret))).toBe('Ev7');
    expect(await idOf(of('standard-webhooks'), '/target', '{}', signed.standard('{}', secret, undefined, 'msg_7'))).toBe('msg_7');
    const own = of('url-token', '    id: body.incident & "/" & body.state\n');
    expect(await idOf(own, '/target/canary-secret', '{"incident":"9c","state":"down"}', {})).toBe('9c/down');
    const unnamed = await idOf(of('url-token'), '/target/canary-secret', '{"text":"DOWN"}', {});
    expect(unnamed).toMatch(/^sha256-[0-9a-f]{32}$/);
  });

  it('in a form is read by its fields, or by the payload in them', async () => {
    const platform = await keyMaker();
    const text = makeKey.replace('github', 'slack').replace('=body.name', '=body.text');
    const { send } = hooksFunction(text, settings(platform.url));
    const type = 'application/x-www-form-urlencoded';
    const command = 'command=%2Fkey&text=from+a+command&trigger_id=1.2';
    expect((await send('/target', { body: command, headers: signed.slack(command, secret, undefined, type) })).json.id).toBe('1.2');
    const action = `payload=${encodeURIComponent('{"text":"from a button","trigger_id":"1.3"}')}`;
    expect((await send('/target', { body: action, headers: signed.slack(action, secret, undefined, type) })).json.status).toBe('done');
    expect(platform.arrived.map((request) => JSON.parse(request.body).name)).toEqual(['from a command', 'from a button']);
  });

  it('answers the challenge of Slack once that is verified', async () => {
    const { send } = hooksFunction(makeKey.replace('github', 'slack'), settings('http://127.0.0.1:1'));
    const body = '{"type":"url_verification","challenge":"3eZbrw1a"}';
    expect(await send('/target', { body, headers: signed.slack(body, secret) })).toMatchObject({
      status: 200,
      json: { challenge: '3eZbrw1a' },
    });
    expect((await send('/target', { body })).status).toBe(401);
  });

  it('that is larger than the hook takes is refused before it is looked at', async () => {
    const { send } = hooksFunction(
      hook('- run: [{ tool: account-get-information }]', { more: '    maxBytes: 10\n' }),
      settings('http://127.0.0.1:1'),
    );
    const body = '{"padding":"xxxxxxxxxxx"}';
    expect((await send('/target', { body, headers: signed.github(body, secret) })).status).toBe(413);
    expect((await send('/target', { body })).status).toBe(413);
  });

  it('whose body is not what it says, or whose expressions fail, has failed: sending it again would not help', async () => {
    const platform = await keyMaker();
    const { send, audited } = hooksFunction(makeKey, settings(platform.url));
    for (const body of ['{"name":', '{"nome":"x"}', '{"name":7.5}']) {
      const answer = await send('/target', { body, headers: signed.github(body, secret) });
      expect(answer, body).toMatchObject({ status: 200, json: { status: 'failed' } });
    }
    expect(audited.map(({ reason, calls }) => reason ?? calls?.[0]?.message)).toEqual([
      expect.stringContaining('the body is not JSON'),
      expect.stringContaining('key-create: Name: the expression body.name finds nothing'),
      expect.stringContaining('Name'),
    ]);
    expect(platform.arrived).toHaveLength(0);
  });

  it.each([
    ['runs in a circle', '($f := function($x) { $f($x + 1) }; $f(1))'],
    ['searches without end', '$match(body.name, /^(x+)+$/)'],
    ['makes very much', '$sum([1..9000000])'],
  ])('is given up where an expression %s, and the next one is served', async (_, expression) => {
    const platform = await keyMaker();
    const rules = `- when: ${expression.includes('{') ? '>-\n    ' : ''}body.bad and $exists(${expression})
  run: [{ tool: account-get-information }]
- run: [{ tool: key-create, with: { Name: x, PublicKey: "ssh-ed25519 AAAA" } }]`;
    const { send, audited } = hooksFunction(hook(rules), settings(platform.url));
    const bad = JSON.stringify({ bad: true, name: `${'x'.repeat(60)}!` });
    expect((await send('/target', { body: bad, headers: signed.github(bad, secret) })).json).toMatchObject({ status: 'failed', calls: [] });
    expect(audited[0]?.reason).toMatch(/an expression of the hook fails on this delivery/);
    expect(platform.arrived).toHaveLength(0);
    expect((await send('/target', { body: '{}', headers: signed.github('{}', secret) })).json.status).toBe('done');
  });
});

describe('a delivery that fails', () => {
  it('is answered before its time is up: to be sent again where it only asked, and never where a change may have been made', async () => {
    const platform = await scriptedPlatform(() => undefined);
    const asking = hooksFunction(hook('- run: [{ tool: account-get-information }]'), settings(platform.url));
    const changing = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"x"}';
    const sent = { body, headers: signed.github(body, secret, 'late'), timeMs: 1500 };
    const beganAt = Date.now();
    const [asked, changed] = await Promise.all([asking.send('/target', sent), changing.send('/target', sent)]);
    // Far less than the half minute that it would take otherwise.
    expect(Date.now() - beganAt).toBeLessThan(5000);
    expect(asked).toMatchObject({ status: 503, json: { status: 'failed', calls: [{ code: 'deadline_exceeded' }] } });
    expect(changed).toMatchObject({ status: 200, json: { status: 'failed', calls: [{ code: 'outcome_unknown' }] } });
  });

  it('may be sent again where nothing was done and that helps', async () => {
    const platform = await scriptedPlatform((response, _, attempt) =>
      attempt === 1
        ? json(response, 429, { id: 'too_many_requests', message: 'slow' }, { 'retry-after': '7' })
        : json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } }),
    );
    const { send } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"x"}';
    const sent = { body, headers: signed.github(body, secret, 'again') };
    expect(await send('/target', sent)).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      json: { id: 'again', status: 'failed', calls: [{ tool: 'key-create', isError: true, code: 'rate_limited' }] },
    });
    expect((await send('/target', sent)).json.status).toBe('done');
  });

  it('is not to be sent again where the platform refuses, or something was done before', async () => {
    const platform = await scriptedPlatform((response, { url }, attempt) =>
      url.includes('keys') && attempt === 1
        ? json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } })
        : json(response, 429, { id: 'too_many_requests', message: 'slow' }),
    );
    const text = makeKey.replace('}]', '}, { tool: key-delete, with: { ID: 1 } }, { tool: key-delete, with: { ID: 2 } }]');
    const { send } = hooksFunction(text, settings(platform.url));
    const body = '{"name":"x"}';
    const sent = { body, headers: signed.github(body, secret, 'half') };
    expect(await send('/target', sent)).toMatchObject({
      status: 200,
      json: {
        status: 'failed',
        calls: [
          { tool: 'key-create', isError: false },
          { tool: 'key-delete', code: 'rate_limited' },
        ],
      },
    });
    expect((await send('/target', sent)).json.status).toBe('duplicate');
    expect(platform.arrived.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is listed as cut off, not made anew, where its instance was ended in the middle', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      let hangs = true;
      const platform = await scriptedPlatform((response) => {
        if (!hangs) json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } });
      });
      const { send, audited } = hooksFunction(makeKey, settings(platform.url));
      const body = '{"name":"x"}';
      const sent = () => ({ body, headers: signed.github(body, secret, 'cut') });
      void send('/target', sent());
      await vi.waitFor(() => expect(platform.arrived).toHaveLength(1));
      hangs = false;
      vi.setSystemTime(Date.now() + 61_000);
      expect((await send('/target', sent())).json).toEqual({ id: 'cut', status: 'failed', calls: [] });
      expect(audited[0]?.reason).toMatch(/was cut off/);
      expect((await send('/target', sent())).json.status).toBe('duplicate');
      expect(platform.arrived).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a hook', () => {
  it.each([
    ['its secret', { SECRET: undefined }, 'SECRET missing'],
    ['its caller', { ACCESS_TOKENS: `someone=sha256:${'0'.repeat(64)}` }, 'caller ci missing in ACCESS_TOKENS'],
    ['an account', { PLATFORM_API_TOKEN: undefined, ACCESS_TOKENS: undefined }, 'PLATFORM_API_TOKEN missing'],
  ])('without %s is closed, and says so in /health', async (_, without, missing) => {
    const { send } = hooksFunction(makeKey, { ...settings('http://127.0.0.1:1'), ...without });
    const body = '{"name":"x"}';
    const answer = await send('/target', { body, headers: signed.github(body, secret) });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'not_configured', message: expect.stringContaining(missing) } } });
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

  it('says what its memory means, and that a store mends it', async () => {
    const { send } = hooksFunction(makeKey, settings('http://127.0.0.1:1'));
    const { json } = await send('/health', { method: 'GET' });
    expect(json.hooks[0].dedupe).toMatch(/^in memory: .*another instance.*KV_URL/);
  });

  it('shows what it would call, and calls nothing, where that is asked for', async () => {
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"shown"}';
    const sent = { body, headers: signed.github(body, secret, 'dry') };
    const dry = await send('/target', { ...sent, headers: { ...sent.headers, 'x-deckhand-dry-run': 'true' } });
    expect(dry.json.calls).toMatchObject([{ tool: 'key-create', result: { dryRun: true, request: { body: { name: 'shown' } } } }]);
    expect(platform.arrived).toHaveLength(0);
    expect((await send('/target', sent)).json.status).toBe('done');
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
    expect(audited.at(-1)).toMatchObject({ replay: true });
    expect((await send('/target/deliveries', { method: 'GET', headers: bearer })).json.deliveries[0]).toMatchObject({
      id: 'first',
      replay: true,
    });
    expect((await send('/deliveries/third', { headers: bearer })).status).toBe(404);
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
