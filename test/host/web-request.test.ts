import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { testHost } from './support/test-host.ts';

const echo = 'exports.main = (event) => ({ body: event })';

describe('the event of a parsed web function', () => {
  test('holds method, path and headers under http, and nothing of the older names', async () => {
    const host = await testHost();
    await host.deploy('p/f', echo);
    const response = await host.web('p/f/a/b%20c?', { method: 'PUT', headers: { 'X-Own': 'Value', 'x-forwarded-for': '10.0.0.1' } });
    const event = await json(response);
    expect(Object.keys(event)).toEqual(['http']);
    expect(Object.keys(event.http).sort()).toEqual(['headers', 'method', 'path']);
    expect(event.http).toMatchObject({ method: 'PUT', path: '/a/b%20c' });
    expect(event.http.headers).toMatchObject({
      'x-own': 'Value',
      'x-forwarded-for': '10.0.0.1, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-request-id': response.headers.get('x-request-id'),
    });
  });

  test('has the values of a header that comes more than once joined by commas', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = ({ http }) => ({ body: [http.headers["x-own"], http.headers["x-forwarded-for"]] })');
    const request = httpRequest(`${host.url}/api/v1/web/${host.namespace}/p/f`, {
      headers: { 'X-Own': ['a', 'b'], 'X-Forwarded-For': ['10.0.0.1', '10.0.0.2'] },
    });
    const [response] = await once(request.end(), 'response');
    expect(JSON.parse(await text(response))).toEqual(['a, b', '10.0.0.1, 10.0.0.2, 127.0.0.1']);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('comes with %s', async (method) => {
    const host = await testHost();
    await host.deploy('p/f', echo);
    expect((await json(await host.web('p/f', { method }))).http).toMatchObject({ method, path: '' });
  });

  test('comes with HEAD, which is answered without a body', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = ({ http }) => ({ headers: { "x-method": http.method }, body: "text" })');
    const response = await host.web('p/f', { method: 'HEAD' });
    expect([response.status, response.headers.get('x-method'), await response.text()]).toEqual([200, 'HEAD', '']);
  });

  test('has the fields of query and body as keys, the last of a name winning and the body over the query', async () => {
    const host = await testHost();
    await host.deploy('p/f', {
      code: echo,
      parameters: [
        { key: 'bound', value: 1 },
        { key: 'a', value: 'bound' },
      ],
    });
    const inputs = async (path: string, init?: RequestInit) => {
      const { http: _http, ...rest } = await json(await host.web(path, init));
      return rest;
    };
    expect(await inputs('p/f?a=1&a=2&e=%C3%A9+b&none')).toEqual({ bound: 1, a: '2', e: 'é b', none: '' });
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=form&x=1+2' };
    expect(await inputs('p/f?a=query&q=1', form)).toEqual({ bound: 1, a: 'form', x: '1 2', q: '1' });
    const jsonBody = {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":{"b":[1]},"__proto__":{"x":1}}',
    };
    expect(JSON.stringify(await inputs('p/f?q=1', jsonBody))).toBe('{"bound":1,"a":{"b":[1]},"q":"1","__proto__":{"x":1}}');
    const vendor = { method: 'POST', headers: { 'content-type': 'application/vnd.x+json' }, body: '{"a":1}' };
    expect(await inputs('p/f', vendor)).toEqual({ bound: 1, a: 1 });
  });

  test.each([
    ['text', 'text/plain', 'hello', { body: 'hello', isBase64Encoded: false }],
    ['a JSON list', 'application/json', '[1,2]', { body: '[1,2]', isBase64Encoded: false }],
    ['bytes', 'application/octet-stream', 'hello', { body: btoa('hello'), isBase64Encoded: true }],
  ])('keeps a body that has no fields as one value: %s', async (_name, type, body, expected) => {
    const host = await testHost();
    await host.deploy('p/f', echo);
    const event = await json(await host.web('p/f?q=1', { method: 'POST', headers: { 'content-type': type }, body }));
    expect(event).toMatchObject({ q: '1', http: expected });
  });

  test.each([
    ['http', 'http=1'],
    ['a name beginning with __ow_', '__ow_method=get'],
    ['a final parameter', 'bound=2'],
  ])('cannot be given %s by the request', async (_name, query) => {
    const host = await testHost();
    await host.deploy('p/f', { code: echo, annotations: { final: true }, parameters: [{ key: 'bound', value: 1 }] });
    const response = await host.web(`p/f?${query}`);
    expect(response.status).toBe(400);
    expect((await json(response)).error).toMatch(/^Request defines parameters that are not allowed \(e\.g\., reserved properties\)/);
  });

  test('is not made of malformed JSON', async () => {
    const host = await testHost();
    await host.deploy('p/f', echo);
    const response = await host.web('p/f', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' });
    expect(response.status).toBe(400);
    expect((await json(response)).error).toMatch(/^The request content was malformed: /);
  });

  test('is not made of JSON that is nested deeper than 1000 levels, and the next request is answered', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = ({ http, ...fields }) => ({ body: fields })');
    const send = (levels: number) => {
      const body = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
      return host.web('p/f', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    };
    const refused = await send(10_000);
    expect(refused.status).toBe(400);
    expect((await json(refused)).error).toBe('The request content was malformed: it is nested deeper than 1000 levels');
    expect((await send(900)).status).toBe(200);
  });
});

describe('the event of a raw web function', () => {
  test('holds body and query as they came, and bound parameters beside', async () => {
    const host = await testHost();
    await host.deploy('p/f', { code: echo, web: 'raw', annotations: { final: true }, parameters: [{ key: 'bound', value: 1 }] });
    const body = '{"bound": 2, "http":1 ';
    const event = await json(
      await host.web('p/f/x?a=1&a=%32&bound=3', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    );
    expect(Object.keys(event).sort()).toEqual(['bound', 'http']);
    expect(event.bound).toBe(1);
    expect(event.http).toMatchObject({ body, isBase64Encoded: false, queryString: 'a=1&a=%32&bound=3', method: 'POST', path: '/x' });
  });

  test.each([
    ['text with every character', 'text/plain', Buffer.from('é\u0000\r\n😀\uFEFF')],
    ['bytes of a binary type', 'image/png', Buffer.from([0, 255, 137, 80])],
    ['text that is not UTF-8', 'text/plain', Buffer.from([104, 233, 255])],
    ['a body without a type', '', Buffer.from('plain')],
    ['a form', 'application/x-www-form-urlencoded', Buffer.from('a=1&b=%20')],
    ['nothing', 'application/json', Buffer.alloc(0)],
  ])('gives the bytes of the body back exactly: %s', async (_name, type, bytes) => {
    const host = await testHost();
    await host.deploy('p/f', { code: echo, web: 'raw' });
    const headers = { 'content-type': type };
    const { http } = await json(await host.web('p/f', { method: 'POST', headers, body: new Uint8Array(bytes) }));
    expect(Buffer.from(http.body, http.isBase64Encoded ? 'base64' : 'utf8')).toEqual(bytes);
  });
});

describe('a web address', () => {
  test('needs namespace, package and function', async () => {
    const host = await testHost();
    for (const path of ['', '/', `/${host.namespace}`, `/${host.namespace}/p`, `/${host.namespace}/p/`]) {
      const response = await fetch(`${host.url}/api/v1/web${path}`);
      expect(response.status).toBe(400);
      expect((await json(response)).error).toBe(
        "Incomplete web function path. The path must contain /$namespace/$package/$function, $package can be 'default'.",
      );
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('of a function that is not there, not for the web, or in another namespace is not found', async () => {
    const host = await testHost();
    await host.deploy('p/f', { code: echo, web: false });
    for (const path of [`${host.namespace}/p/none`, `${host.namespace}/p/f`, 'other/p/f', `${host.namespace}/p/%zz`]) {
      const response = await fetch(`${host.url}/api/v1/web/${path}`);
      expect([response.status, (await json(response)).error]).toEqual([404, 'The requested resource does not exist.']);
    }
  });

  test('goes to the function mounted at the longest matching path', async () => {
    const host = await testHost({ mounts: { '/': 'p/root', '/hooks': 'p/hooks' } });
    await host.deploy('p/root', 'exports.main = ({ http }) => ({ body: ["root", http.path] })');
    await host.deploy('p/hooks', 'exports.main = ({ http }) => ({ body: ["hooks", http.path] })');
    const at = async (path: string) => (await fetch(host.url + path)).json();
    expect(await at('/')).toEqual(['root', '']);
    expect(await at('/mcp/a')).toEqual(['root', '/mcp/a']);
    expect(await at('/hooks')).toEqual(['hooks', '']);
    expect(await at('/hooks/a')).toEqual(['hooks', '/a']);
    expect(await at('/hooksmith')).toEqual(['root', '/hooksmith']);
  });

  test('says what is missing where a mounted function is not deployed, and is not found where nothing is mounted', async () => {
    const host = await testHost({ mounts: { '/hooks': 'p/hooks' } });
    const missing = await fetch(`${host.url}/hooks`);
    expect([missing.status, (await json(missing)).error]).toEqual([
      404,
      'p/hooks is served at this address and is not deployed as a web function.',
    ]);
    expect((await fetch(`${host.url}/`)).status).toBe(404);
  });
});

describe('a web request', () => {
  test.each([
    ['true', true, (auth: string) => ({ authorization: `Basic ${btoa(auth)}` })],
    ['a secret', 's3cret', () => ({ 'x-require-whisk-auth': 's3cret' })],
    ['a number', 7, () => ({ 'x-require-whisk-auth': '7' })],
  ])('needs what the function requires: %s', async (_name, required, right) => {
    const host = await testHost();
    await host.deploy('p/f', { code: echo, annotations: { 'require-whisk-auth': required } });
    expect((await host.web('p/f')).status).toBe(401);
    expect((await host.web('p/f', { headers: { 'x-require-whisk-auth': 'wrong' } })).status).toBe(401);
    expect((await host.web('p/f', { headers: right(host.auth) })).status).toBe(200);
  });

  test('above 1 MB is refused, announced or not, and the connection serves on', async () => {
    const host = await testHost();
    await host.deploy('p/f', echo);
    const announced = await host.web('p/f', { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) });
    expect([announced.status, (await json(announced)).error]).toEqual([413, 'Request larger than allowed: 1048577 > 1048576 bytes.']);
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536));
        pulled += 1;
        if (pulled === 32) controller.close();
      },
    });
    let pulled = 0;
    const chunked = await host.web('p/f', { method: 'POST', body: stream, duplex: 'half' } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await host.web('p/f')).status).toBe(200);
  });

  test('keeps its own id, and gets one where it has none', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = (_, { requestId }) => ({ body: { requestId } })');
    const own = await host.web('p/f', { headers: { 'x-request-id': 'my-id.1' } });
    expect([own.headers.get('x-request-id'), await own.json()]).toEqual(['my-id.1', { requestId: 'my-id.1' }]);
    const hostile = await host.web('p/f', { headers: { 'x-request-id': 'a b' } });
    expect(hostile.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test.runIf(process.platform === 'linux')('reaches the host on 127.0.0.1 alone, not on another address of this machine', async () => {
    const { port } = await testHost();
    const [status, failed] = await Promise.all([
      fetch(`http://127.0.0.1:${port}/api/v1`).then((response) => response.status),
      fetch(`http://127.0.0.2:${port}/api/v1`).catch((error: Error) => error.cause),
    ]);
    expect([status, failed]).toEqual([200, expect.objectContaining({ code: 'ECONNREFUSED' })]);
  });

  test('under a name the host does not serve is refused', async () => {
    const host = await testHost({ allowedHosts: ['tools.example'], publicUrl: 'https://tunnel.example/x' });
    await host.deploy('p/f', echo);
    const path = `/api/v1/web/${host.namespace}/p/f`;
    const port = host.port;
    const status = (name: string) =>
      new Promise((resolve, reject) => {
        httpRequest({ port, path, headers: { host: name } }, ({ statusCode }) => resolve(statusCode))
          .on('error', reject)
          .end();
      });
    expect(await status('rebound.example')).toBe(403);
    expect(await status('127.0.0.1.rebound.example')).toBe(403);
    for (const name of ['127.0.0.1', `localhost:${port}`, `[::1]:${port}`, 'LOCALHOST', 'tools.example', 'tunnel.example'])
      expect(await status(name)).toBe(200);
  });

  test('comes by https where the public address does', async () => {
    const host = await testHost({ publicUrl: 'https://tunnel.example' });
    await host.deploy('p/f', 'exports.main = ({ http }, { apiHost }) => ({ body: [http.headers["x-forwarded-proto"], apiHost] })');
    expect(await (await host.web('p/f')).json()).toEqual(['https', 'https://tunnel.example']);
  });
});

describe('CORS', () => {
  test('is open on every answer, and OPTIONS does not reach the function', async () => {
    const host = await testHost();
    await host.deploy('p/f', 'exports.main = () => process.exit()');
    const options = await host.web('p/f', { method: 'OPTIONS', headers: { 'access-control-request-headers': 'X-Own' } });
    expect([options.status, await options.text()]).toEqual([200, '']);
    expect(options.headers.get('access-control-allow-headers')).toBe('X-Own');
    for (const response of [options, await host.web('p/f'), await host.web('p/none')]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toBe('OPTIONS, GET, DELETE, POST, PUT, HEAD, PATCH');
    }
    expect((await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 1 });
  });

  test('is left to a function with options of its own', async () => {
    const host = await testHost();
    await host.deploy('p/f', { code: 'exports.main = ({ http }) => ({ body: http.method })', annotations: { 'web-custom-options': true } });
    const response = await host.web('p/f', { method: 'OPTIONS' });
    expect([response.status, await response.text(), response.headers.get('access-control-allow-origin')]).toEqual([200, 'OPTIONS', null]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
async function json(response: Response): Promise<any> {
  return response.json();
}
