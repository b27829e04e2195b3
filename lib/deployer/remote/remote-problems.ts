import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { BuildStep, Project } from '../project.ts';

/**
 * Why a build cannot run away from this machine, where that can be seen: a remote build gets the function's directory and the project's
 * `lib`, and nothing else of the project (platform reference, layouts). Null where nothing speaks against it.
 */
export function remoteProblem(build: BuildStep, project: Project): string | null {
  if (build.type !== 'npm-build') return null;
  const manifest = readManifest(build.dir);
  const command = manifest.scripts?.build ?? '';
  const outside = command
    .split(/[\s"'=]+/)
    .find((word) => word.startsWith('..') && leaves(resolve(build.dir, word), build.dir, project.dir));
  if (outside !== undefined) {
    const path = relative(project.dir, resolve(build.dir, outside)).split(sep).join('/');
    return `its build (${command}) uses ${path}, and a remote build gets the function's directory and lib alone`;
  }
  const declared = { ...manifest.dependencies, ...manifest.devDependencies };
  const tool = command
    .split('&&')
    .map((part) => part.trim().split(/\s+/)[0] ?? '')
    .find((word) => isFromAbove(word, build.dir, project.dir));
  if (tool !== undefined && Object.keys(declared).length === 0) {
    return `its build (${command}) runs ${tool} of the project's root, which a remote build does not get: list it in the function's devDependencies`;
  }
  return null;
}

interface Manifest {
  readonly scripts?: { readonly build?: string };
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

function readManifest(dir: string): Manifest {
  const manifest: unknown = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  // Only members that npm itself wants to be of these shapes are looked at.
  return typeof manifest === 'object' && manifest !== null ? (manifest as Manifest) : {};
}

function leaves(path: string, dir: string, projectDir: string): boolean {
  return ![dir, join(projectDir, 'lib')].some((inside) => path === inside || path.startsWith(`${inside}${sep}`));
}

function isFromAbove(command: string, dir: string, projectDir: string): boolean {
  if (command === '' || existsSync(join(dir, 'node_modules', '.bin', command))) return false;
  for (let above = dirname(dir); above.startsWith(projectDir); above = dirname(above)) {
    if (existsSync(join(above, 'node_modules', '.bin', command))) return true;
  }
  return false;
}
