import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Json } from './platform.ts';

/** A delivery as it came in. */
export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
}

/** What takes chat messages on this machine; `answer` may answer otherwise than with 200, or not at all. */
export async function chatReceiver(
  answer: (delivery: Delivery, response: ServerResponse, count: number) => void = (_delivery, response) => response.end('ok'),
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = { path: request.url ?? '', headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
      deliveries.push(delivery);
      answer(delivery, response, deliveries.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
