import { describe, expect, test } from 'vitest';
import { everyKind } from './support/kinds.ts';
import { sharedHost, type TestFunction, type TestHost } from './support/test-host.ts';
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
  ['a code string that ends in a comment and only declares main', () => ({ code: `const main = (event) => ${answer}; // the end` })],
  ['a code string with a path as main', () => ({ code: `exports.api = { run: (event) => ${answer} };`, main: 'api.run' })],
  ['a zip of .mjs, named by package.json', async () => ({ code: await zip({ 'package.json': '{"main":"a.mjs"}', 'a.mjs': esm }) })],
  [
    'a zip with top-level await',
    async () => ({ code: await zip({ 'index.mjs': `const n = await 1; export const main = (event) => ${answer};` }) }),
  ],
  [
    'a zip whose files import each other',
    async () => ({
      code: await zip({
        'package.json': '{"type":"module"}',
        'index.js': `import { run } from './lib/run.js'; export { run as main };`,
        'lib/run.js': `export const run = (event) => ${answer};`,
      }),
    }),
  ],
  [
    'a zip with file.function as main, the file being .mjs',
    async () => ({ code: await zip({ 'other.mjs': `export const run = (event) => ${answer};` }), main: 'other.run' }),
  ],
  ['a zip under another name', async () => ({ code: await zip({ 'index.js': `exports.other = (event) => ${answer};` }), main: 'other' })],
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

/** A file as a bundler leaves it, reading an asset that was deployed with it. */
const reads = `require('fs').readFileSync('data/answer.txt', 'utf8')`;
const rollup = `'use strict';\nconst fs = require('fs');\nconst main = (event) => ({ body: { got: event.n, read: ${reads} } });\nexports.main = main;`;
const webpack = `(() => { const fs = require('fs'); global.main = (event) => ({ body: { got: event.n, read: ${reads} } }); })();`;
const asset = { 'data/answer.txt': 'hello' };

/**
 * A bundle with further assets is a zip, for which the platform's launcher has no room and the specification has: "`.include` lists the files to
 * deploy (the bundle, plus any other assets, one name per line)", its "Bundlers".
 */
const bundles: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['Rollup, with package.json', { 'package.json': '{"type":"module"}', 'bundle.js': rollup, ...asset }],
  ['Rollup, with a main in package.json', { 'package.json': '{"type":"module","main":"bundle.js"}', 'bundle.js': rollup, ...asset }],
  ['Rollup, without package.json', { 'bundle.js': rollup, ...asset }],
  ['Webpack, with package.json', { 'package.json': '{"main":"index.js"}', 'dist/bundle.js': webpack, ...asset }],
  ['Webpack, of type module', { 'package.json': '{"type":"module"}', 'dist/bundle.js': webpack, ...asset }],
  ['Webpack, without package.json', { 'dist/bundle.js': webpack, ...asset }],
  ['Parcel, with package.json', { 'package.json': '{"main":"bundle.js","source":"index.js"}', 'bundle.js': webpack, ...asset }],
  ['Parcel, without package.json', { 'bundle.js': webpack, ...asset }],
];

/** Artefacts that do not load on the platform either, with a word of the reason. */
const fails: readonly (readonly [string, () => Promise<Partial<TestFunction>> | Partial<TestFunction>, RegExp])[] = [
  ['a code string with a syntax error', () => ({ code: 'exports.main = (' }), /SyntaxError/],
  ['a code string that throws while loading', () => ({ code: 'throw new Error("no luck")' }), /no luck/],
  ['a code string without the function', () => ({ code: 'exports.mian = () => ({})' }), /no function "main"/],
  [
    'a zip of type module with an ES module that fails',
    async () => ({ code: await zip({ 'package.json': '{"type":"module"}', 'index.js': 'export const main = missing;' }) }),
    /ReferenceError: missing is not defined/,
  ],
  [
    'a zip whose package.json names a file that is not there',
    async () => ({ code: await zip({ 'package.json': '{"main":"gone.js"}', 'index.js': commonJs }) }),
    /the zip has none of gone\.js, .*point "main" of its package\.json at the file/,
  ],
  [
    'a zip whose package.json is broken',
    async () => ({ code: await zip({ 'package.json': '{"main":', 'index.js': commonJs }) }),
    /package\.json cannot be read/,
  ],
  [
    'a zip whose export cannot be seen from outside',
    async () => ({ code: await zip({ 'index.js': 'exports["ma" + "in"] = () => ({})' }) }),
    /exports no function "main"/,
  ],
  ['a zip without an entry', async () => ({ code: await zip({ 'other.js': commonJs }) }), /none of index.js, index.mjs/],
];

for (const { kind, absent } of await everyKind()) {
  describe.skipIf(absent !== undefined)(`a function of kind ${kind}${absent ? `, not tried: ${absent}` : ''}`, () => {
    const hostOf = sharedHost();

    test.each(loads)('runs from %s', async (_name, make) => {
      const host = hostOf();
      expect((await host.deploy('p/f', { code: '', kind, ...(await make()) })).status).toBe(200);
      const { response } = await host.invoke('p/f', { n: 42 });
      expect(response.result).toEqual({ body: { got: 42 } });
    });

    test.each(bundles)('reads its assets in a bundle of %s', async (_name, files) => {
      const host = hostOf();
      await host.deploy('p/f', { kind, code: await zip(files) });
      expect((await host.invoke('p/f', { n: 42 })).response.result).toEqual({ body: { got: 42, read: 'hello' } });
    });

    test.each(fails)('says why it does not run from %s', async (_name, make, reason) => {
      const host = hostOf();
      await host.deploy('p/f', { code: '', kind, ...(await make()) });
      const { response } = await host.invoke('p/f');
      expect(response.status).toBe('action_developer_error');
      expect(response.result?.error).toMatch(/^Initialization has failed due to: /);
      expect(response.result?.error).toMatch(reason);
      expect(response.result?.error).not.toMatch(/launcher\.cjs|internal\/modules/);
    });

    test('runs on the Node of its kind', async () => {
      const host = hostOf();
      await host.deploy('p/f', { kind, code: 'exports.main = () => ({ version: process.version })' });
      const { response } = await host.invoke('p/f');
      expect(response.result?.version).toMatch(new RegExp(`^v${kind.split(':')[1]}\\.`));
    });

    test('gets the eight fields of the context and the time that is left', async () => {
      const host = hostOf();
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
      const host = hostOf();
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
      const host = hostOf();
      await host.deploy('p/f', { kind, code: `exports.main = () => ${returned};` });
      const { response } = await host.invoke('p/f');
      expect(response).toMatchObject({ status, result });
    });

    test('fails as an application when it throws, and its instance lives on', async () => {
      const host = hostOf();
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
      const host = hostOf();
      await host.deploy('p/f', { kind, code: 'exports.main = async () => { throw Object.assign(new TypeError("boom"), { code: 7 }); }' });
      const { response } = await host.invoke('p/f');
      expect(response).toMatchObject({
        status: 'application_error',
        result: { error: { name: 'TypeError', message: 'boom', code: 7, stack: expect.stringContaining('TypeError: boom') } },
      });
    });

    test.each([
      ['exits', 'process.exit(0)', 10_000, 'The action did not produce a valid response and exited unexpectedly.'],
      [
        'throws after its handler returned a promise',
        'setImmediate(() => { throw new Error("late"); })',
        10_000,
        'The action did not produce a valid response and exited unexpectedly.',
      ],
      [
        'fills its heap',
        'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))',
        10_000,
        'The action exhausted its memory and was aborted.',
      ],
      ['never ends', 'for (;;)', 1000, 'The action exceeded its time limits of 1000 milliseconds.'],
      ['never resolves', '0', 1000, 'The action exceeded its time limits of 1000 milliseconds.'],
    ])('is told apart when it %s, and the next call gets a new instance', async (_name, code, timeout, message) => {
      const host = hostOf();
      const body = `if (fail) { ${code}; return new Promise(() => {}); } return { pid: process.pid };`;
      await host.deploy('p/f', { kind, code: `exports.main = ({ fail }) => { ${body} }`, limits: { timeout, memory: 128 } });
      const { pid } = await resultOf(host);
      const { response } = await host.invoke('p/f', { fail: true });
      expect(response).toMatchObject({ status: 'action_developer_error', result: { error: message } });
      expect((await resultOf(host)).pid).not.toBe(pid);
    });

    test('is told when it does not load in time, exits or fills its heap while loading', async () => {
      const host = hostOf();
      const limits = { timeout: 1000, memory: 128 };
      await host.deploy('p/slow', { kind, code: 'for (;;);', limits });
      await host.deploy('p/ends', { kind, code: 'process.exit(1)', limits });
      await host.deploy('p/full', {
        kind,
        code: 'const all = []; for (;;) all.push(new Array(1e5).fill(1))',
        limits: { memory: 128, timeout: 10_000 },
      });
      const errorOf = async (name: string) => (await host.invoke(name)).response.result?.error;
      expect(await errorOf('p/slow')).toBe('The action exceeded its time limits of 1000 milliseconds during initialization.');
      expect(await errorOf('p/ends')).toBe('The action did not initialize and exited unexpectedly.');
      expect(await errorOf('p/full')).toBe('The action exhausted its memory and was aborted.');
    });

    test('may answer a mebibyte and no more', async () => {
      const host = hostOf();
      await host.deploy('p/f', { kind, code: 'exports.main = ({ n }) => ({ t: "x".repeat(n) })' });
      const envelope = '{"t":""}'.length;
      expect((await host.invoke('p/f', { n: 2 ** 20 - envelope })).response).toMatchObject({ status: 'success', size: 2 ** 20 });
      expect((await host.invoke('p/f', { n: 2 ** 20 - envelope + 1 })).response).toMatchObject({
        status: 'application_error',
        result: { error: `The action produced a response that exceeded the allowed length: ${2 ** 20 + 1} > ${2 ** 20} bytes.` },
      });
    });

    test('has the lines of its own source in stack traces', async () => {
      const host = hostOf();
      const lines = 'const fail = () => {\n  throw new Error("here");\n};';
      await host.deploy('p/string', { kind, code: `${lines}\nexports.main = async () => fail();` });
      await host.deploy('p/esm', { kind, code: `${lines}\nexport const main = async () => fail();` });
      await host.deploy('p/zip', { kind, code: await zip({ 'index.js': `${lines}\nexports.main = async () => fail();` }) });
      for (const [name, file] of Object.entries({ 'p/string': 'index.js', 'p/esm': 'index.mjs', 'p/zip': 'index.js' })) {
        const { error } = read<{ error: { stack: string } }>((await host.invoke(name)).response.result);
        expect(error.stack).toMatch(new RegExp(`at fail \\(.*${file}:2:9\\)\\n.*${file}:4:\\d+`));
      }
    });

    test('has its console captured, every method, in the order of each stream', async () => {
      const host = hostOf();
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
      const host = hostOf();
      await host.deploy('p/f', {
        kind,
        code: 'exports.main = (event) => ({ event, env: process.env, cwd: process.cwd() })',
        parameters: [
          { key: 'TEXT', value: 'a b', init: true },
          { key: 'OBJECT', value: { a: 1 }, init: true },
          { key: 'NONE', value: null, init: true },
          { key: 'NUMBER', value: 1.5, init: true },
          { key: 'LIST', value: [1, 'a'], init: true },
          { key: 'YES', value: true, init: true },
          { key: 'NO', value: false, init: true },
          { key: 'ZERO', value: 0, init: true },
          { key: 'input', value: 'bound' },
        ],
      });
      const { response } = await host.invoke('p/f', { n: 1 });
      const { event, env, cwd } = read<{ event: object; env: Record<string, string>; cwd: string }>(response.result);
      expect(event).toEqual({ input: 'bound', n: 1 });
      expect(env).toMatchObject({ TEXT: 'a b', OBJECT: '{"a":1}', LIST: '[1,"a"]', NUMBER: '1.5', YES: 'true', HOME: cwd });
      expect(env).toMatchObject({ NONE: '', NO: '', ZERO: '' });
      const own = ['TEXT', 'OBJECT', 'LIST', 'NUMBER', 'YES', 'NONE', 'NO', 'ZERO', 'PATH', 'HOME'];
      expect(Object.keys(env).filter((name) => !own.includes(name) && !name.startsWith('__OW_'))).toEqual([]);
      expect(env).toMatchObject({ __OW_ACTION_NAME: `/${host.namespace}/p/f`, __OW_NAMESPACE: host.namespace, __OW_API_HOST: host.url });
    });

    test('reads the files it was deployed with by relative paths', async () => {
      const host = hostOf();
      const code = await zip({
        'index.js': `exports.main = () => ({ text: require('fs').readFileSync('data/a.txt', 'utf8') })`,
        'data/a.txt': 'hello',
      });
      await host.deploy('p/f', { kind, code });
      expect((await host.invoke('p/f')).response.result).toEqual({ text: 'hello' });
    });
  });
}

// biome-ignore lint/suspicious/noExplicitAny: results of every shape
async function resultOf(host: TestHost): Promise<any> {
  return (await host.invoke('p/f')).response.result;
}

/** Tests know what their functions return. */
function read<T>(result: unknown): T {
  return result as T;
}
