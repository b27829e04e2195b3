import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../lib/emulator/start-emulator.ts';
import { type Started, started } from '../support/started.ts';

let emulator: Emulator;
let running: Started;
/** An installation for an account that counts: on the emulator behind `npm start` nobody is asked. */
beforeAll(async () => {
  emulator = await startEmulator();
  running = await started(['--ephemeral', '--platform-url', emulator.url], { PLATFORM_API_TOKEN: emulator.token });
});
afterAll(async () => {
  await running.end();
  await emulator.close();
});

let domains = 0;
/** A client whose user answers every form alike, and a domain that it made. */
async function connected(mode: 'legacy' | 'auto', confirm: boolean) {
  const client = new Client({ name: 'asked', version: '1.0.0' }, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { confirm } };
  });
  const headers = { authorization: `Bearer ${running.ready.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(running.ready.mcp), { requestInit: { headers } }));
  const Name = `asked-${++domains}.example.com`;
  const call = (name: string, given: Record<string, unknown> = { Name }) => client.callTool({ name, arguments: given });
  expect(await call('domain-create', { Name, IPAddress: '203.0.113.9' })).toMatchObject({ isError: false });
  return { call, questions, Name, close: () => client.close() };
}

describe('a client of today that deletes something', () => {
  it('puts the question to its user, and the call goes on with a yes', async () => {
    const { call, questions, Name, close } = await connected('auto', true);
    expect(await call('domain-delete')).toMatchObject({ isError: false, structuredContent: { done: true, Name } });
    expect(questions).toEqual([expect.stringContaining(`"${Name}"`)]);
    expect(await call('domain-get')).toMatchObject({ isError: true, structuredContent: { error: { code: 'not_found' } } });
    await close();
  });

  it('is refused upon a no, and nothing is deleted', async () => {
    const { call, questions, close } = await connected('auto', false);
    expect(await call('domain-delete')).toMatchObject({ isError: true, structuredContent: { error: { code: 'forbidden' } } });
    expect(questions).toHaveLength(1);
    expect(await call('domain-get')).toMatchObject({ isError: false });
    await close();
  });
});

describe('a client with a handshake that deletes something', () => {
  it('is given a token to come back with, and its user is not asked by a form', async () => {
    const { call, questions, Name, close } = await connected('legacy', true);
    const { structuredContent } = await call('domain-delete');
    expect(structuredContent).toMatchObject({ error: { code: 'confirmation_required', confirmation: { token: expect.any(String) } } });
    expect(await call('domain-get')).toMatchObject({ isError: false });
    expect(await call('domain-delete', { Name, Confirm: tokenIn(structuredContent) })).toMatchObject({ isError: false });
    expect(questions).toEqual([]);
    await close();
  });
});

function tokenIn(answer: unknown): string {
  return /"token":"([^"]+)"/.exec(JSON.stringify(answer))?.[1] ?? '';
}
