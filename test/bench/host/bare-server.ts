import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The control: what node:http itself costs for the same answer. Ends with its input.
const server = createServer((_request, response) => {
  const body = JSON.stringify({ ok: true });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});

process.stdin.resume().on('end', () => process.exit(0));
