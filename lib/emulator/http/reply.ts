import type { ServerResponse } from 'node:http';
import type { PlatformError } from '../errors.ts';
import type { RateStanding } from '../rate-limit.ts';

/** What is sent back; `body` is JSON text. */
export interface Reply {
  readonly status: number;
  readonly body: string | undefined;
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
  const bytes = body.length > LONG ? utf8(body) : undefined;
  const lengthBytes = bytes?.length ?? Buffer.byteLength(body);
  if (reply.status !== 204) {
    headers.push('content-length', String(lengthBytes));
  }
  response.writeHead(reply.status, headers);
  if (method === 'HEAD' || body === '') {
    response.end();
  } else if (bytes !== undefined) {
    response.end(bytes);
  } else {
    // As many bytes as characters: the text is ASCII, and writing that as latin1 spares encoding it.
    response.end(body, lengthBytes === body.length ? 'latin1' : 'utf8');
  }
}

/** From so many characters on, a body is sent as bytes: a text would be copied behind its headers first, and measured apart from being encoded. */
const LONG = 8192;

const encoder = new TextEncoder();

/** The bytes of a text. Most are ASCII: those fit into as many bytes as there are characters, and are encoded without being measured. */
function utf8(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  return encoder.encodeInto(text, bytes).read === text.length ? bytes : Buffer.from(text);
}

const NO_HEADERS: Readonly<Record<string, string>> = {};
