import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { json, scriptedPlatform } from '../support/platform.ts';
import { hook, keyMaker, makeKey, secret } from './support/key-hook.ts';
import { hooksFunction, jsonata, settings, signed } from './support/sender.ts';

/** The engine of expressions on a machine so busy that it does not come to an end, so many times. */
function busyEngine(times: number): typeof jsonata {
  const late = `{
    const prompt = globalThis.jsonata;
    let left = ${times};
    globalThis.jsonata = (...given) => {
      const expression = prompt(...given);
      const evaluate = expression.evaluate;
      expression.evaluate = (input) => (left-- > 0 ? new Promise(() => {}) : evaluate(input));
      return expression;
    };
  }`;
  return async () => ({ engine: `${(await jsonata()).engine};${late}` });
}

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
    const { send, audited } = hooksFunction(makeKey.replace('- run', '- when: body.name = "x"\n        run'), settings(platform.url));
    const body = '{"name":"y"}';
    expect((await send('/target', { body, headers: signed.github(body, secret) })).json).toMatchObject({ status: 'ignored', calls: [] });
    const ping = '{"name":"x","zen":"Keep it logically awesome."}';
    expect((await send('/target', { body: ping, headers: signed.github(ping, secret, 'p', 'ping') })).json.status).toBe('ignored');
    expect((await send('/target', { body: ping, headers: signed.github(ping, 'guessed', 'p', 'ping') })).status).toBe(401);
    expect(audited).toMatchObject([
      { outcome: 'ignored', http: 200, reason: 'no condition holds' },
      { outcome: 'ignored', http: 200, id: 'p' },
      { outcome: 'refused', http: 401 },
    ]);
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

  it('is told by its id for three days, and where its body stands for that for an hour, after which an equal one is another event', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const platform = await keyMaker();
    const { send } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"x"}';
    const named = async () => (await send('/target', { body, headers: signed.github(body, secret, 'known') })).json.status;
    const { 'x-github-delivery': _, ...nameless } = signed.github(body, secret);
    const unnamed = async () => (await send('/target', { body, headers: nameless })).json.status;
    const beganAt = Date.now();
    const hour = 60 * 60_000;
    const seen: unknown[] = [];
    for (const hours of [0, 0.9, 1.1, 71, 73]) {
      vi.setSystemTime(beganAt + hours * hour);
      seen.push([hours, await named(), await unnamed()]);
    }
    expect(seen).toEqual([
      [0, 'done', 'done'],
      [0.9, 'duplicate', 'duplicate'],
      [1.1, 'duplicate', 'done'],
      [71, 'duplicate', 'done'],
      [73, 'done', 'done'],
    ]);
  });

  it('shows expressions its headers, query, body and id, and none of what proves its sender', async () => {
    const platform = await keyMaker();
    const given = '"=headers.`x-from` & query.to & body.via & id & headers.authorization & headers.cookie"';
    const { send } = hooksFunction(makeKey.replace('"=body.name"', given).replace('github', 'bearer'), settings(platform.url));
    const headers = { authorization: `Bearer ${secret}`, cookie: 'canary', 'X-From': 'a', 'idempotency-key': 'd' };
    expect((await send('/target?to=b', { body: '{"via":"c"}', headers })).json.status).toBe('done');
    expect(platform.arrived.map((request) => JSON.parse(request.body).name)).toEqual(['abcd']);
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
    const { send, audited } = hooksFunction(makeKey.replace('github', 'slack'), settings('http://127.0.0.1:1'));
    const body = '{"type":"url_verification","challenge":"3eZbrw1a"}';
    expect(await send('/target', { body, headers: signed.slack(body, secret) })).toMatchObject({
      status: 200,
      json: { challenge: '3eZbrw1a' },
    });
    expect((await send('/target', { body })).status).toBe(401);
    expect(audited).toMatchObject([
      { hook: 'target', outcome: 'ignored', http: 200, caller: 'ci' },
      { hook: 'target', outcome: 'refused', http: 401, caller: 'ci' },
    ]);
  });

  it('is no greeting and no challenge where its kind of sender has none', async () => {
    const platform = await keyMaker();
    const body = '{"name":"x","type":"url_verification","challenge":"3eZbrw1a"}';
    const byToken = hooksFunction(makeKey.replace('github', 'url-token'), settings(platform.url));
    const ping = { 'x-github-event': 'ping', 'idempotency-key': 'p' };
    expect((await byToken.send('/target/canary-secret', { body, headers: ping })).json.status).toBe('done');
    const byGithub = hooksFunction(makeKey, settings(platform.url));
    expect((await byGithub.send('/target', { body, headers: signed.github(body, secret) })).json.status).toBe('done');
    const bySlack = hooksFunction(makeKey.replace('github', 'slack'), settings(platform.url));
    for (const other of ['null', '{"name":"x","type":"event_callback"}']) {
      const answer = await bySlack.send('/target', { body: other, headers: signed.slack(other, secret) });
      expect([answer.status, Object.keys(answer.json)]).toEqual([200, ['id', 'status', 'calls']]);
    }
    expect(platform.arrived).toHaveLength(3);
  });

  it('that is larger than the hook takes is refused before it is looked at', async () => {
    const { send, audited } = hooksFunction(
      hook('- run: [{ tool: account-get-information }]', { more: '    maxBytes: 10\n' }),
      settings('http://127.0.0.1:1'),
    );
    const body = '{"padding":"xxxxxxxxxxx"}';
    expect((await send('/target', { body, headers: signed.github(body, secret) })).status).toBe(413);
    expect((await send('/target', { body })).status).toBe(413);
    const refused = { hook: 'target', outcome: 'refused', http: 413, reason: 'the hook target takes 10 bytes, got 25' };
    expect(audited).toMatchObject([refused, refused]);
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
    ['a condition', hook('- when: $exists(body.name)\n  run: [{ tool: account-get-information }]')],
    ['its id', hook('- run: [{ tool: account-get-information }]', { more: '    id: $string(body.id)\n' })],
    ['a plain condition', hook('- when: body.id = 7\n  run: [{ tool: account-get-information }]')],
  ])('that is nested without end has failed, and is no bug, where %s is looked for in it', async (_, text) => {
    const platform = await keyMaker();
    const { send, audited } = hooksFunction(text, settings(platform.url));
    const nested = `{"id":7,"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const form = `payload=${encodeURIComponent(nested)}`;
    const inForm = { ...signed.github(form, secret), 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('/target', { body: nested, headers: signed.github(nested, secret) })).json.status).toBe('failed');
    expect((await send('/target', { body: form, headers: inForm })).json.status).toBe('failed');
    const reason = 'the body is nested deeper than 64 levels';
    expect(audited).toMatchObject([
      { http: 200, reason },
      { http: 200, reason },
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
      headers: { 'retry-after': '7' },
      json: { id: 'again', status: 'failed', calls: [{ tool: 'key-create', isError: true, code: 'rate_limited' }] },
    });
    expect((await send('/target', sent)).json.status).toBe('done');
  });

  it.each([
    ['its id', makeKey.replace('    on:', '    id: $uppercase(body.name)\n    on:')],
    ['what it asks for', makeKey.replace('=body.name', '=$uppercase(body.name)')],
  ])('may be sent again where the machine was too busy to find out %s', async (_, text) => {
    const platform = await keyMaker();
    const { send, audited } = hooksFunction(text, settings(platform.url), busyEngine(4));
    const body = '{"name":"ship"}';
    const sent = { body, headers: signed.github(body, secret, 'again') };
    expect(await send('/target', sent)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '30' },
      json: { status: 'failed', calls: [] },
    });
    expect(audited).toMatchObject([{ outcome: 'failed', http: 503, reason: expect.stringContaining('too busy') }]);
    expect(platform.arrived).toHaveLength(0);
    expect((await send('/target', sent)).json.status).toBe('done');
    expect((await send('/target', sent)).json.status).toBe('duplicate');
    expect(platform.arrived).toHaveLength(1);
  });

  it('is carried out for one that was sent again meanwhile, where nothing was done', async () => {
    let giveBack = () => {};
    const platform = await scriptedPlatform((response, _, attempt) => {
      if (attempt > 1) return json(response, 201, { ssh_key: { id: 1, name: 'n', public_key: 'k' } });
      giveBack = () => json(response, 429, { id: 'too_many_requests', message: 'slow down' });
    });
    const { send } = hooksFunction(makeKey, settings(platform.url));
    const body = '{"name":"x"}';
    const sent = { body, headers: signed.github(body, secret, 'again') };
    const first = send('/target', sent);
    await vi.waitFor(() => expect(platform.arrived).toHaveLength(1), { timeout: 4000 });
    const second = send('/target', sent);
    const hurried = await send('/target', { ...sent, timeMs: 700 });
    expect(hurried).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    giveBack();
    expect(await first).toMatchObject({ status: 503, json: { status: 'failed' } });
    expect((await second).json.status).toBe('done');
    expect((await send('/target', sent)).json.status).toBe('duplicate');
    expect(platform.arrived).toHaveLength(2);
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
