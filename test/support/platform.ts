import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedPlatform {
  readonly url: string;
  /** What has arrived so far, in order. */
  readonly arrived: readonly Arrived[];
}

type Answer = (response: http.ServerResponse, request: Arrived, attempt: number) => unknown;

/** A server in the platform's place that answers as the test says; it ends with the test. */
export async function scriptedPlatform(answer: Answer): Promise<ScriptedPlatform> {
  const arrived: Arrived[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      arrived.push(seen);
      answer(response, seen, arrived.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Safe: the server listens on a TCP port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}

/** Answers JSON. */
export function json(response: http.ServerResponse, status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
