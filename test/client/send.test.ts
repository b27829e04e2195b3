import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlatformRequest } from '../../lib/client/request.ts';
import { send } from '../../lib/client/send.ts';
import { ToolError } from '../../lib/errors.ts';
import { budget } from '../../lib/functions/budget.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

const read: PlatformRequest = { method: 'GET', path: '/v2/things/1' };
const write: PlatformRequest = { method: 'POST', path: '/v2/things', body: { name: 'x' } };

function platformAt(url: string, leftMs = 5000) {
  const time = budget({ getRemainingTimeInMillis: () => leftMs + 300 });
  return { url, token: 'secret', signal: time.signal, remainingMs: time.remainingMs, readOnly: false };
}

async function failureOf(sending: Promise<unknown>) {
  const failure = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (failure instanceof ToolError) return failure.toRecord();
  throw new Error(`no ToolError but ${String(failure)}`);
}

/** An https server that takes connections and never says a word: none of them ever stands. */
async function silentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
  const hungUp = new Promise<void>((resolve) => server.once('connection', (socket: Socket) => socket.once('close', () => resolve())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // Safe: the server listens on a TCP port.
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, hungUp };
}

describe('sending where only reading is allowed', () => {
  it('lets reads leave and no change, which is a bug wherever it comes this far', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, { thing: {} }));
    const readOnly = { ...platformAt(platform.url), readOnly: true };
    expect(await send('thing-get', read, readOnly)).toEqual({ thing: {} });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      await expect(send('thing-change', { ...write, method }, readOnly)).rejects.toThrow(`a ${method} was about to leave`);
    }
    expect(platform.arrived.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('sending a request', () => {
  it('carries the token, the method, the path and the body, and returns what came', async () => {
    const platform = await scriptedPlatform((response) => json(response, 202, { thing: { id: 1 } }));
    expect(await send('t', write, platformAt(platform.url))).toEqual({ thing: { id: 1 } });
    expect(platform.arrived).toMatchObject([
      {
        method: 'POST',
        url: '/v2/things',
        body: '{"name":"x"}',
        headers: {
          authorization: 'Bearer secret',
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': expect.stringMatching(/^deckhand\/\d/),
        },
      },
    ]);
  });

  it('says of a write without a body that it has none', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, {}));
    await send('t', { method: 'POST', path: '/v2/things/1' }, platformAt(platform.url));
    expect(platform.arrived[0]?.headers).toMatchObject({ 'content-length': '0' });
    expect(platform.arrived[0]?.headers).not.toHaveProperty('content-type');
  });

  it('returns nothing for an answer without a body', async () => {
    const platform = await scriptedPlatform((response) => response.writeHead(204).end());
    expect(await send('t', { method: 'DELETE', path: '/v2/things/1' }, platformAt(platform.url))).toBeUndefined();
  });

  it.each([
    [400, 'rejected'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [412, 'conflict'],
    [422, 'rejected'],
    [500, 'platform_error'],
    [418, 'platform_error'],
    [302, 'platform_error'],
    [300, 'platform_error'],
  ])('tells %i as %s, with what the platform said', async (status, code) => {
    const platform = await scriptedPlatform((response) => json(response, status, { id: 'some_id', message: 'No.', request_id: 'r-1' }));
    expect(await failureOf(send('t', write, platformAt(platform.url)))).toMatchObject({
      code,
      message: `t: the platform answered ${status}: No.`,
      platform: { status, id: 'some_id', message: 'No.', requestId: 'r-1' },
    });
    expect(platform.arrived).toHaveLength(1);
  });

  it.each([
    ['a page', '<html>'],
    ['nothing', ''],
    ['JSON that is no object', '7'],
    ['an error of another shape', '{"id":7,"message":"","request_id":null}'],
  ])('tells a refusal that says %s by its status, with the id in its headers', async (_, text) => {
    const platform = await scriptedPlatform((response) => response.writeHead(422, { 'x-request-id': 'r-2' }).end(text));
    const failure = await failureOf(send('t', write, platformAt(platform.url)));
    expect(failure).toMatchObject({ code: 'rejected', message: 't: the platform answered 422: HTTP 422 without a message' });
    expect(failure.platform).toEqual({ status: 422, requestId: 'r-2' });
  });

  it.each([429, 502, 503, 504])('repeats a read after %i', async (status) => {
    const platform = await scriptedPlatform((response, _, attempt) =>
      attempt < 3 ? json(response, status, { message: 'later' }, { 'retry-after': '0' }) : json(response, 200, { ok: true }),
    );
    expect(await send('t', read, platformAt(platform.url))).toEqual({ ok: true });
    expect(platform.arrived).toHaveLength(3);
  });

  it.each([302, 400, 404, 409, 500])('repeats no read after %i', async (status) => {
    const platform = await scriptedPlatform((response) => json(response, status, { id: 'x', message: 'no' }, { 'retry-after': '0' }));
    await failureOf(send('t', read, platformAt(platform.url, 400)));
    expect(platform.arrived).toHaveLength(1);
  });

  it('repeats a read whose connection broke', async () => {
    const platform = await scriptedPlatform((response, _, attempt) =>
      attempt === 1 ? response.socket?.destroy() : json(response, 200, { ok: true }),
    );
    expect(await send('t', read, platformAt(platform.url))).toEqual({ ok: true });
  });

  it.each([
    ['of a known length', { 'content-length': '100' }],
    ['of a known length, the last of its connection', { 'content-length': '100', connection: 'close' }],
    ['in chunks', {}],
    ['in chunks, the last of its connection', { connection: 'close' }],
  ])('repeats a read whose answer broke off, %s', async (_, headers) => {
    const platform = await scriptedPlatform((response, _, attempt) => {
      if (attempt > 1) return json(response, 200, { ok: true });
      response.writeHead(200, headers).write('{"o');
      setImmediate(() => response.socket?.destroy());
    });
    expect(await send('t', read, platformAt(platform.url))).toEqual({ ok: true });
    expect(platform.arrived).toHaveLength(2);
  });

  it('comes back no sooner than the platform asks', async () => {
    const at: number[] = [];
    const platform = await scriptedPlatform((response, _, attempt) => {
      at.push(performance.now());
      return attempt === 1 ? json(response, 429, { message: 'slow down' }, { 'retry-after': '1' }) : json(response, 200, { ok: true });
    });
    expect(await send('t', read, platformAt(platform.url, 20_000))).toEqual({ ok: true });
    // A timer may be a millisecond early.
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(998);
  });

  it('pauses before it repeats a read whose connection breaks again and again', async () => {
    const platform = await scriptedPlatform((response) => response.socket?.destroy());
    await failureOf(send('t', read, platformAt(platform.url, 400)));
    expect(platform.arrived.length).toBeLessThan(20);
  });

  it('repeats no read of what does not speak HTTP', async () => {
    const platform = await scriptedPlatform((response) => response.socket?.end('220 ready\r\n'));
    expect(await failureOf(send('t', read, platformAt(platform.url)))).toMatchObject({ code: 'platform_unavailable' });
    expect(platform.arrived).toHaveLength(1);
  });

  it('does not wait for a Retry-After that the time does not allow, and says when to come back', async () => {
    const platform = await scriptedPlatform((response) => json(response, 429, { message: 'slow down' }, { 'retry-after': '60' }));
    const failure = await failureOf(send('t', read, platformAt(platform.url)));
    expect(failure).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 60_000 });
    expect(platform.arrived).toHaveLength(1);
  });

  it('comes back at the moment that a Retry-After names, and at once where that is over', async () => {
    const at = (ms: number) => ({ 'retry-after': new Date(Date.now() + ms).toUTCString() });
    const later = await scriptedPlatform((response) => json(response, 503, { id: 'x', message: 'later' }, at(60_000)));
    const { retryAfterMs } = await failureOf(send('t', write, platformAt(later.url)));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    const over = await scriptedPlatform((response) => json(response, 429, { message: 'slow down' }, at(-60_000)));
    expect(await failureOf(send('t', write, platformAt(over.url)))).toMatchObject({ code: 'rate_limited', retryAfterMs: 0 });
  });

  it.each([
    [502, 'platform_error'],
    [503, 'platform_unavailable'],
    [504, 'platform_error'],
  ])('has no unknown outcome of a read, which changes nothing, when a gateway answers %i to the end', async (status, code) => {
    const platform = await scriptedPlatform((response) => response.writeHead(status, { 'retry-after': '60' }).end('<html>'));
    expect(await failureOf(send('t', read, platformAt(platform.url)))).toMatchObject({ code, platform: { status } });
  });

  it.each([429, 502, 503, 504])('never repeats a write, not even after %i', async (status) => {
    const platform = await scriptedPlatform((response) => json(response, status, { message: 'later' }, { 'retry-after': '0' }));
    await failureOf(send('t', write, platformAt(platform.url)));
    expect(platform.arrived).toHaveLength(1);
  });

  it.each([
    ['502', 502, { id: 'bad_gateway', message: 'x' }],
    ['504 of a gateway', 504, '<html>'],
    ['503 of a gateway', 503, '<html>'],
  ])('says that the outcome of a write is unknown after %s', async (_, status, body) => {
    const platform = await scriptedPlatform((response) => json(response, status, body));
    expect(await failureOf(send('t', write, platformAt(platform.url)))).toMatchObject({
      code: 'outcome_unknown',
      retryable: false,
      platform: { status },
    });
  });

  it("takes the platform's own 503 for what it says", async () => {
    const platform = await scriptedPlatform((response) => json(response, 503, { id: 'service_unavailable', message: 'down' }));
    expect(await failureOf(send('t', write, platformAt(platform.url)))).toMatchObject({ code: 'platform_unavailable' });
  });

  it('passes over a Retry-After that is no time', async () => {
    const platform = await scriptedPlatform((response) => json(response, 429, {}, { 'retry-after': '9'.repeat(400) }));
    expect((await failureOf(send('t', write, platformAt(platform.url)))).retryAfterMs).toBeUndefined();
  });

  it('says that the outcome is unknown when a write was sent and the connection broke', async () => {
    const platform = await scriptedPlatform((response) => response.socket?.destroy());
    expect(await failureOf(send('t', write, platformAt(platform.url)))).toMatchObject({ code: 'outcome_unknown', retryable: false });
    expect(platform.arrived).toHaveLength(1);
  });

  it('says that the outcome is unknown when a write was sent and time ran out', async () => {
    const platform = await scriptedPlatform(() => {});
    expect(await failureOf(send('t', write, platformAt(platform.url, 100)))).toMatchObject({ code: 'outcome_unknown' });
    expect(platform.arrived).toHaveLength(1);
  });

  it('says that nothing happened when the time of a read ran out', async () => {
    const platform = await scriptedPlatform(() => {});
    expect(await failureOf(send('t', read, platformAt(platform.url, 100)))).toMatchObject({ code: 'deadline_exceeded', retryable: true });
  });

  it.each([read, write])('says that nothing happened when time ran out before the connection stood ($method)', async (request) => {
    const failure = await failureOf(send('t', request, platformAt((await silentServer()).url, 100)));
    expect(failure).toMatchObject({ code: 'deadline_exceeded', retryable: true });
  });

  // The attempt would end by itself too, but later than this test may take.
  it.each([read, write])(
    'gives up connecting when nobody waits for it any more ($method)',
    async (request) => {
      const { url, hungUp } = await silentServer();
      await failureOf(send('t', request, platformAt(url, 100)));
      await hungUp;
    },
    20_000,
  );

  it('keeps a connection that stood when the call that opened it is over', async () => {
    const ports: (number | undefined)[] = [];
    const platform = await scriptedPlatform((response) => {
      ports.push(response.socket?.remotePort);
      json(response, 200, {});
    });
    const first = new AbortController();
    await send('t', read, { ...platformAt(platform.url), signal: first.signal });
    first.abort();
    await send('t', read, platformAt(platform.url));
    expect(ports[1]).toBe(ports[0]);
  });

  it('sends nothing when no time is left at all', async () => {
    const platform = await scriptedPlatform((response) => json(response, 200, {}));
    expect(await failureOf(send('t', write, { ...platformAt(platform.url), signal: AbortSignal.abort() }))).toMatchObject({
      code: 'deadline_exceeded',
    });
    expect(platform.arrived).toEqual([]);
  });

  it.each([read, write])('says that nothing happened when the platform cannot be reached ($method)', async (request) => {
    const failure = await failureOf(send('t', request, platformAt('http://127.0.0.1:1')));
    expect(failure).toMatchObject({ code: 'platform_unavailable', retryable: true });
    expect(failure.message).toContain('127.0.0.1:1 (ECONNREFUSED)');
  });

  it('says why where none of several addresses can be reached', async () => {
    const { message } = await failureOf(send('t', read, platformAt('http://localhost:1')));
    expect(message).toContain('localhost:1 (ECONNREFUSED)');
  });

  it.each([
    ['was reset', 'ECONNRESET', (socket: Socket | null) => socket?.resetAndDestroy()],
    ['was closed', 'the connection was closed from the other side', (socket: Socket | null) => socket?.end()],
  ])('says of a connection that %s: (%s)', async (_, reason, broken) => {
    const platform = await scriptedPlatform((response) => broken(response.socket));
    expect((await failureOf(send('t', write, platformAt(platform.url)))).message).toContain(`(${reason})`);
  });

  it.each([
    ['of a known length', { 'content-length': '100' }],
    ['in chunks', {}],
  ])('says of an answer that broke off, %s, that the connection was closed', async (_, headers) => {
    const platform = await scriptedPlatform((response) => {
      response.writeHead(200, headers).write('{"o');
      setImmediate(() => response.socket?.end());
    });
    expect((await failureOf(send('t', write, platformAt(platform.url)))).message).toContain(
      '(the connection was closed from the other side)',
    );
  });

  it.each(['two\nlines', 'two words', 'größer', ''])(
    'sends no token that is none, %j, which is a bug wherever it comes this far',
    async (token) => {
      const platform = await scriptedPlatform((response) => json(response, 200, {}));
      await expect(send('t', read, { ...platformAt(platform.url), token })).rejects.toThrow(
        /^t: a token was about to leave that no header can carry$/,
      );
      expect(platform.arrived).toEqual([]);
    },
  );

  it('sends every write over a connection of its own, and reads over one that is kept', async () => {
    const ports: (number | undefined)[] = [];
    const platform = await scriptedPlatform((response) => {
      ports.push(response.socket?.remotePort);
      json(response, 200, {});
    });
    for (const request of [read, read, write, write, read]) await send('t', request, platformAt(platform.url));
    const [first, second, third, fourth, last] = ports;
    expect([second, last]).toEqual([first, first]);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });

  it('leaves nothing behind on a connection that is kept for the next read', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const platform = await scriptedPlatform((response) => json(response, 200, {}));
    for (let count = 0; count < 20; count++) await send('t', read, platformAt(platform.url));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('follows no redirect, which would take the token elsewhere', async () => {
    const elsewhere = await scriptedPlatform((response) => json(response, 200, {}));
    const platform = await scriptedPlatform((response) => response.writeHead(302, { location: elsewhere.url }).end());
    await failureOf(send('t', read, platformAt(platform.url)));
    expect(elsewhere.arrived).toEqual([]);
  });

  it('reads a packed answer', async () => {
    const platform = await scriptedPlatform((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"name":"übermäßig"}')),
    );
    expect(await send('t', read, platformAt(platform.url))).toEqual({ name: 'übermäßig' });
    expect(platform.arrived[0]?.headers['accept-encoding']).toBe('gzip');
  });

  it.each([
    ['as it came', {}, Buffer.alloc(9 * 1024 * 1024, ' ')],
    ['once unpacked', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(9 * 1024 * 1024, ' '))],
  ])('takes no answer that is too large %s', async (_, headers, bytes) => {
    const platform = await scriptedPlatform((response) => response.writeHead(200, headers).end(bytes));
    expect(await failureOf(send('t', read, platformAt(platform.url)))).toMatchObject({
      code: 'platform_error',
      message: "t: the platform's answer is larger than 8388608 bytes",
    });
    expect(platform.arrived).toHaveLength(1);
  });

  it('tells a packed answer that cannot be unpacked as one that broke off, and repeats the read', async () => {
    const platform = await scriptedPlatform((response, _, attempt) =>
      attempt === 1 ? response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"ok":true}') : json(response, 200, { ok: true }),
    );
    expect(await send('t', read, platformAt(platform.url))).toEqual({ ok: true });
  });

  it('keeps every digit of a number that is wider than a number can be', async () => {
    const text =
      '{"config":{"retention_ms":9223372036854775807,"segment_ms":1000,"large":1.5e25,"ratio":0.50000000000000000000},"name":"1234567890123456789"}';
    const platform = await scriptedPlatform((response) => response.writeHead(200).end(text));
    expect(await send('t', read, platformAt(platform.url))).toEqual({
      config: { retention_ms: '9223372036854775807', segment_ms: 1000, large: 1.5e25, ratio: 0.5 },
      name: '1234567890123456789',
    });
  });

  it.each(['9007199254740993', '-9223372036854775808'])('keeps those of %s wherever it stands', async (wide) => {
    const names = Array.from({ length: 34 }, (_, length) => 'x'.repeat(length));
    const text = (name: string) => `{"${name}":${wide}}`;
    const platform = await scriptedPlatform((response, _, attempt) => response.writeHead(200).end(text(names[attempt - 1] ?? '')));
    for (const name of names) expect(await send('t', read, platformAt(platform.url))).toEqual({ [name]: wide });
  });

  it('says of a change whose answer is not JSON that it was accepted all the same, and of a read only what came', async () => {
    const platform = await scriptedPlatform((response) => response.writeHead(201).end('<html>'));
    const messageOf = async (request: PlatformRequest) => (await failureOf(send('t', request, platformAt(platform.url)))).message;
    expect(await messageOf(write)).toMatch(/answered 201 with something that is not JSON: "<html>"; the change was accepted all the same$/);
    expect(await messageOf(read)).toMatch(/not JSON: "<html>"$/);
  });

  it.each([
    ['something that is not JSON', '<html>'],
    ['JSON that breaks off', '{"thing":'],
  ])('tells %s as a failure of the platform', async (_, text) => {
    const platform = await scriptedPlatform((response) => response.writeHead(200).end(text));
    expect(await failureOf(send('t', read, platformAt(platform.url)))).toMatchObject({ code: 'platform_error', platform: { status: 200 } });
  });
});
