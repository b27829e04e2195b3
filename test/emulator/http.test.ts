import { expect, test } from 'vitest';
import type { RequestLine } from '../../lib/emulator/start-emulator.ts';
import { rawRequest, startPlatform } from './platform.ts';

test('answers the account of the bearer, with rate and request headers', async () => {
  await using platform = await startPlatform({ limits: {} });
  const { status, headers, body } = await platform.get('/v2/account');
  expect(status).toBe(200);
  expect(body.account).toMatchObject({ droplet_limit: 25, status: 'active', email_verified: true });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('ratelimit-limit')).toBe('5000');
  expect(headers.get('ratelimit-remaining')).toBe('4999');
  expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 + 3500);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ['no token', undefined],
  ['an unknown token', 'Bearer nobody'],
  ['another scheme', 'Basic abc'],
])('answers 401 to %s', async (_what, authorization) => {
  await using platform = await startPlatform();
  const response = await fetch(`${platform.url}/v2/account`, { headers: authorization === undefined ? {} : { authorization } });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ id: 'unauthorized', message: 'Unable to authenticate you.' });
  expect(response.headers.get('ratelimit-limit')).not.toBeNull();
});

test('answers 404 to an unknown path and 405 with Allow to a known path with another method', async () => {
  await using platform = await startPlatform();
  const unknown = await platform.get('/v2/nothing');
  expect([unknown.status, unknown.body.id, unknown.body.message]).toEqual([
    404,
    'not_found',
    'The resource you requested could not be found.',
  ]);
  const wrong = await platform.call('PATCH', '/v2/droplets');
  expect([wrong.status, wrong.body.id, wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, POST']);
});

test.each([
  ['malformed JSON', '{"name":', 'The request body is not valid JSON.'],
  ['a list', '[1]', 'The request body must be a JSON object.'],
  ['a bare text', '"x"', 'The request body must be a JSON object.'],
  ['null', 'null', 'The request body must be a JSON object.'],
])('answers 400 to %s', async (_what, body, message) => {
  await using platform = await startPlatform();
  const answer = await platform.post('/v2/tags', body);
  expect([answer.status, answer.body.id, answer.body.message]).toEqual([400, 'bad_request', message]);
});

test('answers 413 to a body over 1 MiB, announced or streamed, and goes on', async () => {
  await using platform = await startPlatform();
  const large = await platform.post('/v2/tags', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }));
  expect([large.status, large.body.id]).toEqual([413, 'payload_too_large']);
  const chunk = new TextEncoder().encode(' '.repeat(512 * 1024));
  const streamed = await fetch(`${platform.url}/v2/tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.token}` },
    body: new ReadableStream({
      start: (controller) => {
        for (let sent = 0; sent < 3; sent += 1) {
          controller.enqueue(chunk);
        }
        controller.close();
      },
    }),
    duplex: 'half',
  } as RequestInit); // `duplex` is missing from the DOM's type, Node asks for it
  expect(streamed.status).toBe(413);
  expect((await platform.get('/v2/account')).status).toBe(200);
});

test('answers 403 to another host, and serves loopback names and allowed hosts', async () => {
  await using platform = await startPlatform({ allowedHosts: ['emulator.example'] });
  const authorization = `Bearer ${platform.token}`;
  const ask = (host: string) => rawRequest(platform.url, '/v2/account', { host, authorization });
  const refused = await ask('evil.example:80');
  expect(refused.status).toBe(403);
  expect(refused.body).toContain('evil.example:80');
  for (const host of ['127.0.0.1', 'localhost:1', '[::1]:80', 'emulator.example', 'Emulator.Example:8080']) {
    expect((await ask(host)).status, host).toBe(200);
  }
});

test('answers HEAD like GET without a body', async () => {
  await using platform = await startPlatform();
  const get = await rawRequest(platform.url, '/v2/account', { authorization: `Bearer ${platform.token}` });
  const head = await fetch(`${platform.url}/v2/account`, { method: 'HEAD', headers: { authorization: `Bearer ${platform.token}` } });
  expect(head.status).toBe(200);
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.body)));
  expect(await head.text()).toBe('');
});

test.each([
  '/v2/droplets/../account',
  '/v2/droplets/%2e%2e%2faccount',
  '/v2/droplets/1%00',
  '/v2/droplets/%ff',
  '/v2/droplets/100000001.5',
  '/v2/droplets/9007199254740993',
  '/v2/droplets/',
  '//v2/account',
])('takes %s for nothing it knows', async (path) => {
  await using platform = await startPlatform();
  const answer = await rawRequest(platform.url, path, { authorization: `Bearer ${platform.token}` });
  expect([answer.status, JSON.parse(answer.body).id]).toEqual([404, 'not_found']);
});

test.each(['plain', 'größer als ASCII, 大きい'])('answers a long list whole, its length in bytes: %s', async (description) => {
  await using platform = await startPlatform();
  for (let index = 0; index < 40; index += 1) {
    await platform.post('/v2/vpcs', { name: `long-${index}`, region: 'nyc3', description });
  }
  const response = await fetch(`${platform.url}/v2/vpcs?per_page=200`, { headers: { authorization: `Bearer ${platform.token}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBeGreaterThan(8192);
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  const { vpcs }: { vpcs: readonly { name: string; description: string }[] } = JSON.parse(bytes.toString());
  expect(vpcs.filter(({ name }) => name.startsWith('long-')).map((vpc) => vpc.description)).toEqual(Array(40).fill(description));
});

test('reports each request to whoever asked for it', async () => {
  let report: (line: RequestLine) => void = () => {};
  const reported = new Promise<RequestLine>((resolve) => {
    report = resolve;
  });
  await using platform = await startPlatform({ onRequest: (line) => report(line) });
  await platform.get('/v2/droplets?per_page=1');
  expect(await reported).toEqual({ method: 'GET', path: '/v2/droplets', status: 200, ms: expect.any(Number) });
});

test('a locked account may look but change nothing', async () => {
  await using platform = await startPlatform();
  const { body } = await platform.post('/_emulator/accounts', { seed: 'empty', status: 'locked' });
  const locked = platform.as(body.token);
  expect((await locked.get('/v2/account')).body.account.status).toBe('locked');
  const refused = await locked.post('/v2/tags', { name: 'x' });
  expect([refused.status, refused.body.message]).toEqual([403, 'You are not allowed to perform this operation']);
});
