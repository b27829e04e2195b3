import { createServer } from 'node:http';

/**
 * The control: a bare node:http server in a process of its own that answers with bodies of the sizes it is given,
 * `node control.ts <one> <list> <write>`, in bytes. Prints its port.
 */
const [one = 0, list = 0, write = 0] = process.argv.slice(2).map(Number);
const bodies = { one: Buffer.alloc(one, 'x'), list: Buffer.alloc(list, 'x'), write: Buffer.alloc(write, 'x') };

const server = createServer((request, response) => {
  const reply = (body: Buffer): void => {
    response.writeHead(200, ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length)]);
    response.end(body);
  };
  if (request.method === 'GET') {
    reply(request.url?.includes('?') === true ? bodies.list : bodies.one);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString() || '{}');
    reply(bodies.write);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
