import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { advance, busyDroplet, outbox } from './alerting.ts';
import { emptyPlatform, type Json, type Platform } from './platform.ts';
import { chatReceiver } from './receiver.ts';
import { STEPS, silentServer } from './silent-smtp-server.ts';

// Waits of real time are cut short once there is nothing left but to wait.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const RECIPIENTS = Array.from({ length: 9 }, (_, index) => `ops-${index}@example.com`);
/** As many mails as are handed in at a time. */
const AT_ONCE = 4;
const DEADLINE_MS = 20_000;

const mailIn = async (platform: Platform): Promise<Json[]> => (await outbox(platform)).filter(({ kind }) => kind === 'mail');

test.each(STEPS.slice(0, 5))(
  'mail that hangs at %s arrives once when the server is well; chat and the platform do not wait',
  async (step) => {
    await using server = await silentServer({ at: step });
    await using chat = await chatReceiver();
    await using platform = await emptyPlatform({ smtpUrl: server.url });
    await busyDroplet(platform, { chat: [chat.url], mail: RECIPIENTS });
    const over = advance(platform, '5m');
    await expect.poll(server.hanging).toBe(AT_ONCE);
    await expect.poll(() => outbox(platform, 'delivered')).toMatchObject([{ kind: 'chat' }]);
    expect(chat.deliveries).toHaveLength(1);
    expect((await platform.get('/v2/account')).status).toBe(200);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    await over;
    // What waited its turn behind the hanging ones does not hang in turn.
    expect(server.hanging()).toBe(AT_ONCE);
    expect(await mailIn(platform)).toMatchObject(
      RECIPIENTS.map((to, index) => ({
        to,
        state: 'waiting',
        attempts: 1,
        error: `the mail server ${server.host} did not answer within 20 s`,
        next_attempt_at: `2026-02-10T12:05:5${index < AT_ONCE ? 5 : 0}Z`,
      })),
    );
    await expect.poll(server.open).toBe(0);
    server.mend();
    await advance(platform, '10s');
    expect(await mailIn(platform)).toMatchObject(RECIPIENTS.map(() => ({ state: 'delivered', attempts: 2 })));
    expect(new Set(server.received)).toEqual(new Set((await mailIn(platform)).map(({ message_id: id }) => id)));
    expect(server.received).toHaveLength(RECIPIENTS.length);
  },
);

test('mail for which a server hangs keeps none from others that it takes', async () => {
  await using server = await silentServer({ at: 'RCPT', of: /ops-[0-3]@/ });
  await using platform = await emptyPlatform({ smtpUrl: server.url });
  await busyDroplet(platform, { mail: RECIPIENTS });
  const over = advance(platform, '5m');
  await expect.poll(server.hanging).toBe(AT_ONCE);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  await over;
  await advance(platform, '5s');
  expect((await outbox(platform, 'delivered')).map(({ to }) => to)).toEqual(RECIPIENTS.slice(AT_ONCE));
  expect((await outbox(platform, 'waiting')).map(({ to }) => to)).toEqual(RECIPIENTS.slice(0, AT_ONCE));
});

test.each([
  ['says nothing', false, ' did not answer within 20 s'],
  ['cuts the connection', true, ': ECONNECTION'],
])(
  'mail to a server that has all of it, and %s, is dead: whether it arrived is not known, and it is not sent twice',
  async (_what, cuts, why) => {
    await using server = await silentServer({ at: 'whole mail', cuts });
    await using platform = await emptyPlatform({ smtpUrl: server.url });
    await busyDroplet(platform, { mail: ['ops@example.com'] });
    const over = advance(platform, '5m');
    await expect.poll(server.hanging).toBe(1);
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    await over;
    server.mend();
    await advance(platform, '3h');
    const [dead] = await mailIn(platform);
    const error = `the mail server ${server.host}${why}: it was given the mail, and whether that arrived is not known; redeliver it if it did not`;
    expect(dead).toMatchObject({ state: 'dead', attempts: 1, error });
    expect(server.received).toEqual([dead?.message_id]);
    await platform.post(`/_emulator/outbox/${dead?.id}/redeliver`);
    await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
    expect(await mailIn(platform)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  },
);

test('mail is delivered once the server has said so; one that does not say goodbye is left', async () => {
  await using server = await silentServer({ at: 'QUIT' });
  await using platform = await emptyPlatform({ smtpUrl: server.url });
  await busyDroplet(platform, { mail: RECIPIENTS });
  await advance(platform, '5m');
  expect(await mailIn(platform)).toMatchObject(RECIPIENTS.map(() => ({ state: 'delivered' })));
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  await expect.poll(server.open).toBe(0);
});
