import { CliError } from '../../cli-error.ts';
import { functionName, nameOf } from '../api/function-name.ts';
import { ApiError } from '../api/send.ts';
import type { Trigger } from '../api/wire.ts';
import { type TriggersAccess, triggersAccess } from '../namespace/triggers.ts';
import type { AccountOptions, OutputOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';

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
  const access = await triggersAccess(options);
  const wanted = all ? await everything(access, options) : await named(access, names, options);
  const failures = await removeEach(wanted);
  if (options.output === 'json') printJson({ removed: wanted.map(({ name }) => name).filter((name) => !failures.has(name)) });
  if (failures.size > 0) {
    throw new CliError(`not everything was removed:\n  ${[...failures].map(([name, reason]) => `${name}: ${reason}`).join('\n  ')}`);
  }
  if (options.output === 'json') return;
  printLine(all ? 'All resources in the namespace have been undeployed.' : 'The requested resources have been undeployed.');
}

/** One thing to remove, and how. */
interface Removal {
  readonly name: string;
  readonly remove: () => Promise<void>;
}

async function everything(access: TriggersAccess, options: UndeployOptions): Promise<readonly Removal[]> {
  const { host } = access;
  const triggers = (await triggersOf(access)).map((trigger) => triggerRemoval(access, trigger.name));
  if (options.triggers) return triggers;
  const functions = (await host.functions({})).map((action) => functionRemoval(access, nameOf(action)));
  const packages = (await host.packages()).map((name) => packageRemoval(access, name));
  return [...triggers, ...functions, ...packages];
}

async function named(access: TriggersAccess, names: readonly string[], options: UndeployOptions): Promise<readonly Removal[]> {
  if (options.triggers) return names.map((name) => triggerRemoval(access, name));
  const triggers = await triggersOf(access);
  const withTriggers = (name: string): readonly Removal[] => [
    ...triggers.filter((trigger) => trigger.function === name).map((trigger) => triggerRemoval(access, trigger.name)),
    functionRemoval(access, name),
  ];
  const removals = names.map(async (given): Promise<readonly Removal[]> => {
    if (given.includes('/') || !options.packages) return withTriggers(functionName(given));
    const functions = await access.host.functions({ package: given });
    return [...functions.flatMap((action) => withTriggers(nameOf(action))), packageRemoval(access, given)];
  });
  return (await Promise.all(removals)).flat();
}

/** Hosts without triggers have none to remove. */
async function triggersOf({ api, namespace }: TriggersAccess): Promise<readonly Trigger[]> {
  try {
    return await api.triggers(namespace);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

async function removeEach(removals: readonly Removal[]): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (const { name, remove } of removals) {
    try {
      await remove();
      tell(`removed ${name}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.set(name, error.status === 404 ? 'it is not there' : error.message);
    }
  }
  return failures;
}

function functionRemoval({ host }: TriggersAccess, name: string): Removal {
  return { name: `function ${name}`, remove: () => host.deleteFunction(name) };
}

function packageRemoval({ host }: TriggersAccess, name: string): Removal {
  return { name: `package ${name}`, remove: () => host.deletePackage(name) };
}

function triggerRemoval({ api, namespace }: TriggersAccess, name: string): Removal {
  return { name: `trigger ${name}`, remove: () => api.deleteTrigger(namespace, name) };
}
