import { didYouMean } from '../../../deployer/nearest-name.ts';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import { functionName, nameOf } from '../api/function-name.ts';
import type { NamespaceClient } from '../api/namespace-client.ts';
import { ApiError } from '../api/send.ts';
import type { Action } from '../api/wire.ts';

const MOST_NAMED = 8;

/** A function by the name that was given. CliError naming the nearest where there is none of that name. */
export async function knownFunction(client: NamespaceClient, given: string, withCode: boolean): Promise<Action> {
  const name = functionName(given);
  try {
    return await client.function(name, withCode);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw await unknownFunction(client, name);
    throw error;
  }
}

/** The error for a function that is not there: with the nearest name, and what there is. */
export async function unknownFunction(client: NamespaceClient, name: string): Promise<CliError> {
  const names = (await client.functions({ limit: 200 })).map(nameOf).sort();
  // A name without its package is the function's own.
  const meant = names.find((known) => known.endsWith(`/${name}`)) ?? name;
  const shown = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), '...'] : names;
  const what =
    names.length === 0 ? `nothing is deployed there: ${typed('serverless deploy <directory>')}` : `deployed: ${shown.join(', ')}`;
  return new CliError(`there is no function ${name} at ${client.origin}${didYouMean(meant, names)} (${what})`);
}
