import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nameProblem } from '../config/read-config.ts';
import type { Report } from '../config/substitute.ts';
import type { FunctionSource, Skipped } from '../project.ts';
import { foreignLanguage, functionDirectory } from './function-directory.ts';
import { functionFile, otherLanguageReason } from './function-file.ts';
import { compareBytes } from './list-files.ts';

/** Says that something is wrong in a file, by its path relative to the project. */
export type ReportAt = (file: string) => Report;

/** A function as the disk has it: `runtime` as the file's name says, or null; a directory that seems to be in another language says so. */
export interface FoundFunction {
  readonly name: string;
  /** Path relative to the project, with `/`. */
  readonly path: string;
  readonly runtime: string | null;
  readonly source: FunctionSource;
  readonly foreign: string | null;
}

export interface FoundPackage {
  readonly name: string;
  readonly functions: readonly FoundFunction[];
}

/**
 * Finds what lies under `packages/`: a directory per package, in it a file or directory per function. Names beginning with a dot are passed
 * over.
 */
export function scanPackages(
  projectDir: string,
  reportAt: ReportAt,
): { readonly packages: readonly FoundPackage[]; readonly strays: readonly Skipped[] } {
  const strays: Skipped[] = [];
  const packages: FoundPackage[] = [];
  if (!isDirectory(join(projectDir, 'packages'))) return { packages, strays };
  for (const name of visibleNames(join(projectDir, 'packages'))) {
    const path = `packages/${name}`;
    if (!isDirectory(join(projectDir, path))) strays.push({ name: path, reason: 'is no function: functions lie in packages/<package>/' });
    else if (isName(name, path, reportAt)) packages.push({ name, functions: scanPackage(projectDir, path, reportAt, strays) });
  }
  return { packages, strays };
}

/**
 * The function at a path of the project: a file or directory under `packages/`, or what project.yml names with `file`. Null for what is
 * none.
 */
export function functionAt(projectDir: string, path: string, reportAt: ReportAt): FoundFunction | { readonly stray: string } {
  const absolute = join(projectDir, path);
  const entry = path.slice(path.lastIndexOf('/') + 1);
  if (isDirectory(absolute)) {
    if (entry === 'node_modules') return { stray: 'is no function: install packages in the directory of the function that needs them' };
    const source = functionDirectory(absolute, (file) => reportAt(file === '' ? path : `${path}/${file}`));
    return { name: entry, path, runtime: null, source, foreign: foreignLanguage(absolute) };
  }
  const file = functionFile(entry);
  if (file.type === 'stray') return { stray: file.reason };
  if (file.type === 'unsupported')
    return { name: file.name, path, runtime: null, source: { type: 'unsupported', reason: file.reason }, foreign: null };
  return { name: file.name, path, runtime: file.runtime, source: { type: 'file', path: absolute }, foreign: null };
}

/** The source of a function of the disk, given the runtime that is declared for it: a build may make JavaScript out of anything. */
export function sourceFor(found: FoundFunction, runtime: string | null): FunctionSource {
  if (runtime !== null && !runtime.startsWith('nodejs:')) return { type: 'unsupported', reason: otherLanguageReason(runtime) };
  if (found.foreign !== null && runtime === null) return { type: 'unsupported', reason: otherLanguageReason(found.foreign) };
  return found.source;
}

function scanPackage(projectDir: string, packagePath: string, reportAt: ReportAt, strays: Skipped[]): readonly FoundFunction[] {
  const byName = new Map<string, FoundFunction>();
  for (const entry of visibleNames(join(projectDir, packagePath))) {
    const path = `${packagePath}/${entry}`;
    const found = functionAt(projectDir, path, reportAt);
    if ('stray' in found) {
      strays.push({ name: path, reason: found.stray });
      continue;
    }
    if (!isName(found.name, path, reportAt)) continue;
    const before = byName.get(found.name);
    if (before === undefined) byName.set(found.name, found);
    else reportAt(path)(null, `is the function ${found.name} a second time, beside ${before.path}: rename or remove one`);
  }
  return [...byName.values()];
}

function visibleNames(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((name) => !name.startsWith('.') && !/(~|\.swp|\.swx)$/.test(name))
    .sort(compareBytes);
}

function isName(name: string, path: string, reportAt: ReportAt): boolean {
  const problem = nameProblem(name);
  if (problem !== null) reportAt(path)(null, problem);
  return problem === null;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
