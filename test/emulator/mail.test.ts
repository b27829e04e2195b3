import { expect, test } from 'vitest';
import { activeDroplet, frozenPlatform, type Json, type Platform } from './platform.ts';
import { mailServer } from './smtp-server.ts';

/** Has the account mail its owner: a new password. */
async function mailedPassword(platform: Platform): Promise<void> {
  const droplet = await activeDroplet(platform, { name: 'forgetful' });
  await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'password_reset' });
  await platform.post('/_emulator/clock', { advance: '10s' });
}

const outbox = async (platform: Platform, state = ''): Promise<Json> =>
  (await platform.get(`/_emulator/outbox${state && `?state=${state}`}`)).body.entries;

test('mail stays in the outbox where no mail server is named', async () => {
  await using platform = await frozenPlatform();
  await mailedPassword(platform);
  expect(await outbox(platform)).toMatchObject([{ kind: 'mail', state: 'kept', to: 'captain@example.com' }]);
});

test('mail is handed in at the server that is named, encrypted where it can be', async () => {
  await using server = await mailServer();
  await using platform = await frozenPlatform({ smtpUrl: `${server.url}?from=alerts@example.com` });
  await mailedPassword(platform);
  expect(server.received).toMatchObject([
    {
      from: 'alerts@example.com',
      to: ['captain@example.com'],
      headers: { subject: 'Your new password for forgetful', from: 'alerts@example.com', to: 'captain@example.com' },
      text: expect.stringMatching(/Droplet Name: forgetful\r\n[\s\S]*Password: [0-9a-f]{24}/),
    },
  ]);
  const [entry] = await outbox(platform);
  expect(entry).toMatchObject({ state: 'delivered', attempts: 1, delivered_at: '2026-02-10T12:00:55Z' });
  expect(server.received[0]?.headers['message-id']).toBe(entry.message_id);
});

test('mail is handed in under a name and password', async () => {
  const seen: unknown[] = [];
  await using server = await mailServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) => {
      seen.push([username, password]);
      done(null, { user: username });
    },
  });
  await using platform = await frozenPlatform({ smtpUrl: server.url.replace('//', '//robin%40example.com:p%40ss@') });
  await mailedPassword(platform);
  expect(seen).toEqual([['robin@example.com', 'p@ss']]);
  expect(server.received).toMatchObject([{ from: 'robin@example.com' }]);
});

test('mail that the server takes later arrives once, with the same id at every try', async () => {
  let refusals = 2;
  await using server = await mailServer({
    onRcptTo: (_address, _session, done) => {
      refusals -= 1;
      done(refusals < 0 ? null : Object.assign(new Error('try later'), { responseCode: 451 }));
    },
  });
  await using platform = await frozenPlatform({ smtpUrl: server.url });
  await mailedPassword(platform);
  expect(await outbox(platform)).toMatchObject([{ state: 'waiting', attempts: 1, next_attempt_at: '2026-02-10T12:01:05Z' }]);
  await platform.post('/_emulator/clock', { advance: '1h' });
  expect(await outbox(platform)).toMatchObject([{ state: 'delivered', attempts: 3 }]);
  expect(server.received).toHaveLength(1);
});

test('mail that the server takes from nobody is listed as dead, with what it said, and delivered again on demand', async () => {
  let known = false;
  await using server = await mailServer({
    onRcptTo: (_address, _session, done) => done(known ? null : Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
  });
  await using platform = await frozenPlatform({ smtpUrl: server.url });
  await mailedPassword(platform);
  const [dead] = await outbox(platform, 'dead');
  expect(dead).toMatchObject({
    state: 'dead',
    attempts: 1,
    error: `the mail server 127.0.0.1:${server.port} answered 550 no such mailbox`,
  });
  known = true;
  const again = await platform.post(`/_emulator/outbox/${dead.id}/redeliver`);
  expect([again.status, again.body.entry]).toMatchObject([200, { id: dead.id, state: 'pending' }]);
  await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
  expect(await outbox(platform)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  expect(server.received).toHaveLength(1);
  expect((await platform.post(`/_emulator/outbox/${dead.id}/redeliver`)).status).toBe(409);
  expect((await platform.post('/_emulator/outbox/77777/redeliver')).status).toBe(404);
  expect((await platform.post('/_emulator/outbox/none/redeliver')).status).toBe(404);
});

test('mail for a server that is not there is tried for two hours, then listed as dead; nothing else waits for it', async () => {
  const server = await mailServer();
  await server[Symbol.asyncDispose]();
  await using platform = await frozenPlatform({ smtpUrl: server.url });
  await mailedPassword(platform);
  await platform.post('/_emulator/clock', { advance: '110m' });
  expect(await outbox(platform, 'dead')).toEqual([]);
  await platform.post('/_emulator/clock', { advance: '20m' });
  expect(await outbox(platform, 'dead')).toMatchObject([{ error: `the mail server 127.0.0.1:${server.port}: ESOCKET` }]);
});

test.each([
  ['mail.example.com', 'SMTP_URL is not a URL'],
  ['http://mail.example.com', 'SMTP_URL must begin with smtp:// or smtps://'],
  ['smtp://robin:secret@mail.example.com?form=a@b', 'SMTP_URL: form is not known, only from is'],
  ['smtp://robin:secret%zz@mail.example.com', 'SMTP_URL: its user or password is not percent-encoded'],
  ['smtp://ro%zzbin:secret@mail.example.com', 'SMTP_URL: its user or password is not percent-encoded'],
])('an emulator with the mail server %s does not start', async (smtpUrl, message) => {
  const failure: unknown = await frozenPlatform({ smtpUrl }).catch((error: unknown) => error);
  expect(String(failure)).toContain(message);
  expect(String(failure)).not.toContain('secret');
});

test('a copy of an account does not deliver what the account is still trying to', async () => {
  const server = await mailServer();
  await server[Symbol.asyncDispose]();
  await using platform = await frozenPlatform({ smtpUrl: server.url });
  await mailedPassword(platform);
  await platform.post('/_emulator/snapshots', { name: 'before' });
  const copy = platform.as((await platform.post('/_emulator/fork')).body.token);
  expect(await outbox(copy)).toMatchObject([{ state: 'dead', error: expect.stringContaining('this copy of the account') }]);
  expect(await outbox(platform)).toMatchObject([{ state: 'waiting' }]);
  await platform.post('/_emulator/snapshots/before/restore');
  expect(await outbox(platform)).toMatchObject([{ state: 'dead', error: expect.stringContaining('this copy of the account') }]);
});
