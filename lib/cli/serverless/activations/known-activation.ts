import { CliError } from '../../cli-error.ts';
import { functionName } from '../api/function-name.ts';
import type { NamespaceClient } from '../api/namespace-client.ts';
import { ApiError } from '../api/send.ts';
import type { Activation } from '../api/wire.ts';

/** Which of the last activations. */
export interface LastOptions {
  readonly function?: string;
  readonly limit?: number;
  readonly skip?: number;
}

/** The most that are listed at once. */
const MOST = 200;

/** The last activations, the newest first. CliError where there are none. */
export async function lastActivations(client: NamespaceClient, options: LastOptions, docs: boolean): Promise<readonly Activation[]> {
  const { function: given, limit = 1, skip } = options;
  const name = given === undefined ? undefined : functionName(given);
  const found = await client.activations({ name, limit: Math.min(Math.max(limit, 1), MOST), skip, docs });
  if (found.length > 0) return found;
  throw new CliError(`no activations${name === undefined ? '' : ` of ${name}`} are recorded at ${client.origin}`);
}

/** What a call for one activation brings. CliError where there is none of that id. */
export async function ofActivation<T>(id: string, call: (id: string) => Promise<T>): Promise<T> {
  try {
    return await call(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new CliError(`no activation ${id} is recorded: an id has 32 hexadecimal digits, records go after three days`, { cause: error });
  }
}
