import type { Project, ProjectFunction } from '../../../deployer/project.ts';

/** The project with these functions alone. */
export function onlyFunctions(project: Project, names: readonly string[]): Project {
  const isNamed = (entry: ProjectFunction): boolean => names.includes(entry.fullName);
  const packages = project.packages.map((pack) => ({ ...pack, functions: pack.functions.filter(isNamed) }));
  return { ...project, packages: packages.filter((pack) => pack.functions.length > 0) };
}
