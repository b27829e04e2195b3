import { describe, expect, it, vi } from 'vitest';
import { type CallRecord, writeCallLog } from '../../lib/protocols/call-log.ts';
import { gateway } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

async function loggedBy(send: (request: ReturnType<typeof gateway>) => Promise<unknown>): Promise<readonly CallRecord[]> {
  const records: CallRecord[] = [];
  const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
  await send(gateway({ PLATFORM_API_URL: platform.url }, { log: (record) => records.push(record) }));
  return records;
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account-get-information' } };
const activationId = 'a'.repeat(32);

describe('the log of calls', () => {
  it('has one record a call: what, by whom, with which client, how it ended', async () => {
    const headers = { 'user-agent': 'curl/8.5.0' };
    expect(await loggedBy((request) => request('POST', '/tools/account-get-information', { headers }))).toEqual([
      { protocol: 'JSON', call: 'account-get-information', outcome: 'ok', caller: 'bearer', client: 'curl', activationId },
    ]);
    expect(await loggedBy((request) => request('POST', '/tools/key-get', { body: { ID: 'x' }, headers }))).toMatchObject([
      { call: 'key-get', outcome: 'invalid_arguments' },
    ]);
    expect(await loggedBy((request) => request('POST', '/mcp', { body: call, headers }))).toMatchObject([
      { protocol: 'MCP', call: 'account-get-information', outcome: 'ok' },
    ]);
    expect(await loggedBy((request) => request('POST', '/mcp', { body: { ...call, method: 'tools/list' } }))).toMatchObject([
      { call: 'tools/list' },
    ]);
  });

  it('names the client as the newest revision lets it name itself, without what would break a line', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'some\nagent', version: '1' },
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const sent = { body: { ...call, method: 'tools/list', params: { _meta } }, headers };
    expect(await loggedBy((request) => request('POST', '/mcp', sent))).toMatchObject([{ client: 'someagent' }]);
  });

  it('is one line of plain text, whatever a caller sends', async () => {
    const lines: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    await gateway({}, { log: writeCallLog })('POST', `/tools/%1b%5b2J%0aforged${'x'.repeat(500)}`);
    write.mockRestore();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '').call).toBe(`[2Jforged${'x'.repeat(69)}`);
  });

  it('carries neither arguments nor tokens', async () => {
    const body = { Name: 'some-name', PublicKey: 'some-key' };
    const text = JSON.stringify(await loggedBy((request) => request('POST', '/tools/key-create', { body })));
    expect(text).not.toMatch(/some-name|some-key|tester/);
  });
});
