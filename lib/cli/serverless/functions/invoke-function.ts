import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';
import { functionName } from '../api/function-name.ts';
import { type NamespaceClient, namespaceClient } from '../api/namespace-client.ts';
import { type ApiReply, refusal, unreachable } from '../api/send.ts';
import { annotationOf } from '../api/wire.ts';
import type { OutputOptions, TargetOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { functionUrl } from './get-function.ts';
import { knownFunction, unknownFunction } from './known-function.ts';

export interface InvokeOptions extends TargetOptions, OutputOptions {
  readonly param?: readonly string[];
  readonly paramFile?: string;
  readonly full?: boolean;
  readonly result?: boolean;
  readonly wait: boolean;
  readonly web?: boolean;
}

type Inputs = Readonly<Record<string, unknown>>;

/**
 * `functions invoke`: prints the result, the whole record, or the activation id. A function that failed is printed all the same, and ends
 * the command with 1.
 */
export async function invokeFunction(given: string, options: InvokeOptions): Promise<void> {
  const inputs = readInputs(options);
  const client = namespaceClient(resolveTarget(options));
  if (options.web) await invokeByWeb(client, given, inputs);
  else await invokeByApi(client, given, inputs, options);
}

async function invokeByApi(client: NamespaceClient, given: string, inputs: Inputs, { full, wait }: InvokeOptions): Promise<void> {
  const name = functionName(given);
  const reply = await client.invoke(name, inputs, { blocking: wait, result: wait && !full });
  if (reply.status === 404) throw await unknownFunction(client, name);
  if (reply.status === 202 && wait) {
    tell(`${name} still runs; functions that take long are not waited for. Its result: ${typed('serverless activations result <id>')}`);
  }
  const refused = refusal(reply);
  // What failed is the function when there is an activation, and its answer is what was asked for.
  if (refused && (reply.status !== 502 || activationId(reply) === null)) throw refused;
  printJson(reply.body);
  if (refused) throw new CliError(`${name} failed; its log: ${typed(`serverless activations logs ${activationId(reply)}`)}`);
}

function activationId({ headers }: Pick<ApiReply, 'headers'>): string | null {
  return headers.get('x-openwhisk-activation-id');
}

async function invokeByWeb(client: NamespaceClient, given: string, inputs: Inputs): Promise<void> {
  const action = await knownFunction(client, given, false);
  if (annotationOf(action, 'web-export') !== true) {
    throw new CliError(`${given} is no web function: leave --web out, or declare "web: true" for it in project.yml`);
  }
  const fields = Object.entries(inputs).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const url = new URL(functionUrl(action, client.origin));
  url.search = new URLSearchParams(fields).toString();
  const response = await fetch(url, { redirect: 'manual' }).catch((error: unknown) => {
    throw unreachable({ method: 'GET', url: url.href, authorization: null }, error);
  });
  printLine(await response.text());
  const id = activationId(response);
  if (response.status === 204) tell(`${given} answered 204, with nothing: what it returned has no body`);
  if (response.status >= 400) {
    throw new CliError(
      `${given} answered ${response.status}${id === null ? '' : `; its log: ${typed(`serverless activations logs ${id}`)}`}`,
    );
  }
}

function readInputs({ param = [], paramFile }: InvokeOptions): Inputs {
  const fromFile = paramFile === undefined ? {} : readInputFile(paramFile);
  return { ...fromFile, ...Object.fromEntries(joinValues(param).map(readInput)) };
}

/** A comma parts inputs, and may also stand in a value: what has no colon belongs to the value before it. */
function joinValues(parts: readonly string[]): readonly string[] {
  const inputs: string[] = [];
  for (const part of parts) {
    const last = part.includes(':') ? undefined : inputs.pop();
    inputs.push(last === undefined ? part : `${last},${part}`);
  }
  return inputs;
}

function readInput(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon > 0) return [text.slice(0, colon), text.slice(colon + 1)];
  throw new CliError(`--param ${text}: expected key:value, such as name:Sammy`);
}

function readInputFile(file: string): Inputs {
  const content = parseInputs(file);
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content };
  throw new CliError(`--param-file ${file}: ${wantedInputs}`);
}

function parseInputs(file: string): unknown {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new CliError(`--param-file ${file}: there is no ${resolve(file)}; ${wantedInputs}`);
  if (found.isDirectory()) throw new CliError(`--param-file ${file}: ${resolve(file)} is a directory; ${wantedInputs}`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`--param-file ${file}: ${error instanceof Error ? error.message : error}; ${wantedInputs}`, { cause: error });
  }
}

const wantedInputs = 'expected a file with a JSON object of inputs, such as {"name": "Sammy"}';
