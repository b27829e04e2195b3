import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plugin } from 'rollup';
import type { Rendered } from './render-listing.ts';

const name = 'virtual:tool-listing';
const resolved = `\0${name}`;

/**
 * Resolves `virtual:tool-listing`: the declarations in the function's `tools.ts` (which exports `toolsets`) are evaluated while
 * bundling, by `renderListing` of lib/catalogue/listing.ts and `renderSearchIndex` of lib/catalogue/search/render-index.ts, and each
 * text becomes one string in the bundle.
 *
 * @param folder the function's, packages/<package>/<function> of the project
 */
export function toolListing(folder: string): Plugin {
  return {
    name: 'tool-listing',
    resolveId: (source) => (source === name ? resolved : null),
    async load(id) {
      if (id !== resolved) return null;
      const tools = join(folder, 'tools.ts');
      if (!existsSync(tools)) this.error(`${tools} is missing: a function that imports ${name} says there which toolsets it lists`);
      const catalogue = join(folder, '../../../lib/catalogue');
      const { listing, searchIndex, files } = await render(tools, catalogue);
      for (const file of files) this.addWatchFile(file);
      return `export const listing = ${JSON.stringify(listing)};\nexport const searchIndex = ${JSON.stringify(searchIndex)};`;
    },
  };
}

/** In a thread of its own, whose modules go with it: a later build in this process must see what the files say then. */
function render(tools: string, catalogue: string): Promise<Rendered> {
  const workerData = { tools, listing: join(catalogue, 'listing.ts'), searchIndex: join(catalogue, 'search/render-index.ts') };
  const worker = new Worker(new URL('./render-listing.ts', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`${tools}: ended without a listing`)));
  });
}
