import { describe, expect, it, vi } from 'vitest';
import { type CallRecord, writeCallLog } from '../../lib/protocols/call-log.ts';
import { gateway, handlerOf } from '../support/gateway.ts';
import { json, scriptedPlatform } from '../support/platform.ts';

async function loggedBy(send: (request: ReturnType<typeof gateway>) => Promise<unknown>): Promise<readonly CallRecord[]> {
  const records: CallRecord[] = [];
  const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }, { 'x-request-id': 'request-1' }));
  await send(gateway({ PLATFORM_API_URL: platform.url }, { log: (record) => records.push(record) }));
  return records;
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account-get-information' } };
const activationId = 'a'.repeat(32);

describe('the log of calls', () => {
  it('has one record a call: what, by whom, with which client, how it ended', async () => {
    const headers = { 'user-agent': 'curl/8.5.0' };
    expect(await loggedBy((request) => request('POST', '/tools/account-get-information', { headers }))).toEqual([
      {
        protocol: 'JSON',
        call: 'account-get-information',
        outcome: 'ok',
        caller: 'bearer',
        client: 'curl',
        activationId,
        arguments: {},
        decision: 'allowed',
        platformRequestId: 'request-1',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        durationMs: expect.any(Number),
        remainingMs: expect.any(Number),
      },
    ]);
    expect(await loggedBy((request) => request('POST', '/tools/key-get', { body: { ID: 'x' }, headers }))).toMatchObject([
      { call: 'key-get', outcome: 'invalid_arguments' },
    ]);
    expect(await loggedBy((request) => request('POST', '/mcp', { body: call, headers }))).toMatchObject([
      { protocol: 'MCP', call: 'account-get-information', outcome: 'ok', caller: 'bearer', client: 'curl', activationId },
    ]);
    expect(await loggedBy((request) => request('POST', '/mcp', { body: { ...call, method: 'tools/list' } }))).toMatchObject([
      { call: 'tools/list' },
    ]);
  });

  it('has one of a call that came over no web, by nobody but the platform itself', async () => {
    const records: CallRecord[] = [];
    const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
    const own = { PLATFORM_API_URL: platform.url, PLATFORM_API_TOKEN: 'own', ACCESS_TOKENS: `ci=sha256:${'0'.repeat(64)}` };
    await handlerOf(own, (record) => records.push(record))({ tool: 'account-get-information' }, { activationId });
    expect(records).toMatchObject([{ protocol: 'direct', call: 'account-get-information', outcome: 'ok', caller: 'direct', activationId }]);
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

  it('says what was asked for and how long it took, also of calls that failed', async () => {
    const given = { Domain: 'example.com', Type: 'TXT', Name: 'a', Data: 'x'.repeat(500) };
    const [record] = await loggedBy((request) => request('POST', '/tools/domain-record-create', { body: given }));
    expect(record).toMatchObject({ outcome: 'platform_error', platformRequestId: 'request-1' });
    expect(record?.arguments).toMatchObject({ Domain: 'example.com', Data: `${'x'.repeat(200)}...` });
    expect(record?.remainingMs).toBeLessThan(28_000);
  });

  it('hides what is named like a secret, however deep and in whatever case, and shows the rest as it was', async () => {
    const config = {
      log_retention_hours: 168,
      new_field: null,
      sasl_password: '',
      sasl_token: null,
      uris: 7,
      SSL_Private_Key: 'canary',
      listeners: ['//u:canary@a/ and //v:canary@b/', { Access_Key: 'canary', port: 9092 }],
    };
    const given = { body: { id: 'x', config } };
    const [record] = await loggedBy((request) => request('POST', '/tools/db-cluster-update-kafka-config', given));
    expect(record?.arguments).toMatchObject({
      config: {
        ...config,
        SSL_Private_Key: '[redacted]',
        listeners: ['//[redacted]@a/ and //[redacted]@b/', { Access_Key: '[redacted]', port: 9092 }],
      },
    });
  });

  it('carries of very many arguments the names alone', async () => {
    const config = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`setting_${index}`, 'x'.repeat(100)]));
    const given = { body: { id: 'x', config } };
    const [record] = await loggedBy((request) => request('POST', '/tools/db-cluster-update-kafka-config', given));
    expect(record?.arguments).toEqual({ names: ['id', 'config'] });
  });

  it('belongs to the trace that the request names, and so does what the platform is asked', async () => {
    const trace = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const platform = await scriptedPlatform((response) => json(response, 200, { account: {} }));
    const records: CallRecord[] = [];
    const request = gateway({ PLATFORM_API_URL: platform.url }, { log: (record) => records.push(record) });
    await request('POST', '/tools/account-get-information', { headers: { traceparent: trace } });
    await request('POST', '/mcp', { body: { ...call, params: { ...call.params, _meta: { traceparent: trace } } } });
    const other = trace.replace('-2', '-3');
    await request('POST', '/mcp', { body: call, headers: { traceparent: other } });
    const both = { ...call, params: { ...call.params, _meta: { traceparent: trace } } };
    await request('POST', '/mcp', { body: both, headers: { traceparent: other } });
    expect(records.map(({ traceparent }) => traceparent)).toEqual([trace, trace, other, trace]);
    expect(platform.arrived.map(({ headers }) => headers.traceparent)).toEqual([trace, trace, other, trace]);
    records.length = 0;
    const forged = [
      'forged\r\nline',
      `${trace}\r\nline`,
      `line\r\n${trace}`,
      `${trace}-`,
      trace.replace('00-', '0-'),
      trace.replace('1', 'A'),
    ];
    for (const traceparent of forged) await request('POST', '/tools/account-get-information', { headers: { traceparent } });
    const inMeta = { ...call, params: { ...call.params, _meta: { traceparent: [trace] } } };
    await request('POST', '/mcp', { body: inMeta });
    await request('POST', '/mcp', { body: { ...inMeta, params: { ...call.params, _meta: { traceparent: `${trace}\n` } } } });
    expect(records).toHaveLength(forged.length + 2);
    expect(records.filter(({ traceparent }) => traceparent !== undefined)).toEqual([]);
    expect(platform.arrived.slice(4).filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
  });
});

describe('secrets of a call', () => {
  const canaries = {
    bearer: 'canary-bearer',
    password: 'canary-password',
    key: 'canary-private-key',
    slack: 'https://hooks.slack.com/services/canary-slack',
    target: 'https://user:p@canary-userinfo@example.com/',
  };
  const pem = `-----BEGIN PRIVATE KEY-----\n${canaries.key}\n-----END PRIVATE KEY-----`;
  const calls: readonly (readonly [string, object])[] = [
    ['custom-certificate-create', { Name: 'c', PrivateKey: pem, LeafCertificate: 'x', CertificateChain: 'y' }],
    ['custom-certificate-create', { Name: 'c', PrivateKey: pem, LeafCertificate: 'x', CertificateChain: 'y', DryRun: true }],
    [
      'db-cluster-start-online-migration',
      { id: 'x', source: { host: 'h', port: 1, dbname: 'd', username: 'u', password: canaries.password } },
    ],
    [
      'uptimecheck-alert-create',
      { CheckID: 'x', Name: 'a', Type: 'down', Period: '2m', Slack: [{ Channel: '#a', URL: canaries.slack }], Emails: [] },
    ],
    ['uptimecheck-create', { Name: 'n', Type: 'https', Target: canaries.target, Regions: ['us_east'] }],
    ['db-cluster-get', { id: 'x', RevealSecrets: true, password: canaries.password }],
  ];

  it.each(calls)('%s: appear in no log and in no refusal of it', async (tool, body) => {
    const written: string[] = [];
    const keep = (text: unknown) => written.push(String(text)) > 0;
    const streams = [
      vi.spyOn(process.stdout, 'write').mockImplementation(keep),
      vi.spyOn(process.stderr, 'write').mockImplementation(keep),
    ];
    const platform = await scriptedPlatform((response) => json(response, 200, { password: canaries.password }));
    const request = gateway({ PLATFORM_API_URL: platform.url }, { log: writeCallLog });
    const headers = { authorization: `Bearer ${canaries.bearer}` };
    const answers = [
      await request('POST', `/tools/${tool}`, { body, headers }),
      await request('POST', '/mcp', { body: { ...call, params: { name: tool, arguments: body } }, headers }),
      await request('POST', `/tools/${tool}`, { body: { ...body, Unknown: 1 }, headers }),
    ];
    for (const stream of streams) stream.mockRestore();
    expect(written).toHaveLength(3);
    expect(written.join('')).not.toContain('canary-');
    const refusals = answers.filter(({ text }) => text.includes('"isError":true')).map(({ text }) => text);
    expect(refusals.join('')).not.toMatch(/canary-(bearer|password|private-key)/);
  });
});
