import { once } from 'node:events';
import { connect } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { describe, it } from 'vitest';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { testHost } from '../host/support/test-host.ts';
import { holds } from './holds.ts';

const cases = 400;

/** Lines that programs read in different ways, or not at all. */
const oddLines = [
  'Content-Length: 0',
  'Content-Length: 5, 6',
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding : chunked',
  'Host: evil.example.com',
  'Host:',
  'Expect: 100-continue',
  'Expect: the unexpected',
  'Connection: close',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Content-Encoding: gzip',
  'Content-Type: application/x-www-form-urlencoded',
  ' folded: yes',
  ': nameless',
  'no colon',
  'X: a\0b',
  'X: a\rb',
  'X: \xff\xfe',
  `X: ${'a'.repeat(20_000)}`,
] as const;
/** What a request may ask for in place of a path. */
const oddTargets = [
  '*',
  '//',
  '/..',
  '/../../etc/passwd',
  '/%',
  '/%00',
  '/%zz',
  '?',
  '/?%ff',
  'http://evil.example.com/',
  'evil:443',
  '/\xff',
  '\\',
];
const bodies = ['', '{}', '{"a":', '5\r\n{"a":\r\n0\r\n\r\n', 'z\r\n', 'ffffffffffffffff\r\nx', 'GET / HTTP/1.1\r\n\r\n'] as const;

/** Requests that are nearly right, as bytes: to one of these paths, with these lines among others. */
function requests(paths: readonly string[], lines: readonly string[]): Arbitrary<Buffer> {
  const request = fc
    .record({
      method: fc.oneof(
        { arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'), weight: 8 },
        fc.constantFrom('CONNECT', 'TRACE', 'PRI', 'get', ''),
      ),
      target: fc.oneof({ arbitrary: fc.constantFrom(...paths), weight: 3 }, { arbitrary: fc.constantFrom(...oddTargets), weight: 1 }),
      version: fc.oneof(
        { arbitrary: fc.constant('HTTP/1.1'), weight: 30 },
        fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', ''),
      ),
      more: fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...oddLines), { maxLength: 2 })),
      body: fc.constantFrom(...bodies),
      hasLength: fc.constantFrom(true, true, false),
    })
    .map(({ method, target, version, more, body, hasLength }) => {
      const length = hasLength ? [`Content-Length: ${body.length}`] : [];
      return `${[`${method} ${target} ${version}`, ...lines, ...more, ...length].join('\r\n')}\r\n\r\n${body}`;
    });
  const change = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('put', 'add', 'cut'));
  const changes = fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, fc.array(change, { maxLength: 2 }));
  return fc.tuple(fc.array(request, { minLength: 1, maxLength: 2 }), changes).map(([texts, made]) => {
    const whole = Buffer.from(texts.join(''), 'latin1');
    return made.reduce((bytes, [at, byte, how]) => {
      const place = at % (bytes.length + 1);
      if (how === 'cut') return bytes.subarray(0, place);
      return Buffer.concat([bytes.subarray(0, place), Buffer.of(byte), bytes.subarray(how === 'put' ? place + 1 : place)]);
    }, whole);
  });
}

/** Sends bytes over a connection of their own, and asks for what is proper over another while it stands. */
async function heldBy(port: number, bytes: Buffer, proper: () => Promise<number>): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  await once(socket, 'connect');
  // A server may close a connection whose bytes it has not all read: that is seen as an error, and a close after it.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  const status = await proper();
  if (status !== 200) throw new Error(`a proper request is answered ${status}`);
  socket.end();
  await closed;
  const answer = Buffer.concat(received).toString('latin1');
  if (answer !== '' && !/^HTTP\/1\.1 \d{3} /.test(answer)) throw new Error(`no answer: ${answer.slice(0, 500)}`);
  const failed = /^HTTP\/1\.1 5\d\d .*/m.exec(answer);
  if (failed) throw new Error(`${failed[0]}: ${answer.slice(0, 1000)}`);
}

const statusOf = async (url: string, headers: Readonly<Record<string, string>>): Promise<number> => {
  const answer = await fetch(url, { headers });
  await answer.text();
  return answer.status;
};

describe('a connection, whatever bytes come over it, is answered with what is wrong with them or closed, and holds nobody else up', () => {
  it('of the host', async () => {
    const host = await testHost();
    await host.deploy('p/f', { code: `exports.main = () => ({ body: 'ok' })`, web: 'raw' });
    const web = `/api/v1/web/${host.namespace}/p/f`;
    const paths = [web, `${web}/a/b?c=d`, '/api/v1', '/api/v1/namespaces', '/api/v1/namespaces/_/actions/p/f', '/api/v1/web', '/'];
    const lines = [`Host: 127.0.0.1:${host.port}`, `Authorization: Basic ${btoa(host.auth)}`];
    const property = fc.asyncProperty(requests(paths, lines), (bytes) =>
      heldBy(host.port, bytes, () => statusOf(`${host.url}/api/v1/namespaces/_/actions`, { authorization: `Basic ${btoa(host.auth)}` })),
    );
    await holds('bytes over a connection', cases, property);
  });

  it('of the emulator', async () => {
    const unlimited = Number.MAX_SAFE_INTEGER;
    await using emulator = await startEmulator({ limits: { perMinute: unlimited, perHour: unlimited, keyListsPerMinute: unlimited } });
    const paths = [
      '/v2/account',
      '/v2/droplets?per_page=1',
      '/v2/domains',
      '/v2/tags',
      '/v2/nothing',
      '/_emulator/clock',
      '/_emulator',
      '/',
    ];
    const lines = [`Host: 127.0.0.1:${emulator.port}`, `Authorization: Bearer ${emulator.token}`, 'Content-Type: application/json'];
    const property = fc.asyncProperty(requests(paths, lines), (bytes) =>
      heldBy(emulator.port, bytes, () => statusOf(`${emulator.url}/v2/account`, { authorization: `Bearer ${emulator.token}` })),
    );
    await holds('bytes over a connection', cases, property);
  });
});
