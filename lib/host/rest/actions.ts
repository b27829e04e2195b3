import type { CodeDirectories } from '../functions/code-directories.ts';
import { type Annotation, type FunctionRecord, fullName, type Limits, nextVersion } from '../functions/function-record.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { KindBinaries } from '../kinds/kind-binaries.ts';
import { functionLimits, hostLimits } from '../limits.ts';
import { entityName, notFound, readPage, readSwitch } from './entity.ts';
import { type Code, readCode } from './read-code.ts';
import { type Content, malformed, readAnnotations, readFlag, readObject, readParameters } from './read-content.ts';

/** Which function a request names; `packageName` is `''` for the default package. */
export interface FunctionName {
  readonly packageName: string;
  readonly name: string;
}

export interface ActionParts {
  readonly registry: FunctionRegistry;
  readonly directories: CodeDirectories;
  readonly binaries: KindBinaries;
  readonly namespace: string;
}

/** `GET /namespaces/_/actions[/P/]`: newest first, without code. */
export function listActions({ registry, namespace }: ActionParts, packageName: string | undefined, query: URLSearchParams): Answer {
  if (packageName !== undefined && packageName !== '' && !registry.package(packageName)) throw notFound();
  const { limit, skip } = readPage(query);
  const page = registry.functions(packageName).slice(skip, skip + limit);
  return jsonAnswer(
    200,
    page.map((record) => wireAction(record, namespace)),
  );
}

/** `GET /namespaces/_/actions/P/F`: with its code unless `code=false`. */
export function getAction({ registry, namespace }: ActionParts, named: FunctionName, query: URLSearchParams): Answer {
  const deployed = registry.function(fullName(named));
  if (!deployed) throw notFound();
  const { record } = deployed;
  const wire = wireAction(record, namespace);
  if (!readSwitch(query, 'code', true)) return jsonAnswer(200, wire);
  const code = registry.code(record.digest).toString(record.binary ? 'base64' : 'utf8');
  return jsonAnswer(200, { ...wire, exec: { ...wireExec(record), code } });
}

/**
 * `PUT /namespaces/_/actions/P/F`: deploys a function. The old version is served until the new one is whole: its code unpacked, the Node of
 * its kind on this machine. What is left out keeps its old value.
 */
export async function putAction(parts: ActionParts, named: FunctionName, query: URLSearchParams, content: Content): Promise<Answer> {
  const { registry, namespace } = parts;
  entityName(named.name);
  refuseInBinding(registry, named);
  if (named.packageName !== '' && !registry.package(named.packageName)) throw notFound();
  const overwrite = readSwitch(query, 'overwrite');
  if (!overwrite && registry.function(fullName(named))) throw new HostError('conflict', 'resource already exists');
  const exec = readObject(content, 'exec');
  const code = exec && readCode(exec);
  const asked = { limits: readLimits(content), parameters: readParameters(content), annotations: readAnnotations(content) };
  const publish = readFlag(content, 'publish');
  if (Buffer.byteLength(JSON.stringify(asked.parameters ?? [])) > hostLimits.parameterBytes) {
    throw new HostError('too_large', `The parameters are larger than allowed: more than ${hostLimits.parameterBytes} bytes.`);
  }
  if (code) await bring(parts, code);
  // Looked up again: another deployment may have come in between, and versions count on.
  const old = registry.function(fullName(named))?.record;
  if (old && !overwrite) throw new HostError('conflict', 'resource already exists');
  const { kind, main, binary, digest } = code ?? old ?? missingCode();
  const annotations = asked.annotations ?? old?.annotations ?? [];
  const record: FunctionRecord = {
    ...named,
    version: nextVersion(old?.version),
    updatedMs: Date.now(),
    publish: publish ?? old?.publish ?? false,
    annotations: complete(annotations, kind),
    parameters: asked.parameters ?? old?.parameters ?? [],
    limits: { ...defaultLimits, ...old?.limits, ...asked.limits },
    kind,
    binary,
    digest,
    ...(main !== undefined && { main }),
  };
  registry.putFunction(record, code?.code);
  return jsonAnswer(200, wireAction(record, namespace));
}

/** `DELETE /namespaces/_/actions/P/F`. */
export function deleteAction({ registry, namespace }: ActionParts, named: FunctionName): Answer {
  refuseInBinding(registry, named);
  const deployed = registry.function(fullName(named));
  if (!deployed) throw notFound();
  registry.deleteFunction(deployed);
  return jsonAnswer(200, wireAction(deployed.record, namespace));
}

function refuseInBinding(registry: FunctionRegistry, { packageName }: FunctionName): void {
  const binding = registry.package(packageName)?.binding;
  if (binding === undefined) return;
  throw new HostError('bad_request', `Operation not permitted on package binding: ${packageName} stands for ${binding}; change that one.`);
}

const defaultLimits: Limits = {
  timeout: functionLimits.timeoutMs.default,
  memory: functionLimits.memoryMib.default,
  logs: functionLimits.logsMib.default,
  concurrency: 1,
};

async function bring({ directories, binaries }: ActionParts, code: Code): Promise<void> {
  await binaries.ensure(code.kind);
  await directories.place(code, code.code);
}

function missingCode(): never {
  throw malformed('exec', '{kind, code} for a new function', undefined);
}

function readLimits(content: Content): Partial<Limits> {
  const limits = readObject(content, 'limits') ?? {};
  const { timeoutMs, memoryMib, logsMib } = functionLimits;
  const timeout = readLimit(limits, 'timeout', timeoutMs);
  const memory = readLimit(limits, 'memory', memoryMib);
  const logs = readLimit(limits, 'logs', logsMib);
  return { ...(timeout !== undefined && { timeout }), ...(memory !== undefined && { memory }), ...(logs !== undefined && { logs }) };
}

function readLimit(limits: Content, key: string, { least, most }: { readonly least: number; readonly most: number }): number | undefined {
  const value = limits[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw malformed(`limits.${key}`, `a whole number from ${least} to ${most}`, value);
}

/** The annotations that the platform adds by itself. */
function complete(annotations: readonly Annotation[], kind: string): readonly Annotation[] {
  const given = annotations.filter(({ key }) => key !== 'exec');
  const key = 'provide-api-key';
  const withKey = given.some((annotation) => annotation.key === key) ? given : [...given, { key, value: false }];
  return [...withKey, { key: 'exec', value: kind }];
}

function wireAction(record: FunctionRecord, namespace: string): Content {
  const { packageName, name, version, publish, updatedMs, annotations, parameters, limits } = record;
  const where = packageName === '' ? namespace : `${namespace}/${packageName}`;
  return { namespace: where, name, version, publish, updated: updatedMs, annotations, parameters, limits, exec: wireExec(record) };
}

function wireExec({ kind, binary, main }: FunctionRecord): Content {
  return { kind, binary, ...(main !== undefined && { main }) };
}
