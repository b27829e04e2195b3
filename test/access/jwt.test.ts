import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../lib/host/activations/deferred.ts';
import type { CallRecord } from '../../lib/protocols/call-log.ts';
import { gateway } from '../support/gateway.ts';
import { heldClock } from '../support/held-clock.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { type TokenIssuer, tokenIssuer } from '../support/token-issuer.ts';

afterEach(() => void vi.useRealTimers());

const resource = 'https://tools.example.com/router';
const metadata = `resource_metadata="${resource}/.well-known/oauth-protected-resource"`;
const tool = 'account-get-information';
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** A platform that answers everything, and an installation on it that trusts an issuer. */
async function installation(environment: Record<string, string> = {}, issuer?: TokenIssuer) {
  const trusted = issuer ?? (await tokenIssuer());
  const platform = await scriptedPlatform((response, { method, url }) => {
    if (method === 'DELETE') return response.writeHead(204).end();
    return json(response, 200, url.includes('/keys/') ? { ssh_key: { id: 7, name: 'laptop' } } : { account: {} });
  });
  const records: CallRecord[] = [];
  const request = gateway(
    {
      PLATFORM_API_URL: platform.url,
      PLATFORM_API_TOKEN: 'own',
      JWT_ISSUER: trusted.issuer,
      JWT_AUDIENCE: resource,
      JWT_KEYS: trusted.keysUrl,
      ...environment,
    },
    { log: (record) => records.push(record) },
  );
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  return {
    issuer: trusted,
    platform,
    records,
    request,
    call: (token: string, name = tool, body: unknown = {}) => request('POST', `/tools/${name}`, { body, ...as(token) }),
    rpc: (token: string, body: unknown, path = '/mcp') => request('POST', path, { body, ...as(token) }),
    names: async (token: string): Promise<readonly string[]> => {
      const answer = await request('POST', '/mcp', { body: list, ...as(token) });
      return answer.json.result.tools.map(({ name }: { name: string }) => name);
    },
  };
}

describe('a caller with a token of the trusted issuer', () => {
  it('is let in, and the platform sees the token of the installation alone', async () => {
    const { call, issuer, platform, records } = await installation();
    const token = await issuer.token(resource);
    expect((await call(token)).status).toBe(200);
    expect(platform.arrived.map(({ headers }) => headers.authorization)).toEqual(['Bearer own']);
    expect(JSON.stringify(platform.arrived)).not.toContain(token.slice(-20));
    expect(records).toMatchObject([{ caller: 'jwt/ada', outcome: 'ok' }]);
    expect(JSON.stringify(records)).not.toContain(token.slice(-20));
  });

  it.each([...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'], ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']])(
    'may have it signed by %s',
    async (alg) => {
      const { call, issuer } = await installation({}, await tokenIssuer(alg));
      expect((await call(await issuer.token(resource))).status).toBe(200);
    },
  );

  it('is known by keys of the setting as well, and no issuer is asked', async () => {
    const issuer = await tokenIssuer();
    const { call } = await installation({ JWT_KEYS: issuer.jwks() }, issuer);
    expect((await call(await issuer.token(resource))).status).toBe(200);
    expect(issuer.asked()).toBe(0);
  });

  it('may have it for a further name of this server', async () => {
    const { call, issuer } = await installation({ JWT_AUDIENCE: `${resource}, api://deckhand` });
    expect((await call(await issuer.token('api://deckhand'))).status).toBe(200);
    expect((await call(await issuer.token('else', { aud: ['else', resource] }))).status).toBe(200);
    expect((await call(await issuer.token('api://else'))).status).toBe(401);
  });

  it.each(['/mcp', '/mcp/dns/readonly'])('learns of the metadata at the function, whose own path may have an mcp too: %s', async (path) => {
    const { request } = await installation({ JWT_AUDIENCE: `https://tools.example.com/mcp/router${path}` });
    expect((await request('POST', '/mcp', { body: list, headers: { authorization: 'Bearer dh_unknown' } })).headers).toMatchObject({
      'www-authenticate': expect.stringContaining('"https://tools.example.com/mcp/router/.well-known/oauth-protected-resource"'),
    });
  });

  it('stands beside those of ACCESS_TOKENS', async () => {
    const hash = createHash('sha256').update('one.two.three').digest('hex');
    const { call, issuer, records } = await installation({ ACCESS_TOKENS: `a=sha256:${hash}` });
    expect((await call('one.two.three')).status).toBe(200);
    expect((await call(await issuer.token(resource))).status).toBe(200);
    expect((await call('four.five.six')).status).toBe(401);
    expect(records.map(({ caller }) => caller)).toEqual(['a', 'jwt/ada']);
  });

  it('keeps what was handed to them when their token is renewed, and nobody else gets it', async () => {
    const { rpc, issuer } = await installation({ SEAL_KEY: 'k'.repeat(32) });
    const remove = (token: string, more = {}) => {
      const params = { name: 'key-delete', arguments: { ID: 7, ...more } };
      return rpc(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }).then(({ json }) => json.result.structuredContent);
    };
    const { confirmation } = (await remove(await issuer.token(resource))).error;
    const Confirm = confirmation.token;
    const other = await remove(await issuer.token(resource, { sub: 'grace' }), { Confirm });
    expect(other.error.message).toContain('another caller');
    expect(await remove(await issuer.token(resource, { jti: 'renewed' }), { Confirm })).toEqual({ done: true, ID: 7 });
  });
});

describe('a token that does not hold', () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  it.each([
    ['has expired', () => ({ exp: seconds() - 60 }), 'it has expired'],
    ['is not valid yet', () => ({ nbf: seconds() + 60 }), 'it is not valid yet'],
    ['says no expiry', () => ({ exp: undefined }), 'it does not say when it expires'],
    ['is for another server', () => ({ aud: 'https://else.example.com' }), 'it was issued for another server'],
    ['is for nobody', () => ({ aud: undefined }), 'it was issued for another server'],
    ['is of another issuer', () => ({ iss: 'https://else.example.com' }), 'it is of another issuer'],
    ['says not whose it is', () => ({ sub: undefined }), 'it does not say whose it is'],
    ['has a subject that cannot be written down', () => ({ sub: 'a\nb' }), 'its subject cannot be read'],
    ['has a subject that is no text', () => ({ sub: 7 }), 'its subject cannot be read'],
    ['has a subject that is longer than one may be', () => ({ sub: 'x'.repeat(256) }), 'its subject cannot be read'],
  ])('because it %s is turned away with where to get another', async (_, claims, flaw) => {
    const { rpc, call, issuer, platform } = await installation();
    const token = await issuer.token(resource, claims());
    const challenge = `Bearer error="invalid_token", error_description="${flaw}", ${metadata}`;
    for (const answer of [await call(token), await rpc(token, list)]) {
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': challenge } });
      expect(answer.text).toContain(flaw);
      expect(answer.text).not.toContain(token.slice(-20));
    }
    expect(platform.arrived).toEqual([]);
  });

  it('is forgiven clocks that are a few seconds apart', async () => {
    const { call, issuer } = await installation();
    expect((await call(await issuer.token(resource, { exp: seconds() - 3, nbf: seconds() + 3 }))).status).toBe(200);
  });

  it('is turned away where anybody could have signed it', async () => {
    const { call, issuer } = await installation();
    const claims = { iss: issuer.issuer, aud: resource, sub: 'ada', exp: seconds() + 60, scope: 'deckhand:write' };
    const { keys } = JSON.parse(issuer.jwks());
    // The oldest trick: a public key taken for a shared secret.
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: keys[0].kid })
      .sign(new TextEncoder().encode(issuer.jwks().padEnd(32)));
    const [header, payload] = (await issuer.token(resource)).split('.');
    const [, , signature] = (await issuer.token(resource, { sub: 'grace' })).split('.');
    for (const [token, flaw] of [
      [shared, 'algorithm'],
      [new UnsecuredJWT(claims).encode(), 'not known here'],
      [`${header}.${payload}.${signature}`, 'its signature does not hold'],
      [`${header}.${payload}.x`, 'it cannot be read'],
      ['a.b.c', 'it cannot be read'],
    ] as const) {
      expect(await call(token)).toMatchObject({ status: 401, json: { error: { message: expect.stringContaining(flaw) } } });
    }
    await issuer.rotate(false);
    const answer = await call(await issuer.token(resource));
    expect(answer).toMatchObject({ status: 401, json: { error: { message: expect.stringContaining('does not publish') } } });
  });

  it('and that does not even look like one is turned away without asking the issuer', async () => {
    const { call, issuer } = await installation();
    for (const token of ['dh_unknown', 'a.b', 'a.b.c.d', '!a.b.c', 'a.b.c!']) expect((await call(token)).status, token).toBe(401);
    expect(issuer.asked()).toBe(0);
  });

  it('or none at all, is told where to get one, and of no error where nothing was shown', async () => {
    const { request, call } = await installation();
    const none = await request('POST', '/mcp', { body: list, headers: { authorization: '' } });
    expect(none).toMatchObject({ status: 401, headers: { 'www-authenticate': `Bearer ${metadata}` } });
    expect((await call('dh_unknown')).headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${metadata}`);
    expect((await request('GET', '/tools', { headers: { authorization: '' } })).status).toBe(401);
  });
});

describe('what the scopes of a token open', () => {
  it('is reading with deckhand:read, everything with deckhand:write, and nothing with neither', async () => {
    const { names, call, rpc, issuer } = await installation();
    expect(await names(await issuer.token(resource, { scope: 'openid deckhand:read' }))).toHaveLength(60);
    expect(await names(await issuer.token(resource, { scope: 'deckhand:read deckhand:write' }))).toHaveLength(158);
    for (const scope of ['openid', '', undefined, 7, 'DECKHAND:WRITE']) {
      const token = await issuer.token(resource, { scope });
      const challenge = `Bearer error="insufficient_scope", scope="deckhand:read", ${metadata}`;
      expect(await call(token)).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge } });
      expect(await rpc(token, list)).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge } });
    }
  });

  it.each([
    [{ scope: ['deckhand:read', 'other'] }],
    [{ scope: undefined, scp: 'deckhand:read' }],
    [{ scope: undefined, scp: ['deckhand:read'] }],
  ])('is read from %j', async (claims) => {
    const { names, issuer } = await installation();
    expect(await names(await issuer.token(resource, claims))).toHaveLength(60);
  });

  it('is what the operator says, and adds up', async () => {
    const { names, issuer } = await installation({ JWT_SCOPES: 'dns;toolsets=dns, look;readonly;tools=key-*, all' });
    const opened = async (scope: string) => names(await issuer.token(resource, { scope }));
    expect(await opened('dns')).toHaveLength(14);
    expect(await opened('look')).toEqual(['key-get', 'key-list']);
    expect(await opened('dns look')).toHaveLength(16);
    expect(await opened('all')).toHaveLength(158);
    expect((await opened('dns look')).includes('domain-delete')).toBe(true);
  });

  it('is nothing for anybody where a pattern fits no tool, which could leave in what it means to take away', async () => {
    const { call, issuer } = await installation({ JWT_SCOPES: 'all;tools=!key-delet' });
    const answer = await call(await issuer.token(resource, { scope: 'all' }));
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'not_configured' } } });
    expect(answer.json.error.message).toContain('entry 1 of the setting JWT_SCOPES');
  });

  it('holds at the call, with the scope that would open the tool, whatever the protocol', async () => {
    const { call, rpc, issuer, platform } = await installation();
    const token = await issuer.token(resource, { scope: 'deckhand:read' });
    const challenge = `Bearer error="insufficient_scope", scope="deckhand:write", ${metadata}`;
    expect(await call(token, 'key-delete', { ID: 7 })).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge } });
    const message = { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'key-delete', arguments: { ID: 7 } } };
    const answer = await rpc(token, message);
    expect(answer).toMatchObject({ status: 403, headers: { 'www-authenticate': challenge }, json: { id: 4 } });
    expect(answer.json.error.data).toMatchObject({ code: 'forbidden', message: expect.stringContaining('scope deckhand:write opens it') });
    const run = { ...message, params: { name: 'tool-run', arguments: { tool: 'key-delete', arguments: { ID: 7 } } } };
    const reading = { ...run, params: { ...run.params, name: 'tool-read' } };
    const discovered = await rpc(token, run, '/mcp/discover');
    expect(discovered).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': challenge },
      json: { id: 4, error: answer.json.error },
    });
    // Where another token would not help, the model is told.
    const helpless = [
      [run, '/mcp/discover/dns'],
      [run, '/mcp/discover/readonly'],
      [reading, '/mcp/discover'],
    ] as const;
    for (const [asked, path] of helpless) {
      const shown = await rpc(token, asked, path);
      expect(shown, path).toMatchObject({
        status: 200,
        json: { result: { isError: true, structuredContent: { error: { code: 'forbidden' } } } },
      });
    }
    const elsewhere = await rpc(token, message, '/mcp/dns');
    expect(elsewhere).toMatchObject({ status: 200, json: { result: { structuredContent: { error: { code: 'forbidden' } } } } });
    expect(platform.arrived).toEqual([]);
  });

  it('adds up at the call too: one scope that only reads takes nothing from another', async () => {
    const { call, issuer, platform } = await installation();
    const token = await issuer.token(resource, { scope: 'deckhand:read deckhand:write' });
    expect((await call(token, 'key-delete', { ID: 7 })).status).toBe(200);
    expect(platform.arrived.map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('is not held out to whoever could not get it, nor where none would open the tool', async () => {
    const hash = createHash('sha256').update('one').digest('hex');
    const { call, issuer } = await installation({ ACCESS_TOKENS: `a=sha256:${hash};readonly`, JWT_SCOPES: 'look;readonly, all' });
    const refused = await call('one', 'key-delete', { ID: 7 });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } });
    expect(refused.text).not.toContain('scope all');
    const readers = await installation({ JWT_SCOPES: 'look;readonly' }, issuer);
    const closed = await readers.call(await issuer.token(resource, { scope: 'look' }), 'key-delete', { ID: 7 });
    expect(closed).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } });
    expect(closed.text).not.toContain('opens it');
  });

  it('has the rate of the widest of them, for all tokens of one subject', async () => {
    const { call, issuer } = await installation({ JWT_SCOPES: 'slow;rate=1/h, faster;rate=2/h, free' });
    const status = async (scope: string, sub: string) => (await call(await issuer.token(resource, { scope, sub }))).status;
    expect([await status('slow', 'a'), await status('slow', 'a'), await status('slow', 'b')]).toEqual([200, 429, 200]);
    const both = [await status('slow faster', 'c'), await status('slow faster', 'c'), await status('slow faster', 'c')];
    expect(both).toEqual([200, 200, 429]);
    for (const _ of [1, 2, 3]) expect(await status('slow free', 'd')).toBe(200);
  });

  it.each([
    ['whatever their order', 'faster;rate=2/h, slow;rate=1/h', [200, 200, 429]],
    ['where the first of them has no bound', 'free, slow;rate=1/h', [200, 200, 200]],
    ['counted over the same time', 'minute;rate=1/m, hour;rate=30/h', [200, 429, 429]],
  ])('has the rate of the widest, %s', async (_, scopes, statuses) => {
    const { call, issuer } = await installation({ JWT_SCOPES: scopes });
    const token = await issuer.token(resource, { scope: 'faster slow free minute hour' });
    expect([(await call(token)).status, (await call(token)).status, (await call(token)).status]).toEqual(statuses);
  });
});

describe('the keys of the issuer', () => {
  it('are fetched once, and anew for a key that is not known, but not for every made-up one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { call, issuer } = await installation();
    for (const _ of [1, 2, 3]) expect((await call(await issuer.token(resource))).status).toBe(200);
    expect(issuer.asked()).toBe(1);
    vi.setSystemTime(Date.now() + 60_000);
    await issuer.rotate();
    expect((await call(await issuer.token(resource))).status).toBe(200);
    expect(issuer.asked()).toBe(2);
    await issuer.rotate(false);
    for (const _ of [1, 2, 3]) expect((await call(await issuer.token(resource))).status).toBe(401);
    expect(issuer.asked()).toBe(2);
  });

  it('are looked at again after ten minutes, so that one that was withdrawn lets nobody in any more', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { call, issuer } = await installation();
    const began = Date.now();
    const token = await issuer.token(resource, { exp: Math.floor(began / 1000) + 3600 });
    const statusAfter = async (ms: number) => {
      vi.setSystemTime(began + ms);
      return [(await call(token)).status, issuer.asked()];
    };
    expect(await statusAfter(0)).toEqual([200, 1]);
    issuer.withdraw();
    expect(await statusAfter(9 * 60_000)).toEqual([200, 1]);
    expect(await statusAfter(11 * 60_000)).toEqual([401, 2]);
  });

  it('are not asked for by a token that is bad with a key that is known', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { call, issuer } = await installation();
    expect((await call(await issuer.token(resource))).status).toBe(200);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await call(await issuer.token('https://else.example.com'))).status).toBe(401);
    expect(issuer.asked()).toBe(1);
  });

  it('are asked for no more than twice a minute where the issuer is down', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { call, issuer } = await installation();
    const began = Date.now();
    const askedAfter = async (ms: number) => {
      vi.setSystemTime(began + ms);
      for (const _ of [1, 2, 3]) expect((await call(await issuer.token(resource))).status).toBe(200);
      return issuer.asked();
    };
    expect(await askedAfter(0)).toBe(1);
    issuer.answerKeysWith(500);
    expect([await askedAfter(11 * 60_000), await askedAfter(11 * 60_000 + 29_000), await askedAfter(11 * 60_000 + 31_000)]).toEqual([
      2, 2, 3,
    ]);
  });

  it('that one call has fetched stay when another waited for them in vain', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const issuer = await tokenIssuer();
    const waiting: ServerResponse[] = [];
    const keys = await scriptedPlatform((response, _, asked) => (asked === 1 ? response.end(issuer.jwks()) : waiting.push(response)));
    const { call } = await installation({ JWT_KEYS: `${keys.url}/keys` }, issuer);
    expect((await call(await issuer.token(resource))).status).toBe(200);
    vi.setSystemTime(Date.now() + 60_000);
    await issuer.rotate();
    const token = await issuer.token(resource);
    const calls = [call(token), call(token)];
    await vi.waitFor(() => expect(waiting).toHaveLength(2), { timeout: 4000 });
    waiting[0]?.end(issuer.jwks());
    expect((await Promise.race(calls)).status).toBe(200);
    waiting[1]?.writeHead(500).end();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await call(token)).status).toBe(200);
  });

  it.each(['[]', '{}', '{"keys":7}', '{"keys":[{},7]}', '<html>'])('let nobody in where the answer is no set of keys: %s', async (text) => {
    const other = await scriptedPlatform((response) => response.end(text));
    const { call, issuer } = await installation({ JWT_KEYS: `${other.url}/keys` });
    const answer = await call(await issuer.token(resource));
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'platform_unavailable' } } });
    expect(answer.json.error.message).toContain('JWT_KEYS');
  });

  it('let nobody in while they cannot be had, and say so', async () => {
    const { call, rpc, issuer, platform } = await installation();
    issuer.answerKeysWith(500);
    const token = await issuer.token(resource);
    const refused = await call(token);
    expect(refused).toMatchObject({ status: 503, json: { error: { code: 'platform_unavailable', retryable: true } } });
    expect(refused.json.error.message).toContain('JWT_KEYS');
    expect((await rpc(token, list)).status).toBe(503);
    expect(platform.arrived).toEqual([]);
    issuer.answerKeysWith(200);
    expect((await call(token)).status).toBe(200);
  });

  it('go on being used for an hour where the issuer is down', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { call, issuer } = await installation();
    const began = Date.now();
    const statusAfter = async (ms: number) => {
      vi.setSystemTime(began + ms);
      return (await call(await issuer.token(resource))).status;
    };
    expect(await statusAfter(0)).toBe(200);
    issuer.answerKeysWith(500);
    expect([await statusAfter(11 * 60_000), await statusAfter(59 * 60_000), await statusAfter(61 * 60_000)]).toEqual([200, 200, 503]);
  });

  it('let nobody in where they cannot be used, or it is not said which', async () => {
    const { call, issuer } = await installation();
    const { keys } = JSON.parse(issuer.jwks());
    const broken = await installation({ JWT_KEYS: JSON.stringify({ keys: [{ ...keys[0], x: 'x' }] }) }, issuer);
    expect(await broken.call(await issuer.token(resource))).toMatchObject({ status: 503, json: { error: { code: 'not_configured' } } });
    await issuer.rotate();
    const unnamed = await call(await issuer.token(resource, {}, { kid: undefined }));
    expect(unnamed).toMatchObject({ status: 401, json: { error: { message: expect.stringContaining('several') } } });
  });

  it('do not hold up an answer beyond its time', async () => {
    const asked = deferred<void>();
    const silent = await scriptedPlatform(() => asked.resolve());
    const { request, issuer } = await installation({ JWT_KEYS: `${silent.url}/keys` });
    const headers = { authorization: `Bearer ${await issuer.token(resource)}` };
    const clock = heldClock();
    const answer = request('POST', `/tools/${tool}`, { body: {}, headers, context: { getRemainingTimeInMillis: () => 800 } });
    await asked.promise;
    await clock.pass(799);
    expect((await answer).status).toBe(503);
  });
});

describe('the metadata of the resource', () => {
  it('tells whoever asks where tokens are to be had, at the paths of what is called too', async () => {
    const { request, issuer } = await installation();
    for (const path of ['', '/mcp', '/mcp/dns']) {
      const answer = await request('GET', `/.well-known/oauth-protected-resource${path}`, {
        headers: { authorization: '', origin: 'https://any.example.com' },
      });
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        resource,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['deckhand:read', 'deckhand:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Deckhand',
      });
    }
    expect((await request('GET', '/.well-known/other')).status).toBe(404);
  });

  it('is named beside the function, where the resource is the address of MCP', async () => {
    const { request } = await installation({ JWT_AUDIENCE: 'https://tools.example.com/router/mcp' });
    const { headers } = await request('POST', '/mcp', { body: list, headers: { authorization: '' } });
    expect(headers['www-authenticate']).toBe(`Bearer ${metadata}`);
  });

  it('is not there without an issuer', async () => {
    expect((await gateway()('GET', '/.well-known/oauth-protected-resource')).status).toBe(404);
  });
});

describe('an installation that cannot verify tokens as it is set up', () => {
  const usable = {
    PLATFORM_API_TOKEN: 'own',
    JWT_ISSUER: 'https://issuer.example.com',
    JWT_AUDIENCE: resource,
    JWT_KEYS: 'https://issuer.example.com/keys',
  };
  const canary = 'canarycanary';
  it.each([
    ['no audience', { JWT_AUDIENCE: '' }, 'JWT_AUDIENCE is not'],
    ['no keys', { JWT_KEYS: '' }, 'JWT_KEYS is not'],
    ['no issuer', { JWT_ISSUER: '' }, 'JWT_ISSUER is not'],
    ['no token for the platform', { PLATFORM_API_TOKEN: '' }, 'PLATFORM_API_TOKEN is not'],
    ['an issuer over http', { JWT_ISSUER: 'http://issuer.example.com' }, 'JWT_ISSUER cannot be used'],
    ['keys over http', { JWT_KEYS: 'http://issuer.example.com/keys' }, 'JWT_KEYS cannot be used'],
    ['a password in an address', { JWT_KEYS: `https://user:${canary}@issuer.example.com/keys` }, 'JWT_KEYS cannot be used'],
    ['an audience that is no address', { JWT_AUDIENCE: 'deckhand' }, 'JWT_AUDIENCE cannot be used'],
    ['keys that are none', { JWT_KEYS: '{"keys":[]}' }, 'public RSA, EC or OKP'],
    ['a private key', { JWT_KEYS: `{"keys":[{"kty":"EC","crv":"P-256","d":"${canary}"}]}` }, 'public RSA, EC or OKP'],
    ['a shared secret', { JWT_KEYS: `{"keys":[{"kty":"oct","k":"${canary}"}]}` }, 'public RSA, EC or OKP'],
    ['broken keys', { JWT_KEYS: `{"${canary}` }, 'public RSA, EC or OKP'],
    ['a scope that is none', { JWT_SCOPES: 'a b' }, 'entry 1 of the setting JWT_SCOPES'],
    ['an option that does not exist', { JWT_SCOPES: 'a, b;read-only' }, 'entry 2 of the setting JWT_SCOPES'],
    ['a scope twice', { JWT_SCOPES: 'a, a;readonly' }, 'names a twice'],
    ['a misspelt toolset', { JWT_SCOPES: 'a;toolsets=dnss' }, 'did you mean dns?'],
    ['a pattern that fits no tool', { JWT_SCOPES: 'a, b;tools=!key-delet' }, 'entry 2 of the setting JWT_SCOPES: no tool fits pattern 1'],
  ])('serves nothing with %s, and says why', async (_, environment, said) => {
    const answer = await gateway({ ...usable, ...environment })('POST', '/mcp', { body: list });
    expect(answer).toMatchObject({
      status: 503,
      json: { error: { data: { code: 'not_configured', message: expect.stringContaining(said) } } },
    });
    expect(answer.text).not.toContain(canary);
    expect((await gateway({ ...usable, ...environment })('GET', '/.well-known/oauth-protected-resource')).status).toBe(503);
  });
});
