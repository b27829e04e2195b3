import type { Plugin } from 'rollup';

const leftOut = (what: string) => `() => { throw new Error('axios: ${what} is left out of this bundle (build/plugins/slim-axios.ts)'); }`;

/** Modules of axios, by path in the package, and what stands in for them. */
const modules: Readonly<Record<string, string>> = {
  // Reads globalThis.Request, at which Node loads the whole of fetch.
  'lib/adapters/fetch.js': 'export const getFetch = () => false;',
  'lib/adapters/xhr.js': 'export default false;',
  'lib/platform/node/classes/FormData.js': 'export default undefined;',
  'lib/platform/node/index.js': `export default {
    isNode: true, classes: { URLSearchParams, FormData: null, Blob: null }, protocols: ['http', 'https'] };`,
  'lib/platform/common/utils.js': `export const hasBrowserEnv = false, hasStandardBrowserWebWorkerEnv = false, hasStandardBrowserEnv = false;
    export const navigator = undefined, origin = 'http://localhost';`,
  'lib/helpers/Http2Sessions.js': 'export default class {}',
  'lib/helpers/formDataToStream.js': `export default ${leftOut('form data')};`,
  'lib/helpers/readBlob.js': `export default ${leftOut('a Blob as body')};`,
  'lib/helpers/fromDataURI.js': `export default ${leftOut('a data: address')};`,
  'lib/helpers/AxiosTransformStream.js': `export default class { constructor() { (${leftOut('progress and rate limits')})(); } }`,
};

/** What axios imports from elsewhere. Redirects are not followed: one would carry the token to another address. */
const packages: Readonly<Record<string, string>> = {
  'follow-redirects': `import http from 'http'; import https from 'https'; export default { http, https };`,
  'https-proxy-agent': 'export default class {}',
  'proxy-from-env': `export const getProxyForUrl = () => '';`,
  http2: 'export default {};',
  // Loaded with the first compressed answer. The constants are those of zlib.h, brotli and zstd.
  zlib: `export default {
    constants: { Z_SYNC_FLUSH: 2, BROTLI_OPERATION_FLUSH: 1, ZSTD_e_flush: 1 },
    createUnzip: (options) => require('node:zlib').createUnzip(options),
    createBrotliDecompress: (options) => require('node:zlib').createBrotliDecompress(options),
  };`,
};

/** Reading globalThis.FormData loads fetch too. */
const formDataProbe = "typeof G.FormData !== 'undefined' ? G.FormData : undefined";

/** The path of a module inside axios, with forward slashes. */
const pathInAxios = (id: string) => /\/node_modules\/axios\/(.*)$/.exec(id.replaceAll('\\', '/'))?.[1];

const standIn = '\0slim-axios:';

/**
 * Leaves out of axios what no call of ours uses: the fetch and browser adapters, form data, proxies, redirects, HTTP/2. It halves
 * what a cold first call costs. Where axios has changed so that one of these is no longer there, the build fails.
 */
export function slimAxios(): Plugin {
  const missing = new Set([...Object.keys(modules), ...Object.keys(packages), formDataProbe]);
  let met = false;
  return {
    name: 'slim-axios',
    resolveId(source, importer) {
      if (packages[source] === undefined || !importer || pathInAxios(importer) === undefined) return null;
      missing.delete(source);
      return standIn + source;
    },
    load(id) {
      if (id.startsWith(standIn)) return packages[id.slice(standIn.length)] ?? null;
      const path = pathInAxios(id);
      const code = path === undefined ? undefined : modules[path];
      if (path === undefined || code === undefined) return null;
      missing.delete(path);
      return code;
    },
    transform(code, id) {
      const path = pathInAxios(id);
      if (path !== undefined) met = true;
      if (path !== 'lib/utils.js' || !code.includes(formDataProbe)) return null;
      missing.delete(formDataProbe);
      return { code: code.replace(formDataProbe, 'undefined'), map: null };
    },
    buildEnd(error) {
      if (error || !met || missing.size === 0) return;
      this.error(
        `axios no longer has ${[...missing].join(', ')}: look at what it does now and bring build/plugins/slim-axios.ts up to date`,
      );
    },
  };
}
