import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Started, started } from '../support/started.ts';

const clientInfo = { name: 'kit', version: '1.0.0' };

let running: Started;
beforeAll(async () => {
  running = await started(['--ephemeral']);
});
afterAll(async () => {
  await running.end();
});

/** What the kits have in common, as far as a test needs it. */
interface Kit {
  readonly revision: () => string | undefined;
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: { name: string; arguments?: Record<string, unknown> }) => Promise<object>;
  readonly getInstructions: () => string | undefined;
  readonly close: () => Promise<void>;
}

type Mode = 'legacy' | 'auto' | { readonly pin: string };

const today = (mode: Mode) => async (url: string, authorization: string) => {
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }));
  return kit(client, () => client.getNegotiatedProtocolVersion());
};

const before = async (url: string, authorization: string) => {
  const transport = new TransportV1(new URL(url), { requestInit: { headers: { authorization } } });
  const client = new ClientV1(clientInfo);
  await client.connect(transport);
  return kit(client, () => transport.protocolVersion);
};

function kit(client: Client | ClientV1, revision: Kit['revision']): Kit {
  return {
    revision,
    listTools: () => client.listTools(),
    callTool: (call) => client.callTool(call),
    getInstructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

describe.each([
  ['SDK v2, as it comes', today('legacy'), '2025-11-25'],
  ['SDK v2, choosing the revision', today('auto'), '2026-07-28'],
  ['SDK v2, held to 2026-07-28', today({ pin: '2026-07-28' }), '2026-07-28'],
  ['SDK v1', before, '2025-11-25'],
] as const)('%s', (_, connect, revision) => {
  const connected = (path = '') => connect(`${running.ready.mcp}${path}`, `Bearer ${running.ready.token}`);

  it(`speaks ${revision} and is told how to go about things`, async () => {
    const client = await connected();
    expect(client.revision()).toBe(revision);
    expect(client.getInstructions()).toMatch(/^Deckhand operates a cloud account/);
    await client.close();
  });

  it('lists every tool, and fewer where fewer are asked for', async () => {
    const [all, few] = [await connected(), await connected('/dns/readonly')];
    expect((await all.listTools()).tools).toHaveLength(158);
    const names = (await few.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('domain-list');
    expect(names).not.toContain('domain-create');
    await Promise.all([all.close(), few.close()]);
  });

  it('calls a tool', async () => {
    const client = await connected();
    expect(await client.callTool({ name: 'instance-list', arguments: { PerPage: 1 } })).toMatchObject({
      structuredContent: { items: [{ id: expect.any(Number) }], page: 1, perPage: 1 },
    });
    await client.close();
  });

  it('finds a tool by its own words, and calls it', async () => {
    const client = await connected('/discover');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['tool-search', 'tool-read', 'tool-run']);
    expect(client.getInstructions()).toContain('tool-search');
    const found = await client.callTool({ name: 'tool-search', arguments: { query: 'show my servres', limit: 2 } });
    expect(found).toMatchObject({
      structuredContent: { items: expect.arrayContaining([expect.objectContaining({ tool: 'instance-list' })]) },
    });
    expect(await client.callTool({ name: 'tool-read', arguments: { tool: 'instance-list', arguments: { PerPage: 1 } } })).toMatchObject({
      structuredContent: { items: [{ id: expect.any(Number) }], perPage: 1 },
    });
    expect(await client.callTool({ name: 'tool-read', arguments: { tool: 'instance-delete', arguments: { ID: 1 } } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'forbidden' } },
    });
    await client.close();
  });

  it('gets a failure of a tool as a result', async () => {
    const client = await connected();
    expect(await client.callTool({ name: 'instance-get', arguments: { ID: 'x' } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'invalid_arguments', problems: [{ field: 'ID' }] } },
    });
    await client.close();
  });

  it('holds results and failures to the schemas of results, where it asks for these', async () => {
    const client = await connected('?schemas=full');
    const { tools } = await client.listTools();
    expect(tools.every((tool) => 'outputSchema' in tool)).toBe(true);
    const answers = await Promise.all([
      client.callTool({ name: 'instance-list' }),
      client.callTool({ name: 'instance-list', arguments: { Fields: '*', PerPage: 2 } }),
      client.callTool({ name: 'account-get-information' }),
      client.callTool({ name: 'db-cluster-list-options', arguments: { Fields: 'options.pg' } }),
      client.callTool({ name: 'key-delete', arguments: { ID: 1, DryRun: true } }),
      client.callTool({ name: 'key-delete', arguments: { ID: 1 } }),
      client.callTool({ name: 'instance-get', arguments: { ID: 'x' } }),
    ]);
    expect(answers.map((answer) => 'isError' in answer && answer.isError)).toEqual([false, false, false, false, false, true, true]);
    await client.close();
  });

  it('gets a tool that does not exist as an error', async () => {
    const client = await connected();
    await expect(client.callTool({ name: 'instance-lst' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('instance-list'),
    });
    await client.close();
  });
});
