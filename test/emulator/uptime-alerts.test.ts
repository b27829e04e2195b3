import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { describe, expect, test } from 'vitest';
import { advance, incidents, outbox, recipients, type Told } from './alerting.ts';
import { leafFacts, pem } from './certificate-files.ts';
import { dataDirectory } from './emulator-process.ts';
import { emptyPlatform, type Json, type Platform, startPlatform } from './platform.ts';
import { hasOpenssl, pingCommand, shortCertificate, tlsTarget } from './probe-targets.ts';
import { chatReceiver } from './receiver.ts';
import { mailServer } from './smtp-server.ts';

interface Shop extends AsyncDisposable {
  readonly port: number;
  /** What it answers from now on, by the number of the request. */
  answer: (count: number) => number;
}

/** A shop that is up, as long as nobody says otherwise. */
async function shop(listener?: RequestListener): Promise<Shop> {
  let count = 0;
  const made: { answer: Shop['answer'] } = { answer: () => 200 };
  const server = createServer(
    listener ??
      ((_request, response) => {
        count += 1;
        response.writeHead(made.answer(count - 1)).end();
      }),
  );
  return Object.assign(made, await opened(server));
}

async function opened(server: ReturnType<typeof createServer>): Promise<AsyncDisposable & { readonly port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const ALL = ['us_east', 'us_west', 'eu_west', 'se_asia'];

/** A check with one alert. */
async function watched(
  platform: Platform,
  target: string,
  told: Told,
  changes: Record<string, unknown> = {},
  regions = ['us_east'],
): Promise<Json> {
  const type = target.includes('://') ? new URL(target).protocol.replace(':', '') : 'ping';
  const made = await platform.post('/v2/uptime/checks', { name: 'shop-api', type, target, regions, enabled: true });
  const body = { name: 'shop', type: 'down', period: '2m', notifications: recipients(told), ...changes };
  const alert = await platform.post(`/v2/uptime/checks/${made.body.check.id}/alerts`, body);
  if (alert.status !== 201) {
    throw new Error(`${alert.status} ${alert.body.message}`);
  }
  return { check: made.body.check, alert: alert.body.alert };
}

const probing = () => emptyPlatform({ probes: true });
const EXPIRING = { type: 'ssl_expiry', threshold: 7, comparison: 'less_than' };
const MAIL = { mail: ['ops@example.com'] };

describe('the alert that a check is down', () => {
  test('tells its people once its period is over, and once more when the check has recovered', async () => {
    await using receiver = await chatReceiver();
    await using target = await shop();
    await using platform = await probing();
    target.answer = (count) => (count % 4 < 3 ? 503 : 200);
    const url = `http://robin:secret@127.0.0.1:${target.port}/health`;
    const { check, alert } = await watched(platform, url, { chat: [receiver.url] }, {}, ALL);
    await advance(platform, '2m');
    expect(receiver.deliveries).toEqual([]);
    await advance(platform, '2m');
    const [incident] = await incidents(platform);
    const footer = `check ${check.id} alert ${alert.id} incident ${incident?.id}`;
    expect(receiver.deliveries.map(({ body }) => body)).toEqual([
      {
        text: `DOWN: shop-api (http://127.0.0.1:${target.port}/health) failing from 3 of 4 regions since 12:00 UTC: HTTP 503`,
        attachments: [
          {
            color: '#d00000',
            title: 'DOWN: shop-api',
            fields: [
              { title: 'Alert', value: 'down for 2m', short: true },
              { title: 'Regions', value: 'us_east us_west eu_west (3 of 4)', short: true },
              { title: 'Last error', value: 'HTTP 503', short: false },
            ],
            footer,
          },
        ],
      },
    ]);
    target.answer = () => 200;
    await advance(platform, '5m');
    expect(receiver.deliveries.slice(1).map(({ body }) => body)).toMatchObject([
      { text: expect.stringMatching(/^RECOVERED: shop-api after \dm( \d+s)?$/), attachments: [{ title: 'RECOVERED: shop-api', footer }] },
    ]);
    await advance(platform, '1h');
    expect(receiver.deliveries).toHaveLength(2);
    expect(JSON.stringify([receiver.deliveries, await outbox(platform)])).not.toContain('secret');
  });

  test('fires at the end of its period, to the second, and lasts until the first answer', async () => {
    await using target = await shop();
    await using platform = await probing();
    target.answer = () => 500;
    await watched(platform, `http://127.0.0.1:${target.port}/`, MAIL, { period: '3m' });
    await advance(platform, '4m');
    const [{ started_at: started, fired_at: fired }] = await incidents(platform);
    expect(Date.parse(fired) - Date.parse(started)).toBe(180_000);
    target.answer = () => 200;
    await advance(platform, '4m');
    const [{ ended_at: ended, status }] = await incidents(platform);
    const seconds = (Date.parse(ended) - Date.parse(started)) / 1000;
    expect([status, seconds]).toEqual(['recovered', 240]);
    expect((await outbox(platform))[1]?.text).toMatch(/^RECOVERED: shop-api after 4m\n/);
  });

  test('does not fire for what is over before its period, and a check that goes up and down is one incident', async () => {
    await using target = await shop();
    await using platform = await probing();
    target.answer = (count) => (count % 2 === 0 ? 500 : 200);
    await watched(platform, `http://127.0.0.1:${target.port}/`, MAIL);
    await advance(platform, '20m');
    expect(await incidents(platform)).toEqual([]);
    target.answer = () => 500;
    await advance(platform, '3m');
    target.answer = (count) => (count % 2 === 0 ? 500 : 200);
    await advance(platform, '20m');
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
    expect(await outbox(platform)).toHaveLength(1);
  });

  test('survives a restart in the middle of its period', async () => {
    await using data = await dataDirectory();
    await using target = await shop();
    target.answer = () => 500;
    const first = await startPlatform({ dataDir: data.path, probes: true });
    await first.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:00Z' });
    await first.post('/_emulator/reset', { seed: 'empty' });
    await watched(first, `http://127.0.0.1:${target.port}/`, MAIL, { period: '10m' });
    await advance(first, '6m');
    await first[Symbol.asyncDispose]();
    await using second = await startPlatform({ dataDir: data.path, probes: true });
    await advance(second, '3m');
    expect(await incidents(second)).toEqual([]);
    await advance(second, '2m');
    const [{ started_at: started, fired_at: fired }] = await incidents(second);
    expect(Date.parse(fired) - Date.parse(started)).toBe(600_000);
  });

  test('is withdrawn, and nobody told, when the check is disabled or the alert asks for something else or is gone', async () => {
    await using target = await shop();
    await using platform = await probing();
    target.answer = () => 500;
    const { check, alert } = await watched(platform, `http://127.0.0.1:${target.port}/`, MAIL);
    const path = `/v2/uptime/checks/${check.id}`;
    await advance(platform, '4m');
    await platform.put(`${path}/alerts/${alert.id}`, { ...alert, name: 'another name' });
    expect(await incidents(platform)).toMatchObject([{ status: 'open' }]);
    await platform.put(`${path}/alerts/${alert.id}`, { ...alert, period: '30m' });
    expect(await incidents(platform)).toMatchObject([{ status: 'withdrawn' }]);
    await advance(platform, '40m');
    expect(await incidents(platform)).toMatchObject([{}, { status: 'open' }]);
    await platform.put(path, { enabled: false });
    expect(await incidents(platform)).toMatchObject([{}, { status: 'withdrawn' }]);
    await platform.put(path, { enabled: true });
    await advance(platform, '40m');
    await platform.del(path);
    expect((await incidents(platform)).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
    expect(await outbox(platform)).toHaveLength(3);
  });
});

test('the alert that a check is down everywhere waits for the last region', async () => {
  await using target = await shop();
  await using platform = await probing();
  target.answer = (count) => (count % 4 < 3 ? 500 : 200);
  await watched(platform, `http://127.0.0.1:${target.port}/`, MAIL, { type: 'down_global' }, ALL);
  await advance(platform, '10m');
  expect(await incidents(platform)).toEqual([]);
  target.answer = () => 500;
  await advance(platform, '4m');
  expect(await outbox(platform)).toMatchObject([{ text: expect.stringContaining('failing from 4 of 4 regions') }]);
  target.answer = (count) => (count % 4 < 3 ? 500 : 200);
  await advance(platform, '4m');
  expect(await incidents(platform)).toMatchObject([{ status: 'recovered' }]);
});

test('the alert that a check is slow fires where answers take longer than its threshold', async () => {
  await using target = await shop();
  await using platform = await probing();
  const slow = { type: 'latency', threshold: 150, comparison: 'greater_than' };
  const { check } = await watched(platform, `http://127.0.0.1:${target.port}/`, MAIL, slow, ALL);
  await advance(platform, '4m');
  const [{ text }] = await outbox(platform);
  expect(text).toMatch(/^SLOW: shop-api \(.*\) answering slowly from 1 of 4 regions since 12:00 UTC: \d{3} ms\n/);
  expect(text).toMatch(/\nAlert: latency above 150 ms for 2m\nRegions: se_asia \(1 of 4\)\n/);
  // Nobody asks from far away any more.
  await platform.put(`/v2/uptime/checks/${check.id}`, { regions: ALL.slice(0, 3) });
  await advance(platform, '4m');
  expect(await incidents(platform)).toMatchObject([{ status: 'recovered' }]);
});

test.skipIf(process.platform === 'win32')(
  'the alert that a check is slow does not fire for an answer that takes as long as its threshold',
  async () => {
    using command = pingCommand(`echo "64 bytes: time=$(cat "$0.ms") ms"`);
    const echoTakes = (ms: number): void => writeFileSync(`${command.path}.ms`, String(ms));
    await using platform = await emptyPlatform({ probes: { pingCommand: command.path } });
    echoTakes(138);
    // With the twelve milliseconds that are added for its region.
    await watched(platform, '127.0.0.1', MAIL, { type: 'latency', threshold: 150, comparison: 'greater_than' });
    await advance(platform, '4m');
    expect(await incidents(platform)).toEqual([]);
    echoTakes(138.1);
    await advance(platform, '4m');
    expect(await incidents(platform)).toMatchObject([{ title: 'SLOW: shop-api', status: 'open' }]);
  },
);

test('the alert that a certificate is about to expire fires while there are fewer days than its threshold', async () => {
  await using target = await tlsTarget({ cert: pem.leaf, key: pem.leafKey });
  await using platform = await probing();
  await watched(platform, `https://127.0.0.1:${target.port}/`, MAIL, EXPIRING);
  await advance(platform, '4m');
  expect(await incidents(platform)).toEqual([]);
  await platform.post('/_emulator/clock', { now: '2048-10-10T12:00:00Z' });
  await advance(platform, '4m');
  const [{ text, subject }] = await outbox(platform);
  expect(subject).toBe('EXPIRING: shop-api');
  expect(text).toContain('\nAlert: ssl_expiry below 7 days for 2m\n');
  expect(text).toContain('\nCertificate: expires in 5 days, on 2048-10-15\n');
});

test('the alert that a certificate is about to expire does not fire while there are as many days as its threshold', async () => {
  await using target = await tlsTarget({ cert: pem.leaf, key: pem.leafKey });
  await using platform = await probing();
  const { check, alert } = await watched(platform, `https://127.0.0.1:${target.port}/`, MAIL, EXPIRING);
  await advance(platform, '4m');
  await platform.post('/_emulator/clock', { now: new Date(Date.parse(leafFacts.not_after) - 7 * 86_400_000).toISOString() });
  // Is looked at when it is asked for: to the second, as many days are left.
  await platform.put(`/v2/uptime/checks/${check.id}/alerts/${alert.id}`, { ...alert, period: '3m' });
  await advance(platform, '3m');
  expect(await incidents(platform)).toEqual([]);
  await advance(platform, '1m');
  expect(await incidents(platform)).toMatchObject([{ title: 'EXPIRING: shop-api', status: 'open' }]);
});

test.skipIf(!hasOpenssl)('the alert that a certificate is about to expire is over once another one is in its place', async () => {
  const expiring = shortCertificate('localhost');
  const server = createTlsServer(expiring, (_request, response) => response.end('up'));
  await using target = await opened(server);
  await using platform = await probing();
  await platform.post('/_emulator/clock', { now: new Date(new X509Certificate(expiring.cert).validFrom).toISOString() });
  await watched(platform, `https://localhost:${target.port}/`, MAIL, EXPIRING);
  await advance(platform, '4m');
  expect(await incidents(platform)).toMatchObject([{ title: 'EXPIRING: shop-api', status: 'open' }]);
  server.setSecureContext(shortCertificate('localhost', 90));
  await advance(platform, '4m');
  expect(await incidents(platform)).toMatchObject([{ status: 'recovered' }]);
  expect((await outbox(platform)).map(({ subject }) => subject)).toEqual(['EXPIRING: shop-api', 'Re: EXPIRING: shop-api']);
});

test('mail about an incident is one thread', async () => {
  await using server = await mailServer();
  await using target = await shop();
  await using platform = await emptyPlatform({ probes: true, smtpUrl: server.url });
  for (const answer of [500, 200, 500, 200]) {
    target.answer = () => answer;
    if (server.received.length === 0) {
      await watched(platform, `http://127.0.0.1:${target.port}/`, MAIL);
    }
    await advance(platform, '6m');
  }
  const heads = server.received.map(({ headers }) => headers);
  expect(heads.map(({ subject }) => subject)).toEqual(['DOWN: shop-api', 'Re: DOWN: shop-api', 'DOWN: shop-api', 'Re: DOWN: shop-api']);
  const ids = heads.map((head) => head['message-id']);
  expect(new Set(ids).size).toBe(4);
  expect(heads.map((head) => [head['in-reply-to'], head.references])).toEqual([
    [undefined, undefined],
    [ids[0], ids[0]],
    [undefined, undefined],
    [ids[2], ids[2]],
  ]);
});
