import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixture } from './fixture-server.ts';

const clientInfo = { name: 'asked', version: '1.0.0' };
const answer = { action: 'accept' as const, content: { name: 'Ada', username: 'ada', email: 'ada@example.com', color: 'green' } };

let fixture: FixtureServer;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

/** A client that answers every form, and calls a tool with it. */
async function asked(mode: 'legacy' | 'auto' | { readonly pin: string }) {
  const client = new Client(clientInfo, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    return answer;
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(fixture.url)));
  return { client, questions };
}

describe.each([
  ['choosing the revision', 'auto'],
  ['held to 2026-07-28', { pin: '2026-07-28' }],
] as const)('a client of today, %s', (_, mode) => {
  it('puts the questions of a call to its user, round after round, and gets its result', async () => {
    const { client, questions } = await asked(mode);
    const { content } = await client.callTool({ name: 'test_input_required_result_multi_round' });
    expect(content).toEqual([{ type: 'text', text: 'Ada likes green' }]);
    expect(questions).toEqual(['Step 1: What is your name?', 'Step 2: What is your favorite color?']);
    await client.close();
  });

  it('hears how far a call is, in the answer to it', async () => {
    const { client } = await asked(mode);
    const heard: number[] = [];
    await client.callTool({ name: 'test_tool_with_progress' }, { onprogress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([0, 50, 100]);
    await client.close();
  });
});

describe('a client with a handshake is asked over three invocations', () => {
  it('by the SDK of today, as it comes', async () => {
    const { client, questions } = await asked('legacy');
    const { content } = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who are you?' } });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('ada@example.com') }]);
    expect(questions).toEqual(['Who are you?']);
    await client.close();
  });

  it('by the SDK before it', async () => {
    const client = new ClientV1(clientInfo, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => answer);
    await client.connect(new TransportV1(new URL(fixture.url)));
    const { content } = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who are you?' } });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('ada@example.com') }]);
    await client.close();
  });
});
