import type { CodeDirectories } from '../functions/code-directories.ts';
import {
  type ActionRecord,
  type Annotation,
  type FunctionRecord,
  fullName,
  isSequence,
  nextVersion,
  type Parameter,
  sequenceKind,
} from '../functions/function-record.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { KindBinaries } from '../kinds/kind-binaries.ts';
import { hostLimits } from '../limits.ts';
import { entityName, notFound, readPage, readSwitch } from './entity.ts';
import { type Code, readCode } from './read-code.ts';
import { type Content, malformed, readAnnotations, readFlag, readObject, readParameters } from './read-content.ts';
import { defaultLimits, readLimits } from './read-limits.ts';
import { checkComponents, readComponents, type Sequence } from './read-sequence.ts';
import { wireAction, wireComponent, wireExec } from './wire-action.ts';

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
  if (isSequence(record) || !readSwitch(query, 'code', true)) return jsonAnswer(200, wire);
  const code = registry.code(record.digest).toString(record.binary ? 'base64' : 'utf8');
  return jsonAnswer(200, { ...wire, exec: { ...wireExec(record, namespace), code } });
}

/**
 * `PUT /namespaces/_/actions/P/F`: deploys a function, or a sequence of those that are there. The old version is served until the new one is
 * whole: its code unpacked, the Node of its kind on this machine. What is left out keeps its old value.
 */
export async function putAction(parts: ActionParts, named: FunctionName, query: URLSearchParams, content: Content): Promise<Answer> {
  const { registry, namespace } = parts;
  entityName(named.name);
  checkPlace(registry, named);
  const overwrite = readSwitch(query, 'overwrite');
  if (!overwrite && registry.function(fullName(named))) throw new HostError('conflict', 'resource already exists');
  const exec = readExec(parts, content);
  const asked = { limits: readLimits(content), parameters: readParameters(content), annotations: readAnnotations(content) };
  const publish = readFlag(content, 'publish');
  if (Buffer.byteLength(JSON.stringify(asked.parameters ?? [])) > hostLimits.parameterBytes) {
    throw new HostError('too_large', `The parameters are larger than allowed: more than ${hostLimits.parameterBytes} bytes.`);
  }
  if (exec && 'code' in exec) await bring(parts, exec);
  // Looked up again: another deployment may have come in between, and versions count on; or the package may be gone.
  checkPlace(registry, named);
  const old = registry.function(fullName(named))?.record;
  if (old && !overwrite) throw new HostError('conflict', 'resource already exists');
  if (exec && 'components' in exec) checkComponents(registry, named, exec.components);
  const runs = exec ?? old ?? missingCode();
  const record: ActionRecord = {
    ...named,
    ...executable(runs),
    version: nextVersion(old?.version),
    updatedMs: Date.now(),
    publish: publish ?? old?.publish ?? false,
    annotations: complete(asked.annotations ?? old?.annotations ?? [], runs.kind),
    parameters: parametersOf(runs, asked.parameters, old, namespace),
    limits: { ...defaultLimits, ...old?.limits, ...asked.limits },
  };
  registry.putFunction(record, exec && 'code' in exec ? exec.code : undefined);
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

/** A function lies in a package that is there, and that is no binding. */
function checkPlace(registry: FunctionRegistry, named: FunctionName): void {
  refuseInBinding(registry, named);
  if (named.packageName !== '' && !registry.package(named.packageName)) throw notFound();
}

function refuseInBinding(registry: FunctionRegistry, { packageName }: FunctionName): void {
  const binding = registry.package(packageName)?.binding;
  if (binding === undefined) return;
  throw new HostError('bad_request', `Operation not permitted on package binding: ${packageName} stands for ${binding}; change that one.`);
}

function readExec({ namespace }: ActionParts, content: Content): Code | Sequence | undefined {
  const exec = readObject(content, 'exec');
  if (!exec) return undefined;
  return exec.kind === sequenceKind ? { kind: sequenceKind, components: readComponents(exec, namespace) } : readCode(exec);
}

type Executable = Pick<FunctionRecord, 'kind' | 'main' | 'binary' | 'digest'> | Sequence;

/** As much of it as a record keeps. */
function executable(runs: Executable): Executable {
  if ('components' in runs) return { kind: runs.kind, components: runs.components };
  const { kind, main, binary, digest } = runs;
  return { kind, binary, digest, ...(main !== undefined && { main }) };
}

/** A sequence's parameters are its components, as upstream: it binds none, and what it is given is not kept. */
function parametersOf(
  runs: Executable,
  asked: readonly Parameter[] | undefined,
  old: ActionRecord | undefined,
  namespace: string,
): readonly Parameter[] {
  if ('components' in runs) return [{ key: '_actions', value: runs.components.map((name) => wireComponent(name, namespace)) }];
  return asked ?? (old && !isSequence(old) ? old.parameters : []);
}

async function bring({ directories, binaries }: ActionParts, code: Code): Promise<void> {
  await binaries.ensure(code.kind);
  await directories.place(code, code.code);
}

function missingCode(): never {
  throw malformed('exec', '{kind, code} for a new function, or {kind: "sequence", components}', undefined);
}

/** The annotations that the platform adds by itself. */
function complete(annotations: readonly Annotation[], kind: string): readonly Annotation[] {
  const given = annotations.filter(({ key }) => key !== 'exec');
  const key = 'provide-api-key';
  const withKey = given.some((annotation) => annotation.key === key) ? given : [...given, { key, value: false }];
  return [...withKey, { key: 'exec', value: kind }];
}
