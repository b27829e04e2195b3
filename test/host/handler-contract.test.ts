import { describe, expect, test } from 'vitest';
import { isAvailable, isPresent } from './support/kinds.ts';
import { type TestFunction, testHost } from './support/test-host.ts';
import { zip } from './support/zip.ts';

const answer = '({ body: { got: event.n } })';
const commonJs = `exports.main = (event) => ${answer};`;
const esm = `export const main = (event) => ${answer};`;

/** Artefacts that load, with the call that proves it: specification 3, "Handler", "package.json" and "Bundlers". */
const loads: readonly (readonly [string, () => Promise<Partial<TestFunction>> | Partial<TestFunction>])[] = [
  ['a code string that assigns exports.main', () => ({ code: commonJs })],
  ['a code string that assigns module.exports', () => ({ code: `module.exports = { main: (event) => ${answer} };` })],
  ['a code string that only declares main', () => ({ code: `function main(event) { return ${answer}; }` })],
  ['a code string that assigns global.main', () => ({ code: `global.main = (event) => ${answer};` })],
  ['a code string of an ES module', () => ({ code: esm })],
  ['a code string of an ES module with top-level await', () => ({ code: `const n = await 1; export const main = (event) => ${answer};` })],
  ['a code string that ends in a comment', () => ({ code: `${commonJs}\n// the end` })],
  ['a code string under another name', () => ({ code: `exports.other = (event) => ${answer};`, main: 'other' })],
  ['a zip with index.js', async () => ({ code: await zip({ 'index.js': commonJs }) })],
  ['a zip with index.mjs', async () => ({ code: await zip({ 'index.mjs': esm }) })],
  [
    'a zip whose package.json names the file',
    async () => ({ code: await zip({ 'package.json': '{"main":"lib/a.js"}', 'lib/a.js': commonJs }) }),
  ],
  ['a zip of type module', async () => ({ code: await zip({ 'package.json': '{"type":"module"}', 'index.js': esm }) })],
  [
    'a zip of type module with a .cjs bundle',
    async () => ({ code: await zip({ 'package.json': '{"type":"module","main":"b.cjs"}', 'b.cjs': commonJs }) }),
  ],
  [
    'a zip with file.function as main',
    async () => ({ code: await zip({ 'index.js': '', 'other.js': `exports.run = (event) => ${answer};` }), main: 'other.run' }),
  ],
  [
    'a zip that brings a package of its own',
    async () => ({
      code: await zip({
        'index.js': `const own = require('own'); exports.main = (event) => own(event);`,
        'node_modules/own/index.js': `module.exports = (event) => ${answer};`,
      }),
    }),
  ],
];

/** Artefacts that do not load on the platform either, with a word of the reason. */
const fails: readonly (readonly [string, () => Promise<Partial<TestFunction>> | Partial<TestFunction>, RegExp])[] = [
  ['a code string with a syntax error', () => ({ code: 'exports.main = (' }), /SyntaxError/],
  ['a code string that throws while loading', () => ({ code: 'throw new Error("no luck")' }), /no luck/],
  ['a code string without the function', () => ({ code: 'exports.mian = () => ({})' }), /no function "main"/],
  [
    'a zip of type module with a CommonJS bundle',
    async () => ({ code: await zip({ 'package.json': '{"type":"module","main":"bundle.js"}', 'bundle.js': commonJs }) }),
    /exports is not defined/,
  ],
  [
    'a zip that assigns global.main',
    async () => ({ code: await zip({ 'index.js': 'global.main = () => ({})' }) }),
    /exports no function "main"/,
  ],
  [
    'a zip whose export cannot be seen from outside',
    async () => ({ code: await zip({ 'index.js': 'exports["ma" + "in"] = () => ({})' }) }),
    /exports no function "main"/,
  ],
  ['a zip without an entry', async () => ({ code: await zip({ 'other.js': commonJs }) }), /none of index.js, index.mjs/],
];

/** The older kinds take part where somebody has fetched them: they are too large to be fetched for a test. */
const kinds = [
  { kind: 'nodejs:24', provided: ['axios', 'yaml'], available: await isAvailable('nodejs:24') },
  { kind: 'nodejs:22', provided: ['axios', 'yaml'], available: await isAvailable('nodejs:22') },
  { kind: 'nodejs:18', provided: [], available: isPresent('nodejs:18') },
  { kind: 'nodejs:14', provided: [], available: isPresent('nodejs:14') },
];

for (const { kind, provided, available } of kinds) {
  describe.skipIf(!available)(`a function of kind ${kind}`, () => {
    test.each(loads)('runs from %s', async (_name, make) => {
      const host = await testHost();
      expect((await host.deploy('p/f', { code: '', kind, ...(await make()) })).status).toBe(200);
      const { response } = await host.invoke('p/f', { n: 42 });
      expect(response.result).toEqual({ body: { got: 42 } });
    });

    test.each(fails)('says why it does not run from %s', async (_name, make, reason) => {
      const host = await testHost();
      await host.deploy('p/f', { code: '', kind, ...(await make()) });
      const { response } = await host.invoke('p/f');
      expect(response.status).toBe('action_developer_error');
      expect(response.result?.error).toMatch(/^Initialization has failed due to: /);
      expect(response.result?.error).toMatch(reason);
    });

    test('runs on the Node of its kind', async () => {
      const host = await testHost();
      await host.deploy('p/f', { kind, code: 'exports.main = () => ({ version: process.version })' });
      const { response } = await host.invoke('p/f');
      expect(response.result?.version).toMatch(new RegExp(`^v${kind.split(':')[1]}\\.`));
    });

    test('gets the eight fields of the context and the time that is left', async () => {
      const host = await testHost();
      const code = 'exports.main = (_, context) => ({ keys: Object.keys(context), context, left: context.getRemainingTimeInMillis() })';
      await host.deploy('p/f', { kind, code, limits: { timeout: 5000 } });
      const before = Date.now();
      const { activationId, response } = await host.invoke('p/f');
      const { keys, context, left } = read<{ keys: string[]; context: Record<string, unknown>; left: number }>(response.result);
      expect(keys).toEqual([
        ...['functionName', 'functionVersion', 'activationId', 'requestId', 'deadline', 'apiHost', 'apiKey', 'namespace'],
        'getRemainingTimeInMillis',
      ]);
      expect(context).toMatchObject({
        activationId,
        apiHost: host.url,
        apiKey: '',
        functionName: `/${host.namespace}/p/f`,
        functionVersion: '0.0.1',
        namespace: host.namespace,
        requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(context.deadline).toBeGreaterThanOrEqual(before + 5000);
      expect(left).toBeGreaterThan(4000);
      expect(left).toBeLessThanOrEqual(5000);
    });

    test.each([
      ['two parameters', '(event, context) => ({ ok: event.n === 1 && typeof context.deadline === "number" })'],
      ['the event alone', '(event) => ({ ok: event.n === 1 })'],
      ['the context alone', '(_, context) => ({ ok: typeof context.deadline === "number" })'],
      ['no parameter', '() => ({ ok: true })'],
      ['an async function', 'async (event) => { await new Promise((done) => setImmediate(done)); return { ok: event.n === 1 }; }'],
      ['a promise', '(event) => Promise.resolve({ ok: event.n === 1 })'],
    ])('is called with %s', async (_name, handler) => {
      const host = await testHost();
      await host.deploy('p/f', { kind, code: `exports.main = ${handler};` });
      expect((await host.invoke('p/f', { n: 1 })).response.result).toEqual({ ok: true });
    });

    test.each([
      ['nothing', 'undefined', 'success', {}],
      ['null', 'null', 'success', null],
      ['an empty object', '({})', 'success', {}],
      ['a string', '"text"', 'action_developer_error', { error: 'The function did not return a dictionary.' }],
      ['a list', '[1]', 'action_developer_error', { error: 'The function did not return a dictionary.' }],
      ['a number', '7', 'action_developer_error', { error: 'The function did not return a dictionary.' }],
      ['an error of its own', '({ error: "mine" })', 'application_error', { error: 'mine' }],
    ])('may return %s', async (_name, returned, status, result) => {
      const host = await testHost();
      await host.deploy('p/f', { kind, code: `exports.main = () => ${returned};` });
      const { response } = await host.invoke('p/f');
      expect(response).toMatchObject({ status, result });
    });

    test('fails as an application when it throws, and its instance lives on', async () => {
      const host = await testHost();
      await host.deploy('p/f', {
        kind,
        code: 'exports.main = ({ fail }) => { if (fail) throw new Error("boom"); return { pid: process.pid }; }',
      });
      const first = await host.invoke('p/f');
      const failed = await host.invoke('p/f', { fail: true });
      expect(failed.response).toMatchObject({ status: 'application_error', result: { error: 'boom' } });
      expect(failed.logs.join('\n')).toMatch(/stderr: Error: boom/);
      expect((await host.invoke('p/f')).response.result).toEqual(first.response.result);
    });

    test('fails as an application when it rejects, with the error as an object', async () => {
      const host = await testHost();
      await host.deploy('p/f', { kind, code: 'exports.main = async () => { throw Object.assign(new TypeError("boom"), { code: 7 }); }' });
      const { response } = await host.invoke('p/f');
      expect(response).toMatchObject({
        status: 'application_error',
        result: { error: { name: 'TypeError', message: 'boom', code: 7, stack: expect.stringContaining('TypeError: boom') } },
      });
    });

    test('finds the packages its runtime provides, by require and by import, and nothing else of the host', async () => {
      const host = await testHost();
      const tried = '["axios", "yaml", "zod", "vitest", "yauzl"]';
      const attempt = 'try { await load(name); found.push(name); } catch (error) { if (!/NOT_FOUND/.test(error.code)) throw error; }';
      const body = `const found = []; for (const name of ${tried}) { ${attempt} } return { found };`;
      await host.deploy('p/required', { kind, code: `exports.main = async () => { const load = require; ${body} };` });
      await host.deploy('p/imported', { kind, code: `export const main = async () => { const load = (name) => import(name); ${body} };` });
      await host.deploy('p/mixed', { kind, code: `exports.main = async () => { const load = (name) => import(name); ${body} };` });
      await host.deploy('p/zipped', {
        kind,
        code: await zip({ 'index.js': `exports.main = async () => { const load = require; ${body} };` }),
      });
      for (const name of ['required', 'imported', 'mixed', 'zipped']) {
        expect((await host.invoke(`p/${name}`)).response.result).toEqual({ found: provided });
      }
    });

    test.skipIf(provided.length === 0)('works with the packages its runtime provides', async () => {
      const host = await testHost();
      const code =
        'const axios = require("axios"); const yaml = require("yaml"); exports.main = () => ({ get: typeof axios.get, yaml: yaml.parse("a: 1") })';
      await host.deploy('p/f', { kind, code });
      expect((await host.invoke('p/f')).response.result).toEqual({ get: 'function', yaml: { a: 1 } });
    });

    test('has its console captured, every method, in the order of each stream', async () => {
      const host = await testHost();
      const code = `exports.main = () => {
        console.log('log %d', 1); console.info('info'); console.debug('debug'); console.dir({ a: 1 }); console.table([{ b: 2 }]);
        console.group('group'); console.log('inner'); console.groupEnd(); console.count(); console.time('t'); console.timeEnd('t');
        console.error('error'); console.warn('warn'); console.trace('trace'); console.assert(false, 'assert');
        process.stdout.write('no newline'); require('fs').writeSync(2, 'straight\\n'); return {};
      }`;
      await host.deploy('p/f', { kind, code });
      const { logs } = await host.invoke('p/f');
      for (const line of logs) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z (?:stdout|stderr): /);
      const texts = (stream: string) => logs.filter((line) => line.includes(`Z ${stream}: `)).map((line) => line.split(`${stream}: `)[1]);
      const out = texts('stdout');
      expect(out.slice(0, 4)).toEqual(['log 1', 'info', 'debug', '{ a: 1 }']);
      expect(out).toEqual(expect.arrayContaining(['group', '  inner', 'default: 1', 'no newline', expect.stringMatching(/^t: /)]));
      const err = texts('stderr');
      expect(err.slice(0, 3)).toEqual(['error', 'warn', 'Trace: trace']);
      expect(err).toEqual(expect.arrayContaining(['Assertion failed: assert', 'straight']));
    });

    test('sees a clean environment: its own settings and what the platform sets', async () => {
      const host = await testHost();
      await host.deploy('p/f', {
        kind,
        code: 'exports.main = (event) => ({ event, env: process.env, cwd: process.cwd() })',
        parameters: [
          { key: 'TEXT', value: 'a b', init: true },
          { key: 'OBJECT', value: { a: 1 }, init: true },
          { key: 'NONE', value: null, init: true },
          { key: 'input', value: 'bound' },
        ],
      });
      const { response } = await host.invoke('p/f', { n: 1 });
      const { event, env, cwd } = read<{ event: object; env: Record<string, string>; cwd: string }>(response.result);
      expect(event).toEqual({ input: 'bound', n: 1 });
      expect(env).toMatchObject({ TEXT: 'a b', OBJECT: '{"a":1}', NONE: '', HOME: cwd });
      const own = ['TEXT', 'OBJECT', 'NONE', 'PATH', 'HOME'];
      expect(Object.keys(env).filter((name) => !own.includes(name) && !name.startsWith('__OW_'))).toEqual([]);
      expect(env).toMatchObject({ __OW_ACTION_NAME: `/${host.namespace}/p/f`, __OW_NAMESPACE: host.namespace, __OW_API_HOST: host.url });
    });

    test('reads the files it was deployed with by relative paths', async () => {
      const host = await testHost();
      const code = await zip({
        'index.js': `exports.main = () => ({ text: require('fs').readFileSync('data/a.txt', 'utf8') })`,
        'data/a.txt': 'hello',
      });
      await host.deploy('p/f', { kind, code });
      expect((await host.invoke('p/f')).response.result).toEqual({ text: 'hello' });
    });
  });
}

/** Tests know what their functions return. */
function read<T>(result: unknown): T {
  return result as T;
}
