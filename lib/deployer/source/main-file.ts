import { posix } from 'node:path';
import { field } from '../api/connection.ts';
import type { FunctionSource } from '../project.ts';
import { isJavaScript, isTypeScript } from './function-file.ts';

/**
 * The file that a kind starts a function from: the only one, else what package.json's `main` names, else index.js, else index.mjs (platform
 * reference, runtime contract). `manifest` is what package.json holds, null where there is none. Null where the files have no such one.
 */
export function mainFileOf<F extends { readonly name: string }>(files: readonly F[], manifest: unknown): F | null {
  const [only, ...others] = files;
  if (only === undefined || others.length === 0) return only ?? null;
  const declared = field(manifest, 'main');
  const wanted = typeof declared === 'string' ? [posix.normalize(declared)] : ['index.js', 'index.mjs'];
  const names = wanted.flatMap((name) => [name, `${name}.js`, `${name}/index.js`]);
  return files.find((file) => names.includes(file.name)) ?? null;
}

/** Whether a kind reads a function's main file as JavaScript: so it does a file of TypeScript that is the whole function. */
export function isReadAsJavaScript(name: string, source: FunctionSource): boolean {
  return isJavaScript(name) || (source.type === 'file' && isTypeScript(name));
}
