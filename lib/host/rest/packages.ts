import { nextVersion, type PackageRecord } from '../functions/function-record.ts';
import type { FunctionRegistry } from '../functions/function-registry.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { entityName, notFound, readPage, readSwitch } from './entity.ts';
import { type Content, malformed, readAnnotations, readFlag, readObject, readParameters } from './read-content.ts';

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
  const old = registry.package(entityName(name));
  if (old && !readSwitch(query, 'overwrite')) throw new HostError('conflict', 'resource already exists');
  const binding = readObject(content, 'binding');
  if (binding && Object.keys(binding).length > 0)
    throw malformed('binding', 'none: this host has one namespace and nothing to bind', binding);
  const record: PackageRecord = {
    name,
    version: nextVersion(old?.version),
    updatedMs: Date.now(),
    publish: readFlag(content, 'publish') ?? old?.publish ?? false,
    annotations: readAnnotations(content) ?? old?.annotations ?? [],
    parameters: readParameters(content) ?? old?.parameters ?? [],
  };
  registry.putPackage(record);
  return jsonAnswer(200, wirePackage(record, namespace));
}

/** `DELETE /namespaces/_/packages/P`: only when it is empty, or with `force=true`. */
export function deletePackage(registry: FunctionRegistry, namespace: string, name: string, query: URLSearchParams): Answer {
  const record = registry.package(name);
  if (!record) throw notFound();
  const inside = registry.functions(name);
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

function wirePackage({ name, version, updatedMs, publish, annotations, parameters }: PackageRecord, namespace: string): Content {
  return { namespace, name, version, publish, updated: updatedMs, annotations, parameters, binding: {} };
}
