import type { ServerResponse } from 'node:http';
import { PlatformError } from '../errors.ts';
import type { Fault } from '../faults.ts';
import { errorReply, type Reply } from './reply.ts';

/** Ends the connection without a word. */
export function cutConnection(response: ServerResponse): void {
  response.socket?.destroy();
}

/** The refusal that a fault asks for. */
export function faultReply(fault: Fault, status: number, requestId: string): Reply {
  const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  const { id, message } = KNOWN[status] ?? { id: status < 500 ? 'bad_request' : 'server_error', message: 'Unexpected server-side error' };
  return errorReply(new PlatformError(status, id, fault.message ?? message, headers), requestId);
}

/** Sends a reply whose body stops half way, or is not JSON at all. */
export function spoil(response: ServerResponse, how: 'truncated' | 'not-json', reply: Reply, headers: string[]): void {
  if (how === 'not-json') {
    response.writeHead(reply.status, ['content-type', 'text/html']);
    response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
    return;
  }
  const body = Buffer.from(reply.body ?? '{}');
  response.writeHead(reply.status, [...headers, 'content-length', String(body.length)]);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => cutConnection(response));
}

const KNOWN: Readonly<Record<number, { readonly id: string; readonly message: string }>> = {
  400: { id: 'bad_request', message: 'The request was not understood.' },
  401: { id: 'unauthorized', message: 'Unable to authenticate you.' },
  403: { id: 'forbidden', message: 'You are not allowed to perform this operation' },
  404: { id: 'not_found', message: 'The resource you requested could not be found.' },
  409: { id: 'conflict', message: 'The request conflicts with the state of the resource.' },
  412: { id: 'precondition_failed', message: 'A precondition of the request is not met.' },
  422: { id: 'unprocessable_entity', message: 'The request could not be processed.' },
  429: { id: 'too_many_requests', message: 'API Rate limit exceeded.' },
  503: { id: 'service_unavailable', message: 'The service is temporarily unavailable.' },
};
