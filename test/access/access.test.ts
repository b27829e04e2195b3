import crypto, { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { renderListing } from '../../lib/catalogue/listing.ts';
import { tool } from '../../lib/catalogue/tool.ts';
import { dns } from '../../lib/tools/dns/index.ts';
import { gateway, handlerOf } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const hash = (token: string) => createHash('sha256').update(token).digest('hex');
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function namesAt(path: string, environment = {}, headers = {}): Promise<readonly string[]> {
  const { json } = await gateway(environment)('POST', path, { body: list, headers });
  return json.result.tools.map((tool: { name: string }) => tool.name);
}

describe('who may call', () => {
  it('passes the bearer of the caller on where neither token is set', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
    await gateway({ PLATFORM_API_URL: platform.url })('POST', '/tools/account-get-information', {
      headers: { authorization: 'Bearer mine' },
    });
    expect(platform.arrived[0]?.headers.authorization).toBe('Bearer mine');
  });

  it('sends its own token for a caller that shows one of ACCESS_TOKENS', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
    const environment = {
      PLATFORM_API_URL: platform.url,
      PLATFORM_API_TOKEN: 'own',
      ACCESS_TOKENS: `a=sha256:${hash('one')}, b=sha256:${hash('two')}`,
    };
    const answer = await gateway(environment)('POST', '/tools/account-get-information', { headers: { authorization: 'Bearer two' } });
    expect(answer.status).toBe(200);
    expect(platform.arrived[0]?.headers.authorization).toBe('Bearer own');
  });

  it('lets in by a comparison in constant time, and by nothing else', async () => {
    const compare = vi.spyOn(crypto, 'timingSafeEqual');
    onTestFinished(() => compare.mockRestore());
    const request = gateway({ PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')}, b=sha256:${hash('two')}` });
    const statusFor = async (token: string) => (await request('GET', '/tools', { headers: { authorization: `Bearer ${token}` } })).status;
    compare.mockReturnValue(false);
    expect(await statusFor('one')).toBe(401);
    compare.mockReturnValue(true);
    expect(await statusFor('other')).toBe(200);
  });

  it.each(['/tools/account-get-information', '/mcp', '/'])('turns an unknown bearer away at %s', async (path) => {
    const request = gateway({ PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')}` });
    const answer = await request('POST', path, { body: path === '/mcp' ? list : {}, headers: { authorization: 'Bearer other' } });
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect((await request('GET', '/tools', { headers: { authorization: 'Bearer other' } })).status).toBe(401);
  });

  it.each([
    ['bearer one', 200],
    ['Bearer   one ', 200],
    ['Bearer one two', 401],
    ['X-Bearer one', 401],
    ['Bearer one.two.three', 401],
    ['one', 401],
  ])('reads "Authorization: %s" as the header is written, and answers %i', async (authorization, status) => {
    const request = gateway({ PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')}` });
    expect((await request('GET', '/tools', { headers: { authorization } })).status).toBe(status);
  });

  it.each([
    ['a token that anybody could use', { PLATFORM_API_TOKEN: 'own' }, '`deckhand token add <name>` prints'],
    ['callers without a token to serve them with', { ACCESS_TOKENS: `a=sha256:${hash('one')}` }, 'PLATFORM_API_TOKEN'],
    ['an entry that is no hash', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: 'a=secret' }, 'entry 1'],
    ['a token in place of entries', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: 'secretsecretsecret' }, 'entry 1'],
    [
      'a token that no header can carry',
      { PLATFORM_API_TOKEN: 'secret\nsecret', ACCESS_TOKENS: `a=sha256:${hash('one')}` },
      'PLATFORM_API_TOKEN',
    ],
    [
      'a token with the word before it',
      { PLATFORM_API_TOKEN: 'Bearer secret', ACCESS_TOKENS: `a=sha256:${hash('one')}` },
      'without spaces',
    ],
    ['a seal key that can be guessed', { SEAL_KEY: 'secret' }, 'SEAL_KEY'],
    ['an option that does not exist', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')};read-only` }, 'readonly'],
    ['an option twice', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')};rate=1/s;rate=2/s` }, 'entry 1'],
    ['a rate that is none', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')};rate=often` }, 'rate=60/m'],
    ['a caller twice', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')},a=sha256:${hash('two')}` }, 'names a twice'],
    [
      'one token for two',
      { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')},b=sha256:${hash('one')}` },
      'gives b the token',
    ],
    [
      'a misspelt toolset of a caller',
      { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')};toolsets=dns+trafic` },
      'traffic?',
    ],
    ['a pattern that fits no tool', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('one')};tools=!key-delet` }, 'pattern 1'],
    ['an unknown dispatch', { DISPATCH: 'sideways' }, 'inline, forward'],
    ['an unknown word for read-only', { READ_ONLY: 'maybe' }, 'true, false'],
    ['an address that is none', { PLATFORM_API_URL: 'ftp://x' }, 'PLATFORM_API_URL'],
    ['a store that is none', { KV_URL: 'http://:secret@x' }, 'KV_URL is none of redis://'],
    ['an origin that is none', { ALLOWED_ORIGINS: 'https://app.example.com, app.example.com' }, 'ALLOWED_ORIGINS is "app.example.com"'],
    ['a toolset that does not exist', { TOOLSETS: 'acount' }, 'did you mean account'],
    ['an unknown word for what is confirmed', { CONFIRM: 'some' }, 'destructive, writes, off'],
    ['an unknown word for clients that cannot ask', { CONFIRM_FALLBACK: 'shrug' }, 'challenge, refuse, allow'],
  ])('serves nothing with %s, and says why', async (_, environment, said) => {
    const answer = await gateway(environment)('POST', '/tools/account-get-information');
    expect(answer).toMatchObject({ status: 503, json: { error: { code: 'not_configured', message: expect.stringContaining(said) } } });
    expect(answer.text).not.toContain('secret');
    expect((await gateway(environment)('GET', '/health')).status).toBe(503);
  });
});

describe('an address of the platform with a password in it', () => {
  it.each(['https://user:canary@platform.test', 'https://user:canary@platform.test/?a=b'])(
    '%s serves nobody, and is not shown',
    async (url) => {
      const answer = await gateway({ PLATFORM_API_URL: url })('POST', '/tools/account-get-information', { body: {} });
      expect(answer).toMatchObject({ status: 503, json: { error: { code: 'not_configured' } } });
      expect(answer.json.error.message).toContain('PLATFORM_API_URL');
      expect(answer.text).not.toContain('canary');
    },
  );
});

describe('pages of the web', () => {
  it.each([
    ['https://evil.example.com', '127.0.0.1:3233', {}, 403],
    ['http://localhost:6274', '127.0.0.1:3233', {}, 200],
    ['http://localhost:6274', 'functions.example.com', {}, 403],
    ['http://127.0.0.2:6274', 'localhost:3233', {}, 200],
    ['http://[::1]:6274', '[::1]:3233', {}, 200],
    ['http://127.0.0.1.evil.example.com', '127.0.0.1:3233', {}, 403],
    ['http://localhost.evil.example.com', '127.0.0.1:3233', {}, 403],
    ['http://localhost:6274', '127.0.0.1.evil.example.com', {}, 403],
    ['https://app.example.com.evil.example.com', 'functions.example.com', { ALLOWED_ORIGINS: 'https://app.example.com' }, 403],
    ['https://app.example.com', 'functions.example.com', { ALLOWED_ORIGINS: 'https://app.example.com' }, 200],
    ['null', '127.0.0.1:3233', {}, 403],
  ])('from %s on %s', async (origin, host, environment, status) => {
    for (const path of ['/mcp', '/']) {
      expect((await gateway(environment)('POST', path, { body: list, headers: { origin, host } })).status).toBe(status);
    }
  });

  it('are turned away where the platform took the request apart, too', async () => {
    const http = { method: 'POST', path: '/tools/key-delete', headers: { authorization: 'Bearer t', origin: 'https://evil.example.com' } };
    const platform = await scriptedPlatform((response) => response.writeHead(204).end());
    const answer = await handlerOf({ PLATFORM_API_URL: platform.url })({ http, ID: 7 });
    expect(answer.statusCode).toBe(403);
    expect(platform.arrived).toEqual([]);
  });
});

describe('which tools', () => {
  it.each([
    ['/mcp', 158],
    ['/mcp/account', 10],
    ['/mcp/account,images', 19],
    ['/mcp?toolsets=instances', 31],
    ['/mcp?tools=key-*', 4],
    ['/mcp?tools=key-*,!*-delete', 3],
    ['/mcp?tools=!*-delete', 143],
    ['/mcp/account?toolsets=images', 0],
    ['/mcp?tools=key-*&tools=!key-delete', 3],
    ['/mcp?tools=*e*-*t', 36],
    ['/mcp?tools=*key-*', 4],
    ['/mcp?tools=key-*get', 1],
    ['/mcp?tools=key-get,domain-*', 10],
    ['/mcp?readonly=false', 158],
  ])('%s serves %i', async (path, count) => {
    expect(await namesAt(path)).toHaveLength(count);
  });

  it('serves only reads at a read-only address, by query, by header and by setting', async () => {
    const reads = await namesAt('/mcp/readonly');
    expect(reads).toHaveLength(60);
    expect(reads).not.toContain('key-delete');
    expect(await namesAt('/mcp?readonly=true')).toEqual(reads);
    expect(await namesAt('/mcp?readonly=')).toEqual(reads);
    expect(await namesAt('/mcp', {}, { 'x-mcp-readonly': 'true' })).toEqual(reads);
    expect(await namesAt('/mcp', { READ_ONLY: 'true' })).toEqual(reads);
    expect(await namesAt('/mcp/account/readonly')).toHaveLength(8);
  });

  it('takes the headers that mean the same', async () => {
    expect(await namesAt('/mcp', {}, { 'x-mcp-toolsets': 'images' })).toHaveLength(9);
    expect(await namesAt('/mcp', {}, { 'x-mcp-tools': 'key-get' })).toEqual(['key-get']);
  });

  it('takes the narrower of address and header', async () => {
    expect(await namesAt('/mcp?toolsets=account', {}, { 'x-mcp-toolsets': 'images' })).toEqual([]);
    expect(await namesAt('/mcp?tools=key-*', {}, { 'x-mcp-tools': 'key-get' })).toEqual(['key-get']);
    expect(await namesAt('/mcp?readonly=false', {}, { 'x-mcp-readonly': 'true' })).not.toContain('key-delete');
  });

  it('takes nobody else for the router that has checked the names already', async () => {
    const answer = await gateway()('POST', '/mcp?tools=!key-delet', { body: list, headers: { 'x-deckhand-forwarded': '1' } });
    expect(answer.status).toBe(400);
  });

  it('knows in the function of a domain no names but its own, unless the router passes them on', async () => {
    const toolsets = [dns];
    const domain = gateway({}, { router: false, toolsets, listing: renderListing(toolsets) });
    const chosen = (headers = {}) => domain('POST', '/mcp?tools=key-*,domain-list', { body: list, headers });
    expect((await chosen()).status).toBe(400);
    const { json } = await chosen({ 'x-deckhand-forwarded': '1' });
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(['domain-list']);
  });

  it('compares a name with any number of stars in no time at all', async () => {
    const answer = await gateway()('GET', `/tools?tools=${'*'.repeat(30)}z`, { context: { getRemainingTimeInMillis: () => 5000 } });
    expect(answer).toMatchObject({ status: 400, json: { error: { message: expect.stringContaining('globs') } } });
    const statusOf = async (tools: string) => (await gateway()('GET', `/tools?tools=${tools}`)).status;
    expect([await statusOf('*'.repeat(100)), await statusOf('*'.repeat(101))]).toEqual([200, 400]);
    expect([await statusOf('key-get,'.repeat(200)), await statusOf('key-get,'.repeat(201))]).toEqual([200, 400]);
  });

  it('lets the installation cap what can be asked for', async () => {
    expect(await namesAt('/mcp', { TOOLSETS: 'account+images' })).toHaveLength(19);
    expect(await namesAt('/mcp/instances', { TOOLSETS: 'account+images' })).toEqual([]);
  });

  it('holds at the call as it does at the list', async () => {
    const platform = await scriptedPlatform((response) => response.writeHead(204).end());
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const plain = await request('POST', '/tools/key-delete?readonly=true', { body: { ID: 1 } });
    expect(plain).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'key-delete', arguments: { ID: 1 } } };
    for (const path of ['/mcp/readonly', '/mcp/images', '/mcp?tools=!key-*']) {
      const { json } = await request('POST', path, { body: call });
      expect(json.result).toMatchObject({ isError: true, structuredContent: { error: { code: 'forbidden' } } });
    }
    expect(platform.arrived).toEqual([]);
  });

  it('names only those as ways out', async () => {
    const platform = await scriptedPlatform((response) => response.destroy());
    const next = async (query: string) => {
      const answer = await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/instance-reboot${query}`, { body: { ID: 1 } });
      return answer.json.error.next?.map(({ tool }: { readonly tool: string }) => tool);
    };
    expect(await next('')).toEqual(['action-list', 'instance-get']);
    expect(await next('?toolsets=instances')).toEqual(['instance-get']);
    expect(await next('?tools=instance-reboot')).toBeUndefined();
  });

  it.each([
    ['/mcp/acount', 'did you mean account'],
    ['/mcp/account/readonli', '[/<toolset>,<toolset>]'],
    ['/mcp?toolsets=image', 'did you mean images'],
    ['/mcp?tools=keyy-get', 'did you mean key-get'],
    ['/mcp?tools=key-*-get', 'globs'],
    ['/mcp?tools=*key*key*', 'globs'],
    ['/mcp?readonly=yes', 'true or false'],
    ['/mcp?readOnly=true', 'did you mean readonly'],
    ['/mcp?tool=key-*', 'did you mean tools'],
    ['/?readOnly=true', 'did you mean readonly'],
    ['/mcp/discover?tool=key-*', 'did you mean tools'],
    ['/mcp?tools=', 'one name or more'],
    ['/mcp?toolsets=,', 'one name or more'],
  ])('takes a misspelt choice for an error, never for a wider door: %s', async (path, said) => {
    const answer = await gateway()('POST', path, { body: list });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toContain(said);
  });
});

describe('a tool that says of itself that it only reads, and sends a change', () => {
  const mistaken = tool({
    name: 'key-list',
    title: 'Mistaken',
    description: 'Its hints say other than its route.',
    input: () => z.object({}),
    route: 'POST /v2/account/keys',
    hints: { readOnly: true },
  });
  const toolsets = [{ name: 'account' as const, title: 'Account', tools: [mistaken] }];

  it.each([
    ['at a read-only address', '?readonly=true', {}],
    ['where the installation only reads', '', { READ_ONLY: 'true' }],
    ['for a caller who may only read', '', { PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `a=sha256:${hash('tester')};readonly` }],
  ])('is stopped before it leaves, as the bug that it is, %s', async (_, query, environment) => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => log.mockRestore());
    const platform = await scriptedPlatform((response) => json(response, 201, {}));
    const request = gateway({ PLATFORM_API_URL: platform.url, ...environment }, { toolsets, listing: renderListing(toolsets) });
    const answer = await request('POST', `/tools/key-list${query}`);
    expect(answer).toMatchObject({ status: 500, json: { error: { code: 'internal_error' } } });
    expect(log.mock.calls.join()).toContain('a POST was about to leave where only reading is allowed');
    expect(platform.arrived).toEqual([]);
  });
});
