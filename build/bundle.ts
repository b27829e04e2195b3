import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RollupCache } from 'rollup';
import { type Digests, isFresh } from './freshness.ts';
import { Refused } from './refused.ts';

export { Refused };

/** What building a function did. */
export interface Built {
  /** `<package>/<function>` */
  readonly name: string;
  /** False: its bundle was up to date and nothing was done. */
  readonly rebuilt: boolean;
  readonly sizeBytes: number;
  readonly tookMs: number;
}

/**
 * Brings the bundle.js of one function up to date, as its own `npm run build` does, without starting anything.
 *
 * @param folder the function's, packages/<package>/<function> of the project
 * @throws {Refused} what is wrong with hooks.yml, line by line; or where the bundle cannot be written
 * @throws {Error} Rollup's, naming file and place
 */
export async function buildFunction(folder: string, digests: Digests = new Map(), shared: Shared = {}): Promise<Built> {
  const startedMs = performance.now();
  const stale = !isFresh(folder, digests);
  if (stale) await bundle(folder, shared);
  return {
    name: folder.split(/[\\/]/).slice(-2).join('/'),
    rebuilt: stale,
    sizeBytes: statSync(join(folder, 'bundle.js')).size,
    tookMs: performance.now() - startedMs,
  };
}

/** Brings the bundle of every function under `packages/` up to date, one after the other. */
export async function buildAll(root: string): Promise<readonly Built[]> {
  const digests: Digests = new Map();
  const shared: Shared = {};
  const built: Built[] = [];
  for (const folder of functionsOf(root)) built.push(await buildFunction(folder, digests, shared));
  return built;
}

/** What bundles built one after the other have in common, and Rollup need not read and parse for each. */
interface Shared {
  cache?: RollupCache;
}

/** The folders of a project's functions: those under packages/ whose package.json has a build script. */
export function functionsOf(root: string): readonly string[] {
  const packages = join(root, 'packages');
  return foldersIn(packages)
    .flatMap(foldersIn)
    .filter((folder) => {
      const manifest = join(folder, 'package.json');
      return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).scripts?.build !== undefined;
    });
}

/** `npm run build` at the root: builds all and says what it did. Resolves to its exit code. */
export async function main(root: string): Promise<number> {
  try {
    for (const { name, rebuilt, sizeBytes, tookMs } of await buildAll(root)) {
      const took = rebuilt ? `${Math.round(tookMs)} ms` : 'up to date';
      process.stdout.write(`${name.padEnd(20)} ${`${Math.round(sizeBytes / 1024)} KB`.padStart(8)}   ${took}\n`);
    }
    return 0;
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure;
    process.stderr.write(`${failure.message}\n`);
    return 1;
  }
}

/** Rollup is loaded only here: a start at which nothing changed does without. */
async function bundle(folder: string, shared: Shared): Promise<void> {
  const [{ rollup }, { bundleOptions }] = await Promise.all([import('rollup'), import('./bundle-options.ts')]);
  const { output, ...input } = bundleOptions(folder);
  const graph = await rollup({ ...input, cache: shared.cache ?? true }).catch(toldPlainly);
  shared.cache = graph.cache;
  try {
    // What says that the bundle is good comes last.
    const files = (await graph.generate(output)).output;
    for (const file of files) write(join(folder, file.fileName), file.type === 'chunk' ? file.code : file.source);
  } finally {
    await graph.close();
  }
}

/** By renaming: whoever reads meanwhile has the old file or the new one, whole. */
function write(path: string, content: string | Uint8Array): void {
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, content);
    renameSync(aside, path);
  } catch (failure) {
    rmSync(aside, { force: true });
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new Refused(`${path} cannot be written: ${reason}; let this user write there, and make room where the disk is full`, {
      cause: failure,
    });
  }
}

/** What a plugin refused is told without the way that led to it. */
function toldPlainly(failure: unknown): never {
  const meta = failure instanceof Error && 'meta' in failure ? failure.meta : undefined;
  const refused = typeof meta === 'object' && meta !== null && 'refused' in meta ? meta.refused : undefined;
  throw typeof refused === 'string' ? new Refused(refused, { cause: failure }) : failure;
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .sort();
}
