import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

/**
 * A plain node:http server that calls `main` of a bundle as a host would: `node shim.ts <bundle>`. Prints its port.
 */
interface Answer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Main = (event: object, context: object) => Promise<Answer>;

const exports: { main?: Main } = {};
const quiet = 'const process = Object.create(globalThis.process, { stdout: { value: { write: () => true } } });';
new Function('exports', 'require', `${quiet}${readFileSync(process.argv[2] ?? '', 'utf8')}`)(exports, createRequire(import.meta.url));
const { main } = exports;
if (!main) throw new Error('the bundle exports no main');

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', async () => {
    const [path = '/', queryString = ''] = (request.url ?? '/').split('?');
    const sent = Buffer.concat(chunks).toString('utf8');
    const event = { http: { method: request.method, path, queryString, headers: request.headers, body: sent } };
    const { statusCode, headers = {}, body } = await main(event, { getRemainingTimeInMillis: () => 25_000 });
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
    response.writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
