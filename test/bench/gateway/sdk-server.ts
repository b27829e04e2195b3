import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import axios from 'axios';

/**
 * The same list of tools, and one of its calls, on the official SDK, without sessions: `node sdk-server.ts <platform> <token>`, the list as JSON on stdin. Prints its port.
 */
const [platformUrl = '', token = ''] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const tools = JSON.parse(Buffer.concat(chunks).toString('utf8'));

const server = createServer(async (request, response) => {
  const mcp = new Server({ name: 'control', version: '1.0.0' }, { capabilities: { tools: {} } });
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  mcp.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { data } = await axios.get(`${platformUrl}/v2/droplets/${params.arguments?.ID}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { content: [{ type: 'text', text: JSON.stringify(data.droplet) }], structuredContent: data.droplet };
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => transport.close());
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
