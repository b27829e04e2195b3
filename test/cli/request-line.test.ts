import { expect, test } from 'vitest';
import { requestLine } from '../../lib/cli/start/request-line.ts';

test('the line of a delivery to a hook does not show the token of its address', () => {
  const event = {
    method: 'POST',
    path: '/hooks/uptime-down/canary-url-token',
    status: 200,
    ms: 12,
    cold: false,
    userAgent: 'Deckhand',
    logs: ['2026-02-10T12:00:00Z stdout: {"log":"hook","hook":"uptime-down"}'],
  };
  // Safe: these are the members that a line is made of.
  const line = requestLine(event as unknown as Parameters<typeof requestLine>[0], new Date('2026-02-10T12:00:00'));
  expect(line).toMatch(/^12:00:00 {2}HTTP {4}POST \/hooks\/uptime-down\/\[redacted\] +200/);
  expect(line).not.toContain('canary');
});
