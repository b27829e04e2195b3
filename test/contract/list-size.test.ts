import { expect, it } from 'vitest';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { gateway } from '../support/gateway.ts';

it('lists 50 instances, its default page, in at most 12 KB', async () => {
  const emulator = await startEmulator();
  try {
    const headers = { authorization: `Bearer ${emulator.token}` };
    await fetch(`${emulator.url}/_emulator/populate`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"droplets": 60}',
    });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'instance-list' } };
    const { json } = await gateway({ PLATFORM_API_URL: emulator.url })('POST', '/mcp', { body, headers });
    expect(json.result.structuredContent.items).toHaveLength(50);
    expect(json.result.content[0].text.length).toBeLessThanOrEqual(12 * 1024);
  } finally {
    await emulator.close();
  }
});
