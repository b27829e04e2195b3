import { describe, expect, test } from 'vitest';
import type { ActivationEvent } from '../../lib/host/start-host.ts';
import { testHost } from './support/test-host.ts';

interface Case {
  readonly returns: string;
  readonly code: string;
  readonly status: number;
  readonly type?: string | null;
  readonly body: string;
}

const png = Buffer.from([137, 80, 78, 71, 0, 255]);
const notHttp = "Response is not valid 'message/http'.";
const mismatch = 'Response type in header did not match generated content type.';

const answered: readonly Case[] = [
  { returns: 'a body object', code: '{ body: { a: 1 } }', status: 200, type: 'application/json', body: '{"a":1}' },
  { returns: 'a body list', code: '{ body: [1, "b"] }', status: 200, type: 'application/json', body: '[1,"b"]' },
  { returns: 'a body number', code: '{ body: 42 }', status: 200, type: 'application/json', body: '42' },
  { returns: 'a body of false', code: '{ body: false }', status: 200, type: 'application/json', body: 'false' },
  {
    returns: 'JSON under a type of its own',
    code: '{ headers: { "Content-Type": "application/ld+json" }, body: {} }',
    status: 200,
    type: 'application/ld+json',
    body: '{}',
  },
  { returns: 'a string', code: '{ body: "<p>é</p>" }', status: 200, type: 'text/html; charset=UTF-8', body: '<p>é</p>' },
  { returns: 'HTML', code: '{ headers: { "Content-Type": "text/html" }, body: "<p>" }', status: 200, type: 'text/html', body: '<p>' },
  {
    returns: 'JSON as a string',
    code: '{ headers: { "content-type": "application/json" }, body: "{}" }',
    status: 200,
    type: 'application/json',
    body: '{}',
  },
  {
    returns: 'JSON that looks like base64',
    code: '{ headers: { "content-type": "application/json" }, body: "bnVsbA==" }',
    status: 200,
    type: 'application/json',
    body: 'null',
  },
  {
    returns: 'text that looks like base64',
    code: '{ headers: { "content-type": "text/plain" }, body: "abcd" }',
    status: 200,
    type: 'text/plain',
    body: 'abcd',
  },
  {
    returns: 'JSON under a type in capitals',
    code: '{ headers: { "content-type": "Application/JSON" }, body: { a: 1 } }',
    status: 200,
    type: 'Application/JSON',
    body: '{"a":1}',
  },
  {
    returns: 'a type in a list',
    code: '{ headers: { "content-type": ["text/plain"] }, body: "x" }',
    status: 200,
    type: 'text/plain',
    body: 'x',
  },
  {
    returns: 'media as base64 that ends with a line break',
    code: `{ headers: { "content-type": "image/png" }, body: "${png.toString('base64')}\\n" }`,
    status: 200,
    type: 'image/png',
    body: png.toString('latin1'),
  },
  {
    returns: 'media as base64',
    code: `{ headers: { "content-type": "image/png" }, body: "${png.toString('base64')}" }`,
    status: 200,
    type: 'image/png',
    body: png.toString('latin1'),
  },
  {
    returns: 'SVG as base64',
    code: `{ headers: { "content-type": "image/svg+xml" }, body: "${btoa('<svg/>')}" }`,
    status: 200,
    type: 'image/svg+xml',
    body: '<svg/>',
  },
  {
    returns: 'a status and a body',
    code: '{ statusCode: 404, body: "gone" }',
    status: 404,
    type: 'text/html; charset=UTF-8',
    body: 'gone',
  },
  { returns: 'a status as text', code: '{ statusCode: "201", body: {} }', status: 201, type: 'application/json', body: '{}' },
  { returns: 'the highest status', code: '{ statusCode: 599, body: {} }', status: 599, type: 'application/json', body: '{}' },
  { returns: 'null for headers', code: '{ headers: null, body: {} }', status: 200, type: 'application/json', body: '{}' },
  { returns: 'a status alone', code: '{ statusCode: 500 }', status: 500, type: null, body: '' },
  {
    returns: 'status 200 without a body',
    code: '{ statusCode: 200, headers: { "content-type": "text/plain" } }',
    status: 200,
    type: null,
    body: '',
  },
  { returns: 'an empty body', code: '{ body: "", headers: { "content-type": "text/plain" } }', status: 204, type: null, body: '' },
  { returns: 'a body of null', code: '{ body: null }', status: 204, type: null, body: '' },
  { returns: 'an empty object', code: '{}', status: 204, type: null, body: '' },
  { returns: 'nothing', code: 'undefined', status: 204, type: null, body: '' },
  { returns: 'null', code: 'null', status: 204, type: null, body: '' },
  { returns: 'other keys only', code: '{ greeting: "x" }', status: 204, type: null, body: '' },
  {
    returns: 'an error that is a response',
    code: '{ error: { statusCode: 404, body: "no" } }',
    status: 404,
    type: 'text/html; charset=UTF-8',
    body: 'no',
  },
];

const refused: readonly (readonly [string, string, string])[] = [
  ['a status that is no number', '{ statusCode: "abc", body: 1 }', notHttp],
  ['a fraction for a status', '{ statusCode: 200.5, body: 1 }', notHttp],
  ['a status out of range', '{ statusCode: 1000, body: 1 }', notHttp],
  ['a status above all', '{ statusCode: 600, body: 1 }', notHttp],
  ['a status in words of four digits', '{ statusCode: "0201", body: 1 }', notHttp],
  ['a status with a space behind it', '{ statusCode: "201 ", body: 1 }', notHttp],
  ['an informational status', '{ statusCode: 101, body: 1 }', notHttp],
  ['headers that are a list', '{ headers: ["a"], body: 1 }', notHttp],
  ['a header that is an object', '{ headers: { a: {} }, body: 1 }', notHttp],
  ['a header of null', '{ headers: { a: null }, body: 1 }', notHttp],
  ['a list of headers with an object in it', '{ headers: { a: ["b", {}] }, body: 1 }', notHttp],
  ['a header that would split the response', '{ headers: { a: "x\\r\\nset-cookie: y" }, body: 1 }', notHttp],
  ['a header name with a space', '{ headers: { "a b": "x" }, body: 1 }', notHttp],
  ['an object under a type that is not JSON', '{ headers: { "content-type": "text/plain" }, body: {} }', mismatch],
  ['media that is not base64', '{ headers: { "content-type": "image/png" }, body: "not base64!" }', notHttp],
  ['media that is cut short', '{ headers: { "content-type": "image/png" }, body: "iVBOR" }', notHttp],
  ['media that ends in the middle', '{ headers: { "content-type": "image/png" }, body: "iV==BORw" }', notHttp],
  ['text under an unknown JSON type', '{ headers: { "content-type": "application/x+json" }, body: "{\\"a\\":1}" }', notHttp],
  ['an error in a string', '{ error: "x" }', notHttp],
];

describe('a web function that returns', () => {
  test.each(answered)('$returns', async ({ code, status, type, body }) => {
    const host = await testHost();
    await host.deploy('p/f', `exports.main = () => (${code})`);
    const response = await host.web('p/f');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({ status, type });
    expect([bytes.toString('utf8'), bytes.toString('latin1')]).toContain(body);
    expect(response.headers.get('x-openwhisk-activation-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each(refused)('%s is a bad response', async (_name, code, error) => {
    const host = await testHost();
    await host.deploy('p/f', `exports.main = () => (${code})`);
    const response = await host.web('p/f');
    expect([response.status, await response.json()]).toEqual([400, { error, code: expect.any(String) }]);
  });

  test('headers of several kinds, cookies as a list, has them sent as they are', async () => {
    const host = await testHost();
    const headers =
      '{ "Set-Cookie": ["a=1; Path=/", "b=2"], "X-Number": 7, "X-Flag": true, "Content-Length": 1000, "Transfer-Encoding": "chunked" }';
    await host.deploy('p/f', `exports.main = () => ({ headers: ${headers}, body: "ok" })`);
    const response = await host.web('p/f');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect([response.headers.get('x-number'), response.headers.get('x-flag')]).toEqual(['7', 'true']);
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['2', 'ok']);
  });

  test('headers of the connection has them left out: they are for the host to say', async () => {
    const host = await testHost();
    const headers = '{ connection: "close", "Keep-Alive": "timeout=1", upgrade: "h2c", Trailer: "x-later", "x-own": "1" }';
    await host.deploy('p/f', `exports.main = () => ({ headers: ${headers}, body: "ok" })`);
    const response = await host.web('p/f');
    expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([200, '1', 'ok']);
    expect(['upgrade', 'trailer'].filter((name) => response.headers.has(name))).toEqual([]);
    expect([response.headers.get('connection'), response.headers.get('keep-alive')]).not.toContain('close');
    expect(response.headers.get('keep-alive')).not.toBe('timeout=1');
  });

  test('a redirect sends the client on', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => ({ statusCode: 302, headers: { location: "https://example.com/" } })');
    const response = await host.web('p/f');
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://example.com/']);
  });

  test('a rejection is no content at its own address, as on the platform, with a warning', async () => {
    const warnings: string[] = [];
    const host = await testHost({ onActivation: (activation) => warnings.push(...activation.warnings) });
    await host.deploy('p/f', 'exports.main = async () => { throw new Error("boom"); }');
    expect((await host.web('p/f')).status).toBe(204);
    await expect.poll(() => warnings).toEqual(['the handler failed, and the answer is empty for it']);
  });

  test.each([
    ['keys that are not sent', '{ greeting: "x", name: "y" }', 'the result has no body, so that greeting, name was not sent'],
    [
      'JSON that is taken for base64',
      '{ headers: { "content-type": "application/json" }, body: "bnVsbA==" }',
      expect.stringContaining('was taken for base64'),
    ],
  ])('%s is warned about', async (_what, code, warning) => {
    expect(await warningsOf(code)).toEqual([warning]);
  });

  test.each([
    ['a status of its own beside other keys', '{ statusCode: 204, greeting: "x" }'],
    ['headers alone', '{ headers: { a: "b" }, body: null }'],
    ['an error with a status alone', '{ error: { statusCode: 500 } }'],
    ['an error with a body alone', '{ error: { body: "" } }'],
  ])('%s is warned about in nothing', async (_what, code) => {
    expect(await warningsOf(code)).toEqual([]);
  });

  test.each([
    ['f.http', 200, 'text/html; charset=UTF-8', 'b'],
    ['f.json', 200, 'application/json', '{"statusCode":200,"body":"b","html":"<h>","svg":"<svg/>","text":{"a":1}}'],
    ['f.html', 200, 'text/html; charset=UTF-8', '<h>'],
    ['f.svg', 200, 'image/svg+xml', '<svg/>'],
    ['f.text', 200, 'text/plain; charset=UTF-8', '{\n  "a": 1\n}'],
  ])('several forms gives the one the address %s asks for', async (name, status, type, body) => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => ({ statusCode: 200, body: "b", html: "<h>", svg: "<svg/>", text: { a: 1 } })');
    const response = await host.web(`p/${name}`);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([status, type, body]);
  });

  test('nothing of the form that is asked for is not found', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => ({ other: 1 })');
    expect((await host.web('p/f.html')).status).toBe(404);
    expect((await host.web('p/f.other')).status).toBe(404);
    await host.deploy('p/f', 'exports.main = () => ({ html: null, body: null })');
    expect((await host.web('p/f.html')).status).toBe(404);
  });

  test('no form but a body gives the body under the type that the address asks for', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => ({ body: "<p>" })');
    const response = await host.web('p/f.svg');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, 'image/svg+xml', '<p>']);
  });

  test.each(['html', 'svg'])('an object for %s is a bad response', async (form) => {
    const host = await testHost();
    await host.deploy('p/f', `exports.main = () => ({ ${form}: { a: 1 } })`);
    const response = await host.web(`p/f.${form}`);
    expect([response.status, await response.json()]).toEqual([400, { error: mismatch, code: expect.any(String) }]);
  });
});

/** What is told of a request to a function that returns this. */
async function warningsOf(code: string): Promise<readonly string[]> {
  const told: ActivationEvent[] = [];
  const host = await testHost({ onActivation: (activation) => told.push(activation) });
  await host.deploy('p/f', `exports.main = () => (${code})`);
  await host.web('p/f');
  await expect.poll(() => told).toHaveLength(1);
  return told[0]?.warnings ?? [];
}

test('a web function that returns more than 1 MB is a bad response', async () => {
  const warnings: string[] = [];
  const host = await testHost({ onActivation: (activation) => warnings.push(...activation.warnings) });
  await host.deploy('p/f', 'exports.main = () => ({ body: "x".repeat(2 ** 20) })');
  const response = await host.web('p/f');
  expect([response.status, await response.json()]).toEqual([400, { error: notHttp, code: expect.any(String) }]);
  const record = await host.activation(response.headers.get('x-openwhisk-activation-id'));
  expect(record.response).toMatchObject({
    status: 'application_error',
    result: { error: 'The action produced a response that exceeded the allowed length: 1048587 > 1048576 bytes.' },
  });
  await expect.poll(() => warnings).toEqual([expect.stringContaining('exceeded the allowed length')]);
});

test('every request is told when its log is complete', async () => {
  const told: ActivationEvent[] = [];
  const host = await testHost({ onActivation: (activation) => told.push(activation), mounts: { '/m': 'p/f' } });
  const result = '{ statusCode: 201, headers: { "set-cookie": "secret", "x-tool": "t" } }';
  await host.deploy('p/f', `exports.main = () => { console.log("hello"); return ${result}; }`);
  await host.web('p/f/a?secret=1', { headers: { 'user-agent': 'tester' } });
  await expect.poll(() => told.length).toBe(1);
  await fetch(`${host.url}/m`, { method: 'POST' });
  await expect.poll(() => told.length).toBe(2);
  await host.api('POST', 'actions/p/f?blocking=true', {});
  await expect.poll(() => told.length).toBe(3);
  const common = { function: 'p/f', version: '0.0.1', outcome: 'success', ms: expect.any(Number), waitMs: expect.any(Number) };
  const path = `/api/v1/web/${host.namespace}/p/f/a`;
  expect(told[0]).toMatchObject({
    ...common,
    status: 201,
    cold: true,
    initMs: expect.any(Number),
    method: 'GET',
    path,
    userAgent: 'tester',
  });
  expect(told[0]?.responseHeaders).toEqual({ 'x-tool': 't' });
  expect(told[0]?.logs).toEqual([expect.stringMatching(/Z stdout: hello$/)]);
  expect(told[1]).toMatchObject({ ...common, status: 201, cold: false, method: 'POST', path: '/m' });
  expect(told[2]).toMatchObject({ ...common, status: 200, cold: false, method: 'POST', path: '/api/v1/namespaces/_/actions/p/f' });
});

test('a listener that throws costs nobody an answer', async () => {
  const said: string[] = [];
  const onActivation = (): void => {
    throw new Error('listener broke');
  };
  const host = await testHost({ onActivation, onProgress: (line) => said.push(line) });
  await host.deploy('p/f', 'exports.main = () => ({ body: "ok" })');
  for (let call = 0; call < 2; call += 1) expect((await host.web('p/f')).status).toBe(200);
  await expect.poll(() => said.length).toBe(2);
  expect(said[0]).toMatch(/^internal error: Error: listener broke/);
});
