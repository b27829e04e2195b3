import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles, type Layers, layerViolations, type Sources } from '../build/architecture/layers.ts';
import { type Permits, permitViolations } from '../build/architecture/permits.ts';

/** Who may import whom: downwards only. */
const layers: Layers = {
  'lib/errors.ts': [],
  'lib/catalogue': ['lib/errors.ts'],
  'lib/tools': ['lib/catalogue', 'lib/errors.ts', { types: 'lib/client' }],
  'lib/client': ['lib/catalogue', 'lib/errors.ts'],
  'lib/functions': ['lib/client', 'lib/catalogue', 'lib/errors.ts'],
  'lib/access': ['lib/functions', 'lib/client', 'lib/catalogue', 'lib/errors.ts'],
  'lib/protocols': ['lib/access', 'lib/functions', 'lib/client', 'lib/catalogue', 'lib/errors.ts'],
  'lib/webhooks': ['lib/access', 'lib/functions', 'lib/client', 'lib/catalogue', 'lib/errors.ts'],
  'packages/*/*': ['lib/protocols', 'lib/webhooks', 'lib/tools', 'lib/access', 'lib/functions', 'lib/catalogue', 'lib/client'],
  // Tells the compiler of the module that bundling makes.
  'packages/virtual-tool-listing.d.ts': [],
  'packages/virtual-hooks.d.ts': [{ types: 'lib/webhooks' }],
  // The far side: it meets the tools on the wire alone.
  'lib/emulator': [],
  // These serve any project and know none of its tools.
  'lib/host': [],
  'lib/deployer': [{ types: 'lib/host' }],
  // What the command line knows of the functions is how their settings are written, and how senders sign.
  'lib/cli': [
    'lib/functions/access-tokens.ts',
    'lib/webhooks/signature.ts',
    { types: 'lib/webhooks' },
    'lib/errors.ts',
    'lib/deployer',
    'lib/host',
    'lib/emulator/start-emulator.ts',
    'build/bundle.ts',
    'package.json',
  ],
};

const permits: Permits = {
  connect: [
    'lib/client/send.ts',
    'lib/client/transport.ts',
    'lib/functions/forward.ts',
    'lib/access/store/redis-store.ts',
    'lib/access/jwt/keys.ts',
    'lib/emulator/probes',
    'lib/emulator/notifiers',
    // Knows networks, and connects to none.
    'lib/emulator/special-addresses.ts',
    'lib/deployer/api/connection.ts',
    'lib/cli',
    // Leads a debugger to the process it is for.
    'lib/host/instances/inspector.ts',
    // Its sockets are the descriptors that the host hands it.
    'lib/host/launcher.cjs',
  ],
  listen: ['lib/host', 'lib/emulator'],
  print: [
    'lib/cli',
    // Programs of their own, whose one line says where they listen.
    'lib/emulator/main.ts',
    'lib/host/main.ts',
    // Run inside functions: what they print is the function's log.
    'lib/functions/bug.ts',
    'lib/protocols/call-log.ts',
    'lib/webhooks/audit.ts',
    'lib/host/launcher.cjs',
  ],
  time: { in: 'lib/emulator', by: ['lib/emulator/clock.ts'] },
  // Loads the code of the function it was started for.
  compute: ['lib/host/launcher.cjs'],
  evaluate: [
    // The expressions of hooks, in a context of their own whose time is bounded.
    'lib/webhooks/expressions/evaluator.ts',
    // These compile what is a function's own, to tell what is wrong with it before it runs.
    'lib/deployer/source/syntax-problem.ts',
    'lib/host/launcher.cjs',
  ],
  long: {
    maxLines: 300,
    // Tables of declarations, and of what is assumed, which is to stand in one place; and the launcher, which has to be a single file.
    files: ['lib/tools', 'lib/emulator/catalogue', 'lib/emulator/assumptions.ts', 'lib/host/launcher.cjs'],
  },
};

describe('the sources', () => {
  const sources = readSources();

  it('import downwards only', () => {
    expect(layerViolations(sources, layers)).toEqual([]);
  });

  it('import each other in no circle', () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it('connect, listen, print, read the time, evaluate code and grow only where they may, and export by name', () => {
    expect(permitViolations(sources, permits)).toEqual([]);
  });
});

describe('an import that goes the wrong way is found', () => {
  it.each([
    ['static', "import { x } from '../emulator/x.ts';"],
    ['of a type', "import type { X } from '../emulator/x.ts';"],
    ['of a type, in place', "let x: import('../emulator/x.ts').X;"],
    ['for its side effect', "import '../emulator/x.ts';"],
    ['re-exported', "export { x } from '../emulator/x.ts';"],
    ['re-exported whole', "export * from '../emulator/x.ts';"],
    ['dynamic', "const x = () => import('../emulator/x.ts');"],
    ['required', "const x = require('../emulator/x.ts');"],
    ['only looked up', "const x = require.resolve('../emulator/x.ts');"],
    ['as an address', "new Worker(new URL('../emulator/x.ts', import.meta.url));"],
    ['with a detour', "import { x } from './../../lib/emulator/x.ts';"],
    ['between comments', "/* a */ import /* b */ { x } /* c */ from /* d */ '../emulator/x.ts';"],
  ])('%s', (_kind, text) => {
    const found = layerViolations(new Map([['lib/client/a.ts', `\n${text}`]]), layers);
    expect(found).toEqual(['lib/client/a.ts:2: lib/client may not import lib/emulator/x.ts; it may import lib/catalogue, lib/errors.ts']);
  });

  it.each([
    ['upwards', 'lib/catalogue/a.ts', "import '../client/send.ts';"],
    ['of more than types', 'lib/deployer/a.ts', "import { x } from '../host/x.ts';"],
    ['of more than types, though only types are named', 'lib/deployer/a.ts', "import { type X } from '../host/x.ts';"],
    ['of the inside of the emulator', 'lib/cli/a.ts', "import '../emulator/store/account.ts';"],
    ['of another function', 'packages/tools/dns/index.ts', "import '../images/tools.ts';"],
    ['out of the project', 'lib/host/a.ts', "import '../../../elsewhere/x.ts';"],
    ['by an absolute path', 'lib/host/a.ts', "import '/elsewhere/x.ts';"],
    ['of a layer whose name begins alike', 'lib/protocols/a.ts', "import '../client-side/x.ts';"],
  ])('%s', (_kind, path, text) => {
    expect(layerViolations(new Map([[path, text]]), layers)).toHaveLength(1);
  });

  it('in a file that is in no layer', () => {
    expect(layerViolations(new Map([['lib/utils.ts', '']]), layers)).toEqual([
      expect.stringMatching(/^lib\/utils\.ts: belongs to no layer/),
    ]);
  });

  it('in a circle, however long, and not where only types go round', () => {
    const circle = new Map([
      ['lib/host/a.ts', "import './b.ts';"],
      ['lib/host/b.ts', "const c = () => import('./c.ts');"],
      ['lib/host/c.ts', "export { a } from './a.ts'; import type { D } from './d.ts';"],
      ['lib/host/d.ts', "import './c.ts';"],
    ]);
    expect(importCycles(circle)).toEqual(['lib/host/a.ts -> lib/host/b.ts -> lib/host/c.ts -> lib/host/a.ts']);
  });

  it('and what goes the right way is not', () => {
    const sources = new Map([
      [
        'lib/client/a.ts',
        "import axios from 'axios'; import './b.ts'; import { tool } from '../catalogue/tool.ts'; import('../errors.ts');",
      ],
      ['lib/deployer/a.ts', "import type { Kind } from '../host/kinds/kinds.ts'; // import '../emulator/x.ts'"],
      [
        'packages/tools/dns/index.ts',
        "import { listing } from 'virtual:tool-listing'; import './tools.ts'; import '../../../lib/protocols/serve.ts';",
      ],
      ['lib/cli/a.ts', "import '../emulator/start-emulator.ts'; const text = \"import '../tools/x.ts'\";"],
    ]);
    expect(layerViolations(sources, layers)).toEqual([]);
  });
});

describe('what takes a permit is found without one', () => {
  it.each([
    ['lib/catalogue/a.ts', "import http from 'node:http';"],
    ['lib/catalogue/a.ts', "import { connect } from 'net';"],
    ['lib/catalogue/a.ts', "const { default: axios } = await import('axios');"],
    ['lib/catalogue/a.ts', 'await fetch(url);'],
    ['lib/catalogue/a.ts', 'const send = globalThis.fetch;'],
    ['lib/emulator/a.ts', "import { createServer, request } from 'node:http';"],
    ['lib/emulator/a.ts', "import http from 'node:http'; http.createServer(); http.get(url);"],
    ['lib/emulator/a.ts', "const http = require('node:http');"],
    ['lib/access/a.ts', "import { createServer } from 'node:http';"],
    ['lib/access/a.ts', "console.log('here');"],
    ['lib/access/a.ts', "process.stderr.write('here');"],
    ['lib/emulator/a.ts', 'const now = Date.now();'],
    ['lib/emulator/a.ts', 'const now = new Date();'],
    ['lib/emulator/a.ts', 'const now = Date();'],
    ['lib/emulator/a.ts', 'const read = { now: performance.now };'],
    ['lib/emulator/a.ts', 'setTimeout(work, 10);'],
    ['lib/emulator/a.ts', "import { setTimeout as wait } from 'node:timers/promises';"],
    ['lib/emulator/a.ts', 'const signal = AbortSignal.timeout(10);'],
    ['lib/client/a.ts', "const net = process.getBuiltinModule('node:net');"],
    ['lib/client/a.ts', "import('../' + name);"],
    ['lib/webhooks/a.ts', 'eval(text);'],
    ['lib/webhooks/a.ts', '(0, eval)(text);'],
    ['lib/webhooks/a.ts', 'const run = globalThis.eval;'],
    ['lib/webhooks/a.ts', "const run = new Function('body', text);"],
    ['lib/webhooks/a.ts', 'const run = Function(text);'],
    ['lib/webhooks/a.ts', "import { runInNewContext } from 'node:vm';"],
    ['lib/webhooks/a.ts', "const { Script } = await import('vm');"],
    ['lib/webhooks/a.ts', "require('vm').runInThisContext(text);"],
    ['lib/webhooks/a.ts', "const { Script } = process.getBuiltinModule('node:vm');"],
    ['lib/tools/a.ts', 'export default {};'],
    ['lib/tools/a.ts', 'export default function a() {}'],
    ['lib/tools/a.ts', 'const a = 1; export { a as default };'],
  ])('%s: %s', (path, text) => {
    expect(permitViolations(new Map([[path, text]]), permits)).toHaveLength(1);
  });

  it('length among it, but for tables of declarations', () => {
    const lines = (count: number) => '1;\n'.repeat(count);
    const sources = new Map([
      ['lib/client/a.ts', lines(301)],
      ['lib/client/b.ts', lines(300)],
      ['lib/tools/dns/record.ts', lines(301)],
    ]);
    expect(permitViolations(sources, permits)).toEqual(['lib/client/a.ts:301: is 301 lines long; split it by subject at 300']);
  });

  it.each([
    ['lib/client/send.ts', "const { default: axios } = await import('axios');"],
    ['lib/catalogue/a.ts', "import type { IncomingMessage } from 'node:http'; // console.log"],
    ['lib/catalogue/a.ts', 'interface Cache { fetch(): void } export const a = { fetch: 1, console: 2 }; cache.fetch();'],
    ['lib/emulator/a.ts', "import { createServer, type Server } from 'node:http';"],
    ['lib/emulator/a.ts', "import http from 'node:http'; http.createServer();"],
    ['lib/emulator/a.ts', 'const at = new Date(row.at); const text = "Date.now()"; clock.setTimeout(1);'],
    ['lib/emulator/clock.ts', 'export const now = () => Date.now();'],
    ['lib/host/a.ts', 'export const now = () => Date.now();'],
    ['lib/access/a.ts', 'await client.eval(script); let work: Function; const note = "eval(x)";'],
    ['lib/webhooks/expressions/evaluator.ts', "const { Script } = process.getBuiltinModule('node:vm');"],
    ['lib/cli/a.ts', "console.log(await fetch('http://127.0.0.1'));"],
  ])('and with one, or without need of one, not: %s: %s', (path, text) => {
    expect(permitViolations(new Map([[path, text]]), permits)).toEqual([]);
  });
});

/** Every source under lib/ and packages/, but for what is built. */
function readSources(): Sources {
  const root = join(import.meta.dirname, '..');
  const paths = ['lib', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  const sources = paths.filter((path) => /\.[cm]?[jt]s$/.test(path) && !/\/node_modules\/|\/bundle\.js$/.test(path)).sort();
  return new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
