import { expect, test } from 'vitest';
import { type TestFunction, type TestHost, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

/** What the specification says of functions, sentence by sentence, each asked over HTTP of a host that serves `p/f`. */
interface Sentence {
  /** Section and number of the sentence in specification 3. */
  readonly at: string;
  readonly says: string;
  readonly f: string | TestFunction | (() => Promise<Buffer>);
  holds(host: TestHost): Promise<void>;
}

const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'color=red&size=2' };
const echo = 'exports.main = (event) => ({ body: event })';

const sentences: readonly Sentence[] = [
  {
    at: 'What the service does 1',
    says: 'the four runtimes are supported',
    f: echo,
    holds: async (host) => {
      const { runtimes } = await json(await fetch(`${host.url}/api/v1`));
      expect(runtimes.nodejs.map(({ kind }: { kind: string }) => kind)).toEqual(['nodejs:14', 'nodejs:18', 'nodejs:22', 'nodejs:24']);
    },
  },
  {
    at: 'What the service does 3',
    says: 'a handler may return nothing',
    f: 'exports.main = () => {}',
    holds: async (host) => expect((await host.web('p/f')).status).toBe(204),
  },
  { at: 'Handler 1', says: 'the entry point is main', f: 'exports.main = () => ({ body: "main" })', holds: answers('main') },
  {
    at: 'Handler 1',
    says: 'or what the project names',
    f: { code: 'exports.other = () => ({ body: "other" })', main: 'other' },
    holds: answers('other'),
  },
  ...['(event, context)', '(event)', '(_, context)', '()'].map(
    (parameters): Sentence => ({
      at: 'Handler 2',
      says: `it may be called with ${parameters}`,
      f: `exports.main = ${parameters} => ({ body: "called" })`,
      holds: answers('called'),
    }),
  ),
  {
    at: 'Handler 3',
    says: 'a promise is waited for before the answer',
    f: 'exports.main = () => new Promise((resolve) => setTimeout(resolve, 20, { body: "later" }))',
    holds: answers('later'),
  },
  {
    at: 'Event',
    says: 'http holds lower-case headers, the method and the path remainder',
    f: echo,
    holds: async (host) => {
      const { http } = await json(await host.web('p/f/a/b', { method: 'PUT', headers: { 'User-Agent': 'tester', Accept: 'text/x' } }));
      expect(http).toMatchObject({ method: 'PUT', path: '/a/b', headers: { 'user-agent': 'tester', accept: 'text/x' } });
      expect(Object.keys(http.headers)).toEqual(
        expect.arrayContaining(['accept-encoding', 'x-forwarded-for', 'x-forwarded-proto', 'x-request-id']),
      );
    },
  },
  {
    at: 'Event',
    says: 'there is no http outside of HTTP',
    f: echo,
    holds: async (host) => expect((await host.invoke('p/f', { n: 1 })).response.result).toEqual({ body: { n: 1 } }),
  },
  {
    at: 'Context',
    says: 'it has its eight fields, and the version is of three numbers',
    f: 'exports.main = (_, context) => ({ body: context })',
    holds: async (host) => {
      const response = await host.web('p/f');
      expect(await json(response)).toEqual({
        activationId: response.headers.get('x-openwhisk-activation-id'),
        apiHost: host.url,
        apiKey: '',
        deadline: expect.any(Number),
        functionName: `/${host.namespace}/p/f`,
        functionVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        namespace: host.namespace,
        requestId: response.headers.get('x-request-id'),
      });
    },
  },
  {
    at: 'Context and Limits',
    says: 'the remaining time begins at 3000 milliseconds by default',
    f: 'exports.main = (_, context) => ({ body: { left: context.getRemainingTimeInMillis() } })',
    holds: async (host) => {
      const { left } = await json(await host.web('p/f'));
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(3000);
      expect((await host.api('GET', 'actions/p/f')).body.limits.timeout).toBe(3000);
    },
  },
  {
    at: 'Limits',
    says: 'a function that was given no timeout is ended after 3000 milliseconds',
    f: 'exports.main = () => new Promise(() => {})',
    holds: async (host) => {
      const { response } = await host.invoke('p/f');
      expect(response.result?.error).toMatch(/^The action exceeded its time limits of 3000 milliseconds/);
    },
  },
  ...['{ a: 1 }', '[1, 2]'].map(
    (body): Sentence => ({
      at: 'Response',
      says: `a body of ${body} is sent as JSON`,
      f: `exports.main = () => ({ body: ${body} })`,
      holds: async (host) => expect((await host.web('p/f')).headers.get('content-type')).toBe('application/json'),
    }),
  ),
  ...['201', '"201"'].map(
    (status): Sentence => ({
      at: 'Response',
      says: `the status may be ${status}`,
      f: `exports.main = () => ({ statusCode: ${status}, body: "made" })`,
      holds: async (host) => expect((await host.web('p/f')).status).toBe(201),
    }),
  ),
  ...['{}', 'undefined'].map(
    (result): Sentence => ({
      at: 'Response 1',
      says: `a function without a response may return ${result}`,
      f: `exports.main = () => (${result})`,
      holds: async (host) => expect((await host.invoke('p/f')).response).toMatchObject({ success: true, result: {} }),
    }),
  ),
  {
    at: 'Response 2',
    says: 'media is a base64 body under its content type',
    f: `exports.main = () => ({ headers: { 'Content-Type': 'image/png' }, body: '${Buffer.from([137, 80, 78, 71]).toString('base64')}' })`,
    holds: async (host) => {
      const response = await host.web('p/f');
      expect(response.headers.get('content-type')).toBe('image/png');
      expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([137, 80, 78, 71]);
    },
  },
  {
    at: 'Response 3',
    says: 'a redirect is 302 with a location',
    f: 'exports.main = () => ({ statusCode: 302, headers: { location: "https://example.com/" } })',
    holds: async (host) => {
      const response = await host.web('p/f');
      expect([response.status, response.headers.get('location')]).toEqual([302, 'https://example.com/']);
    },
  },
  {
    at: 'Response 4',
    says: 'HTML is sent as text/html, and cookies are set',
    f: 'exports.main = () => ({ headers: { "Content-Type": "text/html", "Set-Cookie": "a=1" }, body: "<p>" })',
    holds: async (host) => {
      const { headers } = await host.web('p/f');
      expect([headers.get('content-type'), headers.getSetCookie()]).toEqual(['text/html', ['a=1']]);
    },
  },
  {
    at: 'Invocation over HTTP 2',
    says: 'query-string fields and form data become top-level keys',
    f: echo,
    holds: async (host) => {
      expect(await json(await host.web('p/f?color=blue'))).toMatchObject({ color: 'blue' });
      expect(await json(await host.web('p/f?more=1', form))).toMatchObject({ color: 'red', size: '2', more: '1' });
    },
  },
  {
    at: 'Invocation over HTTP 3',
    says: 'the response body is what is under body',
    f: 'exports.main = () => ({ body: "b" })',
    holds: answers('b'),
  },
  {
    at: 'Command-line operations',
    says: 'what any method of the console writes is logged and reachable',
    f: 'exports.main = () => { console.log("out"); console.error("err"); console.table([1]); return {}; }',
    holds: async (host) => {
      const { activationId } = await host.invoke('p/f');
      const { logs } = (await host.api('GET', `activations/${activationId}/logs`)).body;
      expect(logs).toEqual(expect.arrayContaining([expect.stringMatching(/stdout: out$/), expect.stringMatching(/stderr: err$/)]));
    },
  },
  {
    at: 'Project layout 2',
    says: 'a function reads an included file by a relative path',
    f: () => zip({ 'index.js': `exports.main = () => ({ body: require('fs').readFileSync('a/b.txt', 'utf8') })`, 'a/b.txt': 'included' }),
    holds: answers('included'),
  },
  {
    at: 'package.json',
    says: 'main points to the file of the handler, and type module selects ES modules',
    f: () => zip({ 'package.json': '{"main":"src/f.js","type":"module"}', 'src/f.js': 'export const main = () => ({ body: "esm" })' }),
    holds: answers('esm'),
  },
  {
    at: 'package.json',
    says: 'the extension .mjs does as well',
    f: () => zip({ 'package.json': '{"main":"f.mjs"}', 'f.mjs': 'export const main = () => ({ body: "mjs" })' }),
    holds: answers('mjs'),
  },
  {
    at: 'Bundlers',
    says: 'a bundle may assign the handler to global.main',
    f: 'global.main = () => ({ body: "global" })',
    holds: answers('global'),
  },
  {
    at: 'Versioning 2',
    says: 'every deployment has a version of its own in the context',
    f: 'exports.main = () => ({})',
    holds: async (host) => {
      await host.deploy('p/f', 'exports.main = (_, context) => ({ body: context.functionVersion })');
      expect(await (await host.web('p/f')).text()).toBe('0.0.2');
    },
  },
];

test.each(sentences)('$at: $says', async ({ f, holds }) => {
  const host = await testHost();
  await host.deploy('p/f', typeof f === 'function' ? await f() : f);
  await holds(host);
});

function answers(text: string): (host: TestHost) => Promise<void> {
  return async (host) => expect(await (await host.web('p/f')).text()).toBe(text);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
async function json(response: Response): Promise<any> {
  return response.json();
}
