import { expect, test } from 'vitest';
import { addNamespace, apiToken, basic, platform } from './support/account.ts';
import { handClock } from './support/hand-clock.ts';
import type { Reply } from './support/test-host.ts';
import { testHost } from './support/test-host.ts';

const clock = (): ReturnType<typeof handClock> => handClock('2026-03-01T12:00:00Z');
const seconds = (at: string): string => String(Date.parse(at) / 1000);
const standing = ({ headers }: Reply): readonly (string | null)[] =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name));

test('every answer under /v2/functions tells its id, and how many more requests the account may make', async () => {
  const time = clock();
  const host = await testHost({ apiToken, clock: time });
  const first = await platform(host, 'GET', '/namespaces');
  expect(standing(first)).toEqual(['5000', '4999', seconds('2026-03-01T13:00:00Z')]);
  expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  time.jump('2026-03-01T12:10:00Z');
  const missing = await platform(host, 'GET', '/namespaces/fn-none');
  expect([missing.status, ...standing(missing)]).toEqual([404, '5000', '4998', seconds('2026-03-01T13:00:00Z')]);
  expect(missing.body.request_id).toBe(missing.headers.get('x-request-id'));
  time.jump('2026-03-01T13:05:00Z');
  const later = await platform(host, 'DELETE', `/namespaces/${(await addNamespace(host, 'other')).namespace}`);
  expect([later.status, ...standing(later)]).toEqual([204, '5000', '4997', seconds('2026-03-01T13:10:00Z')]);
});

test('the 251st request of a minute is refused until the first is a minute old; strangers count apart', async () => {
  const time = clock();
  const host = await testHost({ apiToken, clock: time });
  const triggers = `/namespaces/${host.namespace}/triggers`;
  for (let n = 0; n < 125; n += 1) {
    await platform(host, 'GET', triggers);
    await platform(host, 'GET', triggers, undefined, basic(host.auth));
  }
  time.jump('2026-03-01T12:00:45Z');
  const refused = await platform(host, 'GET', triggers);
  expect([refused.status, refused.body.id, refused.body.message]).toEqual([429, 'too_many_requests', 'API Rate limit exceeded.']);
  expect([refused.headers.get('retry-after'), ...standing(refused)]).toEqual(['15', '5000', '4750', seconds('2026-03-01T13:00:00Z')]);
  const stranger = await platform(host, 'GET', triggers, undefined, 'Bearer wrong');
  expect([stranger.status, ...standing(stranger)]).toEqual([401, '5000', '4999', seconds('2026-03-01T13:00:45Z')]);
  time.jump('2026-03-01T12:01:00Z');
  expect((await platform(host, 'GET', triggers)).status).toBe(200);
});
