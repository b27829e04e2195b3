import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Ignore } from 'ignore';
import { DeployError } from '../deploy-error.ts';
import type { IncludeItem } from '../project.ts';
import { isInLib } from './include-list.ts';
import { leftOutAlways, leftOutOfDirectory } from './left-out.ts';
import { compareBytes, listFiles } from './list-files.ts';

/** A file that goes into a function: where it is and its name inside, with `/`. */
export interface CollectedFile {
  readonly path: string;
  readonly name: string;
}

/** What a function is made of, sorted by name, and the files a reader would expect in it but that the platform's rules leave out. */
export interface Collected {
  readonly files: readonly CollectedFile[];
  readonly surprising: readonly string[];
}

/**
 * Collects the files of a function directory: what `.include` lists, directories with all they hold, or else every file but those of
 * `.ignore` and what never travels (specification, Project layout; platform reference, what is collected). Throws a DeployError naming a
 * listed file that is missing; `howToBuild` ends that message.
 */
export function collectFiles(dir: string, include: readonly IncludeItem[] | null, howToBuild: string): Collected {
  const surprising: string[] = [];
  const files = include === null ? wholeDirectory(dir, surprising) : include.flatMap((item) => included(dir, item, surprising, howToBuild));
  const byName = new Map<string, CollectedFile>();
  for (const file of files) {
    const before = byName.get(file.name);
    if (before !== undefined && before.path !== file.path) {
      throw new DeployError(
        'invalid_project',
        `.include brings two files named ${file.name}: ${before.path} and ${file.path}; rename one of them`,
      );
    }
    byName.set(file.name, file);
  }
  return { files: [...byName.values()].sort((a, b) => compareBytes(a.name, b.name)), surprising };
}

function wholeDirectory(dir: string, surprising: string[]): readonly CollectedFile[] {
  const list = join(dir, '.ignore');
  const filter = leftOutOfDirectory(existsSync(list) ? readFileSync(list, 'utf8') : '');
  return listFiles(dir, leftOutBy(filter, surprising)).map((name) => ({ path: join(dir, name), name }));
}

function included(dir: string, item: IncludeItem, surprising: string[], howToBuild: string): readonly CollectedFile[] {
  const path = join(dir, item.path);
  const name = isInLib(item.path) ? basename(path) : item.path.replaceAll('\\', '/');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw missing(item, howToBuild);
  if (!stat.isDirectory()) return [{ path, name }];
  const files = listFiles(path, leftOutBy(leftOutAlways(), surprising));
  const prefix = name === '.' ? '' : `${name}/`;
  return files.map((file) => ({ path: join(path, file), name: `${prefix}${file}` }));
}

function missing(item: IncludeItem, howToBuild: string): DeployError {
  const pattern = /[*?[\]{}]/.test(item.path) ? ' (the list takes literal paths, no patterns)' : '';
  return new DeployError('invalid_project', `.include:${item.line} lists ${item.path}, which does not exist${pattern}: ${howToBuild}`);
}

function leftOutBy(filter: Ignore, surprising: string[]): (path: string) => boolean {
  return (path) => {
    if (!filter.ignores(path)) return false;
    if (/_tmp_|\.deployed|\.nimbella|\.#/.test(path)) surprising.push(path);
    return true;
  };
}
