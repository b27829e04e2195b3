import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Hook } from '../../lib/webhooks/hook.ts';
import { useCompiledCode } from './compiled-code.ts';

/** What this thread answers: the hooks and the project's files that they were made with, or what is wrong with hooks.yml. */
export type Compiled = { readonly hooks: readonly Hook[]; readonly files: readonly string[] } | { readonly problems: string };

useCompiledCode(workerData.compiled);

const files: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) files.push(fileURLToPath(url));
    return nextLoad(url, context);
  },
});

const { file, tools, hasStore } = workerData;
const { toolsets } = await import(pathToFileURL(tools).href);
const { renderListing } = await import('../../lib/catalogue/listing.ts');
const { catalogue } = await import('../../lib/catalogue/catalogue.ts');
const { compileHooks } = await import('../../lib/webhooks/compile/compile-hooks.ts');
const { HooksFileError } = await import('../../lib/webhooks/compile/hooks-file-error.ts');

function answer(): Compiled {
  try {
    const options = { file: basename(file), catalogue: catalogue(toolsets, renderListing(toolsets)), hasStore };
    return { hooks: compileHooks(readFileSync(file, 'utf8'), options), files };
  } catch (failure) {
    if (failure instanceof HooksFileError) return { problems: failure.message };
    throw failure;
  }
}

parentPort?.postMessage(answer());
