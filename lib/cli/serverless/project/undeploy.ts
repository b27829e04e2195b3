import { type ToUndeploy, type UndeployOutcome, undeployAll, undeploy as undeployNamed } from '../../../deployer/undeploy.ts';
import { CliError } from '../../cli-error.ts';
import { functionName } from '../api/function-name.ts';
import { triggersAccess } from '../namespace/triggers.ts';
import type { AccountOptions, OutputOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { platformAccess } from '../target/resolve-account.ts';
import { resolveTarget } from '../target/resolve-target.ts';

export interface UndeployOptions extends AccountOptions, OutputOptions {
  readonly packages?: boolean;
  readonly triggers?: boolean;
  readonly all?: boolean;
}

/** `undeploy`: removes what is named, or everything. What cannot be removed stops nothing else, and ends the command with 1. */
export async function undeploy(names: readonly string[], options: UndeployOptions): Promise<void> {
  const { all, packages, triggers } = options;
  if (all && names.length > 0) throw new CliError('names and --all exclude each other: give one of them');
  if (!all && names.length === 0) throw new CliError('name functions or packages to remove, or say --all');
  if (packages && triggers) throw new CliError('--packages and --triggers exclude each other: give one of them');
  const outcome = await remove(names, options);
  if (options.output === 'json') printJson(outcome);
  if (outcome.failed.length > 0) {
    const reasons = outcome.failed.map(({ name, error }) => `${name}: ${error}`);
    throw new CliError(`not everything was removed:\n  ${reasons.join('\n  ')}`);
  }
  if (options.output === 'text') {
    printLine(all ? 'All resources in the namespace have been undeployed.' : 'The requested resources have been undeployed.');
  }
}

async function remove(names: readonly string[], options: UndeployOptions): Promise<UndeployOutcome> {
  const target = resolveTarget(options);
  const how = { ...platformAccess(options), onProgress: tell };
  if (options.all && !options.triggers) return undeployAll(target, how);
  if (options.triggers) return undeployNamed({ triggers: options.all ? await allTriggers(options) : names }, target, how);
  return undeployNamed(sorted(names, options.packages ?? false), target, how);
}

async function allTriggers(options: AccountOptions): Promise<readonly string[]> {
  const { api, namespace } = await triggersAccess(options);
  return (await api.triggers(namespace)).map(({ name }) => name);
}

/** Simple names are those of functions in no package, or of packages. */
function sorted(names: readonly string[], packages: boolean): ToUndeploy {
  const isPackage = (name: string): boolean => packages && !name.includes('/');
  return { functions: names.filter((name) => !isPackage(name)).map(functionName), packages: names.filter(isPackage) };
}
