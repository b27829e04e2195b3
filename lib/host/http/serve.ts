import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { uploadPrefix } from '../builder/builder.ts';
import { serveUpload } from '../builder/serve-builder.ts';
import { HostError } from '../host-error.ts';
import { firedTrigger, fireTrigger } from '../local/fire-trigger.ts';
import { eventsPath, serveEvents } from '../local/serve-events.ts';
import { type PlatformParts, platformPrefix, servePlatform } from '../namespaces/serve-platform.ts';
import { restPrefix, type SharedParts, serveRest } from '../rest/serve-rest.ts';
import { corsHeaders } from '../web/cors.ts';
import { serveWeb, type WebParts } from '../web/serve-web.ts';
import { mountedAddress, parseWebAddress, type WebAddress, webPrefix } from '../web/web-address.ts';
import { type Answer, errorAnswer, failureAnswer, type Streaming, send } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { requestIdOf } from './request-id.ts';
import { hostName } from './served-hosts.ts';

/** A client gets this long for its headers, and for its whole request. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 60_000;
const keepAliveTimeoutMs = 30_000;

export interface ServeParts extends SharedParts, PlatformParts {
  readonly scheme: WebParts['scheme'];
  readonly servedHosts: ReadonlySet<string>;
  readonly mounts: Readonly<Record<string, string>>;
}

/** The host's server. Not listening yet. */
export function createHostServer(listener: RequestListener): Server {
  return createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs },
    listener,
  );
}

/** What the host serves: the platform's API, web functions at their own addresses, and those mounted beside. */
export function hostListener(parts: ServeParts): RequestListener {
  return (request, response) => {
    const exchange = open(request, response);
    answer(exchange, parts)
      .catch((error: unknown) => {
        if (!(error instanceof HostError)) parts.onBug(error);
        return failureAnswer(error, exchange.requestId);
      })
      .then((ready) => send(response, ready))
      .catch(parts.onBug);
  };
}

function open(request: IncomingMessage, response: Exchange['response']): Exchange {
  const { method = 'GET', url = '/' } = request;
  const mark = url.indexOf('?');
  return {
    request,
    response,
    method: method.toUpperCase(),
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    requestId: requestIdOf(request),
    userAgent: request.headers['user-agent'],
    receivedAt: performance.now(),
  };
}

async function answer(exchange: Exchange, parts: ServeParts): Promise<Answer | Streaming> {
  const { path, request, requestId } = exchange;
  const { host } = request.headers;
  if (!parts.servedHosts.has(hostName(host) ?? '')) {
    throw new HostError(
      'forbidden',
      `"${host ?? ''}" is not a name this host is served under: allow it when starting the host, or use 127.0.0.1`,
    );
  }
  if (path === webPrefix.slice(0, -1) || path.startsWith(webPrefix)) return serveAddress(exchange, parseWebAddress(path), parts);
  if (path === restPrefix || path.startsWith(`${restPrefix}/`)) return serveRest(exchange, parts);
  if (path === platformPrefix || path.startsWith(`${platformPrefix}/`)) return servePlatform(exchange, parts);
  if (path === eventsPath) return serveEvents(exchange, parts.namespaces);
  if (path.startsWith(uploadPrefix)) return serveUpload(exchange, parts.builder);
  const fired = firedTrigger(path);
  if (fired !== undefined) return fireTrigger(exchange, fired, parts);
  const mounted = mountedAddress(path, parts.mounts);
  return mounted ? serveFound(exchange, mounted, parts) : unknown(requestId);
}

function serveAddress(exchange: Exchange, address: WebAddress | 'incomplete' | 'unknown', parts: ServeParts): Promise<Answer> | Answer {
  if (typeof address !== 'string') return serveFound(exchange, address, parts);
  if (address === 'unknown') return unknown(exchange.requestId);
  const hint = "The path must contain /$namespace/$package/$function, $package can be 'default'.";
  return errorAnswer(400, `Incomplete web function path. ${hint}`, exchange.requestId, corsHeaders(exchange.request.headers));
}

function serveFound(exchange: Exchange, address: WebAddress, parts: ServeParts): Promise<Answer> | Answer {
  const { namespaces, scheme, waitMs, onActivation } = parts;
  const found = namespaces.find(address.namespace);
  if (!found) return unknown(exchange.requestId);
  const { registry, invoker } = found;
  const isOwner = (authorization: string | undefined): boolean => namespaces.ownedBy(authorization) === found;
  return serveWeb(exchange, address, { registry, invoker, isOwner, scheme, waitMs, onActivation });
}

function unknown(requestId: string): Answer {
  return errorAnswer(404, 'The requested resource does not exist.', requestId);
}
