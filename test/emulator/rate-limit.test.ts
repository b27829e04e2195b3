import { expect, test } from 'vitest';
import { frozenPlatform, startPlatform } from './platform.ts';

test('the burst limit refuses until a minute has passed since the oldest of the burst', async () => {
  await using platform = await frozenPlatform({ limits: { perMinute: 3, perHour: 100 } });
  await platform.post('/_emulator/clock', { now: '2026-02-10T13:00:00Z' });
  await platform.get('/v2/account');
  await platform.post('/_emulator/clock', { advance: '20s' });
  await platform.get('/v2/account');
  await platform.get('/v2/account');
  const refused = await platform.get('/v2/account');
  expect([refused.status, refused.body.id, refused.body.message]).toEqual([429, 'too_many_requests', 'API Rate limit exceeded.']);
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(refused.headers.get('ratelimit-remaining')).toBe('97');
  await platform.post('/_emulator/clock', { advance: '40s' });
  expect((await platform.get('/v2/account')).status).toBe(200);
  expect((await platform.get('/v2/account')).status).toBe(429);
});

test('the hourly limit counts down and says when the oldest request expires', async () => {
  await using platform = await frozenPlatform({ limits: { perMinute: 100, perHour: 2 } });
  await platform.post('/_emulator/clock', { now: '2026-02-10T13:00:00Z' });
  const resetAt = String(Date.parse('2026-02-10T14:00:00Z') / 1000);
  for (const remaining of ['1', '0']) {
    const { headers } = await platform.get('/v2/account');
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]).toEqual([
      '2',
      remaining,
      resetAt,
    ]);
  }
  const refused = await platform.get('/v2/account');
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit-reset')]).toEqual([429, '3600', resetAt]);
  await platform.post('/_emulator/clock', { advance: '1h' });
  expect((await platform.get('/v2/account')).status).toBe(200);
});

test('the hourly limit goes by the oldest of however many requests', async () => {
  await using platform = await frozenPlatform({ limits: { perMinute: 1000, perHour: 300 } });
  await platform.post('/_emulator/clock', { now: '2026-02-10T13:00:00Z' });
  await platform.get('/v2/account');
  await platform.post('/_emulator/clock', { advance: '10m' });
  for (let time = 1; time < 300; time += 1) {
    expect((await platform.get('/v2/account')).status).toBe(200);
  }
  const refused = await platform.get('/v2/account');
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit-remaining')]).toEqual([429, '3000', '0']);
  await platform.post('/_emulator/clock', { advance: '50m' });
  expect([(await platform.get('/v2/account')).status, (await platform.get('/v2/account')).status]).toEqual([200, 429]);
});

test('SSH keys are listed ten times a minute', async () => {
  await using platform = await frozenPlatform({ limits: {} });
  for (let time = 0; time < 10; time += 1) {
    expect((await platform.get('/v2/account/keys')).status).toBe(200);
  }
  await platform.post('/_emulator/clock', { advance: '20s' });
  const refused = await platform.get('/v2/account/keys');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  expect((await platform.get('/v2/account')).status).toBe(200);
  await platform.post('/_emulator/clock', { advance: '40s' });
  expect((await platform.get('/v2/account/keys')).status).toBe(200);
});

test('accounts are counted apart, the emulator itself is not counted', async () => {
  await using platform = await startPlatform({ limits: { perHour: 1 } });
  for (let time = 0; time < 3; time += 1) {
    expect((await platform.get('/_emulator/clock')).status).toBe(200);
  }
  const { token } = (await platform.post('/_emulator/accounts', {})).body;
  expect((await platform.get('/v2/account')).status).toBe(200);
  expect((await platform.get('/v2/account')).status).toBe(429);
  expect((await platform.as(token).get('/v2/account')).status).toBe(200);
});

test('a clock set back does not keep requests counted for ever', async () => {
  await using platform = await frozenPlatform({ limits: { perMinute: 1 } });
  await platform.get('/v2/account');
  await platform.post('/_emulator/clock', { now: '2001-01-01T00:00:00Z' });
  expect((await platform.get('/v2/account')).status).toBe(200);
});
