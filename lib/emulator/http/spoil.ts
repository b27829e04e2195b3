import type { ServerResponse } from 'node:http';
import { pause } from '../clock.ts';
import { PlatformError } from '../errors.ts';
import type { Fault } from '../faults.ts';
import { errorReply, type Reply, send } from './reply.ts';

/** Ends the connection without a word. */
export function cutConnection(response: ServerResponse): void {
  response.socket?.destroy();
}

/** The refusal that a fault asks for. */
export function faultReply(fault: Fault, status: number, requestId: string): Reply {
  const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  const { id, message } = KNOWN[status] ?? (status < 500 ? ANY_REFUSAL : ANY_FAILURE);
  return errorReply(new PlatformError(status, id, fault.message ?? message, headers), requestId);
}

/** Sends a reply the way a fault wants it: cut off, its body late, stopping half way, no JSON at all, or of 5 MiB. */
export function sendSpoilt(response: ServerResponse, method: string, reply: Reply, headers: string[], fault: Fault): void {
  if (fault.reset === 'after') {
    cutConnection(response);
    return;
  }
  if ((fault.body === undefined && fault.bodyDelayMs === undefined) || method === 'HEAD' || reply.body === undefined) {
    send(response, method, reply, headers);
    return;
  }
  const body = Buffer.from(spoiltText(fault, String(reply.body)));
  const typed = fault.body === 'not-json' ? ['content-type', 'text/html'] : headers;
  response.writeHead(reply.status, [...typed, ...Object.entries(reply.headers ?? {}).flat(), 'content-length', String(body.length)]);
  const finish = (): void => {
    if (response.destroyed) {
      return;
    }
    if (fault.body === 'truncated') {
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => cutConnection(response));
    } else {
      response.end(body);
    }
  };
  if (fault.bodyDelayMs === undefined) {
    finish();
    return;
  }
  response.flushHeaders();
  pause(fault.bodyDelayMs).then(finish);
}

const HUGE_BYTES = 5 * 1024 * 1024;

/** JSON may have any white space before it: a huge body says the same as the true one. */
function spoiltText({ body }: Fault, text: string): string {
  switch (body) {
    case 'not-json':
      return '<html><body><h1>502 Bad Gateway</h1></body></html>';
    case 'huge':
      return ' '.repeat(Math.max(0, HUGE_BYTES - Buffer.byteLength(text))) + text;
    default:
      return text;
  }
}

const ANY_REFUSAL = { id: 'bad_request', message: 'The request was not understood.' };
const ANY_FAILURE = { id: 'server_error', message: 'Unexpected server-side error' };

const KNOWN: Readonly<Record<number, { readonly id: string; readonly message: string }>> = {
  401: { id: 'unauthorized', message: 'Unable to authenticate you.' },
  403: { id: 'forbidden', message: 'You are not allowed to perform this operation' },
  404: { id: 'not_found', message: 'The resource you requested could not be found.' },
  409: { id: 'conflict', message: 'The request conflicts with the state of the resource.' },
  412: { id: 'precondition_failed', message: 'A precondition of the request is not met.' },
  422: { id: 'unprocessable_entity', message: 'The request could not be processed.' },
  429: { id: 'too_many_requests', message: 'API Rate limit exceeded.' },
  503: { id: 'service_unavailable', message: 'The service is temporarily unavailable.' },
};
