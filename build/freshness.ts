import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'rollup';
import { hasStore } from './has-store.ts';

/** What bundle.meta.json says: the bundle beside it is the one that these make. */
interface Recorded {
  /** Of everything that turns sources into bundles: this folder, the lock, the Node. */
  readonly toolchain: string;
  readonly bundle: string;
  /** Of the project's own sources, by path from the function's folder. Packages are covered by the lock. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Whether there was a store, where that decides which hooks are refused. */
  readonly hasStore?: boolean;
}

/** Digests of files by path; one that lives as long as a build spares reading shared sources once per function. */
export type Digests = Map<string, string>;

/**
 * Whether building the function again would make the bundle it has: every source, the build itself, the lock and the Node are
 * what they were. It goes by content, so that a checkout or a copy costs nothing.
 */
export function isFresh(folder: string, digests: Digests = new Map()): boolean {
  const recorded = readRecorded(folder);
  if (!recorded) return false;
  if (recorded.toolchain !== toolchainDigest(digests) || recorded.bundle !== digestOf(join(folder, 'bundle.js'), digests)) return false;
  if (recorded.hasStore !== undefined && recorded.hasStore !== hasStore(join(folder, '../../..'))) return false;
  return Object.entries(recorded.inputs).every(([path, digest]) => digestOf(join(folder, path), digests) === digest);
}

/** Adds bundle.meta.json to what is written, which says of what the bundle was made. Goes after the plugins that shape the bundle. */
export function recordInputs(folder: string): Plugin {
  const startedMs = performance.timeOrigin + performance.now();
  return {
    name: 'record-inputs',
    generateBundle(_options, output) {
      const digests: Digests = new Map();
      // One that is not there was looked for, and makes another bundle once it is there.
      const own = this.getWatchFiles().filter((path) => !/[\\/]node_modules[\\/]|\0/.test(path));
      // A source saved while the build ran may have been read before that; it counts as changed.
      const savedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const digest = (path: string) => (savedMs(path) > startedMs ? 'saved during the build' : digestOf(path, digests));
      const inputs = Object.fromEntries(own.sort().map((path) => [relative(folder, path), digest(path)]));
      const bundle = output['bundle.js']?.type === 'chunk' ? hash('sha256', output['bundle.js'].code) : '';
      const known = [...this.getModuleIds()].map((id): unknown => this.getModuleInfo(id)?.meta.hasStore);
      const stored = known.find((word) => typeof word === 'boolean');
      const recorded: Recorded = { toolchain: toolchainDigest(digests), bundle, inputs, hasStore: stored };
      this.emitFile({ type: 'asset', fileName: 'bundle.meta.json', source: `${JSON.stringify(recorded, null, 2)}\n` });
    },
  };
}

function readRecorded(folder: string): Recorded | undefined {
  try {
    // Safe: the file is ours; one that reads otherwise has digests that match nothing, or fails right here.
    const recorded = JSON.parse(readFileSync(join(folder, 'bundle.meta.json'), 'utf8')) as Partial<Recorded>;
    return { toolchain: '', bundle: '', inputs: {}, ...recorded };
  } catch {
    return undefined;
  }
}

function toolchainDigest(digests: Digests): string {
  const known = digests.get('toolchain');
  if (known !== undefined) return known;
  const plugins = readdirSync(join(import.meta.dirname, 'plugins')).sort();
  const paths = [
    'rollup.config.js',
    'bundle-options.ts',
    'freshness.ts',
    'has-store.ts',
    '../package-lock.json',
    ...plugins.map((name) => `plugins/${name}`),
  ];
  const parts = paths.map((path) => `${path} ${digestOf(join(import.meta.dirname, path), digests)}`);
  const digest = hash('sha256', [process.version, ...parts].join('\n'));
  digests.set('toolchain', digest);
  return digest;
}

/** sha256 in hex; of a file that is not there, a word that no file has. */
function digestOf(path: string, digests: Digests): string {
  const known = digests.get(path);
  if (known !== undefined) return known;
  const digest = existsSync(path) ? hash('sha256', readFileSync(path)) : 'absent';
  digests.set(path, digest);
  return digest;
}
