import { Agent, createServer, request } from 'node:http';

/**
 * What a call cannot do without, by hand: node:http takes the message, node:http sends the one request over a kept connection, the record goes into the
 * answer. `node by-hand-server.ts <platform> <token>`. Prints its port.
 */
const [platformUrl = '', token = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const headers = { accept: 'application/json', authorization: `Bearer ${token}` };

const server = createServer((incoming, response) => {
  textOf(incoming, (message) => {
    const { id, params } = JSON.parse(message);
    const outgoing = request(`${platformUrl}/v2/droplets/${params.arguments.ID}`, { agent, headers }, (reply) => {
      textOf(reply, (body) => {
        const record = JSON.stringify(JSON.parse(body).droplet);
        const content = `[{"type":"text","text":${JSON.stringify(record)}}]`;
        const answer = `{"jsonrpc":"2.0","id":${id},"result":{"content":${content},"structuredContent":${record}}}`;
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
        response.end(answer);
      });
    });
    outgoing.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});

function textOf(stream: NodeJS.ReadableStream, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.once('end', () => done(Buffer.concat(chunks).toString('utf8')));
}
