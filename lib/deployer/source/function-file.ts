import { extname } from 'node:path';
import { LANGUAGES } from '../config/function-rules.ts';

/**
 * What a file's name says: a function (`runtime` null where the name does not tell), a function that cannot run here, or no function at
 * all.
 */
export type FunctionFile =
  | { readonly type: 'function'; readonly name: string; readonly runtime: string | null }
  | { readonly type: 'unsupported'; readonly name: string; readonly reason: string }
  | { readonly type: 'stray'; readonly reason: string };

/** Why TypeScript does not run as it is, and what to do. */
export const RAW_TYPESCRIPT =
  'TypeScript is not run by the Node.js kinds: build it to JavaScript (package.json with scripts.build, and the result in .include)';

/** What is told of a single file that the platform's deployer uploads all the same, as long as there is no type in it. */
export const READ_AS_JAVASCRIPT = 'its TypeScript is uploaded as it is, and read as JavaScript: the first type in it stops it';

const LANGUAGE_OF: Readonly<Record<string, string>> = {
  '.go': 'Go',
  '.php': 'PHP',
  '.py': 'Python',
  '.rb': 'Ruby',
  '.java': 'Java',
  '.swift': 'Swift',
  '.rs': 'Rust',
};
const JAVASCRIPT = ['.js', '.mjs', '.cjs'];

/**
 * Reads a function out of the name of a file under `packages/<package>/`: `hello.js`, `hello.nodejs-22.js`, `hello.ts`, `hello.zip`,
 * `hello.nodejs-22.zip` (platform reference, single-file functions).
 */
export function functionFile(fileName: string): FunctionFile {
  const extension = extname(fileName);
  const name = fileName.slice(0, fileName.length - extension.length);
  if ([...JAVASCRIPT, '.ts', '.zip'].includes(extension) && !fileName.endsWith('.d.ts')) return withRuntime(name);
  if (isTypeScript(fileName)) return { type: 'unsupported', name, reason: RAW_TYPESCRIPT };
  const language = otherLanguage(fileName);
  if (language !== null) return { type: 'unsupported', name, reason: otherLanguageReason(language) };
  return { type: 'stray', reason: 'is no function: a function is a .js, .ts or .zip file, or a directory' };
}

/** Why a function in another language is left out. */
export function otherLanguageReason(language: string): string {
  return `${language}: only Node.js functions are deployed`;
}

/** The language of a source file that is neither JavaScript nor TypeScript, or null. */
export function otherLanguage(path: string): string | null {
  return LANGUAGE_OF[extname(path)] ?? null;
}

/** True for files that a Node.js kind runs. */
export function isJavaScript(path: string): boolean {
  return JAVASCRIPT.includes(extname(path));
}

/** True for TypeScript sources; declarations are none. */
export function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

function withRuntime(stem: string): FunctionFile {
  const match = /^(.+)\.([a-z]+(?:-[a-z]+)?)-(\d+(?:\.\d+)?|default)$/.exec(stem);
  if (match === null) return { type: 'function', name: stem, runtime: null };
  const [, name = stem, language = '', version = ''] = match;
  if (!LANGUAGES.includes(language)) return { type: 'function', name: stem, runtime: null };
  return { type: 'function', name, runtime: `${language}:${version}` };
}
