import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { outlineOf, type Toolset, type ToolsetOutline } from '../../lib/catalogue/tool.ts';
import { useCompiledCode } from './compiled-code.ts';

/** What this thread answers. */
export interface Rendered {
  readonly listing: string;
  readonly searchIndex: string;
  readonly toolsets: readonly Outlined[];
  /** Paths of the project's files it was made of. */
  readonly files: readonly string[];
}

/** A toolset without its declarations. */
export type Outlined = Pick<Toolset, 'name' | 'title'> & { readonly outline: ToolsetOutline };

useCompiledCode(workerData.compiled);

const files: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) files.push(fileURLToPath(url));
    return nextLoad(url, context);
  },
});

const { toolsets } = await import(pathToFileURL(workerData.tools).href);
const { renderListing } = await import(pathToFileURL(workerData.listing).href);
const { renderSearchIndex } = await import(pathToFileURL(workerData.searchIndex).href);
const listing = renderListing(toolsets);
const outlined = toolsets.map((toolset: Toolset) => ({ name: toolset.name, title: toolset.title, outline: outlineOf(toolset) }));
const answer: Rendered = { listing, searchIndex: renderSearchIndex(toolsets, listing), toolsets: outlined, files };
parentPort?.postMessage(answer);
