import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plugin } from 'rollup';
import { compiledCode } from './compiled-code.ts';
import type { Outlined, Rendered } from './render-listing.ts';

const names = ['virtual:tool-listing', 'virtual:search-index'];
const late = '\0late-toolset:';

/**
 * Evaluates the declarations in the function's `tools.ts` (which exports `toolsets`) while bundling, and puts into the bundle what came of it:
 *
 * `virtual:tool-listing` is the text that `renderListing` of lib/catalogue/listing.ts makes, `virtual:search-index` that of `renderSearchIndex` of
 * lib/catalogue/search/render-index.ts, each one string. In place of a toolset, lib/tools/<name>/index.ts, `tools.ts` gets its outline; the declarations are
 * loaded when somebody looks at its `tools`.
 *
 * @param folder the function's, packages/<package>/<function> of the project
 */
export function toolListing(folder: string): Plugin {
  const tools = resolve(folder, 'tools.ts');
  let rendering: Promise<Rendered> | undefined;
  const rendered = (): Promise<Rendered> => {
    rendering ??= render(tools, join(folder, '../../../lib/catalogue'));
    return rendering;
  };
  return {
    name: 'tool-listing',
    buildStart() {
      rendering = undefined;
    },
    resolveId(source, importer) {
      if (names.includes(source)) return `\0${source}`;
      if (importer !== tools || !/[\\/]lib[\\/]tools[\\/]\w+[\\/]index\.ts$/.test(source)) return null;
      return late + resolve(folder, source);
    },
    async load(id) {
      if (id.startsWith(late)) return lateToolset(id.slice(late.length), (await rendered()).toolsets);
      if (!names.includes(id.slice(1))) return null;
      if (!existsSync(tools)) this.error(`${tools} is missing: a function that imports ${id.slice(1)} says there which toolsets it lists`);
      const { listing, searchIndex, files } = await rendered();
      for (const file of files) this.addWatchFile(file);
      return id.endsWith('listing') ? `export const listing = ${quoted(listing)};` : `export const searchIndex = ${quoted(searchIndex)};`;
    },
    // The chunks of a bundle are at hand, and looking at a property cannot wait.
    renderDynamicImport: ({ moduleId }) => (moduleId.startsWith(late) ? { left: 'require(', right: ')' } : null),
  };
}

/** A toolset that has its name, its title and its outline, and loads its tools when they are looked at. */
function lateToolset(path: string, toolsets: readonly Outlined[]): string {
  const name = basename(dirname(path));
  const toolset = toolsets.find((one) => one.name === name);
  if (!toolset) throw new Error(`${path}: expected the export ${name} of a toolset of that name, which tools.ts lists`);
  const { title, outline } = toolset;
  return `export const ${name} = {
  ...${JSON.stringify({ name, title, outline })},
  get tools() { return import(${JSON.stringify(path)}).${name}.tools; },
};`;
}

/** A string in single quotes: JSON is full of double ones, and each backslash is one more character to read at every start. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** In a thread of its own, whose modules go with it: a later build in this process must see what the files say then. */
function render(tools: string, catalogue: string): Promise<Rendered> {
  const files = { tools, listing: join(catalogue, 'listing.ts'), searchIndex: join(catalogue, 'search/render-index.ts') };
  const workerData = { ...files, compiled: compiledCode() };
  const worker = new Worker(new URL('./render-listing.ts', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`${tools}: ended without a listing`)));
  });
}
