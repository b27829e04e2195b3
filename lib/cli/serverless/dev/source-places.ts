import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProjectFunction } from '../../../deployer/project.ts';
import { collectFiles } from '../../../deployer/source/collect-files.ts';
import { isJavaScript } from '../../../deployer/source/function-file.ts';
import { type CodePlace, replaceCodePlaces } from '../../../host/functions/code-places.ts';

/** Where the code of a deployed function came from. */
export interface SourcePlaces {
  /** A text with every place in the running code replaced by that in the sources, as a path from the current directory. */
  translate(text: string): string;
}

/** A deployed file: where it lies, and the map that a bundler made for it. */
interface Deployed {
  readonly path: string;
  readonly map: SourceMap | null;
}

/**
 * Reads where a function's code came from: the maps that bundlers leave in a bundle or beside it, else the files themselves. Read when it is
 * deployed: what lies there later may be another build's.
 */
export function sourcePlaces({ source }: ProjectFunction): SourcePlaces {
  const files = filesOf(source);
  return { translate: (text) => replaceCodePlaces(text, (place) => shown(place, files)) };
}

function filesOf(source: ProjectFunction['source']): ReadonlyMap<string, Deployed> {
  if (source.type === 'file') return new Map([[basename(source.path), deployed(source.path, dirname(source.path))]]);
  if (source.type !== 'directory') return new Map();
  const { files } = collectFiles(source.path, source.include, '');
  const code = files.filter(({ name }) => isJavaScript(name));
  return new Map(code.map(({ name, path }) => [name, deployed(path, source.path)]));
}

function deployed(path: string, builtIn: string): Deployed {
  // What others wrote and bundled is shown as it is.
  return { path, map: path.includes('/node_modules/') ? null : readMap(path, builtIn) };
}

function shown({ file, line, column }: CodePlace, files: ReadonlyMap<string, Deployed>): string | null {
  const [only] = files.size === 1 ? files.values() : [];
  const found = file === null ? only : files.get(file);
  if (!found) return null;
  const origin = found.map?.findOrigin(line, column ?? 1);
  const place =
    origin && 'fileName' in origin
      ? { path: origin.fileName, line: origin.lineNumber, column: origin.columnNumber }
      : { path: found.path, line, column };
  return [relative(process.cwd(), place.path), place.line, ...(column === undefined ? [] : [place.column])].join(':');
}

function readMap(path: string, builtIn: string): SourceMap | null {
  const found = mapText(path, readFileSync(path, 'utf8'));
  if (found === null) return null;
  try {
    // What is missing or of another kind fails right here, and the file is shown as it is.
    const payload = JSON.parse(found.text) as SourceMapPayload;
    const sources = payload.sources.map((source) => sourcePath(source, payload.sourceRoot ?? '', found.dir, builtIn));
    return new SourceMap({ ...payload, sourceRoot: '', sources });
  } catch {
    return null;
  }
}

function mapText(path: string, code: string): { readonly text: string; readonly dir: string } | null {
  const url = [...code.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1];
  const inline = /^data:application\/json;(?:charset=[\w-]+;)?base64,(.*)$/.exec(url ?? '')?.[1];
  if (inline !== undefined) return { text: Buffer.from(inline, 'base64').toString('utf8'), dir: dirname(path) };
  const beside = url === undefined ? `${path}.map` : join(dirname(path), decodeURIComponent(url));
  return existsSync(beside) ? { text: readFileSync(beside, 'utf8'), dir: dirname(beside) } : null;
}

/** Webpack names sources from where it ran, `webpack://name/./index.js`; the others from where the map lies. */
function sourcePath(source: string, sourceRoot: string, mapDir: string, builtIn: string): string {
  const webpack = /^webpack:\/\/[^/]*\/(.*)$/.exec(source)?.[1];
  if (webpack !== undefined) return resolve(builtIn, webpack);
  if (source.startsWith('file://')) return fileURLToPath(source);
  return isAbsolute(source) ? source : resolve(mapDir, sourceRoot, source);
}
