import { posix } from 'node:path';
import { parse, type Reference, referencesOf } from './references.ts';

/** Sources by path from the project's root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

/** A file or folder that a layer may import, whole or its types alone. */
export type Allowed = string | { readonly types: string };

/**
 * What each layer may import. A layer is a file or a folder; `*` stands for one name, and then every match is a layer of its own.
 * Within itself a layer is free; packages from npm and Node's modules are no matter of layers.
 */
export type Layers = Readonly<Record<string, readonly Allowed[]>>;

/** Every reference that goes where its layer may not, in words; and every file that is in no layer. */
export function layerViolations(sources: Sources, layers: Layers): readonly string[] {
  return [...sources].flatMap(([path, text]) => {
    const layer = layerOf(path, layers);
    if (!layer) return [`${path}: belongs to no layer; it goes into one of ${Object.keys(layers).join(', ')}`];
    return referencesOf(parse(path, text)).flatMap((reference) => {
      const problem = problemOf(path, reference, layer);
      return problem ? [`${path}:${reference.line}: ${problem}`] : [];
    });
  });
}

/** Circles of files that import each other at run time, each named once, from its first file in order of path. */
export function importCycles(sources: Sources): readonly string[] {
  const cycles = new Map<string, string>();
  const finished = new Set<string>();
  const follow = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      const circle = trail.slice(start);
      cycles.set([...circle].sort().join(), [...circle, path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const target of importedFiles(path, sources)) follow(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of [...sources.keys()].sort()) follow(path, []);
  return [...cycles.values()];
}

function importedFiles(path: string, sources: Sources): readonly string[] {
  return referencesOf(parse(path, sources.get(path) ?? ''))
    .filter(({ kind }) => kind === 'static' || kind === 'dynamic')
    .flatMap(({ specifier }) => (specifier?.startsWith('.') ? [resolve(path, specifier)] : []))
    .filter((target) => sources.has(target));
}

interface Layer {
  readonly name: string;
  readonly allowed: readonly Allowed[];
}

function problemOf(path: string, { specifier, kind }: Reference, layer: Layer): string | undefined {
  if (specifier === undefined) return undefined;
  if (specifier.startsWith('/') || specifier.startsWith('file:')) return `imports ${specifier}; use a relative path`;
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(path, specifier);
  if (within(target, layer.name)) return undefined;
  const open = layer.allowed.some((allowed) => {
    return typeof allowed === 'string' ? within(target, allowed) : kind === 'type' && within(target, allowed.types);
  });
  if (open) return undefined;
  const words = layer.allowed.map((allowed) => (typeof allowed === 'string' ? allowed : `types of ${allowed.types}`));
  return `${layer.name} may not import ${target}; it may import ${words.join(', ') || 'nothing outside itself'}`;
}

function layerOf(path: string, layers: Layers): Layer | undefined {
  for (const [pattern, allowed] of Object.entries(layers)) {
    const folder = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(?=/|$)`).exec(path)?.[0];
    if (folder !== undefined) return { name: folder, allowed };
  }
  return undefined;
}

function resolve(from: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

/** Whether a path is a file, or lies in a folder. */
export function within(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
