import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** How a host is stood in front of. */
export interface Passing {
  /** What becomes of a request before it is passed on: it waits for the promise, and is answered itself where that has a status. */
  readonly before?: (request: IncomingMessage) => Promise<number | undefined>;
  /** Key and certificate to be reached by https with. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** The address of a server that passes requests on to a host; it ends with the test. */
export async function passingHost(url: string, { before, tls }: Passing): Promise<string> {
  const pass: RequestListener = async (request, response) => {
    const { method = 'GET', headers } = request;
    const body = await text(request);
    const refused = await before?.(request);
    if (refused !== undefined) return response.writeHead(refused).end('{"error":"The requested resource does not exist."}');
    const sent = { authorization: headers.authorization ?? '', ...(body !== '' && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${url}${request.url}`, { method, headers: sent, ...(body !== '' && { body }) });
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  };
  const server = tls ? createSecureServer(tls, pass) : createServer(pass);
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on a port has an address of this shape.
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
