import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pause, readClock, stopwatch, trueTime } from '../clock.ts';
import { type ControlRoute, controlReply } from '../control/control.ts';
import { forbidden, PlatformError, serverError, unauthorized } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { JsonObject } from '../fields.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { Route } from '../resources/family.ts';
import type { Accounts, Tenant } from '../store/accounts.ts';
import { collectBody, hasBody, type Incoming, splitTarget } from './incoming.ts';
import { answer, findTenant } from './platform.ts';
import { commonHeaders, errorReply, type Reply, send } from './reply.ts';
import type { Router } from './router.ts';
import { cutConnection, faultReply, spoil } from './spoil.ts';

/** One answered request, for whoever prints them. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

export interface ListenerParts {
  readonly accounts: Accounts;
  readonly routes: Router<Route>;
  readonly control: Router<ControlRoute>;
  /** The standing shown to callers that no account is found for. */
  readonly strangers: RateLimiter;
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly onRequest: ((line: RequestLine) => void) | undefined;
}

/** Serves the platform's API under /v2 and the emulator's own under /_emulator. */
export function requestListener(parts: ListenerParts): RequestListener {
  return (request, response) => {
    const { onRequest } = parts;
    if (onRequest !== undefined) {
      const elapsedMs = stopwatch();
      const { path } = splitTarget(request.url ?? '/');
      response.on('close', () => onRequest({ method: request.method ?? '', path, status: response.statusCode, ms: elapsedMs() }));
    }
    if (!hasBody(request)) {
      serve(parts, response, toIncoming(request, ''));
      return;
    }
    collectBody(request, (body) => {
      if (typeof body === 'string') {
        serve(parts, response, toIncoming(request, body));
        return;
      }
      response.shouldKeepAlive = false;
      const incoming = toIncoming(request, '');
      const headers = commonHeaders(incoming.requestId, parts.strangers.look(readClock(trueTime)));
      send(response, incoming.method, failureReply(incoming, body), headers);
    });
  };
}

function toIncoming(request: IncomingMessage, bodyText: string): Incoming {
  const { path, queryText } = splitTarget(request.url ?? '/');
  const { host, authorization, origin } = request.headers;
  return { method: request.method ?? 'GET', path, queryText, bodyText, host: host ?? '', authorization, origin, requestId: randomUUID() };
}

function serve(parts: ListenerParts, response: ServerResponse, incoming: Incoming): void {
  const refuse = (error: unknown): void => {
    const standing = parts.strangers.look(readClock(trueTime));
    send(response, incoming.method, failureReply(incoming, error), commonHeaders(incoming.requestId, standing));
  };
  if (!parts.hostAllowed(incoming.host)) {
    const message = `The host ${JSON.stringify(incoming.host)} is not served here: use 127.0.0.1 or localhost, or allow the host when starting.`;
    refuse(forbidden(message));
    return;
  }
  if (incoming.path.startsWith('/_emulator')) {
    controlReply(parts, incoming).then(
      (reply) => send(response, incoming.method, reply, commonHeaders(incoming.requestId, undefined)),
      refuse,
    );
    return;
  }
  const tenant = findTenant(parts.accounts, incoming.authorization);
  if (tenant === undefined) {
    refuse(unauthorized());
    return;
  }
  const fault = tenant.account.faults.forRequest(incoming.method, incoming.path);
  if (fault?.delayMs === undefined) {
    servePlatform(parts, response, incoming, tenant, fault);
    return;
  }
  pause(fault.delayMs).then(() => servePlatform(parts, response, incoming, tenant, fault));
}

function servePlatform(parts: ListenerParts, response: ServerResponse, incoming: Incoming, tenant: Tenant, fault: Fault | undefined): void {
  if (fault?.reset === 'before') {
    cutConnection(response);
    return;
  }
  const standing = tenant.limiter.take(readClock(tenant.account.clock));
  let body: JsonObject = {};
  const reply = attempt(incoming, () =>
    fault?.status === undefined
      ? answer(incoming, tenant, parts.routes, standing, (parsed) => {
          body = parsed;
        })
      : faultReply(fault, fault.status, incoming.requestId),
  );
  log(tenant, incoming, body, reply.status);
  const headers = commonHeaders(incoming.requestId, standing);
  if (fault?.reset === 'after') {
    cutConnection(response);
  } else if (fault?.body !== undefined) {
    spoil(response, fault.body, reply, headers);
  } else {
    send(response, incoming.method, reply, headers);
  }
}

const MAX_LOGGED_BODY_LENGTH = 64 * 1024;

function log(tenant: Tenant, incoming: Incoming, body: JsonObject, status: number): void {
  const { method, path, queryText, bodyText } = incoming;
  const kept = bodyText.length > MAX_LOGGED_BODY_LENGTH ? { left_out: `${bodyText.length} characters` } : body;
  tenant.log.add({ atMs: readClock(tenant.account.clock), method, path, query: queryText, body: kept, status });
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
