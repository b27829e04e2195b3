import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { Project, ProjectFunction } from '../../../deployer/project.ts';

/** What everything in a project was made from: each function by its full name, and what all of them share. */
export interface SourceDigests {
  readonly shared: string;
  readonly functions: ReadonlyMap<string, string>;
}

/** Nobody's sources: what package managers, deployers and editors leave. */
const LEFT_BEHIND = ['node_modules', '.git', '.deployed', '.deckhand', '.built', '__deployer__.zip', 'package-lock.json', '*~', '*.swp'];

/**
 * The digests of a project's sources. What a build makes is none: what git leaves out, and what `.include` lists beside a build. Two digests
 * are equal only where deploying once more would bring the same.
 */
export function sourceDigests(project: Project): SourceDigests {
  const ignored = ignore().add(LEFT_BEHIND).add(gitignored(project.dir));
  const functions = project.packages.flatMap((pack) => pack.functions);
  return {
    shared: digestOf(project.dir, ['project.yml', '.env', 'lib'], ignored),
    functions: new Map(functions.map((entry) => [entry.fullName, functionDigest(entry, project, ignored)])),
  };
}

/** Whether a path, relative to the project, is looked at at all. */
export function isWatched(path: string): boolean {
  return path === '' || !ignore().add(LEFT_BEHIND).ignores(path);
}

function functionDigest({ source }: ProjectFunction, { dir }: Project, ignored: Ignore): string {
  if (source.type === 'file') return digestOf(dir, [relative(dir, source.path)], ignored);
  if (source.type !== 'directory') return '';
  const place = relative(dir, source.path);
  const made = source.build === null ? [] : (source.include ?? []).map(({ path }) => join(place, path));
  const own = ignore()
    .add(ignored)
    .add(made.filter((path) => !path.startsWith('..')).map((path) => `/${path}`));
  return digestOf(dir, [place], own);
}

function digestOf(dir: string, places: readonly string[], ignored: Ignore): string {
  const hash = createHash('sha256');
  for (const path of places.flatMap((place) => filesIn(dir, place, ignored))) {
    hash
      .update(`${path}\0`)
      .update(contentOf(join(dir, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Every file of a place, in order, by its path from the project. */
function filesIn(dir: string, place: string, ignored: Ignore): readonly string[] {
  if (!existsSync(join(dir, place)) || ignored.ignores(place)) return [];
  const entries = entriesOf(join(dir, place));
  if (entries === null) return [place];
  return entries.flatMap((name) => filesIn(dir, join(place, name), ignored));
}

function entriesOf(path: string): readonly string[] | null {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/** A file may go while it is looked for; its going is a change of its own. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function gitignored(dir: string): string {
  const file = join(dir, '.gitignore');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
