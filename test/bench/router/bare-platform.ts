import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A platform that costs as little as a server can: the same account to every request. */
const body = JSON.stringify({ account: { email: 'captain@example.com', status: 'active', droplet_limit: 25 } });
const server = http.createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  // Safe: the server listens on a TCP port.
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
