import type { Plugin } from 'rollup';

/** Modules of axios, by path in the package, and what stands in for them. */
const modules: Readonly<Record<string, string>> = {
  'lib/adapters/http.js': 'export default false;',
  // Reads globalThis.Request, at which Node loads the whole of fetch.
  'lib/adapters/fetch.js': 'export const getFetch = () => false;',
  'lib/adapters/xhr.js': 'export default false;',
  'lib/platform/node/classes/FormData.js': 'export default undefined;',
  'lib/platform/node/index.js': `export default {
    isNode: true, classes: { URLSearchParams, FormData: null, Blob: null }, protocols: ['http', 'https'] };`,
  'lib/platform/common/utils.js': `export const hasBrowserEnv = false, hasStandardBrowserWebWorkerEnv = false, hasStandardBrowserEnv = false;
    export const navigator = undefined, origin = 'http://localhost';`,
};

/** Reading globalThis.FormData loads fetch too. */
const formDataProbe = "typeof G.FormData !== 'undefined' ? G.FormData : undefined";

/** The path of a module inside axios, with forward slashes. */
const pathInAxios = (id: string) => /\/node_modules\/axios\/(.*)$/.exec(id.replaceAll('\\', '/'))?.[1];

/**
 * Leaves out of axios what no call of ours uses: its adapters, with form data, proxies, redirects and HTTP/2 behind them (lib/client/transport.ts is the one
 * that sends). A cold first call costs half of what it would. Where axios has changed so that one of these is no longer there, the build fails.
 */
export function slimAxios(): Plugin {
  const missing = new Set([...Object.keys(modules), formDataProbe]);
  let met = false;
  return {
    name: 'slim-axios',
    load(id) {
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
