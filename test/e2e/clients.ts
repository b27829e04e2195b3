import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Ready } from '../../lib/cli/start/start-options.ts';
import { jsonOf } from '../support/json-of.ts';

/** What a story needs of a client, whichever it is. */
export interface StoryClient {
  list(): Promise<readonly string[]>;
  call(tool: string, given?: Readonly<Record<string, unknown>>): Promise<Outcome>;
  close(): Promise<void>;
}

/** How a call ended; a failure's `result` is its error. */
export interface Outcome {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: stories look into results of every shape
  readonly result: any;
}

const clientInfo = { name: 'story', version: '1.0.0' };

/** The SDK of today; `versionNegotiation` left out is its default, the handshake. */
export async function sdkV2({ mcp, token }: Ready, mode?: 'auto'): Promise<StoryClient> {
  const client = new Client(clientInfo, mode && { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers: bearer(token) } }));
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => outcomeOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

/** The SDK that most clients of today are still built on. */
export async function sdkV1({ mcp, token }: Ready): Promise<StoryClient> {
  const client = new ClientV1(clientInfo);
  await client.connect(new TransportV1(new URL(mcp), { requestInit: { headers: bearer(token) } }));
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => outcomeOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

/** No kit at all: plain JSON over fetch. */
export async function plainFetch({ tools, token }: Ready): Promise<StoryClient> {
  return {
    list: async () => namesIn(await jsonOf(fetch(tools))),
    call: async (name, given = {}) => {
      const sent = { method: 'POST', headers: bearer(token), body: JSON.stringify(given) };
      return plainOutcome(await jsonOf(fetch(`${tools}/${name}`, sent)));
    },
    close: async () => {},
  };
}

/** The command line. */
export async function curl({ tools, token }: Ready): Promise<StoryClient> {
  const run = async (...args: string[]) => JSON.parse((await promisify(execFile)('curl', ['-sS', ...args])).stdout);
  const header = `Authorization: Bearer ${token}`;
  return {
    list: async () => namesIn(await run(tools)),
    call: async (name, given = {}) => plainOutcome(await run(`${tools}/${name}`, '-H', header, '-d', JSON.stringify(given))),
    close: async () => {},
  };
}

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}

function outcomeOf(answer: object): Outcome {
  const { isError, structuredContent }: { isError?: unknown; structuredContent?: unknown } = answer;
  const failed = isError === true;
  const error = failed && typeof structuredContent === 'object' && structuredContent !== null && 'error' in structuredContent;
  return { isError: failed, result: error ? structuredContent.error : structuredContent };
}

function plainOutcome({ isError, result, error }: { isError: boolean; result?: unknown; error?: unknown }): Outcome {
  return { isError, result: isError ? error : result };
}

function namesIn({ tools }: { tools: readonly { name: string }[] }): readonly string[] {
  return tools.map(({ name }) => name);
}
