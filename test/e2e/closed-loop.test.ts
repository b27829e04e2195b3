import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, incidents, outbox, recipients } from '../emulator/alerting.ts';
import { activeDroplet, clientOf, type Json, type Platform } from '../emulator/platform.ts';
import { httpTarget } from '../emulator/probe-targets.ts';
import { chatReceiver, type Delivery } from '../emulator/receiver.ts';
import { type MailServer, mailServer } from '../emulator/smtp-server.ts';
import { jsonOf } from '../support/json-of.ts';
import { type Started, started } from '../support/started.ts';

const token = 'canary-url-token';
let running: Started;
let mail: MailServer;
let platform: Platform;
let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  mail = await mailServer();
  running = await started(['--data', data], { UPTIME_HOOK_TOKEN: token, SMTP_URL: mail.url });
  platform = clientOf(running.ready.platform, running.ready.token);
  await platform.post('/_emulator/clock', { freeze: true });
});
afterAll(async () => {
  await running.end();
  await mail[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

const hook = () => `${running.ready.hooks}/uptime-down/${token}`;

const powerCycles = async (instance: number): Promise<Json[]> => {
  const { actions } = (await platform.get(`/v2/droplets/${instance}/actions`)).body;
  return actions.filter(({ type }: Json) => type === 'power_cycle');
};

/** What runs on an instance: once it hangs, it drops every connection until the platform has power-cycled the instance. */
async function service(instance: number) {
  let hangs = false;
  const target = await httpTarget(async (request, response) => {
    hangs &&= !(await powerCycles(instance)).some(({ status }) => status === 'completed');
    if (hangs) {
      request.socket.destroy();
    } else {
      response.end('open');
    }
  });
  return {
    url: `http://127.0.0.1:${target.port}/`,
    hang: () => {
      hangs = true;
    },
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
}

/** Watches a service under the name that the instances behind it are tagged with. */
async function watch(name: string, target: string, chat: readonly string[], addresses: readonly string[] = []): Promise<void> {
  const { body } = await platform.post('/v2/uptime/checks', { name, type: 'http', target, regions: ['us_east', 'eu_west'], enabled: true });
  const notifications = recipients({ chat, mail: addresses });
  const alert = await platform.post(`/v2/uptime/checks/${body.check.id}/alerts`, { name, type: 'down', period: '2m', notifications });
  expect(alert.status, JSON.stringify(alert.body)).toBe(201);
}

const textsOf = (deliveries: readonly Delivery[]): readonly string[] => deliveries.map(({ body }) => body.text);

describe('a check whose chat webhook is a hook of ours', () => {
  it('has the instance behind it power-cycled when it is down, recovers, and people hear of both', async () => {
    await using people = await chatReceiver();
    const { id } = await activeDroplet(platform, { name: 'shop-1', tags: ['shop'] });
    const { id: other } = await activeDroplet(platform, { name: 'blog-1', tags: ['blog'] });
    await using shop = await service(id);
    await watch('shop', shop.url, [people.url, hook()], ['ops@example.com']);
    await advance(platform, '5m');
    expect(people.deliveries).toEqual([]);

    shop.hang();
    await advance(platform, '10m');
    const where = shop.url.replaceAll('.', '\\.');
    expect(textsOf(people.deliveries)).toEqual([
      expect.stringMatching(new RegExp(`^DOWN: shop \\(${where}\\) failing from 2 of 2 regions since .*: connection reset$`)),
      expect.stringMatching(/^RECOVERED: shop after \dm( \d+s)?$/),
    ]);
    expect(mail.received).toMatchObject([
      { to: ['ops@example.com'], headers: { subject: 'DOWN: shop' } },
      { to: ['ops@example.com'], headers: { subject: 'Re: DOWN: shop', references: mail.received[0]?.headers['message-id'] } },
    ]);
    const [incident, ...more] = (await incidents(platform)).filter(({ title }) => title === 'DOWN: shop');
    expect([incident, more]).toMatchObject([{ status: 'recovered' }, []]);
    const told = (await outbox(platform)).filter((entry) => entry.incident === incident?.id);
    expect(told.map(({ state }) => state)).toEqual(Array(6).fill('delivered'));
    expect(await powerCycles(id)).toMatchObject([{ status: 'completed' }]);
    expect(await powerCycles(other)).toEqual([]);

    const headers = { authorization: `Bearer ${running.ready.token}` };
    const { deliveries } = await jsonOf(fetch(`${running.ready.hooks}/uptime-down/deliveries`, { headers }));
    expect(deliveries).toMatchObject([
      { status: 'ignored', id: expect.stringContaining('.recovered.') },
      {
        status: 'done',
        id: expect.stringContaining('.fired.'),
        calls: [{ tool: 'power-cycle-instances-tag', arguments: { Tag: 'shop' }, isError: false }],
      },
    ]);
  });

  it('reaches it by a redirect too, because the origin of the router is allowed where private addresses are not', async () => {
    await using inside = await chatReceiver();
    await using toHook = await chatReceiver((_delivery, response) => response.writeHead(308, { location: hook() }).end());
    await using toInside = await chatReceiver((_delivery, response) => response.writeHead(308, { location: inside.url }).end());
    const { id } = await activeDroplet(platform, { name: 'news-1', tags: ['news'] });
    await using news = await service(id);
    await watch('news', news.url, [toHook.url, toInside.url]);
    news.hang();
    await advance(platform, '10m');
    expect(await powerCycles(id)).toMatchObject([{ status: 'completed' }]);
    expect(inside.deliveries).toEqual([]);
    const dead = await outbox(platform, 'dead');
    expect(dead.map(({ error }) => error)).toEqual(Array(2).fill(expect.stringContaining('a private address, which is not followed')));
  });

  it('leaves the token of its address in no log', async () => {
    const authorization = `Basic ${Buffer.from(running.ready.auth).toString('base64')}`;
    const records = await fetch(`${running.ready.apihost}/api/v1/namespaces/_/activations?docs=true&limit=200`, {
      headers: { authorization },
    });
    const text = await records.text();
    expect(text).toContain('"hook":"uptime-down"'.replaceAll('"', '\\"'));
    expect(text).not.toContain(token);
  });
});
