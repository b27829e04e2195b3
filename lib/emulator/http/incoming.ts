import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { messages } from '../assumptions.ts';
import { badRequest, payloadTooLarge, unsupportedMediaType } from '../errors.ts';
import { isObject, type JsonObject } from '../fields.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;

/** A request split into its parts, its body read. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly bodyText: string;
  readonly contentType: string | undefined;
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

/** Reads a body of at most 1 MiB and hands it on; or the 413 error as soon as it is longer, or a 400 error when it is no text. */
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
      const body = Buffer.concat(chunks);
      done(isUtf8(body) ? body.toString('utf8') : badRequest(messages.notUtf8));
    }
  });
}

/** Refuses a body that says it is something else than JSON; one that says nothing is taken for JSON. Errors: 415. */
export function refuseOtherTypes({ bodyText, contentType = '' }: Incoming): void {
  if (bodyText !== '' && contentType !== '' && !JSON_TYPE.test(contentType)) {
    throw unsupportedMediaType(messages.notJson);
  }
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** The JSON object of a body; empty for an empty body. Errors: 400 for malformed or deeply nested JSON and for JSON that is no object. */
export function parseBody(text: string): JsonObject {
  if (text === '') {
    return EMPTY;
  }
  if (isDeep(text)) {
    throw badRequest(messages.tooDeep);
  }
  const value = parseJson(text);
  if (!isObject(value)) {
    throw badRequest(messages.notAnObject);
  }
  return value;
}

/**
 * Whether arrays and objects are nested more than a hundred levels deep. Looked at before parsing, since what reads the value
 * afterwards may recurse; in one pass, since the text may be anything.
 */
function isDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) {
    return false;
  }
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      quoted = !quoted;
    } else if (quoted) {
      at += code === BACKSLASH ? 1 : 0;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return true;
      }
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((character) => character.charCodeAt(0));

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
