import { expect, it } from 'vitest';
import { path } from '../../lib/catalogue/path.ts';

it.each([
  [path`/v2/domains/${'example.com'}/records/${7}`, '/v2/domains/example.com/records/7'],
  [path`/v2/reserved_ipv6/${'2001:db8::1'}`, '/v2/reserved_ipv6/2001%3Adb8%3A%3A1'],
  [path`/v2/x/${'a/../b?c#d%2e'}`, '/v2/x/a%2F..%2Fb%3Fc%23d%252e'],
])('a segment stays one segment: %s', (made, expected) => {
  expect(made).toBe(expected);
});

it.each(['', '.', '..'])('a segment %j would climb, so it is none', (text) => {
  expect(() => path`/v2/x/${text}`).toThrow('not a path segment');
});
