import { readFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildFunction } from '../../build/bundle.ts';
import { type Project, project } from './project.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/certificates/${name}`, import.meta.url));
/** Its certificate is of localhost and 127.0.0.1, and its own authority. */
const trusting = { NODE_EXTRA_CA_CERTS: fixture('loopback.pem') };

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

/** What has arrived, each with the head as it was written. */
const arrived: { readonly line: string; readonly head: readonly string[]; readonly body: string }[] = [];

const platform: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    arrived.push({ line: `${request.method} ${request.url}`, head: request.rawHeaders, body });
    const answer = answers[request.url ?? ''];
    if (answer) return answer(response);
    response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify({ ok: request.url }));
  });
};

const answers: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
  '/zipped': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"zipped":true}')),
  '/zipped-in-capitals': (response) => response.writeHead(200, { 'CONTENT-ENCODING': 'gzip' }).end(gzipSync('{"zipped":true}')),
  '/busy': (response) => response.writeHead(429, { 'Retry-After': '60', 'X-Request-Id': 'r-1' }).end('{"message":"slow down"}'),
  '/moved': (response) => response.writeHead(302, { location: '/elsewhere' }).end('{"message":"moved"}'),
  '/broken': (response) => {
    response.writeHead(201).write('{"thing":');
    setImmediate(() => response.socket?.end());
  },
};

/** Has a server listen until the test is over. */
async function listening(server: http.Server | https.Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Safe: a listening TCP server has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

const plain = async (host?: string) =>
  `http://${host?.includes(':') ? `[${host}]` : '127.0.0.1'}:${await listening(http.createServer(platform), host)}`;
const secured = (name = 'loopback') => {
  const credentials = { cert: readFileSync(fixture(`${name}.pem`)), key: readFileSync(fixture(`${name}-key.pem`)) };
  return listening(https.createServer(credentials, platform));
};

let router: Project;

beforeAll(async () => {
  router = project();
  const module = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
  router.write(
    'index.ts',
    `const handler = async (url: string, request: object): Promise<unknown> => {
       const { send } = await import(${module('lib/client/send.ts')});
       const platform = { url, token: 'secret', signal: new AbortController().signal, remainingMs: () => 5000 };
       return send('a tool', request, platform).catch((failure) => failure.toRecord());
     };
     const connect = async (options: object): Promise<unknown> => {
       const { default: buildConnector } = await import(${module('node_modules/undici/lib/core/connect.js')});
       return buildConnector({})(options, () => {});
     };
     export const main = Object.assign(handler, { connect });`,
  );
  await buildFunction(router.folder);
});

afterAll(() => router.remove());

beforeEach(() => {
  arrived.length = 0;
});

/** What calls come to, all at once, in one process that has the bundle. */
function calling(url: string, requests: readonly object[], environment?: Readonly<Record<string, string>>): Promise<unknown> {
  const calls = JSON.stringify(requests.map((request) => [url, request]));
  return router.run(`Promise.all(${calls}.map((call) => main(...call)))`, environment);
}

const get = (path: string) => ({ method: 'GET', path });
const post = (path: string) => ({ method: 'POST', path, body: { a: 'ü' } });

describe('undici in a bundle', () => {
  it('sends and receives as ever', async () => {
    expect(await calling(await plain(), [get('/?page=2'), post('/'), get('/zipped')])).toEqual([
      { ok: '/?page=2' },
      { ok: '/' },
      { zipped: true },
    ]);
    expect(arrived.map(({ line, body }) => `${line} ${body}`)).toContain('POST / {"a":"ü"}');
  });

  it('writes a head of what a request needs, once each', async () => {
    const url = await plain();
    await calling(url, [post('/')]);
    const { head = [] } = arrived[0] ?? {};
    const names = head.filter((_, at) => at % 2 === 0);
    expect(names.sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ]);
    expect(head).toEqual(expect.arrayContaining([new URL(url).host, 'Bearer secret', 'application/json', 'gzip', '10']));
  });

  it('knows the headers of an answer however their names are written', async () => {
    expect(await calling(await plain(), [get('/zipped-in-capitals'), post('/busy')])).toMatchObject([
      { zipped: true },
      { code: 'rate_limited', retryAfterMs: 60_000, platform: { requestId: 'r-1' } },
    ]);
  });

  it.runIf(hasIPv6)('reaches an address of IPv6', async () => {
    expect(await calling(await plain('::1'), [get('/'), post('/')])).toEqual([{ ok: '/' }, { ok: '/' }]);
  });

  it.each(['127.0.0.1', 'localhost'])('reaches %s over TLS where its certificate is trusted', async (host) => {
    const url = `https://${host}:${await secured()}`;
    expect(await calling(url, [get('/'), post('/'), get('/zipped')], trusting)).toEqual([{ ok: '/' }, { ok: '/' }, { zipped: true }]);
  });

  it.each([
    ['is not trusted', 'loopback', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['is of another', 'leaf', { NODE_EXTRA_CA_CERTS: fixture('ca.pem') }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('sends nothing to a server whose certificate %s', async (_, name, environment, reason) => {
    const url = `https://127.0.0.1:${await secured(name)}`;
    const refused = {
      code: 'platform_unavailable',
      message: expect.stringContaining(`${new URL(url).host} (${reason}); nothing was changed`),
    };
    expect(await calling(url, [get('/'), post('/')], environment)).toMatchObject([refused, refused]);
    expect(arrived).toEqual([]);
  });

  it('tells an answer that broke off in the middle of its chunks', async () => {
    expect(await calling(await plain(), [post('/broken')])).toMatchObject([
      { code: 'outcome_unknown', message: expect.stringContaining('(the connection was closed from the other side)') },
    ]);
    expect(arrived.map(({ line }) => line)).toEqual(['POST /broken']);
  });

  it('follows no redirect', async () => {
    expect(await calling(await plain(), [get('/moved')])).toMatchObject([{ code: 'platform_error', platform: { status: 302 } }]);
    expect(arrived.map(({ line }) => line)).toEqual(['GET /moved']);
  });

  it('still looks whether it is in a state that cannot be', async () => {
    const told = (options: object) =>
      router.run(`main.connect(${JSON.stringify(options)}).then(() => 'nothing', ({ message }) => message)`);
    expect(await told({ protocol: 'http:', httpSocket: {} })).toBe('httpSocket can only be sent on TLS update');
    expect(await told({ protocol: 'https:', hostname: '' })).toBe('undici is in a state that cannot be');
  });

  it('loads nothing until the first call, and then neither fetch nor TLS nor HTTP/2 nor zlib', async () => {
    const parts = "['internal/deps/undici/undici', 'tls', 'http2', 'zlib'].map(loaded)";
    const call = `main(${JSON.stringify(await plain())}, ${JSON.stringify(get('/'))})`;
    expect(await router.run(`(async () => [${parts}, await ${call}, ${parts}])()`)).toEqual([
      [false, false, false, false],
      { ok: '/' },
      [false, false, false, false],
    ]);
  });
});
