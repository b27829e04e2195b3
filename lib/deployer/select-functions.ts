import { DeployError } from './deploy-error.ts';
import { didYouMean } from './nearest-name.ts';
import type { ProjectFunction, ProjectPackage } from './project.ts';

/**
 * Packages (`tools`) and functions (`tools/account`) to take, or to leave. Without `include` everything not excluded is taken; a function
 * included by its own name stays.
 */
export interface Selection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/**
 * The packages with the selected functions only; packages left with none go. Throws `invalid_project` for a name the project does not have.
 */
export function selectFunctions(packages: readonly ProjectPackage[], selection: Selection = {}): readonly ProjectPackage[] {
  const include = selection.include?.map(withoutSlash) ?? null;
  const exclude = (selection.exclude ?? []).map(withoutSlash);
  checkNames([...(include ?? []), ...exclude], packages);
  const isSelected = (entry: ProjectFunction): boolean => {
    const name = `${entry.package}/${entry.name}`;
    if (include?.includes(name) === true) return true;
    if (exclude.includes(name) || exclude.includes(entry.package)) return false;
    return include === null || include.includes(entry.package);
  };
  return packages
    .map((pack) => ({ ...pack, functions: pack.functions.filter(isSelected) }))
    .filter((pack) => pack.functions.length > 0 || (!exclude.includes(pack.name) && (include === null || include.includes(pack.name))));
}

function checkNames(names: readonly string[], packages: readonly ProjectPackage[]): void {
  const known = packages.flatMap((pack) => [pack.name, ...pack.functions.map((entry) => `${entry.package}/${entry.name}`)]);
  for (const name of names) {
    if (!known.includes(name))
      throw new DeployError('invalid_project', `the project has no package or function ${name}${didYouMean(name, known)}`);
  }
}

function withoutSlash(name: string): string {
  return name.replace(/\/$/, '');
}
