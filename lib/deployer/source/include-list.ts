import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Report } from '../config/substitute.ts';
import type { IncludeItem } from '../project.ts';

/** The `lib` directory of the project as seen from a function directory: the one place outside that a list may reach. */
const LIB = '../../../lib';

/**
 * Reads a `.include` file: one literal path to a line. Reports paths that a list may not hold; whether they exist is asked after the build.
 */
export function readIncludeList(dir: string, report: Report): readonly IncludeItem[] {
  const lines = readFileSync(join(dir, '.include'), 'utf8').split('\n');
  const items = lines.map((line, index) => ({ path: normal(line.trim()), line: index + 1 })).filter((item) => item.path !== '');
  if (items.length === 0) report(null, 'lists nothing: name the files to deploy, one to a line, or remove it to deploy every file');
  for (const item of items) {
    const problem = itemProblem(item.path, dir);
    if (problem !== null) report(item.line, problem);
  }
  return items;
}

/** True when a listed path reaches into the project's `lib`; it travels under its last name then. */
export function isInLib(path: string): boolean {
  return path === LIB || path.startsWith(`${LIB}/`);
}

function normal(line: string): string {
  const path = line.replace(/^(\.[/\\])+/, '');
  return path.length > 1 ? path.replace(/[/\\]+$/, '') : path;
}

function itemProblem(path: string, dir: string): string | null {
  if (path.startsWith('#') && !existsSync(join(dir, path)))
    return `"${path}" is taken for the name of a file: .include has no comments, remove the line`;
  if (path.startsWith('!') && !existsSync(join(dir, path)))
    return `"${path}" is taken for the name of a file: .include only adds; leave out with .ignore instead of .include`;
  if (isAbsolute(path)) return `"${path}" is absolute: name files relative to the function's directory`;
  if (!path.includes('..')) return null;
  const lib = resolve(dir, LIB);
  const target = relative(lib, resolve(dir, path));
  const inside = target === '' || (!target.startsWith(`..${sep}`) && target !== '..' && !isAbsolute(target));
  return isInLib(path) && inside ? null : `"${path}" leaves the function's directory: only ${LIB} and what is in it may be reached with ..`;
}
