import http from 'node:http';
import https from 'node:https';
import { type AxiosAdapter, AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';

/** Whether bytes of a request may have left this machine, so that it may have had an effect. */
export interface Departure {
  departed: boolean;
}

/** The code of the failure where an answer is larger than the request takes. */
export const answerTooLarge = 'ERR_ANSWER_TOO_LARGE';

const kept = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
const fresh = { http: new http.Agent(), https: new https.Agent() };

/**
 * How axios sends one request and reads its answer as text, whatever its status. It follows nothing: a redirect would take the token to another address.
 * (Axios's own adapter, which knows forms, streams, proxies and progress, takes four times as long for the same.)
 *
 * Reads share the connections that are kept open. A write gets a fresh one: when a kept connection turns out to have been closed from the other side,
 * nobody can tell whether the write was still read from it.
 *
 * @param departure is told of the moment after which the request can no longer be called back: when its connection stands. Until then it waits in this
 *   process.
 * @param mostBytes what an answer may take; a larger one fails with the code `answerTooLarge`.
 */
export function adapter(departure: Departure, mostBytes: number): AxiosAdapter {
  return (config) =>
    new Promise((resolve, reject) => {
      const request = open(config);
      const { signal } = config;
      const abort = () => request.destroy(new AxiosError('the request was called back', AxiosError.ERR_CANCELED));
      signal?.addEventListener?.('abort', abort);
      request.once('close', () => signal?.removeEventListener?.('abort', abort));
      request.on('error', reject);
      request.once('socket', (socket) => {
        departure.departed = !socket.connecting;
        if (departure.departed) return;
        socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          departure.departed = true;
        });
      });
      request.once('response', (incoming: http.IncomingMessage) => {
        const fail = (failure: Error) => {
          reject(failure);
          request.destroy();
        };
        read(incoming, mostBytes, (text) => resolve(responseOf(incoming, text, config)), fail);
      });
      request.end(config.data);
    });
}

function open({ url = '', method = 'get', headers, data }: InternalAxiosRequestConfig): http.ClientRequest {
  const { protocol, hostname, port, host, pathname, search } = new URL(url);
  const secure = protocol === 'https:';
  const agents = method === 'get' ? kept : fresh;
  // What axios takes a request without a body for: a form.
  if (data === undefined) headers.delete('content-type');
  // As a list, they are written as they are. Without a length a body would be sent in chunks.
  const list = [
    'host',
    host,
    'accept-encoding',
    'gzip',
    ...Object.entries(headers.toJSON()).flatMap(([name, value]) => [name, String(value)]),
  ];
  if (method !== 'get') list.push('content-length', String(Buffer.byteLength(data ?? '')));
  return (secure ? https : http).request({
    protocol,
    // An IPv6 address stands in brackets in an address, and without them here.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port }),
    path: pathname + search,
    method: method.toUpperCase(),
    headers: list,
    agent: secure ? agents.https : agents.http,
  });
}

/** Reads an answer to its end, unpacked; what is larger than `mostBytes`, either way, fails. */
function read(incoming: http.IncomingMessage, mostBytes: number, done: (text: string) => void, fail: (failure: Error) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) fail(new AxiosError(`the answer is larger than ${mostBytes} bytes`, answerTooLarge));
  });
  incoming.on('error', fail);
  incoming.once('end', () => {
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    if (incoming.headers['content-encoding'] !== 'gzip' || bytes === 0) return done(body.toString('utf8'));
    // Loaded with the first packed answer.
    const { gunzip } = process.getBuiltinModule('node:zlib');
    gunzip(body, { maxOutputLength: mostBytes }, (failure, unpacked) => {
      if (!failure) return done(unpacked.toString('utf8'));
      const large = 'code' in failure && failure.code === 'ERR_BUFFER_TOO_LARGE';
      fail(new AxiosError(failure.message, large ? answerTooLarge : AxiosError.ERR_BAD_RESPONSE));
    });
  });
}

/** The headers of an answer that are read; axios goes over each that it is handed. */
const readHeaders = ['x-request-id', 'retry-after'] as const;

function responseOf(
  { statusCode = 0, statusMessage = '', headers }: http.IncomingMessage,
  data: string,
  config: InternalAxiosRequestConfig,
): AxiosResponse<string> {
  const shown = Object.fromEntries(readHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
  return { status: statusCode, statusText: statusMessage, headers: shown, data, config };
}
