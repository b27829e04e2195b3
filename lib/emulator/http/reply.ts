import type { ServerResponse } from 'node:http';
import type { PlatformError } from '../errors.ts';
import type { RateStanding } from '../rate-limit.ts';

/** What is sent back; `body` is JSON. */
export interface Reply {
  readonly status: number;
  readonly body: string | Buffer | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal as a reply. Source: the OpenAPI document, component `error`. */
export function errorReply(error: PlatformError, requestId: string): Reply {
  const body = JSON.stringify({ id: error.id, message: error.message, request_id: requestId });
  return { status: error.status, body, headers: error.headers };
}

/** The headers every reply carries, as the flat list that `writeHead` takes fastest. */
export function commonHeaders(requestId: string, standing: RateStanding | undefined): string[] {
  const headers = ['content-type', 'application/json; charset=utf-8', 'x-request-id', requestId];
  if (standing !== undefined) {
    headers.push('ratelimit-limit', String(standing.limit));
    headers.push('ratelimit-remaining', String(standing.remaining));
    headers.push('ratelimit-reset', String(standing.resetAt));
  }
  return headers;
}

/** Sends a reply; a HEAD gets everything but the body. */
export function send(response: ServerResponse, method: string, reply: Reply, headers: string[]): void {
  for (const [name, value] of Object.entries(reply.headers ?? NO_HEADERS)) {
    headers.push(name, value);
  }
  const body = reply.body ?? '';
  const lengthBytes = Buffer.byteLength(body);
  if (reply.status !== 204) {
    headers.push('content-length', String(lengthBytes));
  }
  response.writeHead(reply.status, headers);
  leave(() => {
    if (method === 'HEAD' || lengthBytes === 0) {
      response.end();
      return;
    }
    // As many bytes as characters: the text is ASCII, and writing that as latin1 spares encoding it.
    response.end(body, lengthBytes === body.length ? 'latin1' : 'utf8');
  });
}

let leaving: (() => void)[] = [];

/** What is answered in one turn of the event loop leaves together: the first reply wakes the client's process, and the others find it awake. */
function leave(end: () => void): void {
  if (leaving.push(end) === 1) {
    setImmediate(leaveTogether);
  }
}

function leaveTogether(): void {
  const ends = leaving;
  leaving = [];
  for (const end of ends) {
    end();
  }
}

const NO_HEADERS: Readonly<Record<string, string>> = {};
