import { expect, test } from 'vitest';
import { timestamp } from '../../lib/emulator/calendar.ts';
import { type Family, route } from '../../lib/emulator/resources/family.ts';
import { collection } from '../../lib/emulator/store/collection.ts';
import { activeDroplet, frozenPlatform, startPlatform } from './platform.ts';

interface Buoy {
  readonly id: string;
  readonly seen: readonly string[];
}

const buoys = collection<Buoy>({ table: 'buoys', key: 'text', id: (buoy) => buoy.id });

/** A family as a newcomer writes it: a route, a table, something due every minute, an effect outside, an ear for others. */
function buoyFamily(ring: (id: string) => Promise<string>): Family {
  return {
    tables: buoys.tables,
    routes: [
      route('POST /v2/buoys/{buoy}', { status: 201 }, ({ params }, account) => {
        const buoy: Buoy = { id: params.buoy ?? '', seen: [] };
        buoys.insert(account, buoy, null);
        account.schedule(account.nowMs + 60_000, 'buoy.ring', buoy.id);
        return { buoy };
      }),
      route('GET /v2/buoys/{buoy}', {}, ({ params }, account) => `{"buoy":${buoys.text(account, params.buoy ?? '')}}`),
    ],
    due: {
      'buoy.ring': (account, id) => {
        account.post('bell', { id, at: timestamp(account.nowMs) });
        account.schedule(account.nowMs + 60_000, 'buoy.ring', id);
      },
    },
    effects: {
      bell: async ({ data }) => {
        const echo = await ring(String(data.at));
        return (account) => {
          const buoy = buoys.get(account, String(data.id))?.wire;
          if (buoy !== undefined) {
            buoys.update(account, { ...buoy, seen: [...buoy.seen, echo] }, null);
          }
        };
      },
    },
    on: {
      'droplet.deleted': (account, id) => account.post('farewell', { droplet: id }),
    },
  };
}

test('a family added from outside has routes, tables, time, effects and ears', async () => {
  const rung: string[] = [];
  const ring = async (at: string): Promise<string> => {
    rung.push(at);
    return `${at} heard`;
  };
  await using platform = await frozenPlatform({ families: [buoyFamily(ring)] });
  await platform.post('/v2/buoys/north');
  await platform.post('/_emulator/clock', { advance: '2m' });
  // Advancing waits at each row for its effect outside.
  expect(rung).toEqual(['2026-02-10T12:01:00Z', '2026-02-10T12:02:00Z']);
  expect((await platform.get('/v2/buoys/north')).body.buoy.seen).toEqual(['2026-02-10T12:01:00Z heard', '2026-02-10T12:02:00Z heard']);

  const droplet = await activeDroplet(platform);
  await platform.del(`/v2/droplets/${droplet.id}`);
  const { entries } = (await platform.get('/_emulator/outbox')).body;
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'farewell', state: 'kept', droplet: String(droplet.id) }));
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'bell', state: 'done' }));
});

test('a real timer wakes for what is due, with no request', async () => {
  let heard: () => void = () => {};
  const rung = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const family: Family = {
    routes: [
      route('POST /v2/soon', { status: 204 }, (_request, account) => {
        account.schedule(account.nowMs + 20, 'soon', 'x');
        return undefined;
      }),
    ],
    due: { soon: (account) => account.post('soon', {}) },
    effects: {
      soon: async () => {
        heard();
        return () => {};
      },
    },
  };
  await using platform = await startPlatform({ families: [family] });
  await platform.post('/v2/soon');
  await rung;
  await expect.poll(async () => (await platform.get('/_emulator/outbox')).body.entries).toMatchObject([{ kind: 'soon', state: 'done' }]);
});

test('an effect that fails is marked and stops nothing', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  await using platform = await frozenPlatform({ families: [buoyFamily(() => Promise.reject(new Error('the bell is broken')))] });
  await platform.post('/v2/buoys/north');
  await platform.post('/_emulator/clock', { advance: '1m' });
  expect((await warned).message).toBe('the bell is broken');
  expect((await platform.get('/_emulator/outbox')).body.entries).toContainEqual(expect.objectContaining({ kind: 'bell', state: 'failed' }));
  expect((await platform.get('/v2/account')).status).toBe(200);
});

test('two routes for one operation are refused at the start', async () => {
  const twice: Family = { routes: [route('GET /v2/account', {}, () => ({}))] };
  await expect(frozenPlatform({ families: [twice] })).rejects.toThrow('two routes for GET /v2/account: remove one');
});

test('a fault of the emulator itself is a clean 500 that undoes what was begun', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const broken: Family = {
    routes: [
      route('POST /v2/broken', {}, (_request, account) => {
        account.set('status', 'locked');
        throw new Error('a bug');
      }),
    ],
  };
  await using platform = await frozenPlatform({ families: [broken] });
  const { status, body } = await platform.post('/v2/broken', {});
  expect([status, body.id, body.message]).toEqual([500, 'server_error', 'Unexpected server-side error']);
  expect((await warned).message).toBe('a bug');
  expect((await platform.post('/v2/tags', { name: 'still-open' })).status).toBe(201);
});
