import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../support/json-of.ts';
import { type Started, started } from '../support/started.ts';

let running: Started;
beforeAll(async () => {
  running = await started(['--ephemeral']);
});
afterAll(async () => {
  await running.end();
});

interface Raw {
  readonly status: number;
  readonly text: string;
}

/** A request as it is written, without a client's kindnesses. */
function raw(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Raw> {
  const { hostname, port } = new URL(running.ready.router);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const bearer = () => ({ authorization: `Bearer ${running.ready.token}` });
const json = () => ({ ...bearer(), 'content-type': 'application/json' });
const call = (tool: string, given: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } });

/** What has reached the platform from this account so far. */
async function reached(): Promise<number> {
  const { requests } = await jsonOf(fetch(`${running.ready.platform}/_emulator/requests`, { headers: bearer() }));
  return requests.length;
}

describe('what comes in wrong is answered with what was wrong, and reaches nobody', () => {
  it.each([
    ['malformed JSON', 'POST', '/tools/key-get', json, '{"ID":', 400, /not JSON/],
    ['malformed JSON over MCP', 'POST', '/mcp', json, '{"jsonrpc"', 400, /-32700/],
    ['a wrong content type over MCP', 'POST', '/mcp', () => ({ ...bearer(), 'content-type': 'text/xml' }), '{}', 415, /application\/json/],
    ['an unknown tool', 'POST', '/tools/instance-lst', json, '{}', 404, /instance-list/],
    ['an unknown argument', 'POST', '/tools/key-get', json, '{"Id":1,"Colour":"red"}', 400, /Colour: expected one of ID/],
    ['a missing argument', 'POST', '/tools/key-get', json, '{}', 400, /ID: expected an integer from 1; it is required/],
    ['a mistyped argument', 'POST', '/tools/rename-instance', json, '{"ID":1,"Name":7}', 400, /Name: expected a string, got 7/],
    ['a fraction for an id', 'POST', '/tools/instance-get', json, '{"ID":1000.7}', 400, /got 1000\.7/],
    ['an id beyond 2^53', 'POST', '/tools/instance-get', json, '{"ID":9007199254740993}', 400, /expected an integer from 1/],
    ['an id that climbs', 'POST', '/tools/instance-get', json, '{"ID":"../account"}', 400, /"..\/account/],
    ['an id that climbs encoded', 'POST', '/tools/instance-get', json, '{"ID":"%2e%2e"}', 400, /%2e%2e/],
    ['an id with a query', 'POST', '/tools/instance-get', json, '{"ID":"1?x=y"}', 400, /1\?x=y/],
    ['an id with a fragment', 'POST', '/tools/instance-get', json, '{"ID":"1#x"}', 400, /1#x/],
    ['an id with a NUL', 'POST', '/tools/instance-get', json, '{"ID":"1\\u0000"}', 400, /u0000/],
    [
      'a page of another site',
      'POST',
      '/tools/key-list',
      () => ({ ...json(), origin: 'https://evil.example.com' }),
      '{}',
      403,
      /ALLOWED_ORIGINS/,
    ],
    [
      'a page of another site over MCP',
      'POST',
      '/mcp',
      () => ({ ...json(), origin: 'https://evil.example.com' }),
      call('key-list', {}),
      403,
      /ALLOWED_ORIGINS/,
    ],
    ['another Host', 'POST', '/tools/key-list', () => ({ ...json(), host: 'evil.example.com' }), '{}', 403, /evil\.example\.com/],
    ['no bearer', 'POST', '/tools/key-list', () => ({}), '{}', 401, /Authorization: Bearer/],
    ['a path that climbs', 'POST', '/tools/../../api/v1/namespaces', json, '{}', 404, /\/tools/],
    [
      'a body of 2 MB',
      'POST',
      '/tools/key-create',
      json,
      JSON.stringify({ Name: 'x'.repeat(2 * 1024 * 1024), PublicKey: 'y' }),
      413,
      /1048576/,
    ],
  ])('%s', async (_, method, path, headers, body, status, said) => {
    const before = await reached();
    const answer = await raw(method, path, headers(), body);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(said)]);
    expect(await reached()).toBe(before);
  });

  it('a failure of a tool over MCP is a result with the error flag and a message', async () => {
    const { status, text } = await raw('POST', '/mcp', json(), call('instance-get', { ID: 1 }));
    expect(status).toBe(200);
    expect(JSON.parse(text).result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'not_found', message: expect.stringContaining('404') } },
    });
  });

  it('a bearer that the platform does not know is told apart from a missing one', async () => {
    const { status, text } = await raw('POST', '/tools/key-list', { authorization: 'Bearer dh_unknown' }, '{}');
    expect(status).toBe(401);
    expect(JSON.parse(text).error).toMatchObject({
      code: 'unauthenticated',
      platform: { status: 401, message: 'Unable to authenticate you.' },
    });
  });

  it('and afterwards everything works as before', async () => {
    const { status } = await raw('POST', '/tools/key-list', json(), '{}');
    expect(status).toBe(200);
  });
});

describe('the functions of the domains', () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  it('each list their own tools and no others, and answer for them', async () => {
    const { functions } = running.ready;
    const listed = async (url: string): Promise<readonly string[]> => {
      const answer = await jsonOf(fetch(`${url}/mcp`, { method: 'POST', headers: json(), body: list }));
      return answer.result.tools.map(({ name }: { name: string }) => name);
    };
    const all = await listed(functions['gateway/router'] ?? '');
    const domains = Object.entries(functions).filter(([name]) => name.startsWith('tools/'));
    const parts = await Promise.all(domains.map(([, url]) => listed(url)));
    expect(parts.flat().sort()).toEqual([...all].sort());
    const keys = await fetch(`${functions['tools/account']}/tools/key-list`, { method: 'POST', headers: json(), body: '{}' });
    expect((await jsonOf(keys)).result.items.length).toBeGreaterThan(0);
    const foreign = await fetch(`${functions['tools/account']}/tools/instance-list`, { method: 'POST', headers: json(), body: '{}' });
    expect(foreign.status).toBe(404);
  });
});
