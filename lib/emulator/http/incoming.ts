import type { IncomingMessage } from 'node:http';
import { messages } from '../assumptions.ts';
import { badRequest, payloadTooLarge } from '../errors.ts';
import { isObject, type JsonObject } from '../fields.ts';

export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** A request split into its parts, its body read. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly bodyText: string;
  readonly host: string;
  readonly authorization: string | undefined;
  readonly origin: string | undefined;
  readonly requestId: string;
}

/** The method, path and query of a request line; the path as it came, neither decoded nor tidied. */
export function splitTarget(target: string): { readonly path: string; readonly queryText: string } {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, queryText: '' } : { path: target.slice(0, mark), queryText: target.slice(mark + 1) };
}

export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0';
}

/** Reads a body of at most 2 MB and hands it on, or the 413 error as soon as it is longer. */
export function collectBody(request: IncomingMessage, done: (body: string | Error) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    done(payloadTooLarge(MAX_BODY_BYTES));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    const fits = size <= MAX_BODY_BYTES;
    size += chunk.length;
    chunks.push(chunk);
    if (fits && size > MAX_BODY_BYTES) {
      request.pause();
      done(payloadTooLarge(MAX_BODY_BYTES));
    }
  });
  request.on('end', () => {
    if (size <= MAX_BODY_BYTES) {
      done(Buffer.concat(chunks).toString('utf8'));
    }
  });
}

/** The JSON object of a body; empty for an empty body. Errors: 400 for malformed JSON and for JSON that is no object. */
export function parseBody(text: string): JsonObject {
  if (text === '') {
    return EMPTY;
  }
  const value = parseJson(text);
  if (!isObject(value)) {
    throw badRequest(messages.notAnObject);
  }
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw badRequest(messages.malformedJson);
    }
    throw error;
  }
}

const EMPTY: JsonObject = Object.freeze({});
