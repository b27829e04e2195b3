import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { PlatformReply } from './platform-error.ts';

/** A request as it leaves. */
export interface Outgoing {
  /** Where it goes: an http or https address. */
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Calls the request back. */
  readonly signal: AbortSignal;
  /** What an answer may take, as it comes and unpacked. */
  readonly mostBytes: number;
}

/** Whether bytes of a request may have left this machine, so that it may have had an effect. */
export interface Departure {
  departed: boolean;
}

/** An answer is larger than its request takes. */
export class AnswerTooLarge extends Error {
  constructor(mostBytes: number) {
    super(`the answer is larger than ${mostBytes} bytes`);
    this.name = 'AnswerTooLarge';
  }
}

/** The connection was closed from the other side, or what came over it cannot be unpacked: there is no whole answer. */
export class AnswerBrokenOff extends Error {
  /** What the system calls the cause, such as `ECONNRESET`; absent where only undici has a name for it. */
  readonly code?: string;

  constructor(cause: Error) {
    super('the connection was closed from the other side', { cause });
    this.name = 'AnswerBrokenOff';
    if ('code' in cause && typeof cause.code === 'string' && !cause.code.startsWith('UND_ERR_')) this.code = cause.code;
  }
}

/** Calls back the request that is being handed to undici, which connects for it before it returns. */
let handedOver: AbortSignal | undefined;

const connectTo = buildConnector({ timeout: 30_000 });

/**
 * Connects, for as long as somebody waits for it: a connection serves one request at a time, so an attempt ends with the one that it was begun for.
 * Only where a kept connection had begun to close is another opened later, and for whom is not known; that attempt ends by itself.
 */
const connect: buildConnector.connector = (options, callback) => {
  const signal = handedOver;
  // Safe: it returns the socket, which its types pass over.
  const socket = connectTo(options, (...outcome) => {
    signal?.removeEventListener('abort', stop);
    callback(...outcome);
  }) as unknown as Socket;
  const stop = () => socket.destroy(new Error('nobody waits for it'));
  signal?.addEventListener('abort', stop);
};

/** How long a call takes is for its signal to say. */
const limits = { headersTimeout: 0, bodyTimeout: 0, connect, maxHeaderSize: 16 * 1024 };

const kept = new Agent({ ...limits, keepAliveTimeout: 60_000 });
const fresh = new Agent({ ...limits, pipelining: 0 });

/**
 * Sends one request and reads its answer as text, whatever its status. It follows nothing: a redirect would take the token to another address.
 *
 * Reads share the connections that are kept open. A write gets a fresh one: when a kept connection turns out to have been closed from the other side,
 * nobody can tell whether the write was still read from it.
 *
 * @param departure is told of the moment after which the request can no longer be called back: when its connection stands. Until then it waits in this
 *   process.
 * @throws AnswerTooLarge, AnswerBrokenOff; what kept it from being sent
 */
export async function exchange(outgoing: Outgoing, departure: Departure): Promise<PlatformReply> {
  const reply = await dispatched(outgoing, departure);
  // Only then is its connection free again: a read that followed at once would open another.
  await new Promise((resolve) => setImmediate(resolve));
  return reply;
}

function dispatched({ url, method, headers, body, signal, mostBytes }: Outgoing, departure: Departure): Promise<PlatformReply> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    const abort = () => {
      const calledBack = new Error('the request was called back');
      reject(calledBack);
      controller?.abort(calledBack);
    };
    signal.addEventListener('abort', abort);
    let answer = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let bytes = 0;
    handedOver = signal;
    (method === 'GET' ? kept : fresh).dispatch(
      { origin, path: pathname + search, method, headers: { 'accept-encoding': 'gzip', ...headers }, body },
      {
        onRequestStart(started) {
          // It waited for a connection, and nobody waits for it any more.
          if (signal.aborted) return started.abort(new Error('nobody waits for it'));
          controller = started;
          departure.departed = true;
        },
        onResponseStart(_, status, headers) {
          answer = { status, headers };
        },
        onResponseData(current, chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > mostBytes) current.abort(new AnswerTooLarge(mostBytes));
        },
        onResponseEnd() {
          signal.removeEventListener('abort', abort);
          const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
          unpack(body, answer.headers, mostBytes, (text) => resolve({ ...answer, text }), reject);
        },
        onResponseError(_, failure) {
          signal.removeEventListener('abort', abort);
          reject(isBreak(failure) ? new AnswerBrokenOff(failure) : failure);
        },
      },
    );
    handedOver = undefined;
  });
}

const breakCodes: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** Whether a failure is that of a connection which was closed from the other side; in the middle of a body in chunks the parser has no other word for it. */
function isBreak(failure: Error): boolean {
  if ('code' in failure && breakCodes.has(failure.code)) return true;
  return failure.name === 'HTTPParserError' && failure.message.includes('Invalid EOF state');
}

/** The text of a body that came whole, unpacked where it is packed. */
function unpack(
  body: Buffer,
  headers: PlatformReply['headers'],
  mostBytes: number,
  done: (text: string) => void,
  fail: (failure: Error) => void,
): void {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) {
    done(body.toString('utf8'));
    return;
  }
  // Loaded with the first packed answer.
  const { gunzip } = process.getBuiltinModule('node:zlib');
  gunzip(body, { maxOutputLength: mostBytes }, (failure, unpacked) => {
    if (!failure) return done(unpacked.toString('utf8'));
    const large = 'code' in failure && failure.code === 'ERR_BUFFER_TOO_LARGE';
    fail(large ? new AnswerTooLarge(mostBytes) : new AnswerBrokenOff(failure));
  });
}
