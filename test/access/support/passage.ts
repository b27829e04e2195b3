import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { RedisServer } from './stores.ts';

/** A way to a Redis server on which what passes can be held up, from a command on until it is let go. */
export interface Passage {
  readonly url: string;
  holdRequestsFrom(command: string): void;
  holdAnswersFrom(command: string): void;
  /** Whether anything is held up. */
  holds(): boolean;
  letGo(): void;
}

/** A passage to a server; it ends with the test. */
export async function passageTo({ port, url }: RedisServer): Promise<Passage> {
  const sockets: net.Socket[] = [];
  const held: (() => void)[] = [];
  let from: { readonly bytes: string; readonly side: 'requests' | 'answers' } | undefined;
  let reached = false;
  const pass = (side: 'requests' | 'answers', goOn: () => void) => (reached && from?.side === side ? held.push(goOn) : goOn());
  const server = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    sockets.push(near, far);
    near.on('data', (chunk) => {
      reached ||= from !== undefined && chunk.includes(from.bytes);
      pass('requests', () => far.write(chunk));
    });
    far.on('data', (chunk) => pass('answers', () => near.write(chunk)));
    near.on('close', () => far.destroy()).on('error', () => {});
    far.on('close', () => near.destroy()).on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const hold = (side: 'requests' | 'answers', command: string) => {
    from = { side, bytes: `$${command.length}\r\n${command}\r\n` };
  };
  return {
    // Safe: the server listens on a TCP port.
    url: url.replace(`:${port}`, `:${(server.address() as AddressInfo).port}`),
    holdRequestsFrom: (command) => hold('requests', command),
    holdAnswersFrom: (command) => hold('answers', command),
    holds: () => held.length > 0,
    letGo() {
      from = undefined;
      reached = false;
      for (const goOn of held.splice(0)) goOn();
    },
  };
}
