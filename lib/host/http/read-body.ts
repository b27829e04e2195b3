import type { IncomingMessage } from 'node:http';
import { HostError } from '../host-error.ts';
import { deepestJson, isTooDeep } from '../json-depth.ts';

const noBytes = Buffer.alloc(0);

/** Reads a request's body. HostError `too_large` above `limitBytes`, as soon as that is known; `bad_request` when the client breaks off. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const announced = request.headers['content-length'];
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) return Promise.resolve(noBytes);
  if (announced !== undefined && Number(announced) > limitBytes) return Promise.reject(tooLarge(Number(announced), limitBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limitBytes) chunks.push(chunk);
      // Read on without keeping anything: a client that is still sending would not see the answer on a closed connection.
      else reject(tooLarge(bytes, limitBytes));
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const brokenOff = (): void => reject(new HostError('bad_request', 'The client broke off before the request was complete.'));
    request.on('error', brokenOff);
    request.on('close', brokenOff);
  });
}

/** Parses a body that must be a JSON object; an empty one is `{}`. HostError `bad_request`. */
export function parseJsonObject(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.length === 0) return {};
  const value = parseJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    // Just checked to be an object and not a list.
    return value as Readonly<Record<string, unknown>>;
  }
  throw new HostError('bad_request', `The request content was malformed: expected a JSON object, got ${body.toString('utf8', 0, 40)}`);
}

/** Parses a JSON body. HostError `bad_request` with the parser's reason, or for one that is nested too deeply. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString('utf8');
  const value = parsed(text);
  if (!isTooDeep(text, value)) return value;
  throw new HostError('bad_request', `The request content was malformed: it is nested deeper than ${deepestJson} levels`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HostError('bad_request', `The request content was malformed: ${reason}`, { cause: error });
  }
}

function tooLarge(bytes: number, limitBytes: number): HostError {
  return new HostError('too_large', `Request larger than allowed: ${bytes} > ${limitBytes} bytes.`);
}
