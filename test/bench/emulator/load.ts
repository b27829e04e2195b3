import { connect, type Socket } from 'node:net';

/** One request as bytes, ready to be sent. */
export type Wire = Buffer;

/** A request as HTTP/1.1 bytes with a keep-alive connection. */
export function wire(method: string, path: string, token: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Wire {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  const lines = Object.entries({ host: '127.0.0.1', authorization: `Bearer ${token}`, ...headers, ...length });
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`);
}

/** What a caller sends next, given the reply to what it sent last. */
export type Caller = (reply: Buffer | undefined) => Wire;

/** Told how long each request took, in milliseconds. */
export type Told = (tookMs: number) => void;

/**
 * Sends what `callers` say, each on its own connection, one request at a time, for `durationMs`.
 * Bare sockets: a full HTTP client would cost more than the servers that are measured. Answers requests per second.
 * Errors: a reply whose status is not 2xx.
 */
export async function throughput(port: number, callers: readonly Caller[], durationMs: number, told: Told = () => {}): Promise<number> {
  const startMs = performance.now();
  const endMs = startMs + durationMs;
  const counts = await Promise.all(callers.map((caller) => converse(port, caller, endMs, told)));
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startMs) / 1000);
}

function converse(port: number, caller: Caller, endMs: number, told: Told): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let count = 0;
    let pending: Buffer = Buffer.alloc(0);
    let sentMs = 0;
    const send = (bytes: Wire): void => {
      sentMs = performance.now();
      socket.write(bytes);
    };
    socket.once('connect', () => send(caller(undefined)));
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = replyEnd(pending);
      if (end === undefined) {
        return;
      }
      const reply = pending;
      pending = Buffer.alloc(0);
      if (reply[9] !== TWO) {
        socket.destroy();
        reject(new Error(`a reply that is no success: ${reply.toString('latin1').slice(0, 600)}`));
        return;
      }
      count += 1;
      const nowMs = performance.now();
      told(nowMs - sentMs);
      if (nowMs < endMs) {
        send(caller(reply.subarray(end.bodyStart)));
        return;
      }
      socket.destroy();
      resolve(count);
    });
  });
}

const TWO = '2'.charCodeAt(0);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Where the body of a whole reply begins; undefined while bytes are missing. */
function replyEnd(bytes: Buffer): { readonly bodyStart: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) {
    return undefined;
  }
  const head = bytes.toString('latin1', 0, headEnd);
  // The last chunk is an empty one.
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return bytes.subarray(-5).equals(LAST_CHUNK) ? { bodyStart: headEnd + 4 } : undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length >= headEnd + 4 + length ? { bodyStart: headEnd + 4 } : undefined;
}
