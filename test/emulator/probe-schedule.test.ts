import { describe, expect, test } from 'vitest';
import { dataDirectory } from './emulator-process.ts';
import { activeDroplet, emptyPlatform, type Json, type Platform, startPlatform } from './platform.ts';
import { httpTarget, later, moment, probesOf, probingPlatform, stateOf, type Target, watched } from './probe-targets.ts';

interface Switched extends Target {
  readonly url: string;
  /** How many requests have come. */
  readonly asked: () => number;
  readonly turn: (isUp: boolean) => void;
}

/** A server that can be turned off: it answers 503 then. */
async function switched(): Promise<Switched> {
  let [asked, isUp] = [0, true];
  const target = await httpTarget((_request, response) => {
    asked += 1;
    response.writeHead(isUp ? 200 : 503).end();
  });
  const turn = (wanted: boolean): void => {
    isUp = wanted;
  };
  return {
    ...target,
    [Symbol.asyncDispose]: target[Symbol.asyncDispose],
    url: `http://127.0.0.1:${target.port}/`,
    asked: () => asked,
    turn,
  };
}

/** The id of a check of a server that is up for six minutes, and then down for three. */
async function downAfterSixMinutes(platform: Platform, server: Switched): Promise<string> {
  const id = await watched(platform, server.url);
  await later(platform, '6m');
  server.turn(false);
  await later(platform, '3m');
  return id;
}

describe('the probes of a check', () => {
  test('come once a minute from each region, apart from each other, and not while the clock stands still', async () => {
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await watched(platform, server.url, { regions: ['us_east', 'se_asia'] });
    expect((await stateOf(platform, id)).regions.us_east.status).toBe('CHECKING');
    await later(platform, '1s');
    expect([server.asked(), (await stateOf(platform, id)).regions]).toMatchObject([
      1,
      { us_east: { status: 'UP' }, se_asia: { status: 'CHECKING' } },
    ]);
    await later(platform, '15s');
    expect([server.asked(), (await stateOf(platform, id)).regions.se_asia.status]).toEqual([2, 'UP']);
    await later(platform, '5m');
    expect(server.asked()).toBe(12);
    await stateOf(platform, id);
    expect(server.asked()).toBe(12);
  });

  test('make its state: since when, how much of the time, and the outage before', async () => {
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await downAfterSixMinutes(platform, server);
    const at = (minute: number): string => `2026-02-10T12:0${minute}:01Z`;
    expect(await stateOf(platform, id)).toEqual({
      regions: { us_east: { status: 'DOWN', status_changed_at: at(6), thirty_day_uptime_percentage: 66.79 } },
    });
    server.turn(true);
    await later(platform, '1m');
    expect(await stateOf(platform, id)).toEqual({
      regions: { us_east: { status: 'UP', status_changed_at: at(9), thirty_day_uptime_percentage: 69.94 } },
      previous_outage: { region: 'us_east', started_at: at(6), ended_at: at(9), duration_seconds: 180 },
    });
    const [{ status, last }] = await probesOf(platform, id);
    expect([status, last.outcome]).toEqual(['UP', 'ok']);
  });

  test('leave no outage after the moment that the clock was set back to', async () => {
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await downAfterSixMinutes(platform, server);
    server.turn(true);
    await later(platform, '1m');
    const outageAt = async (now: string) => {
      await platform.post('/_emulator/clock', { now });
      return (await stateOf(platform, id)).previous_outage;
    };
    expect(await outageAt('2026-02-10T12:08:01Z')).toEqual({
      region: 'us_east',
      started_at: '2026-02-10T12:06:01Z',
      ended_at: '2026-02-10T12:08:01Z',
      duration_seconds: 120,
    });
    expect(await outageAt('2026-02-10T12:05:00Z')).toBeUndefined();
  });

  test('end with it, disabled or deleted, and begin with it anew', async () => {
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await watched(platform, server.url);
    await later(platform, '90s');
    await platform.put(`/v2/uptime/checks/${id}`, { enabled: false });
    const before = await stateOf(platform, id);
    await later(platform, '1h');
    expect([server.asked(), await stateOf(platform, id)]).toEqual([2, before]);
    await platform.put(`/v2/uptime/checks/${id}`, { enabled: true });
    expect((await stateOf(platform, id)).regions.us_east.status).toBe('CHECKING');
    await later(platform, '20s');
    expect([server.asked(), (await stateOf(platform, id)).regions.us_east.status]).toEqual([3, 'UP']);
    await platform.del(`/v2/uptime/checks/${id}`);
    await later(platform, '1h');
    expect(server.asked()).toBe(3);
  });

  test('are not heard any more once it watches something else', async () => {
    const waiting: (() => void)[] = [];
    const arrived = moment();
    await using slow = await httpTarget((_request, response) => {
      waiting.push(() => response.writeHead(503).end());
      arrived.reach();
    });
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await watched(platform, `http://127.0.0.1:${slow.port}/`);
    const moved = later(platform, '1s');
    await arrived.reached;
    await platform.put(`/v2/uptime/checks/${id}`, { target: server.url });
    for (const answer of waiting) answer();
    await moved;
    expect((await stateOf(platform, id)).regions.us_east.status).toBe('CHECKING');
    await later(platform, '20s');
    expect((await stateOf(platform, id)).regions.us_east.status).toBe('UP');
  });

  test('do not pile up: while one is on its way the next is left out', async () => {
    let asked = 0;
    let letGo = (): void => undefined;
    const arrived = moment();
    await using hung = await httpTarget((_request, response) => {
      asked += 1;
      letGo = () => response.end();
      arrived.reach();
    });
    await using platform = await probingPlatform();
    const id = await watched(platform, `http://127.0.0.1:${hung.port}/`);
    const at = (minute: number) => platform.post('/_emulator/clock', { freeze: true, now: `2026-02-10T12:0${minute}:30Z` });
    await at(0);
    await stateOf(platform, id);
    await arrived.reached;
    for (const minute of [1, 2, 3]) {
      await at(minute);
      expect((await stateOf(platform, id)).regions.us_east.status).toBe('CHECKING');
    }
    expect(asked).toBe(1);
    letGo();
    await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
    expect((await stateOf(platform, id)).regions.us_east.status).toBe('UP');
    expect(asked).toBe(1);
  });

  test('wait their turn where too many would be on their way at once', async () => {
    const open: (() => void)[] = [];
    let [most, asked] = [0, 0];
    await using slow = await httpTarget(({ url }, response) => {
      if (url === '/control') {
        response.end();
        return;
      }
      asked += 1;
      most = Math.max(
        most,
        open.push(() => response.end()),
      );
    });
    const origin = `http://127.0.0.1:${slow.port}`;
    await using platform = await probingPlatform({ atOnce: 3 });
    const checks = await Promise.all(Array.from({ length: 7 }, (_, index) => watched(platform, `${origin}/${index}`)));
    await platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T12:00:30Z' });
    await platform.get('/v2/account');
    for (const known of [3, 6, 7]) {
      await expect.poll(() => asked).toBe(known);
      // Whatever left beside them would be there by the time that this is answered.
      await fetch(`${origin}/control`);
      for (const answer of open.splice(0)) answer();
    }
    await platform.post('/_emulator/snapshots', { name: 'what-is-on-its-way-arrives-first' });
    const states = await Promise.all(checks.map((id) => stateOf(platform, id)));
    expect(states.map(({ regions }) => regions.us_east.status)).toEqual(Array(7).fill('UP'));
    expect(most).toBe(3);
  });

  test('of how much of the time a check was up is told of the last thirty days', async () => {
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await watched(platform, server.url);
    server.turn(false);
    await later(platform, '3m');
    server.turn(true);
    await later(platform, '1m');
    const shareAt = async (now: string): Promise<number> => {
      await platform.post('/_emulator/clock', { freeze: true, now });
      await later(platform, '1m');
      return (await stateOf(platform, id)).regions.us_east.thirty_day_uptime_percentage;
    };
    expect(await shareAt('2026-02-10T18:04:00Z')).toBe(99.17);
    expect(await shareAt('2026-03-12T11:00:00Z')).toBe(99.99);
    expect(await shareAt('2026-03-12T12:10:00Z')).toBe(100);
  });

  test('are not made up for after a leap of the clock, and go on after it was set back', async () => {
    await using server = await switched();
    await using platform = await probingPlatform();
    const id = await watched(platform, server.url);
    await platform.post('/_emulator/clock', { freeze: true, now: '2026-03-10T12:00:00Z' });
    await later(platform, '1s');
    expect(server.asked()).toBeLessThanOrEqual(2);
    const before = server.asked();
    await later(platform, '2m');
    expect(server.asked()).toBe(before + 2);
    await platform.post('/_emulator/clock', { freeze: true, now: '2026-02-10T13:00:00Z' });
    await later(platform, '2m');
    expect(server.asked()).toBeGreaterThanOrEqual(before + 4);
    const { status_changed_at } = (await stateOf(platform, id)).regions.us_east;
    expect(Date.parse(status_changed_at)).toBeLessThanOrEqual(Date.parse('2026-02-10T13:02:00Z'));
  });
});

describe('probing', () => {
  test('goes on in an emulator that was started again, also one that was offline before', async () => {
    await using directory = await dataDirectory();
    await using server = await switched();
    const options = { dataDir: directory.path, token: 'kept' };
    const offline = await emptyPlatform(options);
    const id = await watched(offline, server.url);
    await later(offline, '10m');
    await offline[Symbol.asyncDispose]();
    expect(server.asked()).toBe(0);

    const first = await startPlatform({ ...options, probes: true });
    await later(first, '1m');
    const before = await stateOf(first, id);
    expect([server.asked(), before.regions.us_east.status]).toEqual([1, 'UP']);
    await first[Symbol.asyncDispose]();

    await using second = await startPlatform({ ...options, probes: true });
    expect(await stateOf(second, id)).toEqual(before);
    await later(second, '1m');
    expect(server.asked()).toBe(2);
  });

  test('ends with the emulator, whatever hangs', async () => {
    const arrived = moment();
    await using hung = await httpTarget(() => arrived.reach());
    const platform = await probingPlatform({ timeoutMs: 3_600_000 });
    await watched(platform, `http://127.0.0.1:${hung.port}/`);
    const moved = later(platform, '1s').catch(() => undefined);
    await arrived.reached;
    await platform[Symbol.asyncDispose]();
    await moved;
  });

  test('leaves the addresses of the emulated platform to it: they answer while what has them runs', async () => {
    await using platform = await probingPlatform();
    const droplet = await activeDroplet(platform);
    const address = droplet.networks.v4.find(({ type }: Json) => type === 'public').ip_address;
    const [ping, http] = [await watched(platform, address), await watched(platform, `http://${address}/`)];
    await later(platform, '30s');
    expect((await stateOf(platform, ping)).regions.us_east).toMatchObject({ status: 'UP', probed_by: 'emulated' });
    expect((await probesOf(platform, http))[0].last).toMatchObject({ method: 'emulated', outcome: 'refused' });
    await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'power_off' });
    await later(platform, '2m');
    expect((await stateOf(platform, ping)).regions.us_east.status).toBe('DOWN');
  });

  test('reserved addresses too, in whatever form they are written', async () => {
    await using platform = await probingPlatform();
    const droplet = await activeDroplet(platform);
    const { ip } = (await platform.post('/v2/reserved_ips', { droplet_id: droplet.id })).body.reserved_ip;
    const { ip: ipv6 } = (await platform.post('/v2/reserved_ipv6', { region_slug: 'nyc3' })).body.reserved_ipv6;
    const unused = (await platform.post('/v2/reserved_ips', { region: 'nyc3' })).body.reserved_ip.ip;
    await platform.post(`/v2/reserved_ipv6/${ipv6}/actions`, { type: 'assign', droplet_id: droplet.id });
    await later(platform, '10s');
    const long = ipv6.replace('::', ':0:0:0:').toUpperCase();
    const checks = [await watched(platform, ip), await watched(platform, long), await watched(platform, unused)];
    await later(platform, '30s');
    const regions = await Promise.all(checks.map(async (id) => (await stateOf(platform, id)).regions.us_east));
    expect(regions).toMatchObject(['UP', 'UP', 'DOWN'].map((status) => ({ status, probed_by: 'emulated' })));
  });
});
