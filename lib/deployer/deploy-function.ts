import { DeployError } from './deploy-error.ts';
import type { Deployment } from './deployment.ts';
import { makeFunction } from './make-function.ts';
import type { ProjectFunction, Skipped } from './project.ts';
import { putFunction } from './upload/put-function.ts';

/** A function that is on the host. */
export interface DeployedFunction {
  /** `package/function`, or `function` in the default package. */
  readonly name: string;
  readonly url: string;
  readonly kind: string;
  readonly version: string;
  /** SHA-256 of code and settings. */
  readonly digest: string;
  /** The host had it already; nothing was sent. */
  readonly unchanged: boolean;
  /** Build, collection and upload together. */
  readonly ms: number;
  /** Build and collection alone. */
  readonly buildMs: number;
  /** Size of the code, before base64. */
  readonly bytes: number;
}

/** A function or package that is not on the host as the project has it, with the reason and the way out. */
export interface Failed {
  readonly name: string;
  readonly error: string;
}

/** What became of one function. */
export type FunctionResult = { readonly deployed: DeployedFunction } | { readonly skipped: Skipped } | { readonly failed: Failed };

/** Makes and puts one function. What its author can fix comes back as `failed`; anything else is thrown. */
export async function deployFunction(entry: ProjectFunction, deployment: Deployment): Promise<FunctionResult> {
  const name = entry.fullName;
  const result = await failable(name, () => makeAndPut(entry, deployment));
  if ('failed' in result) deployment.onProgress(`failed ${name}: ${result.failed.error}`);
  return result;
}

/** Runs a step; a DeployError or an error of the file system becomes `failed` under the given name. */
export async function failable<T>(name: string, step: () => Promise<T>): Promise<T | { readonly failed: Failed }> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof DeployError || isSystemError(error)) return { failed: { name, error: error.message } };
    throw error;
  }
}

async function makeAndPut(entry: ProjectFunction, deployment: Deployment): Promise<FunctionResult> {
  const { fullName: name } = entry;
  const { onProgress } = deployment;
  const startedAt = performance.now();
  const made = await makeFunction(entry, deployment);
  if (made.type === 'skipped') {
    onProgress(`skipped ${name}: ${made.reason}`);
    return { skipped: { name, reason: made.reason } };
  }
  const madeAt = performance.now();
  const kind = deployment.kindOf(entry);
  const put = await putFunction(entry, made.code, kind, deployment);
  const ms = Math.round(performance.now() - startedAt);
  onProgress(`${put.unchanged ? 'unchanged' : 'deployed'} ${name} ${kind} ${put.version}, ${made.code.bytes} bytes, ${ms} ms`);
  return {
    deployed: { name, url: urlOf(entry, deployment), kind, ...put, ms, buildMs: Math.round(madeAt - startedAt), bytes: made.code.bytes },
  };
}

/** Where a function is called: a web function by anyone, another through the API with the key. */
function urlOf(entry: ProjectFunction, { api, namespace }: Deployment): string {
  const path = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
  if (entry.web === false) return `${api.origin}/api/v1/namespaces/${namespace}/actions/${path(entry.fullName)}`;
  return `${api.origin}/api/v1/web/${namespace}/${path(`${entry.package}/${entry.name}`)}`;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
