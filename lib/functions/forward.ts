import http from 'node:http';
import https from 'node:https';
import { ToolError } from '../errors.ts';
import type { Budget } from './budget.ts';
import type { Context } from './context.ts';
import type { WebRequest } from './event.ts';
import { forwardedHeader } from './forwarded-header.ts';
import type { FunctionResponse } from './response.ts';
import { webAddress } from './web-address.ts';

/** Which function is to answer, and whether what it is asked for changes nothing. */
export interface Destination {
  readonly toolset: string;
  readonly readOnly: boolean;
}

/** What is told where a function answered nothing, or something of the platform's in its own place. */
export function lostAnswer({ toolset, readOnly }: Destination, reason: string): ToolError {
  if (readOnly)
    return new ToolError('platform_unavailable', `the function tools/${toolset} did not answer (${reason}); nothing was changed`);
  return new ToolError(
    'outcome_unknown',
    `the call was handed to tools/${toolset} and no answer of it came (${reason}); it may or may not have happened, so look before you repeat it`,
  );
}

/**
 * What is told where the platform answered in the function's place, with this status. Some of its answers show that the function never ran; of all others
 * nothing is known.
 */
export function platformAnswer(destination: Destination, statusCode: number): ToolError {
  const name = `tools/${destination.toolset}`;
  switch (statusCode) {
    case 404:
      return new ToolError(
        'not_configured',
        `the function ${name} is not deployed here; nothing was changed. Deploy it, or leave ${destination.toolset} out of the setting TOOLSETS, or set DISPATCH=inline`,
      );
    case 401:
    case 403:
      return new ToolError(
        'not_configured',
        `the platform lets nobody call the function ${name} over the web (${statusCode}); nothing was changed. Deploy it with "web: raw" and without webSecure`,
      );
    case 413:
      return new ToolError('invalid_arguments', `the call is larger than the platform hands to ${name}; nothing was changed`);
    case 429:
      return new ToolError('rate_limited', `the platform runs too many functions to start ${name} now; nothing was changed`);
    default:
      return lostAnswer(destination, `it was answered ${statusCode} in its place`);
  }
}

const hopHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'te',
  'upgrade',
]);

/**
 * Passes a request on to the function of a domain, `tools/<toolset>` of the same namespace, and returns its answer as it came.
 * Method, path, query, headers and body stay as they are. A write gets a connection of its own; a read that finds its kept one closed is sent again.
 *
 * @throws ToolError `not_configured` where the runtime does not say where it runs; `platform_unavailable` when the function cannot be reached;
 *   `deadline_exceeded` when time ran out and nothing can have happened; `outcome_unknown` when a write was sent and no answer came.
 */
export async function forward(
  request: WebRequest,
  { toolset, readOnly }: Destination,
  context: Context,
  budget: Budget,
): Promise<FunctionResponse> {
  const url = addressOf(toolset, request, context);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopHeaders.has(name)));
  const options = { method: request.method, headers: { ...headers, [forwardedHeader]: '1' }, signal: budget.signal };
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const begin = (agent?: false) => {
      let connected = false;
      const failed = (failure: Error) => {
        if (connected && !readOnly) return lostAnswer({ toolset, readOnly }, failure.message);
        return budget.signal.aborted ? outOfTime(toolset) : unreachable(toolset, failure);
      };
      const outgoing = (secure ? https : http).request(url, { ...options, agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', (failure) => reject(failed(failure)));
        incoming.once('end', () => resolve(responseOf(incoming, Buffer.concat(chunks).toString('utf8'))));
      });
      outgoing.once('socket', (socket) => {
        connected = !socket.connecting;
        if (connected) return;
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          connected = true;
        });
      });
      outgoing.once('error', (failure) => {
        const stale = readOnly && outgoing.reusedSocket && !budget.signal.aborted;
        return stale ? begin(false) : reject(failed(failure));
      });
      outgoing.end(request.body);
    };
    // A kept connection may have been closed from the other side: nobody could tell whether a write was still read from it.
    begin(readOnly ? undefined : false);
  });
}

function addressOf(toolset: string, request: WebRequest, context: Context): URL {
  const { apiHost, namespace } = context;
  if (!apiHost || !namespace) {
    throw new ToolError(
      'not_configured',
      'DISPATCH=forward needs apiHost and namespace in the context; set DISPATCH=inline where the runtime has none',
    );
  }
  const url = new URL(webAddress(apiHost, `${namespace}/tools/${toolset}`) + request.path);
  url.search = request.query.toString();
  return url;
}

function responseOf(incoming: http.IncomingMessage, body: string): FunctionResponse {
  const { 'content-type': contentType, 'www-authenticate': challenge, 'retry-after': retryAfter } = incoming.headers;
  return {
    statusCode: incoming.statusCode ?? 502,
    headers: {
      ...(contentType && { 'content-type': contentType }),
      ...(challenge && { 'www-authenticate': challenge }),
      ...(retryAfter && { 'retry-after': retryAfter }),
    },
    body,
  };
}

function outOfTime(toolset: string): ToolError {
  return new ToolError('deadline_exceeded', `the time for this call ran out before tools/${toolset} answered; nothing was changed`);
}

function unreachable(toolset: string, cause: Error): ToolError {
  return new ToolError('platform_unavailable', `the function tools/${toolset} cannot be reached (${cause.message}); nothing was changed`, {
    cause,
  });
}
