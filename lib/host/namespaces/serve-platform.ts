import type { ActivationEvent } from '../activations/activation-event.ts';
import { HostError } from '../host-error.ts';
import type { Answer } from '../http/answer.ts';
import { basicCredentials, sameSecret } from '../http/credentials.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJsonObject, readBody } from '../http/read-body.ts';
import { hostLimits } from '../limits.ts';
import type { Content } from '../rest/read-content.ts';
import type { Clock } from '../triggers/clock.ts';
import { createTrigger, deleteTrigger, getTrigger, listTriggers, updateTrigger } from '../triggers/trigger-calls.ts';
import { createKey, deleteKey, listKeys, renameKey } from './key-calls.ts';
import type { Namespace } from './namespace.ts';
import { createNamespace, deleteNamespace, getNamespace, listNamespaces } from './namespace-calls.ts';
import type { Namespaces } from './namespaces.ts';
import { platformFailure, tooMany, withStanding } from './platform-answer.ts';
import type { RateStanding } from './request-rate.ts';

/** What the platform's own API has under this path, its functions hosts have not; a local host has both. */
export const platformPrefix = '/v2/functions';

export interface PlatformParts {
  readonly namespaces: Namespaces;
  readonly apiToken: string | undefined;
  readonly apiHost: () => string;
  /** Counts the requests of the account, and apart from them those of callers that show nothing that is known. */
  readonly rates: Readonly<Record<'account' | 'strangers', (nowMs: number) => RateStanding>>;
  readonly clock: Clock;
  readonly onActivation: (event: ActivationEvent) => void;
  readonly onBug: (error: unknown) => void;
}

type Caller = 'account' | Namespace;

/**
 * Answers a request for namespaces, their keys and triggers (OpenAPI document, operations `functions_*`; platform reference, REST rows 17 and
 * 18). A bearer of the account's token may do everything, a namespace's own credentials what concerns its triggers.
 */
export async function servePlatform(exchange: Exchange, parts: PlatformParts): Promise<Answer> {
  const caller = callerOf(exchange.request.headers.authorization, parts);
  const standing = parts.rates[caller === undefined ? 'strangers' : 'account'](parts.clock.now());
  const answer = standing.retryAfterSeconds === undefined ? await answerFor(exchange, caller, parts) : tooMany(exchange.requestId);
  return withStanding(answer, exchange.requestId, standing);
}

async function answerFor(exchange: Exchange, caller: Caller | undefined, parts: PlatformParts): Promise<Answer> {
  try {
    if (caller === undefined) throw notKnown(exchange.request.headers.authorization, parts);
    return await answer(exchange, caller, parts);
  } catch (error) {
    if (!(error instanceof HostError)) parts.onBug(error);
    return platformFailure(error, exchange.requestId);
  }
}

async function answer(exchange: Exchange, caller: Caller, parts: PlatformParts): Promise<Answer> {
  const content = parseJsonObject(await readBody(exchange.request, hostLimits.requestBytes));
  const [root, name, collection, item, ...more] = segmentsOf(exchange.path);
  if (root !== 'namespaces' || more.length > 0) throw new HostError('not_found', 'The resource you were accessing could not be found.');
  if (name === undefined || collection === undefined) {
    if (caller !== 'account') throw notForKeys();
    return name === undefined ? allNamespaces(exchange, content, parts) : oneNamespace(exchange, found(name, parts), parts);
  }
  if (caller !== 'account' && (collection !== 'triggers' || caller.namespace !== name)) throw notForKeys();
  if (collection === 'triggers') return triggersOf(exchange, found(name, parts), item, content);
  if (collection === 'keys') return keysOf(exchange, found(name, parts), item, content, parts);
  throw new HostError('not_found', 'The resource you were accessing could not be found.');
}

function allNamespaces(exchange: Exchange, content: Content, { namespaces, apiHost }: PlatformParts): Answer {
  if (exchange.method === 'GET') return listNamespaces(namespaces, apiHost());
  return exchange.method === 'POST' ? createNamespace(namespaces, content, apiHost(), exchange.requestId) : notAllowed(exchange);
}

function oneNamespace(exchange: Exchange, namespace: Namespace, { namespaces, apiHost }: PlatformParts): Answer {
  if (exchange.method === 'GET') return getNamespace(namespace, apiHost());
  return exchange.method === 'DELETE' ? deleteNamespace(namespaces, namespace) : notAllowed(exchange);
}

function triggersOf(exchange: Exchange, namespace: Namespace, name: string | undefined, content: Content): Answer {
  const { method } = exchange;
  if (name === undefined) {
    if (method === 'GET') return listTriggers(namespace);
    return method === 'POST' ? createTrigger(namespace, content) : notAllowed(exchange);
  }
  if (method === 'GET') return getTrigger(namespace, name);
  if (method === 'PUT') return updateTrigger(namespace, name, content);
  return method === 'DELETE' ? deleteTrigger(namespace, name) : notAllowed(exchange);
}

function keysOf(exchange: Exchange, { namespace }: Namespace, id: string | undefined, content: Content, parts: PlatformParts): Answer {
  const { method } = exchange;
  const { credentials } = parts.namespaces;
  if (id === undefined) {
    if (method === 'GET') return listKeys(credentials, namespace);
    return method === 'POST' ? createKey(credentials, namespace, content) : notAllowed(exchange);
  }
  if (method === 'PUT') return renameKey(credentials, namespace, id, content);
  return method === 'DELETE' ? deleteKey(credentials, namespace, id) : notAllowed(exchange);
}

/** The account, by its token; or a namespace, by its credentials. */
function callerOf(header: string | undefined, { apiToken, namespaces }: PlatformParts): Caller | undefined {
  const token = bearerOf(header);
  if (token !== undefined) return apiToken !== undefined && sameSecret(token, apiToken) ? 'account' : undefined;
  return basicCredentials(header) === undefined ? undefined : namespaces.ownedBy(header);
}

function bearerOf(header: string | undefined): string | undefined {
  return header !== undefined && /^bearer /i.test(header) ? header.slice('bearer '.length).trim() : undefined;
}

function notKnown(header: string | undefined, { apiToken }: PlatformParts): HostError {
  const isInVain = bearerOf(header) !== undefined && apiToken === undefined;
  const without = isInVain ? ' This host was started without a token of an account.' : '';
  return new HostError('unauthenticated', `Unable to authenticate you.${without}`);
}

function found(name: string, { namespaces }: PlatformParts): Namespace {
  const namespace = namespaces.find(name);
  if (!namespace) throw new HostError('not_found', 'namespace not found');
  return namespace;
}

function notForKeys(): HostError {
  const message =
    "a namespace's credentials open the triggers of that namespace: for anything else show a token of the account as a bearer";
  return new HostError('forbidden', message);
}

/** The decoded segments after the prefix, without a trailing slash. */
function segmentsOf(path: string): readonly string[] {
  try {
    return path.slice(platformPrefix.length).split('/').filter(Boolean).map(decodeURIComponent);
  } catch (error) {
    throw new HostError('bad_request', `The path is not well encoded: ${path}`, { cause: error });
  }
}

function notAllowed({ method, path }: Exchange): never {
  throw new HostError('method_not_allowed', `${method} is not supported for ${path}`);
}
