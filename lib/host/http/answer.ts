import type { ServerResponse } from 'node:http';
import { HostError, statusOfCode } from '../host-error.ts';

/** What a request is answered. Header names are lower-case; a list repeats the header. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/** Instead of an answer: one that is being written as a stream. */
export type Streaming = 'streaming';

/** An answer with a JSON body. */
export function jsonAnswer(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** The platform's shape of an error: `{error, code}`, the code being the id of the request. */
export function errorAnswer(status: number, message: string, requestId: string, headers: Answer['headers'] = {}): Answer {
  return jsonAnswer(status, { error: message, code: requestId }, headers);
}

/** What a failure of the host is answered. A bug shows no more than the id of the request. */
export function failureAnswer(failure: unknown, requestId: string): Answer {
  if (!(failure instanceof HostError)) return errorAnswer(500, 'There was an internal error.', requestId);
  const headers: Answer['headers'] = failure.code === 'unauthenticated' ? { 'www-authenticate': 'Basic realm="functions"' } : {};
  return errorAnswer(statusOfCode[failure.code], failure.message, requestId, headers);
}

/** Sends an answer, as a whole. Does nothing when the client is gone. */
export function send(response: ServerResponse, answer: Answer | Streaming): void {
  if (answer === 'streaming' || response.destroyed || response.headersSent) return;
  const { status, headers, body } = answer;
  const bodyless = status === 204 || status === 304;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  // Node types header lists as mutable and does not change them.
  const mutable = headers as Record<string, string | string[]>;
  response.writeHead(status, bodyless ? mutable : { ...mutable, 'content-length': String(length) });
  response.end(bodyless ? undefined : body);
}
