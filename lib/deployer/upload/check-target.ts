import { DeployError, type Problem } from '../deploy-error.ts';
import type { FunctionsApi, Kind } from '../functions-api.ts';
import { didYouMean } from '../nearest-name.ts';
import type { Project, ProjectFunction } from '../project.ts';

/** Where a project goes: the namespace, and the kind of each function by its full name. */
export interface CheckedTarget {
  readonly namespace: string;
  readonly kindOf: (entry: ProjectFunction) => string;
}

/**
 * Asks the host what it runs and whose key this is, and checks the project against both before anything is built. Throws a DeployError with
 * every misfit.
 */
export async function checkTarget(project: Project, api: FunctionsApi): Promise<CheckedTarget> {
  const kinds = (await api.kinds()).get('nodejs') ?? [];
  const [namespace = ''] = await api.namespaces();
  if (project.targetNamespaces.length > 0 && !project.targetNamespaces.includes(namespace)) {
    const wanted = project.targetNamespaces.join(' or ');
    const misfit = `the key belongs to namespace ${namespace}, and the project is meant for ${wanted}`;
    throw new DeployError('rejected', `${misfit}: use a key of that namespace, or change targetNamespace`);
  }
  const problems: Problem[] = [];
  const chosen = new Map<string, string>();
  for (const entry of project.packages.flatMap((pack) => pack.functions)) {
    if (entry.source.type === 'unsupported' || entry.source.type === 'sequence') continue;
    const kind = chooseKind(entry.runtime, kinds);
    if (kind === null) problems.push({ ...entry.declaredAt, message: unknownKind(entry, kinds, api.origin) });
    else chosen.set(entry.fullName, kind);
  }
  if (problems.length > 0)
    throw new DeployError('invalid_project', `${api.origin} does not run every function of the project; nothing was built or deployed:`, {
      problems,
    });
  return { namespace, kindOf: (entry) => chosen.get(entry.fullName) ?? 'nodejs:default' };
}

function chooseKind(runtime: string | null, kinds: readonly Kind[]): string | null {
  if (runtime === null || runtime === 'nodejs:default') return kinds.find((kind) => kind.isDefault)?.kind ?? null;
  return kinds.find((kind) => kind.kind === runtime)?.kind ?? null;
}

function unknownKind(entry: ProjectFunction, kinds: readonly Kind[], origin: string): string {
  const names = kinds.map((kind) => kind.kind);
  const allowed = names.length === 0 ? 'it runs no Node.js' : `allowed: ${names.join(', ')}`;
  if (entry.runtime === null)
    return `function ${entry.fullName}: ${origin} has no default kind of Node.js (${allowed}): declare the runtime in project.yml`;
  return `function ${entry.fullName}: runtime: ${origin} does not run ${entry.runtime}${didYouMean(entry.runtime, names)} (${allowed})`;
}
