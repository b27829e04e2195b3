import fc, { type Arbitrary } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { json, scriptedPlatform } from '../support/platform.ts';
import { holds } from './holds.ts';
import { hostileText, hostileValue, mutated, ofEntries, prototypeNames, record } from './hostile.ts';
import { errorCodes, fuzzedRouter, type Seen, secrets, toldSecret } from './served.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2199-01-01'] as const;
const methods = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'tasks/get',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'resources/list',
  'logging/setLevel',
] as const;
const toolNames = [
  'account-get-information',
  'instance-list',
  'instance-create',
  'tool-search',
  'tool-read',
  'tool-run',
  'no-such-tool',
] as const;

const meta = record(
  hostileValue,
  fc.constantFrom(
    'io.modelcontextprotocol/protocolVersion',
    'io.modelcontextprotocol/clientCapabilities',
    'io.modelcontextprotocol/clientInfo',
    'deckhand/idempotencyKey',
    'progressToken',
    'traceparent',
  ),
);
/** What a client of the newest revision shows, so that it is let in. */
const newest = fc.constant({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } },
});
const params = fc.oneof(
  hostileValue,
  fc.record({ name: fc.oneof(fc.constantFrom(...toolNames), hostileText), arguments: hostileValue, _meta: meta }, { requiredKeys: [] }),
  fc.record(
    { protocolVersion: fc.oneof(fc.constantFrom(...versions), hostileValue), capabilities: hostileValue, clientInfo: hostileValue },
    { requiredKeys: [] },
  ),
);
const message = fc
  .record(
    {
      jsonrpc: fc.oneof({ arbitrary: fc.constant('2.0'), weight: 8 }, { arbitrary: hostileValue, weight: 1 }),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), hostileValue),
      method: fc.oneof({ arbitrary: fc.constantFrom(...methods), weight: 6 }, { arbitrary: hostileValue, weight: 1 }),
      params,
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  )
  .chain((usual) =>
    fc.option(record(hostileValue), { freq: 5 }).map((more) => ofEntries([...Object.entries(usual), ...Object.entries(more ?? {})])),
  );
const wellFormed = fc.oneof(message, fc.array(message, { maxLength: 3 }), hostileValue).map((value) => JSON.stringify(value));
const bodies = fc.oneof(wellFormed, mutated(wellFormed), hostileText, fc.constant('['.repeat(20_000)), fc.constant(`{"a":1,"a":2}`));

const paths = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '/mcp',
    '/mcp/dns',
    '/mcp/readonly',
    '/mcp/dns/readonly',
    '/mcp/discover',
    '/tools',
    '/tools/instance-list',
    '/tools/key-get',
    '/health',
    '/openapi.json',
  ),
  fc.array(hostileText, { maxLength: 3 }).map((parts) => parts.map((part) => `/${part}`).join('')),
  hostileText,
);
const headerNames = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'idempotency-key',
  'x-mcp-toolsets',
  'x-mcp-tools',
  'x-mcp-readonly',
  'origin',
  'host',
  'traceparent',
  'user-agent',
  ...prototypeNames,
];
const headerValue = fc.oneof(
  fc.constantFrom(
    'application/json',
    'text/event-stream',
    '*/*',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'true',
    'dns',
    ...versions,
  ),
  hostileText,
);
const bearer = fc.constantFrom(`Bearer ${secrets.platform}`, `bearer  ${secrets.platform}`, 'Bearer', 'Basic eDp5', '');
const headers = fc
  .tuple(bearer, fc.array(fc.tuple(fc.constantFrom(...headerNames), headerValue), { maxLength: 5 }))
  .map(([authorization, more]) =>
    ofEntries([['content-type', 'application/json'], ...more, ...(authorization ? [['authorization', authorization] as const] : [])]),
  );
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.tuple(fc.constantFrom('toolsets', 'tools', 'readonly', 'maxBytes', 'schemas', 'format', 'q', '__proto__'), hostileText), {
      maxLength: 3,
    })
    .map((fields) => fields.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')),
  hostileText,
);
const raw: Arbitrary<Record<string, unknown>> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'get', 'TRACE'),
  path: paths,
  queryString: query,
  headers,
  body: bodies,
  isBase64Encoded: fc.constantFrom(false, false, false, true),
});

let invoke: (event: Record<string, unknown>) => Promise<Seen>;
beforeEach(async () => {
  const platform = await scriptedPlatform((response) => json(response, 404, { id: 'not_found', message: 'there is nothing' }));
  invoke = fuzzedRouter(platform.url);
});

describe('the router', () => {
  it('answers any request over the web with what is right or wrong with it', async () => {
    await holds(
      'requests over the web, all revisions of MCP',
      15_000,
      fc.asyncProperty(raw, async (http) => answersWell(await invoke({ http }))),
    );
  });

  it('answers any bytes in place of a message', async () => {
    const property = fc.asyncProperty(bodies, fc.boolean(), async (body, isBase64Encoded) => {
      const seen = await invoke({ http: { method: 'POST', path: '/mcp', queryString: '', headers: asClient, body, isBase64Encoded } });
      answersWell(seen);
    });
    await holds('messages of MCP', 10_000, property);
  });

  it('answers whatever a client of the newest revision says in a message that is framed as it should be', async () => {
    const subject = fc.oneof(fc.constantFrom(...toolNames), hostileText, hostileValue);
    const said = fc.record(
      {
        name: subject,
        taskId: hostileValue,
        arguments: hostileValue,
        requestState: hostileValue,
        inputResponses: hostileValue,
        cursor: hostileValue,
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(
      fc.constantFrom(...methods),
      said,
      newest,
      fc.constantFrom('/mcp', '/mcp/discover'),
      async (method, given, _meta, path) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...given, _meta } });
        const named = method === 'tools/call' ? given.name : given.taskId;
        const repeated = {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof named === 'string' && { 'mcp-name': named }),
        };
        answersWell(await invoke({ http: { method: 'POST', path, queryString: '', headers: { ...asClient, ...repeated }, body } }));
      },
    );
    await holds('messages of the newest revision', 4000, property);
  });

  it('answers any event that is no request of the web, and any that is half of one', async () => {
    const http = fc.oneof(
      hostileValue,
      raw,
      raw.map(({ body: _, queryString: __, ...parsed }) => parsed),
    );
    const fields = record(hostileValue, fc.constantFrom('tool', 'arguments', '__ow_headers', '__ow_body', 'http', ...prototypeNames));
    const property = fc.asyncProperty(fc.option(http), fields, async (request, others) => {
      const seen = await invoke(ofEntries([...Object.entries(others), ...(request === null ? [] : [['http', request] as const])]));
      if (isResponse(seen.answer)) answersWell(seen);
      else
        expect(seen.answer).toMatchObject({ isError: true, result: { error: { code: expect.toSatisfy((code) => errorCodes.has(code)) } } });
      if (seen.text.includes('"code":"internal_error"')) throw new Error(`a bug was met: ${seen.text.slice(0, 1000)}`);
    });
    await holds('events of any shape', 6000, property);
  });
});

const asClient = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${secrets.platform}`,
};

interface Response {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function isResponse(answer: unknown): answer is Response {
  return typeof answer === 'object' && answer !== null && 'statusCode' in answer;
}

/** One well-formed answer that blames no bug and tells no secret. */
function answersWell({ answer, text, logText }: Seen): void {
  if (!isResponse(answer)) throw new Error(`no response: ${text}`);
  const { statusCode, headers: sent = {}, body = '' } = answer;
  expect(Number.isInteger(statusCode) && statusCode >= 200 && statusCode < 500, `${statusCode} ${body.slice(0, 1000)}`).toBe(true);
  // A line break in a header would begin another.
  for (const value of Object.values(sent)) expect(value).not.toMatch(/[\r\n\0]/);
  if (sent['content-type'] === 'application/json') expect(() => JSON.parse(body)).not.toThrow();
  const blamed = /"code":("internal_error"|-32603)/.exec(body);
  if (blamed) throw new Error(`a bug was met: ${body.slice(0, 1000)}`);
  expect(toldSecret(text) ?? toldSecret(logText)).toBeUndefined();
}
