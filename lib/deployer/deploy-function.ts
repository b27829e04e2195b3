import type { Deployment } from './deployment.ts';
import { type Failed, failable } from './failable.ts';
import { makeFunction } from './make-function.ts';
import type { Project, ProjectFunction, Skipped } from './project.ts';
import { buildRemotely, isBuiltRemotely } from './remote/build-remotely.ts';
import { isSequence, qualifiedName, type Sequence } from './sequence-order.ts';
import { toldWhile } from './told-while.ts';
import { type PutFunction, putFunction } from './upload/put-function.ts';

/** A function that is on the host. */
export interface DeployedFunction {
  /** `package/function`, or `function` in the default package. */
  readonly name: string;
  readonly url: string;
  /** `sequence` for one that runs others. */
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
  /** Size of the code, before base64; of the sources that were sent where the host builds. */
  readonly bytes: number;
}

/** What became of one function. */
export type FunctionResult =
  | { readonly deployed: DeployedFunction; readonly formerTriggers: readonly string[] }
  | { readonly skipped: Skipped }
  | { readonly failed: Failed };

/** Makes and puts one function. What its author can fix comes back as `failed`; anything else is thrown. */
export async function deployFunction(entry: ProjectFunction, project: Project, deployment: Deployment): Promise<FunctionResult> {
  const name = entry.fullName;
  const result = await failable(name, () => makeAndPut(entry, project, deployment));
  if ('failed' in result) deployment.onResult(`failed ${name}`);
  return result;
}

async function makeAndPut(entry: ProjectFunction, project: Project, deployment: Deployment): Promise<FunctionResult> {
  if (isSequence(entry)) return putSequence(entry, deployment);
  if (isBuiltRemotely(entry, deployment)) return putRemotely(entry, project, deployment);
  const { fullName: name } = entry;
  const startedAt = performance.now();
  const made = await makeFunction(entry, deployment);
  if (made.type === 'skipped') {
    deployment.onResult(`skipped ${name}`);
    return { skipped: { name, reason: made.reason } };
  }
  const buildMs = Math.round(performance.now() - startedAt);
  const kind = deployment.kindOf(entry);
  const work = putFunction(entry, { code: made.code, kind }, deployment);
  const put = await toldWhile(work, `sending ${name} for ${kind}, which the host may have to fetch first`, deployment.onWaiting);
  const ms = Math.round(performance.now() - startedAt);
  return result(entry, put, { kind, ms, buildMs, bytes: made.code.bytes }, deployment);
}

async function putRemotely(entry: ProjectFunction, project: Project, deployment: Deployment): Promise<FunctionResult> {
  const startedAt = performance.now();
  const { bytes, ...put } = await buildRemotely(entry, project, deployment);
  const ms = Math.round(performance.now() - startedAt);
  return result(entry, put, { kind: deployment.kindOf(entry), ms, buildMs: ms, bytes }, deployment);
}

async function putSequence(entry: Sequence, deployment: Deployment): Promise<FunctionResult> {
  const startedAt = performance.now();
  const components = entry.source.components.map((name) => qualifiedName(name, deployment.namespace));
  const put = await putFunction(entry, { components }, deployment);
  const ms = Math.round(performance.now() - startedAt);
  return result(entry, put, { kind: 'sequence', ms, buildMs: 0, bytes: 0 }, deployment);
}

function result(
  entry: ProjectFunction,
  { formerTriggers, ...put }: PutFunction,
  figures: Pick<DeployedFunction, 'kind' | 'ms' | 'buildMs' | 'bytes'>,
  deployment: Deployment,
): FunctionResult {
  const { fullName: name } = entry;
  const { kind, bytes, ms } = figures;
  const size = kind === 'sequence' ? '' : `${bytes} bytes, `;
  deployment.onResult(`${put.unchanged ? 'unchanged' : 'deployed'} ${name} ${kind} ${put.version}, ${size}${ms} ms`);
  return { deployed: { name, url: urlOf(entry, deployment), ...put, ...figures }, formerTriggers };
}

/** Where a function is called: a web function by anyone, another through the API with the key. */
function urlOf(entry: ProjectFunction, { api, namespace }: Deployment): string {
  const path = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
  if (entry.web === false) return `${api.origin}/api/v1/namespaces/${namespace}/actions/${path(entry.fullName)}`;
  return `${api.origin}/api/v1/web/${namespace}/${path(`${entry.package}/${entry.name}`)}`;
}
