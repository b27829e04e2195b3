import type { Plugin } from 'rollup';

/** Modules of undici, by path in the package, and what stands in for them. */
const modules: Readonly<Record<string, string>> = {
  // What connects, sends and reads: no fetch, no web sockets, no caches, no proxies.
  'index.js': "exports.Agent = require('./lib/dispatcher/agent.js'); exports.buildConnector = require('./lib/core/connect.js');",
  // Never offered, so never agreed on.
  'lib/dispatcher/client-h2.js': "module.exports = () => { throw new Error('HTTP/2 is left out'); };",
  // Bodies that are forms.
  'lib/web/fetch/body.js': '',
  // The parser for processors without SIMD.
  'lib/llhttp/llhttp-wasm.js': "module.exports = require('./llhttp_simd-wasm.js');",
  // The usual names of headers, in tables that take longer to fill than a cold call ever gains by them: any other name is put into lower case.
  'lib/core/constants.js': 'exports.wellknownHeaderNames = []; exports.headerNameLowerCasedRecord = Object.create(null);',
  'lib/core/tree.js': 'exports.tree = { lookup: () => null };',
};

/** Modules of Node that undici asks for, and what of them it needs here. */
const builtins: Readonly<Record<string, string>> = {
  // The largest head of an answer, which lib/client/transport.ts says itself, and a class that none of its streams has.
  'node:http': 'export const maxHeaderSize = undefined, IncomingMessage = undefined;',
  'node:assert': "export default (holds, message = 'undici is in a state that cannot be') => { if (!holds) throw new Error(message); };",
};

/** Bundled as it is, this would be loaded at once; it is for https alone. */
const tlsLoad = "require('node:tls')";

const stub = '\0slim-undici:';
const pathInUndici = (id: string | undefined) => /\/node_modules\/undici\/(.*)$/.exec(id?.replaceAll('\\', '/') ?? '')?.[1];

/**
 * Leaves out of undici what no call of ours uses, nine tenths of it: a cold call is to load no more than it needs. Where undici has changed so that one of
 * these is no longer there, the build fails.
 */
export function slimUndici(): Plugin {
  const missing = new Set([...Object.keys(modules), ...Object.keys(builtins), tlsLoad]);
  let met = false;
  return {
    name: 'slim-undici',
    resolveId(source, importer) {
      if (!(source in builtins) || pathInUndici(importer) === undefined) return null;
      missing.delete(source);
      return stub + source;
    },
    load(id) {
      if (id.startsWith(stub)) return builtins[id.slice(stub.length)] ?? null;
      const path = pathInUndici(id);
      if (path === undefined) return null;
      missing.delete(path);
      return modules[path] ?? null;
    },
    transform(code, id) {
      const path = pathInUndici(id);
      // Only here: what Rollup still has of another bundle is neither resolved nor transformed again, and there is nothing to find missing.
      if (path !== undefined) met = true;
      if (path !== 'lib/core/connect.js' || !code.includes(tlsLoad)) return null;
      missing.delete(tlsLoad);
      return { code: code.replace(tlsLoad, "process.getBuiltinModule('node:tls')"), map: null };
    },
    buildEnd(error) {
      if (error || !met || missing.size === 0) return;
      this.error(
        `undici no longer has ${[...missing].join(', ')}: look at what it does now and bring build/plugins/slim-undici.ts up to date`,
      );
    },
  };
}
