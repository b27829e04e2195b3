import type { Project, ProjectFunction } from '../../../deployer/project.ts';

/** The project with the functions alone that have changed, by their full names. */
export function onlyChanged(project: Project, changed: readonly string[] | 'everything'): Project {
  if (changed === 'everything') return project;
  const hasChanged = (entry: ProjectFunction): boolean => changed.includes(entry.fullName);
  const packages = project.packages.map((pack) => ({ ...pack, functions: pack.functions.filter(hasChanged) }));
  return { ...project, packages: packages.filter((pack) => pack.functions.length > 0) };
}
