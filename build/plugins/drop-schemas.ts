import type { Plugin } from 'rollup';

const stub = '\0no-schemas';

/**
 * Keeps zod out of the declarations' way: in a bundle their schemas are the text that `virtual:tool-listing` carries, and nothing
 * builds one. What tries to all the same is told so. Other modules that import zod get it whole.
 */
export function dropSchemas(): Plugin {
  return {
    name: 'drop-schemas',
    resolveId: (source, importer) => (source === 'zod' && importer && /[\\/]lib[\\/](tools|catalogue)[\\/]/.test(importer) ? stub : null),
    load: (id) =>
      id === stub
        ? `export const z = new Proxy({}, { get(_target, name) {
            throw new Error('z.' + String(name) + ': a bundle has no zod; its schemas are those of virtual:tool-listing'); } });`
        : null,
  };
}
