import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../config/substitute.ts';
import type { BuildStep, FunctionSource } from '../project.ts';
import { isJavaScript, isTypeScript, otherLanguage } from './function-file.ts';
import { readIncludeList } from './include-list.ts';

/** Says that something is wrong in one file of a directory; '' is the directory itself. */
export type ReportIn = (file: string) => Report;

/** Reads a function directory: what builds it and what it lists (specification, Project layout and package.json). */
export function functionDirectory(dir: string, reportIn: ReportIn): FunctionSource {
  const present = new Set(readdirSync(dir));
  if (present.size === 0 || (present.size === 1 && present.has('.ignore'))) {
    reportIn('')(null, 'has no files: put the function in it, or remove the directory');
  }
  if (present.has('.include') && present.has('.ignore')) {
    reportIn('.include')(null, 'stands beside .ignore, and only one of them can say what is deployed: remove one');
  }
  const include = present.has('.include') ? readIncludeList(dir, reportIn('.include')) : null;
  return { type: 'directory', path: dir, build: buildStep(dir, present, reportIn), include };
}

/** How the root `lib/` is built: only where it has a build.sh or a package.json. A list of files has no meaning there. */
export function libBuild(dir: string, reportIn: ReportIn): BuildStep | null {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const present = new Set(readdirSync(dir));
  for (const list of ['.include', '.ignore']) {
    if (present.has(list)) reportIn(list)(null, 'has no meaning in lib: only the functions list what they deploy; remove it');
  }
  return buildStep(dir, present, reportIn);
}

/** The language of a directory whose sources are all of languages other than JavaScript and TypeScript, or null. */
export function foreignLanguage(dir: string): string | null {
  if (existsSync(join(dir, 'package.json'))) return null;
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => !/^(node_modules|virtualenv|vendor|\.git)[/\\]/.test(path));
  if (sources.some((path) => isJavaScript(path) || isTypeScript(path))) return null;
  return sources.map(otherLanguage).find((language) => language !== null) ?? null;
}

function buildStep(dir: string, present: ReadonlySet<string>, reportIn: ReportIn): BuildStep | null {
  if (process.platform === 'win32' && present.has('build.cmd')) return { type: 'build.cmd', dir };
  if (present.has('build.sh')) {
    if (process.platform === 'win32') reportIn('build.sh')(null, 'does not run on Windows: put a build.cmd beside it');
    else if (!isExecutable(join(dir, 'build.sh')))
      reportIn('build.sh')(null, 'is not executable and would exit with 126: run chmod +x on it');
    return { type: 'build.sh', dir };
  }
  if (present.has('build.cmd')) reportIn('build.cmd')(null, 'runs on Windows only: put a build.sh beside it');
  if (!present.has('package.json')) return null;
  return { type: hasBuildScript(dir, reportIn('package.json')) ? 'npm-build' : 'npm-install', dir };
}

function hasBuildScript(dir: string, report: Report): boolean {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  } catch (error) {
    report(null, `is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
  if (typeof manifest !== 'object' || manifest === null || !('scripts' in manifest)) return false;
  const { scripts } = manifest;
  return typeof scripts === 'object' && scripts !== null && 'build' in scripts && typeof scripts.build === 'string' && scripts.build !== '';
}

function isExecutable(path: string): boolean {
  return (statSync(path).mode & 0o111) !== 0;
}
