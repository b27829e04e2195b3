import { functionName } from '../api/function-name.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import type { OutputOptions, TargetOptions } from '../options.ts';
import { printJson, tell } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { knownFunction } from './known-function.ts';

/** `functions delete`: all of them, or none where one does not exist. */
export async function deleteFunctions(given: readonly string[], options: TargetOptions & OutputOptions): Promise<void> {
  const client = namespaceClient(resolveTarget(options));
  for (const name of given) await knownFunction(client, name, false);
  for (const name of given) {
    await client.deleteFunction(functionName(name));
    tell(`deleted ${functionName(name)}`);
  }
  if (options.output === 'json') printJson({ deleted: given.map(functionName) });
}
