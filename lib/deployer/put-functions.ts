import { DeployError } from './deploy-error.ts';
import { type DeployedFunction, deployFunction, type FunctionResult } from './deploy-function.ts';
import type { Deployment } from './deployment.ts';
import { type Failed, failable } from './failable.ts';
import type { Project, ProjectFunction, Skipped } from './project.ts';
import { isSequence, orderSequences } from './sequence-order.ts';
import { inParallel } from './upload/in-parallel.ts';
import { putPackage } from './upload/put-package.ts';
import type { Triggered } from './upload/put-triggers.ts';

/** The functions of a project, and apart from them the sequences, each after those it runs. */
export interface FunctionsInOrder {
  readonly functions: readonly ProjectFunction[];
  readonly sequences: readonly ProjectFunction[];
}

/** Tells functions from sequences. Throws `invalid_project` for sequences that run each other. */
export function functionsInOrder(project: Project, namespace: string): FunctionsInOrder {
  const all = project.packages.flatMap((pack) => pack.functions);
  const order = orderSequences(all.filter(isSequence), namespace);
  if ('ordered' in order) return { functions: all.filter((entry) => !isSequence(entry)), sequences: order.ordered };
  throw new DeployError('invalid_project', `the sequences ${order.circle.join(' -> ')} run each other without end: break the circle`);
}

/** What became of packages and functions. */
export interface FunctionsOutcome {
  readonly deployed: readonly DeployedFunction[];
  readonly skipped: readonly Skipped[];
  readonly failed: readonly Failed[];
  readonly triggered: readonly Triggered[];
}

interface Put {
  readonly entry: ProjectFunction;
  readonly result: FunctionResult;
}

/** Puts the packages, then the functions in them, then the sequences of functions. What fails for one stops no other. */
export async function putFunctions(
  project: Project,
  { functions, sequences }: FunctionsInOrder,
  deployment: Deployment,
  parallel: number,
): Promise<FunctionsOutcome> {
  const packages = await inParallel(project.packages, parallel, (pack) =>
    failable(pack.name, async () => {
      await putPackage(pack, deployment);
      return { put: pack.name };
    }),
  );
  const packageFailures = packages.flatMap((result) => ('failed' in result ? [result.failed] : []));
  const put = async (entry: ProjectFunction): Promise<Put> => {
    const failure = packageFailures.find((failed) => failed.name === entry.package);
    if (failure === undefined) return { entry, result: await deployFunction(entry, project, deployment) };
    const error = `its package ${entry.package} could not be put: ${failure.error}`;
    return { entry, result: { failed: { name: entry.fullName, error } } };
  };
  const results = [...(await inParallel(functions, parallel, put)), ...(await inParallel(sequences, 1, put))];
  const withoutFunctions = packageFailures.filter((failed) => !results.some(({ entry }) => entry.package === failed.name));
  return {
    deployed: results.flatMap(({ result }) => ('deployed' in result ? [result.deployed] : [])),
    skipped: results.flatMap(({ result }) => ('skipped' in result ? [result.skipped] : [])),
    failed: [...withoutFunctions, ...results.flatMap(({ result }) => ('failed' in result ? [result.failed] : []))],
    triggered: results.flatMap(({ entry, result }) => ('deployed' in result ? [{ entry, formerTriggers: result.formerTriggers }] : [])),
  };
}
