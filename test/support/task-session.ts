import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type TaskEnabledSession } from '@modelcontextprotocol/ext-tasks/client';

const protocolVersion = '2026-07-28';
const clientInfo = { name: 'tasks', version: '1.0.0' };
const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** The requester of the tasks extension, over the kit's own client, connected to an address of MCP. */
export async function taskSession(url: string, token: string): Promise<TaskEnabledSession> {
  const authorization = `Bearer ${token}`;
  const client = new Client(clientInfo, { versionNegotiation: { mode: 'auto' }, capabilities: clientCapabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }));
  let id = 0;
  return createTaskSessionFromClient(client, {
    endpointId: url,
    v2RequestFraming: { protocolVersion, clientInfo, clientCapabilities },
    // The kit's client takes no task for an answer: the requester has these messages sent beside it.
    async rawDispatch(request) {
      // Safe: the requester frames requests of JSON-RPC.
      const message = request as { readonly method: string; readonly params: { readonly name?: string; readonly taskId?: string } };
      const { name, taskId = name } = message.params;
      const headers = {
        authorization,
        'content-type': 'application/json',
        'mcp-protocol-version': protocolVersion,
        'mcp-method': message.method,
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, ...message });
      const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...(taskId && { 'mcp-name': taskId }) }, body });
      const { result, error } = JSON.parse(await answer.text());
      return error ? { kind: 'error', error } : { kind: 'result', result };
    },
  });
}
