import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DeployError } from '../deploy-error.ts';

/**
 * The files below a directory as paths relative to it with `/`, sorted. Symbolic links are followed. `leftOut` is asked for each path
 * (directories end with `/`) and keeps whole directories closed.
 */
export function listFiles(dir: string, leftOut: (path: string) => boolean): readonly string[] {
  const files: string[] = [];
  walk(dir, dir, [realpathSync(dir)], leftOut, files);
  return files.sort(compareBytes);
}

/** Order of strings by code unit, the same in every locale. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function walk(root: string, dir: string, parents: readonly string[], leftOut: (path: string) => boolean, files: string[]): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    const shown = relative(root, path).split(sep).join('/');
    const kind = kindOf(entry, path, shown);
    if (kind === 'other' || leftOut(kind === 'directory' ? `${shown}/` : shown)) continue;
    if (kind === 'file') files.push(shown);
    else walk(root, path, deeper(path, shown, parents), leftOut, files);
  }
}

function kindOf(entry: Dirent, path: string, shown: string): 'file' | 'directory' | 'other' {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (!entry.isSymbolicLink()) return 'other';
  const target = statSync(path, { throwIfNoEntry: false });
  if (target === undefined) throw new DeployError('invalid_project', `${shown} is a link to nothing: remove it, or name it in .ignore`);
  if (target.isFile()) return 'file';
  return target.isDirectory() ? 'directory' : 'other';
}

function deeper(path: string, shown: string, parents: readonly string[]): readonly string[] {
  const real = realpathSync(path);
  if (parents.includes(real))
    throw new DeployError('invalid_project', `${shown} is a link to a directory above itself: remove it, or name it in .ignore`);
  return [...parents, real];
}
