import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { DeployError } from '../deploy-error.ts';
import type { Project, ProjectFunction } from '../project.ts';
import { collectFiles } from '../source/collect-files.ts';
import { isJavaScript, isTypeScript } from '../source/function-file.ts';
import { mainFileOf } from '../source/main-file.ts';
import type { Inspected, InspectedFile } from './finding.ts';

const MOST_TEXT_BYTES = 8 * 1024 * 1024;

/** Looks at what would be deployed of a function as it lies there; null for what has no code here. */
export function inspectFunction(entry: ProjectFunction, project: Project): Inspected | null {
  const { source } = entry;
  if (source.type === 'sequence' || source.type === 'unsupported') return null;
  const path = relative(project.dir, source.path).split(sep).join('/');
  if (source.type === 'file') {
    const files = [inspectedFile(source.path, path.slice(path.lastIndexOf('/') + 1))];
    return { entry, path, files, isZip: source.path.endsWith('.zip'), mainFile: files[0] ?? null, surprising: [] };
  }
  const { files: collected, surprising } = collectedOrNothing(source.path, source.include);
  const files = collected.map((file) => inspectedFile(file.path, file.name));
  return { entry, path, files, isZip: files.length > 1, mainFile: mainFileOf(files, manifestOf(files)), surprising };
}

/** The members of a function's package.json, where it is deployed. */
export function manifestOf(files: readonly InspectedFile[]): unknown {
  const manifest = files.find((file) => file.name === 'package.json');
  try {
    return manifest === undefined ? null : JSON.parse(manifest.text ?? '');
  } catch {
    // Reading the project has told that it is no JSON.
    return null;
  }
}

function collectedOrNothing(dir: string, include: Parameters<typeof collectFiles>[1]): ReturnType<typeof collectFiles> {
  try {
    return collectFiles(dir, include, '');
  } catch (error) {
    // Listed files that are missing are made by a build that has not been run.
    if (error instanceof DeployError) return { files: [], surprising: [] };
    throw error;
  }
}

function inspectedFile(path: string, name: string): InspectedFile {
  const { size } = statSync(path);
  const isText = isJavaScript(name) || isTypeScript(name) || name === 'package.json';
  return { name, bytes: size, text: isText && size <= MOST_TEXT_BYTES ? readFileSync(path, 'utf8') : null };
}
