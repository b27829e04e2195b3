import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Family, route } from '../../lib/emulator/resources/family.ts';
import type { Account } from '../../lib/emulator/store/account.ts';
import { collection } from '../../lib/emulator/store/collection.ts';
import { dataDirectory } from './emulator-process.ts';
import { frozenPlatform, type Json, type Platform, startPlatform } from './platform.ts';

const warned = vi.spyOn(process, 'emitWarning');
beforeEach(() => {
  warned.mockImplementation(() => undefined);
});
afterEach(() => {
  warned.mockReset();
});

interface Buoy {
  readonly id: string;
}

const buoys = collection<Buoy>({ table: 'buoys', key: 'text', id: ({ id }) => id, remembered: true });

/** What the storage does in the middle of a request. */
const failures: Readonly<Record<string, (account: Account) => void>> = {
  'database or disk is full': (account) => {
    account.sql('PRAGMA max_page_count = 1').get(); // SQLite takes it for: no page more than there are.
    try {
      account.run('INSERT INTO chains (buoy, links) VALUES (NULL, ?)', 'o'.repeat(100_000));
    } finally {
      account.sql('PRAGMA max_page_count = 1000000').get();
    }
  },
  'FOREIGN KEY constraint failed': (account) => {
    account.run('INSERT INTO chains (buoy, links) VALUES (?, ?)', 'nowhere', 'o'); // Found out by COMMIT.
  },
};

/** Buoys that ring after a while, or at once; each request changes records, totals, settings and what is due. */
function buoyFamily(ring: (id: string) => void = () => undefined): Family {
  return {
    tables: [...buoys.tables, 'CREATE TABLE chains (buoy TEXT REFERENCES buoys (id) DEFERRABLE INITIALLY DEFERRED, links TEXT)'],
    routes: [
      route('POST /v2/buoys/{buoy}', { status: 201 }, ({ params, body }, account) => {
        const buoy: Buoy = { id: params.buoy ?? '' };
        buoys.insert(account, buoy, null);
        account.set('latest', buoy.id);
        account.schedule(account.nowMs + Number(body.after ?? 60) * 1000, 'buoy.ring', buoy.id);
        failures[String(body.failure)]?.(account);
        return { buoy };
      }),
      route('GET /v2/buoys', {}, (_request, account) => ({
        total: buoys.total(account),
        listed: buoys.source(account).texts(10, 0),
        found: ['north', 'south'].map((id) => buoys.get(account, id)?.wire ?? null),
        latest: account.setting('latest'),
        rung: account.setting('rung'),
      })),
    ],
    due: {
      'buoy.ring': (account, id) => {
        account.set('rung', `${account.setting('rung') ?? ''} ${id}`);
        ring(id);
      },
    },
  };
}

const seen = async (platform: Platform) => (await platform.get('/v2/buoys')).body;

test.each(Object.keys(failures))('nothing of a write that fails with "%s" is to be seen, and the next one works', async (failure) => {
  await using platform = await frozenPlatform({ families: [buoyFamily()] });
  await platform.post('/v2/buoys/north');
  const before = await seen(platform);
  expect((await platform.post('/v2/buoys/south', { failure })).status).toBe(500);
  expect(warned).toHaveBeenLastCalledWith(expect.objectContaining({ message: failure }));
  expect(await seen(platform)).toEqual(before);
  expect((await platform.post('/v2/buoys/south')).status).toBe(201);
  await platform.post('/_emulator/clock', { advance: '2m' });
  expect(await seen(platform)).toMatchObject({ total: 2, latest: 'south', rung: ' north south' });
});

test.each(Object.keys(failures))('what had come due before a write that fails with "%s" happens once', async (failure) => {
  await using platform = await frozenPlatform({ families: [buoyFamily()] });
  await platform.post('/v2/buoys/north');
  await platform.post('/_emulator/clock', { now: '2026-02-10T12:05:00Z' });
  expect((await platform.post('/v2/buoys/south', { failure })).status).toBe(500);
  expect(warned).toHaveBeenLastCalledWith(expect.objectContaining({ message: failure }));
  expect(await seen(platform)).toMatchObject({ total: 1, latest: 'north', rung: ' north' });
});

test('a write that is refused leaves what had come due before it', async () => {
  await using platform = await frozenPlatform({ families: [buoyFamily()] });
  await platform.post('/v2/buoys/north');
  await platform.post('/_emulator/clock', { now: '2026-02-10T12:05:00Z' });
  expect((await platform.post('/v2/buoys/north')).status).toBe(500);
  expect(await seen(platform)).toMatchObject({ total: 1, latest: 'north', rung: ' north' });
});

test('a fault in what a write has happen at once takes nothing of the write with it, and is told by the next request', async () => {
  let isBroken = true;
  const ring = (id: string): void => {
    if (isBroken && id === 'south') {
      throw new Error('the bell is cracked');
    }
  };
  await using platform = await frozenPlatform({ families: [buoyFamily(ring)] });
  await platform.post('/v2/buoys/north', { after: 0 });
  expect((await platform.post('/v2/buoys/south', { after: 0 })).status).toBe(201);
  expect((await platform.get('/v2/buoys')).status).toBe(500);
  expect(warned).toHaveBeenLastCalledWith(expect.objectContaining({ message: 'the bell is cracked' }));
  isBroken = false;
  expect(await seen(platform)).toMatchObject({ total: 2, latest: 'south', rung: ' north south' });
});

test('what left, and whose end could not be written, is still pending and leaves again', async () => {
  let rings = 0;
  const family: Family = {
    routes: [
      route('POST /v2/bell', { status: 204 }, (_request, account) => {
        account.post('bell', {});
        return undefined;
      }),
      route('GET /v2/storage/mended', {}, (_request, account) => account.sql('PRAGMA query_only = 0').all()),
    ],
    effects: {
      bell: async () => {
        rings += 1;
        return (account) => {
          if (rings === 1) {
            account.sql('PRAGMA query_only = 1').all();
            account.set('rung', 'once');
          }
        };
      },
    },
  };
  await using platform = await frozenPlatform({ families: [family] });
  const states = async () => (await platform.get('/_emulator/outbox')).body.entries.map(({ state }: Json) => state);
  await platform.post('/v2/bell');
  await expect.poll(() => warned.mock.calls.length).toBe(2); // As done, and then as failed.
  await platform.get('/v2/storage/mended');
  expect(await states()).toEqual(['pending']);
  await platform.post('/v2/bell');
  await expect.poll(states).toEqual(['done', 'done']);
  expect(rings).toBe(3);
});

/** Keeps every account but the first from being opened, and from being made, as long as it says so. */
function harbour(isClosed: { opened?: boolean; born?: boolean }): Family {
  let first: string | undefined;
  const refuse = (account: Account, isRefused = false): void => {
    first ??= account.id;
    if (isRefused && account.id !== first) {
      throw new Error('the harbour is closed');
    }
  };
  return {
    routes: [],
    opened: (account) => refuse(account, isClosed.opened),
    born: (account) => refuse(account, isClosed.born),
  };
}

test.each([
  ['opened', '/_emulator/fork', undefined],
  ['born', '/_emulator/accounts', { seed: 'empty' }],
] as const)('of an account that can not be %s, POST %s leaves nothing', async (step, path, body) => {
  await using directory = await dataDirectory();
  const isClosed: { opened?: boolean; born?: boolean } = {};
  await using platform = await startPlatform({ dataDir: directory.path, families: [harbour(isClosed)] });
  const stored = () => new Set(readdirSync(join(directory.path, 'accounts')).map((file) => file.split('.')[0]));
  const before = stored();
  isClosed[step] = true;
  expect((await platform.post(path, body)).status).toBe(500);
  expect(stored()).toEqual(before);
  isClosed[step] = false;
  expect((await platform.post(path, body)).status).toBe(201);
});

test('an account that could not be opened is opened by the next request', async () => {
  await using directory = await dataDirectory();
  let token = '';
  {
    await using platform = await startPlatform({ dataDir: directory.path });
    token = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token;
  }
  const isClosed = { opened: true };
  await using platform = await startPlatform({ dataDir: directory.path, families: [harbour(isClosed)] });
  const other = platform.as(token);
  expect((await other.get('/v2/account')).status).toBe(500);
  isClosed.opened = false;
  expect((await other.get('/v2/account')).status).toBe(200);
});

test('an account whose file could not be replaced is opened as it was by the next request', async () => {
  await using directory = await dataDirectory();
  await using platform = await startPlatform({ dataDir: directory.path });
  await platform.post('/v2/tags', { name: 'kept' });
  const files = join(directory.path, 'accounts');
  const file = join(files, readdirSync(files).find((name) => name.endsWith('.sqlite')) ?? '');
  renameSync(file, `${file}.aside`);
  mkdirSync(file);
  const refused = await platform.post('/_emulator/reset', { seed: 'empty' });
  expect([refused.status, warned.mock.lastCall]).toMatchObject([500, [{ code: 'EISDIR' }]]);
  rmdirSync(file);
  renameSync(`${file}.aside`, file);
  expect((await platform.get('/v2/tags/kept')).status).toBe(200);
  expect((await platform.post('/_emulator/reset', { seed: 'empty' })).status).toBe(204);
  expect((await platform.get('/v2/tags/kept')).status).toBe(404);
});

/** A family with which no account can be opened while it is closed; one can still be made anew. */
function harbourFamily(): Family & { isClosed: boolean } {
  const harbour = {
    isClosed: false,
    routes: [],
    opened: ({ id }: Account) => {
      if (harbour.isClosed && !id.endsWith('.next')) {
        throw new Error('the harbour is closed');
      }
    },
  };
  return harbour;
}

test('an account that could not be opened once its file was replaced is opened with it by the next request', async () => {
  const harbour = harbourFamily();
  await using platform = await startPlatform({ families: [harbour] });
  await platform.post('/v2/tags', { name: 'gone' });
  harbour.isClosed = true;
  expect((await platform.post('/_emulator/reset', { seed: 'empty' })).status).toBe(500);
  expect(warned).toHaveBeenLastCalledWith(expect.objectContaining({ message: 'the harbour is closed' }));
  harbour.isClosed = false;
  expect((await platform.get('/v2/tags/gone')).status).toBe(404);
  expect((await platform.post('/v2/tags', { name: 'writable' })).status).toBe(201);
});

test('a request that was held back is answered 500 where its account could not be opened again meanwhile', async () => {
  const harbour = harbourFamily();
  await using platform = await startPlatform({ families: [harbour] });
  await platform.post('/_emulator/faults', { path: '/v2/account', delayMs: 500 });
  const late = platform.get('/v2/account');
  await expect.poll(async () => (await platform.get('/_emulator/faults')).body.faults).toEqual([]);
  harbour.isClosed = true;
  expect((await platform.post('/_emulator/reset', { seed: 'empty' })).status).toBe(500);
  expect((await late).status).toBe(500);
  harbour.isClosed = false;
  expect((await platform.get('/v2/account')).status).toBe(200);
});

test.each([
  ['/_emulator/fork', undefined],
  ['/_emulator/accounts', { seed: 'empty' }],
])('of an account that can not be entered in the index, POST %s leaves nothing', async (path, body) => {
  await using directory = await dataDirectory();
  const files = () => readdirSync(join(directory.path, 'accounts')).filter((name) => name.endsWith('.sqlite'));
  {
    await using _first = await startPlatform({ dataDir: directory.path });
  }
  const index = new DatabaseSync(join(directory.path, 'accounts.sqlite'));
  index.exec("CREATE TRIGGER full BEFORE INSERT ON accounts BEGIN SELECT RAISE(ABORT, 'no room'); END");
  index.close();
  await using platform = await startPlatform({ dataDir: directory.path });
  expect((await platform.post(path, body)).status).toBe(500);
  expect(warned).toHaveBeenLastCalledWith(expect.objectContaining({ message: 'no room' }));
  expect(files()).toHaveLength(1);
  expect((await platform.get('/v2/account')).status).toBe(200);
});
