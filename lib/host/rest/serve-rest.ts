import type { Builder } from '../builder/builder.ts';
import { builderNamespace, serveBuilder } from '../builder/serve-builder.ts';
import { fullName } from '../functions/function-record.ts';
import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject, readBody } from '../http/read-body.ts';
import { hostLimits } from '../limits.ts';
import type { Namespace } from '../namespaces/namespace.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';
import { type ActionParts, deleteAction, getAction, listActions, putAction } from './actions.ts';
import { getActivation, listActivations } from './activations.ts';
import { apiInfo } from './api-info.ts';
import { notFound } from './entity.ts';
import { type InvokeParts, invokeAction } from './invoke-action.ts';
import { deletePackage, getPackage, listPackages, putPackage } from './packages.ts';
import { refuseTriggers } from './triggers.ts';

export const restPrefix = '/api/v1';

/** What the calls of every namespace work with. */
export interface SharedParts {
  readonly namespaces: Namespaces;
  readonly directories: ActionParts['directories'];
  readonly binaries: ActionParts['binaries'];
  readonly onActivation: InvokeParts['onActivation'];
  readonly waitMs: InvokeParts['waitMs'];
  /** Absent where this host does not build. */
  readonly builder: Builder | undefined;
}

/** What a call of the API works with, in the caller's namespace. */
export interface RestParts extends SharedParts, Namespace {}

/** Answers a request of the platform's API (platform reference, functions API). HostError for whatever cannot be answered. */
export async function serveRest(exchange: Exchange, shared: SharedParts): Promise<Answer> {
  const { request, method } = exchange;
  const segments = segmentsOf(exchange.path);
  if (segments.length === 0) return method === 'GET' || method === 'HEAD' ? apiInfo() : notAllowed(exchange);
  const [root, namespace, collection, ...names] = segments;
  if (root !== 'namespaces') throw notFound();
  const parts = { ...shared, ...shared.namespaces.authenticate(request.headers.authorization) };
  if (namespace === undefined) return method === 'GET' ? jsonAnswer(200, [parts.namespace]) : notAllowed(exchange);
  if (namespace === builderNamespace) return serveBuilder(exchange, [collection ?? '', ...names], parts, shared);
  if (namespace !== '_' && namespace !== parts.namespace) {
    throw new HostError('forbidden', `The supplied authentication is not authorized to access '${namespace}'.`);
  }
  const query = new URLSearchParams(exchange.query);
  if (collection === 'packages') return servePackages(exchange, names, query, parts);
  if (collection === 'actions') return serveActions(exchange, names, query, parts);
  if (collection === 'activations') return serveActivations(exchange, names, query, parts);
  if (collection === 'triggers' || collection === 'rules') refuseTriggers(collection);
  throw notFound();
}

async function servePackages(exchange: Exchange, names: readonly string[], query: URLSearchParams, parts: RestParts): Promise<Answer> {
  const { method, request } = exchange;
  const { registry, namespace } = parts;
  const [name, ...more] = withoutTrailingSlash(names);
  if (more.length > 0) throw notFound();
  if (name === undefined) return method === 'GET' ? listPackages(registry, namespace, query) : notAllowed(exchange);
  if (method === 'GET') return getPackage(registry, namespace, name);
  if (method === 'DELETE') return deletePackage(registry, namespace, name, query);
  if (method !== 'PUT') return notAllowed(exchange);
  const content = parseJsonObject(await readBody(request, 2 * hostLimits.parameterBytes));
  return putPackage(registry, namespace, name, query, content);
}

async function serveActions(exchange: Exchange, names: readonly string[], query: URLSearchParams, parts: RestParts): Promise<Answer> {
  const { method, request } = exchange;
  const [first, second, ...more] = names;
  if (more.length > 0) throw notFound();
  if (first === undefined || first === '') return method === 'GET' ? listActions(parts, undefined, query) : notAllowed(exchange);
  if (second === '') return method === 'GET' ? listActions(parts, first === 'default' ? '' : first, query) : notAllowed(exchange);
  const named = second === undefined ? { packageName: '', name: first } : { packageName: first === 'default' ? '' : first, name: second };
  if (method === 'GET') return getAction(parts, named, query);
  if (method === 'DELETE') return deleteAction(parts, named);
  if (method === 'PUT') return putAction(parts, named, query, parseJsonObject(await readBody(request, hostLimits.deploymentBytes)));
  if (method !== 'POST') return notAllowed(exchange);
  const inputs = parseJsonObject(await readBody(request, hostLimits.requestBytes));
  const deployed = parts.registry.function(fullName(named));
  if (!deployed) throw notFound();
  return invokeAction(exchange, deployed, query, inputs, parts);
}

function serveActivations(exchange: Exchange, names: readonly string[], query: URLSearchParams, { activations }: RestParts): Answer {
  if (exchange.method !== 'GET') return notAllowed(exchange);
  const [id, part, ...more] = withoutTrailingSlash(names);
  if (more.length > 0) throw notFound();
  return id === undefined ? listActivations(activations, query) : getActivation(activations, id, part);
}

/** The decoded segments after the prefix. An empty last one, from a trailing slash, is kept: for functions it means a list. */
function segmentsOf(path: string): readonly string[] {
  const rest = path.slice(restPrefix.length).replace(/^\//, '');
  if (rest === '') return [];
  try {
    return rest.split('/').map(decodeURIComponent);
  } catch (error) {
    throw new HostError('bad_request', `The path is not well encoded: ${path}`, { cause: error });
  }
}

function withoutTrailingSlash(names: readonly string[]): readonly string[] {
  return names.at(-1) === '' ? names.slice(0, -1) : names;
}

function notAllowed({ method, path }: Exchange): never {
  throw new HostError('method_not_allowed', `${method} is not supported for ${path}`);
}
