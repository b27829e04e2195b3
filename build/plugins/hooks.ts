import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plugin } from 'rollup';
import { hasStore } from '../has-store.ts';
import type { Compiled } from './compile-hooks.ts';
import { compiledCode } from './compiled-code.ts';

const compiledHooks = '\0virtual:hooks';
const engine = '\0virtual:hooks-engine';

/**
 * Resolves `virtual:hooks`: the project's hooks.yml, compiled while bundling and refused there when it is wrong; and `virtual:hooks-engine`: the source of
 * JSONata. A project without the file has no hooks.
 *
 * @param folder the function's, packages/<package>/<function> of the project
 */
export function hooks(folder: string): Plugin {
  return {
    name: 'hooks',
    resolveId: (source) => [compiledHooks, engine].find((id) => id === `\0${source}`),
    async load(id) {
      if (id === engine) return `export const engine = ${JSON.stringify(jsonataSource())};`;
      if (id !== compiledHooks) return null;
      const root = join(folder, '../../..');
      const file = join(root, 'hooks.yml');
      this.addWatchFile(file);
      const stored = hasStore(root);
      const compiled = existsSync(file) ? await compile(file, join(folder, 'tools.ts'), stored) : { hooks: [], files: [] };
      if ('problems' in compiled) this.error({ message: compiled.problems, meta: { refused: compiled.problems } });
      for (const source of compiled.files) this.addWatchFile(source);
      return { code: `export const hooks = ${JSON.stringify(compiled.hooks)};`, meta: { hasStore: stored } };
    },
  };
}

/** JSONata as one script that makes itself a global. */
function jsonataSource(): string {
  return readFileSync(createRequire(import.meta.url).resolve('jsonata/jsonata.min.js'), 'utf8');
}

/** In a thread of its own, whose modules go with it: a later build in this process must see what the files say then. */
function compile(file: string, tools: string, stored: boolean): Promise<Compiled> {
  const worker = new Worker(new URL('./compile-hooks.ts', import.meta.url), {
    workerData: { file, tools, hasStore: stored, compiled: compiledCode() },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`${file}: ended without an answer`)));
  });
}
