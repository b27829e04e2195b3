import { writeFileSync } from 'node:fs';
import { CliError } from '../../cli-error.ts';
import { asPath } from '../api/function-name.ts';
import { namespaceClient } from '../api/namespace-client.ts';
import { type Action, annotationOf } from '../api/wire.ts';
import type { OutputOptions, TargetOptions } from '../options.ts';
import { printJson, printLine, tell } from '../output/print.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import { knownFunction } from './known-function.ts';

export interface GetOptions extends TargetOptions, OutputOptions {
  readonly url?: boolean;
  readonly code?: boolean;
  readonly save?: boolean;
  readonly saveAs?: string;
  readonly saveEnv?: string;
  readonly saveEnvJson?: string;
}

/** `functions get`: the address, the code, the environment, or everything but the code. */
export async function getFunction(name: string, options: GetOptions): Promise<void> {
  const client = namespaceClient(resolveTarget(options));
  const saves = options.save === true || options.saveAs !== undefined;
  const action = await knownFunction(client, name, saves || options.code === true);
  if (options.url) {
    const url = functionUrl(action, client.origin);
    if (options.output === 'json') printJson({ url });
    else printLine(url);
  } else if (saves) saveCode(action, options.saveAs);
  else if (options.saveEnv !== undefined || options.saveEnvJson !== undefined) saveEnvironment(action, options);
  else if (options.code) {
    const code = codeAsText(action, name);
    if (options.output === 'json') printJson({ code });
    else printLine(code);
  } else printJson(action);
}

/** Where a function is called: a web function by anyone, another through the API with the key. */
export function functionUrl(action: Action, origin: string): string {
  const [namespace = '', packageName] = action.namespace.split('/');
  const own = (segments: readonly string[]): string => asPath(segments.join('/'));
  if (annotationOf(action, 'web-export') === true) return `${origin}/api/v1/web/${own([namespace, packageName ?? 'default', action.name])}`;
  const name = packageName === undefined ? [action.name] : [packageName, action.name];
  return `${origin}/api/v1/namespaces/${encodeURIComponent(namespace)}/actions/${own(name)}`;
}

function codeAsText({ exec }: Action, name: string): string {
  if (exec?.binary) throw new CliError(`${name} is a zip, which a terminal cannot show: write it to a file with --save or --save-as`);
  return exec?.code ?? '';
}

function saveCode({ name, exec }: Action, saveAs: string | undefined): void {
  const binary = exec?.binary === true;
  const file = saveAs ?? `${name}${binary ? '.zip' : '.js'}`;
  const code = exec?.code ?? '';
  save(file, binary ? Buffer.from(code, 'base64') : code);
}

/** The environment is what a function is given when it starts: its parameters with `init`. */
function saveEnvironment({ parameters = [] }: Action, { saveEnv, saveEnvJson }: GetOptions): void {
  const variables = parameters.filter(({ init }) => init === true).map(({ key, value }) => [key, asText(value)] as const);
  // Values may be secrets: the files are for their owner.
  if (saveEnv !== undefined) save(saveEnv, variables.map(([key, value]) => `${key}=${value}\n`).join(''), 0o600);
  if (saveEnvJson !== undefined) save(saveEnvJson, `${JSON.stringify(Object.fromEntries(variables), null, 2)}\n`, 0o600);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function save(file: string, content: string | Buffer, mode = 0o644): void {
  try {
    writeFileSync(file, content, { mode });
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  tell(`wrote ${file}`);
}
