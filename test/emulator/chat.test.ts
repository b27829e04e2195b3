import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { advance, busyDroplet, cpuPolicy, outbox } from './alerting.ts';
import { emptyPlatform, type Platform } from './platform.ts';
import { chatReceiver, type Delivery } from './receiver.ts';
import { mailServer } from './smtp-server.ts';

/** Has a message leave to a webhook. */
async function told(platform: Platform, url: string): Promise<void> {
  await busyDroplet(platform, { chat: [url] });
  await advance(platform, '5m');
}

const answering =
  (status: number, headers: Record<string, string> = {}, text = '') =>
  (_delivery: Delivery, response: ServerResponse): unknown =>
    response.writeHead(status, headers).end(text);

describe('a chat message', () => {
  test('is posted as JSON, with a key that says which one it is', async () => {
    await using receiver = await chatReceiver();
    await using platform = await emptyPlatform();
    await told(platform, `${receiver.url}/services/T1?team=a%20b`);
    const [entry] = await outbox(platform);
    expect(entry).toMatchObject({ kind: 'chat', state: 'delivered', attempts: 1, to: '#ops' });
    expect(receiver.deliveries).toMatchObject([
      {
        path: '/services/T1?team=a%20b',
        headers: { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': entry?.key },
        body: entry?.payload,
      },
    ]);
  });

  test('cannot call a channel or make links out of names', async () => {
    await using receiver = await chatReceiver();
    await using platform = await emptyPlatform();
    await busyDroplet(platform, { chat: [receiver.url] }, { description: '<!channel> & <https://evil.example|click>' });
    await advance(platform, '5m');
    expect(receiver.deliveries[0]?.body.attachments[0].fields[3].value).toBe('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
  });

  test('is tried again ever later, with the same key, until the receiver is well', async () => {
    await using receiver = await chatReceiver((delivery, response, count) => answering(count < 4 ? 500 : 204)(delivery, response));
    await using platform = await emptyPlatform();
    await told(platform, receiver.url);
    const waits: string[] = [];
    for (let tries = 1; tries < 4; tries += 1) {
      const [entry] = await outbox(platform, 'waiting');
      waits.push(entry?.next_attempt_at);
      expect(entry).toMatchObject({ attempts: tries, error: `${new URL(receiver.url).host} answered 500` });
      await advance(platform, `${10 * 2 ** (tries - 1)}s`);
    }
    expect(waits).toEqual(['2026-02-10T12:05:55Z', '2026-02-10T12:06:15Z', '2026-02-10T12:06:55Z']);
    expect(await outbox(platform)).toMatchObject([{ state: 'delivered', attempts: 4 }]);
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test.each([
    ['seconds', '90', 'Tue, 10 Feb 2026 00:00:00 GMT'],
    ['a moment, on its own clock', 'Wed, 11 Feb 2026 00:01:30 GMT', 'Wed, 11 Feb 2026 00:00:00 GMT'],
  ])('leaves a receiver alone as long as it asks in %s', async (_how, retryAfter, date) => {
    await using receiver = await chatReceiver((delivery, response, count) =>
      answering(count === 1 ? 429 : 200, { 'retry-after': retryAfter, date })(delivery, response),
    );
    await using platform = await emptyPlatform();
    await told(platform, receiver.url);
    expect(await outbox(platform)).toMatchObject([{ state: 'waiting', next_attempt_at: '2026-02-10T12:07:15Z' }]);
    await advance(platform, '89s');
    expect(receiver.deliveries).toHaveLength(1);
    await advance(platform, '1s');
    expect(await outbox(platform)).toMatchObject([{ state: 'delivered' }]);
  });

  test.each([
    ['404', answering(404, {}, 'no_service'), 'answered 404: no_service'],
    ['410', answering(410, {}, 'channel_is_archived'), 'answered 410: channel_is_archived'],
    ['a page', answering(403, {}, '<html>secret</html>'), 'answered 403'],
    ['a redirect after which nothing is posted', answering(302, { location: '/elsewhere' }), 'answered 302'],
    ['a redirect to nowhere', answering(308), 'answered 308'],
    ['a redirect to a file', answering(307, { location: 'file:///etc/passwd' }), 'redirects to file:, which is not followed'],
    ['redirects for ever', answering(308, { location: '/again' }), 'redirects more than 3 times'],
  ])('is dead at once when the receiver answers %s', async (_what, answer, error) => {
    await using receiver = await chatReceiver(answer);
    await using platform = await emptyPlatform();
    await told(platform, `${receiver.url}/secret-path`);
    const [dead] = await outbox(platform, 'dead');
    expect(dead).toMatchObject({ attempts: 1, error: `${new URL(receiver.url).host} ${error}` });
  });

  test('that nobody took in two hours is dead, and delivered on demand', async () => {
    let broken = true;
    await using receiver = await chatReceiver((delivery, response) => answering(broken ? 503 : 200)(delivery, response));
    await using platform = await emptyPlatform();
    await told(platform, receiver.url);
    await advance(platform, '1h');
    expect(await outbox(platform)).toMatchObject([{ state: 'waiting' }]);
    await advance(platform, '2h');
    const [dead] = await outbox(platform, 'dead');
    expect(dead).toMatchObject({ error: expect.stringContaining('answered 503') });
    broken = false;
    await platform.post(`/_emulator/outbox/${dead?.id}/redeliver`);
    await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
    expect(await outbox(platform)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test('to a receiver that answers 500 for an hour arrives after it, tried seldom; what others are told meanwhile is in time', async () => {
    let broken = true;
    await using sick = await chatReceiver((delivery, response) => answering(broken ? 500 : 200)(delivery, response));
    await using well = await chatReceiver();
    await using mail = await mailServer();
    await using platform = await emptyPlatform({ smtpUrl: mail.url });
    const { droplet } = await busyDroplet(platform, { chat: [`${sick.url}/first`, well.url], mail: ['ops@example.com'] });
    await advance(platform, '30m');
    await cpuPolicy(platform, { chat: [`${sick.url}/second`, well.url], mail: ['ops@example.com'] }, { entities: [String(droplet.id)] });
    await advance(platform, '30m');
    expect([well.deliveries.length, mail.received.length]).toEqual([2, 2]);
    expect((await outbox(platform, 'delivered')).map(({ at, delivered_at: delivered }) => at === delivered)).toEqual(Array(4).fill(true));
    const tries = (path: string) => sick.deliveries.filter((delivery) => delivery.path === path).length;
    // After 10, 20, 40 ... seconds, and then every quarter of an hour.
    expect([tries('/first'), tries('/second')]).toEqual([10, 8]);
    broken = false;
    await advance(platform, '16m');
    expect((await outbox(platform)).map(({ state }) => state)).toEqual(Array(6).fill('delivered'));
  });

  test('waits for the one before it of its incident, not for those of others', async () => {
    let broken = true;
    await using sick = await chatReceiver((delivery, response) => answering(broken ? 500 : 200)(delivery, response));
    await using well = await chatReceiver();
    await using platform = await emptyPlatform();
    const { droplet } = await busyDroplet(platform, { chat: [sick.url, well.url] });
    await advance(platform, '5m');
    await platform.post('/_emulator/metrics', { resource: droplet.id, metric: 'cpu', constant: 5 });
    await advance(platform, '7m');
    const texts = (deliveries: readonly Delivery[]) => deliveries.map(({ body }) => body.text.slice(0, 5));
    expect(texts(well.deliveries)).toEqual(['ALERT', 'RECOV']);
    expect(new Set(texts(sick.deliveries))).toEqual(new Set(['ALERT']));
    expect((await outbox(platform)).map(({ state }) => state)).toEqual(['waiting', 'delivered', 'pending', 'delivered']);
    broken = false;
    await advance(platform, '1h');
    expect(texts(sick.deliveries).slice(-2)).toEqual(['ALERT', 'RECOV']);
  });

  test('to a receiver that hangs is given up in time; others and the platform go on, and what waits for it does not try in turn', async () => {
    const held: Delivery[] = [];
    await using hanging = await chatReceiver((delivery) => held.push(delivery));
    await using well = await chatReceiver();
    await using platform = await emptyPlatform();
    const hooks = Array.from({ length: 9 }, (_, index) => `${hanging.url}/${index}`);
    await busyDroplet(platform, { chat: [...hooks, well.url] });
    const moved = advance(platform, '5m');
    await expect.poll(() => well.deliveries.length).toBe(1);
    expect((await platform.get('/v2/account')).status).toBe(200);
    await moved;
    const waiting = await outbox(platform, 'waiting');
    expect(waiting.map(({ error }) => error)).toEqual(hooks.map(() => `${new URL(hanging.url).host} did not answer within 10 s`));
    expect(held).toHaveLength(4);
  }, 20_000);
});

describe('a redirect of a webhook', () => {
  test('is followed within its origin', async () => {
    await using receiver = await chatReceiver((delivery, response) =>
      delivery.path === '/old' ? answering(307, { location: '/new' })(delivery, response) : response.end(),
    );
    await using platform = await emptyPlatform();
    await told(platform, `${receiver.url}/old`);
    expect(await outbox(platform)).toMatchObject([{ state: 'delivered' }]);
    expect(receiver.deliveries.map(({ path, body }) => [path, body.attachments.length])).toEqual([
      ['/old', 1],
      ['/new', 1],
    ]);
  });

  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '0x7f.1'])(
    'is not followed to the private address %s',
    async (host) => {
      await using inside = await chatReceiver();
      const location = `${inside.url.replace('127.0.0.1', host)}/admin`;
      await using receiver = await chatReceiver(answering(308, { location }));
      await using platform = await emptyPlatform();
      await told(platform, receiver.url);
      expect(await outbox(platform, 'dead')).toMatchObject([{ error: expect.stringMatching(/a private address, which is not followed$/) }]);
      expect(inside.deliveries).toEqual([]);
    },
  );

  test('is followed to an origin that is allowed', async () => {
    await using router = await chatReceiver();
    await using receiver = await chatReceiver(answering(308, { location: `${router.url}/hooks/chat` }));
    await using platform = await emptyPlatform({ allowedOrigins: [router.url] });
    await told(platform, receiver.url);
    expect(router.deliveries).toMatchObject([{ path: '/hooks/chat' }]);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://100.100.100.200/',
    'http://[::ffff:100.100.100.200]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
  ])('and a webhook itself is never posted to %s', async (url) => {
    await using platform = await emptyPlatform();
    await told(platform, url);
    expect(await outbox(platform, 'dead')).toMatchObject([
      { error: expect.stringContaining('a link-local or metadata address, to which nothing is sent') },
    ]);
  });
});
