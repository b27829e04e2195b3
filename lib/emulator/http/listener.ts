import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pause, readClock, stopwatch, trueTime } from '../clock.ts';
import type { ControlState } from '../control/account-controls.ts';
import { type ControlRoute, controlReply } from '../control/control.ts';
import { forbidden, PlatformError, serverError, unauthorized } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { JsonObject } from '../fields.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { Route } from '../resources/family.ts';
import type { Tenant } from '../store/accounts.ts';
import { collectBody, hasBody, type Incoming, parseBody, splitTarget } from './incoming.ts';
import { type Mounts, mountedAt } from './mounts.ts';
import { answer, findTenant } from './platform.ts';
import { commonHeaders, errorReply, type Reply, send } from './reply.ts';
import type { Router } from './router.ts';
import { cutConnection, faultReply, sendSpoilt } from './spoil.ts';

/** One answered request, for whoever prints them. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

export interface ListenerParts extends ControlState {
  readonly routes: Router<Route>;
  readonly control: Router<ControlRoute>;
  /** The standing shown to callers that no account is found for. */
  readonly strangers: RateLimiter;
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly mounts: Mounts;
  readonly onRequest: ((line: RequestLine) => void) | undefined;
}

/** A request on its way to its reply. */
interface Exchange {
  readonly incoming: Incoming;
  readonly response: ServerResponse;
  /** Real time since the request arrived. */
  readonly elapsedMs: () => number;
}

/** Serves the platform's API under /v2 and the emulator's own under /_emulator. */
export function requestListener(parts: ListenerParts): RequestListener {
  return (request, response) => {
    const elapsedMs = stopwatch();
    const { onRequest } = parts;
    if (onRequest !== undefined) {
      const { path } = splitTarget(request.url ?? '/');
      response.on('close', () => onRequest({ method: request.method ?? '', path, status: response.statusCode, ms: elapsedMs() }));
    }
    const mounted = mountedAt(splitTarget(request.url ?? '/').path, parts.mounts);
    if (mounted !== undefined && parts.hostAllowed(request.headers.host)) {
      mounted(request, response);
      return;
    }
    if (!hasBody(request)) {
      serve(parts, { incoming: toIncoming(request, ''), response, elapsedMs });
      return;
    }
    collectBody(request, (body) => {
      if (typeof body === 'string') {
        serve(parts, { incoming: toIncoming(request, body), response, elapsedMs });
      } else {
        refuseUnread(parts, { incoming: toIncoming(request, ''), response, elapsedMs }, body);
      }
    });
  };
}

function toIncoming(request: IncomingMessage, bodyText: string): Incoming {
  const { path, queryText } = splitTarget(request.url ?? '/');
  const { host, authorization, origin, 'content-type': contentType } = request.headers;
  return {
    method: request.method ?? 'GET',
    path,
    queryText,
    bodyText,
    contentType,
    host: host ?? '',
    authorization,
    origin,
    requestId: randomUUID(),
  };
}

/** Answers a request whose body could not be read, and ends the connection: the rest of the body may still be on its way. */
function refuseUnread(parts: ListenerParts, exchange: Exchange, error: Error): void {
  const { incoming, response } = exchange;
  response.shouldKeepAlive = false;
  const reply = failureReply(incoming, error);
  const { tenant } = incoming.path.startsWith(OWN_PREFIX) ? { tenant: undefined } : lookUp(parts, incoming);
  if (tenant !== undefined) {
    log(tenant, exchange, undefined, reply.status, undefined);
  }
  send(response, incoming.method, reply, commonHeaders(incoming.requestId, parts.strangers.look(readClock(trueTime))));
}

const OWN_PREFIX = '/_emulator';

function serve(parts: ListenerParts, exchange: Exchange): void {
  const { incoming, response } = exchange;
  if (!parts.hostAllowed(incoming.host)) {
    const message = `The host ${JSON.stringify(incoming.host)} is not served here: use 127.0.0.1 or localhost, or allow the host when starting.`;
    refuse(parts, exchange, forbidden(message));
    return;
  }
  if (incoming.path.startsWith(OWN_PREFIX)) {
    controlReply(parts, incoming).then(
      (reply) => send(response, incoming.method, reply, commonHeaders(incoming.requestId, undefined)),
      (error) => refuse(parts, exchange, error),
    );
    return;
  }
  const { tenant, failure } = lookUp(parts, incoming);
  const fault = tenant?.account.faults.forRequest(incoming.method, incoming.path);
  if (tenant === undefined) {
    refuse(parts, exchange, failure ?? unauthorized());
  } else if (fault?.delayMs === undefined) {
    servePlatform(parts, exchange, tenant, fault);
  } else {
    pause(fault.delayMs).then(() => serveLate(parts, exchange, fault));
  }
}

/** The account of a request; or why its file can not be opened, which is no other account's concern. */
function lookUp(parts: ListenerParts, { authorization }: Incoming): { readonly tenant: Tenant | undefined; readonly failure?: unknown } {
  try {
    return { tenant: findTenant(parts.accounts, authorization) };
  } catch (failure) {
    return { tenant: undefined, failure };
  }
}

/** The account is looked up again: meanwhile it may have been reset, or the emulator closed. */
function serveLate(parts: ListenerParts, exchange: Exchange, fault: Fault): void {
  const { tenant, failure } = lookUp(parts, exchange.incoming);
  if (tenant !== undefined) {
    servePlatform(parts, exchange, tenant, fault);
  } else if (failure !== undefined) {
    refuse(parts, exchange, failure);
  } else {
    cutConnection(exchange.response);
  }
}

function refuse(parts: ListenerParts, { incoming, response }: Exchange, error: unknown): void {
  const standing = parts.strangers.look(readClock(trueTime));
  send(response, incoming.method, failureReply(incoming, error), commonHeaders(incoming.requestId, standing));
}

function servePlatform(parts: ListenerParts, exchange: Exchange, tenant: Tenant, fault: Fault | undefined): void {
  const { incoming, response } = exchange;
  if (fault?.reset === 'before') {
    log(tenant, exchange, undefined, null, fault);
    cutConnection(response);
    return;
  }
  const standing = tenant.limiter.take(readClock(tenant.account.clock));
  let body: JsonObject | undefined;
  const reply = attempt(incoming, () =>
    fault?.status === undefined
      ? answer(incoming, tenant, parts.routes, standing, (parsed) => {
          body = parsed;
        })
      : faultReply(fault, fault.status, incoming.requestId),
  );
  log(tenant, exchange, body, reply.status, fault);
  const headers = commonHeaders(incoming.requestId, standing);
  if (fault === undefined) {
    send(response, incoming.method, reply, headers);
  } else {
    sendSpoilt(response, incoming.method, reply, headers, fault);
  }
}

const MAX_LOGGED_BODY_LENGTH = 16 * 1024;

/** `parsed` is the body of a request that was handled so far that it was read. */
function log(
  tenant: Tenant,
  { incoming, elapsedMs }: Exchange,
  parsed: JsonObject | undefined,
  status: number | null,
  fault: Fault | undefined,
): void {
  const { method, path, queryText, bodyText } = incoming;
  tenant.log.add({
    atMs: readClock(tenant.account.clock),
    method,
    path,
    query: queryText,
    body: bodyText.length > MAX_LOGGED_BODY_LENGTH ? { left_out: `${bodyText.length} characters` } : (parsed ?? readableBody(bodyText)),
    status,
    ms: elapsedMs(),
    ...(fault === undefined ? {} : { fault: fault.id }),
  });
}

function readableBody(bodyText: string): JsonObject {
  try {
    return parseBody(bodyText);
  } catch {
    return {};
  }
}

function attempt(incoming: Incoming, work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    return failureReply(incoming, error);
  }
}

/** A refusal is answered as it is; anything else is a fault of the emulator: the caller gets a clean 500, the process a warning with the stack. */
function failureReply(incoming: Incoming, error: unknown): Reply {
  if (error instanceof PlatformError) {
    return errorReply(error, incoming.requestId);
  }
  process.emitWarning(error instanceof Error ? error : String(error));
  return errorReply(serverError(), incoming.requestId);
}
