import { type IncomingMessage, request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readClock, trueTime } from '../../clock.ts';
import { DeliveryFailure } from '../failure.ts';

/** A request that is about to be made: everything is known but whether it arrives. */
export interface Posting {
  readonly url: URL;
  /** The address that the name of the URL was found to lead to; no other is connected to. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Called when the connection stands, just before the request is written. */
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

/** What was answered; of the body only the beginning. */
export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfterMs: number;
  readonly text: string;
}

const MAX_TEXT_BYTES = 512;

/** Posts once, over a connection of its own. Errors: those of the network. */
export async function post({ url, address, headers, body, leave, signal }: Posting): Promise<Answer> {
  const socket = await connected(url, address, signal);
  try {
    leave();
    return await exchanged(socket, url, headers, body);
  } finally {
    socket.destroy();
  }
}

function connected(url: URL, address: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const tcp = connectTcp({ host: address, port, signal });
    const socket = secure ? connectTls({ socket: tcp, host: name, ...(isIP(name) === 0 && { servername: name }) }) : tcp;
    tcp.once('error', reject);
    socket.once('error', reject);
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve(socket));
  });
}

function exchanged(socket: Socket, url: URL, headers: Posting['headers'], body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const message = request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: { host: url.host, connection: 'close', 'content-length': Buffer.byteLength(body), ...headers },
    });
    message.once('error', reject);
    message.once('response', (response) => {
      firstBytes(response).then((text) => resolve(toAnswer(response, text)), reject);
    });
    message.end(body);
  });
}

async function firstBytes(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_TEXT_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, MAX_TEXT_BYTES).toString('utf8').trim();
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, text: string): Answer {
  return { status: statusCode, location: headers.location, retryAfterMs: retryAfterMs(headers['retry-after'], headers.date), text };
}

/** Source: RFC 9110, section 10.2.3: seconds, or a moment, here on the receiver's own clock where it tells it. */
function retryAfterMs(text: string | undefined, now: string | undefined): number {
  if (text === undefined) {
    return 0;
  }
  if (/^\d{1,9}$/.test(text)) {
    return Number(text) * 1000;
  }
  const nowMs = Date.parse(now ?? '');
  const aheadMs = Date.parse(text) - (Number.isNaN(nowMs) ? readClock(trueTime) : nowMs);
  return Number.isNaN(aheadMs) ? 0 : Math.max(0, aheadMs);
}

/** What an answer other than a success means. */
export function refusal(host: string, { status, retryAfterMs: wait, text }: Answer): DeliveryFailure {
  const said = /^[\w .,:;'"!?()-]{1,200}$/.test(text) ? `: ${text}` : '';
  const passing = status >= 500 || [408, 425, 429].includes(status);
  return new DeliveryFailure(`${host} answered ${status}${said}`, { final: !passing, retryAfterMs: passing ? wait : 0 });
}
