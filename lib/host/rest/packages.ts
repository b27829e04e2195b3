import { nextVersion, type PackageRecord } from '../functions/function-record.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { entityName, notFound, readPage, readSwitch } from './entity.ts';
import { type Content, malformed, readAnnotations, readFlag, readObject, readParameters, readString } from './read-content.ts';

/** `GET /namespaces/_/packages`: newest first. */
export function listPackages(registry: FunctionRegistry, namespace: string, query: URLSearchParams): Answer {
  const { limit, skip } = readPage(query);
  const page = registry.packages().slice(skip, skip + limit);
  return jsonAnswer(
    200,
    page.map((record) => wirePackage(record, namespace)),
  );
}

/** `GET /namespaces/_/packages/P`: with the names of its functions. */
export function getPackage(registry: FunctionRegistry, namespace: string, name: string): Answer {
  const record = registry.package(name);
  if (!record) throw notFound();
  const actions = registry.functions(name).map(({ name, version, annotations }) => ({ name, version, annotations }));
  return jsonAnswer(200, { ...wirePackage(record, namespace), actions, feeds: [] });
}

/** `PUT /namespaces/_/packages/P`: what is left out keeps its old value. */
export function putPackage(registry: FunctionRegistry, namespace: string, name: string, query: URLSearchParams, content: Content): Answer {
  if (name === 'default') throw new HostError('bad_request', "Package name 'default' is reserved.");
  const old = registry.package(entityName(name));
  if (old && !readSwitch(query, 'overwrite')) throw new HostError('conflict', 'resource already exists');
  const binding = readBinding(registry, namespace, content);
  if (binding !== undefined && old && old.binding === undefined) {
    throw new HostError('conflict', 'Resource is a package and cannot be converted into a binding.');
  }
  const record: PackageRecord = {
    name,
    version: nextVersion(old?.version),
    updatedMs: Date.now(),
    publish: readFlag(content, 'publish') ?? old?.publish ?? false,
    annotations: readAnnotations(content) ?? old?.annotations ?? [],
    parameters: readParameters(content) ?? old?.parameters ?? [],
    ...((binding ?? old?.binding) !== undefined && { binding: binding ?? old?.binding }),
  };
  registry.putPackage(record);
  return jsonAnswer(200, wirePackage(record, namespace));
}

/** `DELETE /namespaces/_/packages/P`: only when it is empty, or with `force=true`. */
export function deletePackage(registry: FunctionRegistry, namespace: string, name: string, query: URLSearchParams): Answer {
  const record = registry.package(name);
  if (!record) throw notFound();
  const inside = record.binding === undefined ? registry.functions(name) : [];
  if (inside.length > 0 && !readSwitch(query, 'force')) {
    throw new HostError('conflict', `Package not empty (contains ${inside.length} entities). Set force param or delete package contents.`);
  }
  for (const { name: inner } of inside) {
    const deployed = registry.function(`${name}/${inner}`);
    if (deployed) registry.deleteFunction(deployed);
  }
  registry.deletePackage(name);
  return jsonAnswer(200, wirePackage(record, namespace));
}

/** The package of this namespace that `binding` names; undefined for `{}` and where there is none. */
function readBinding(registry: FunctionRegistry, namespace: string, content: Content): string | undefined {
  const binding = readObject(content, 'binding');
  if (!binding || Object.keys(binding).length === 0) return undefined;
  const from = readString(binding, 'namespace', 'binding.namespace') ?? '_';
  if (from !== '_' && from !== namespace) throw malformed('binding.namespace', `${namespace}, since packages are not shared here`, from);
  const name = readString(binding, 'name', 'binding.name') ?? '';
  const bound = registry.package(name);
  if (!bound) throw new HostError('bad_request', `Binding references a package that does not exist: ${name}.`);
  if (bound.binding !== undefined) throw new HostError('bad_request', `Cannot bind to another package binding: ${name}.`);
  return name;
}

function wirePackage(record: PackageRecord, namespace: string): Content {
  const { name, version, updatedMs, publish, annotations, parameters } = record;
  const binding = record.binding === undefined ? {} : { namespace, name: record.binding };
  return { namespace, name, version, publish, updated: updatedMs, annotations, parameters, binding };
}
