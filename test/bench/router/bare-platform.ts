import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate, loopbackKey } from './with-platform.ts';

/** A platform that costs as little as a server can: the same account to every request. Over TLS where its argument says `https`. */
const body = JSON.stringify({ account: { email: 'captain@example.com', status: 'active', droplet_limit: 25 } });
const answer: http.RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
};
const secured = () => https.createServer({ cert: readFileSync(loopbackCertificate), key: readFileSync(loopbackKey) }, answer);
const server = process.argv[2] === 'https' ? secured() : http.createServer(answer);
server.listen(0, '127.0.0.1', () => {
  // Safe: the server listens on a TCP port.
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
