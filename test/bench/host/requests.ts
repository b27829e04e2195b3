import { connect, type Socket } from 'node:net';

/** A connection that is kept open and asks one thing at a time. Bare sockets: a full HTTP client would cost more than what is measured. */
export interface Connection {
  /** Sends a request and waits for the whole reply; milliseconds. Errors: a reply that is no 200. */
  ask(path: string): Promise<number>;
  close(): void;
}

/** Connects to a server on 127.0.0.1. */
export async function open(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { ask: (path) => ask(socket, path), close: () => socket.destroy() };
}

function ask(socket: Socket, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let reply = '';
    const onData = (chunk: Buffer): void => {
      reply += chunk.toString('latin1');
      const headEnd = reply.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(reply)?.[1] ?? 0);
      if (reply.length < headEnd + 4 + length) return;
      socket.off('data', onData);
      if (reply.startsWith('HTTP/1.1 200')) resolve(performance.now() - startedAt);
      else reject(new Error(`${path}: ${reply.slice(0, 600)}`));
    };
    socket.on('data', onData);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  });
}
