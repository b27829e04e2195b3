import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { dataDirectory } from './emulator-process.ts';
import { type Platform, startPlatform } from './platform.ts';

/** Changes a file as another version of the program would have made it. */
function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

const filesIn = (path: string): readonly string[] => readdirSync(path).filter((name) => name.endsWith('.sqlite'));

async function dataWith(path: string, prepare: (platform: Platform) => Promise<unknown> = async () => undefined): Promise<string> {
  await using platform = await startPlatform({ dataDir: path });
  await platform.post('/v2/tags', { name: 'kept' });
  await prepare(platform);
  return platform.token;
}

test.each([
  ['ALTER TABLE tags ADD COLUMN colour TEXT', 'tags is different'],
  ['DROP TABLE counters', 'counters is missing'],
  ['CREATE TABLE volumes (id TEXT)', 'volumes is not known'],
  ['DROP INDEX outbox_pending', 'outbox_pending is missing'],
])('an account after %s is refused by name, and left as it is', async (sql, difference) => {
  await using directory = await dataDirectory();
  await dataWith(directory.path);
  const accounts = join(directory.path, 'accounts');
  const [name = ''] = filesIn(accounts);
  change(join(accounts, name), sql);
  for (const _attempt of ['once', 'and again: nothing was made up for']) {
    const start = startEmulator({ dataDir: directory.path });
    await expect(start).rejects.toThrow(
      `the account file ${join(accounts, name)} was made by another version of the emulator (${difference}): start that version on its data directory`,
    );
  }
});

test('an account of another version answers 500 with the reason, and the others go on', async () => {
  await using directory = await dataDirectory();
  let other = '';
  const accounts = join(directory.path, 'accounts');
  let before: readonly string[] = [];
  await dataWith(directory.path, async (platform) => {
    before = filesIn(accounts);
    other = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token;
  });
  const name = filesIn(accounts).find((file) => !before.includes(file)) ?? '';
  change(join(accounts, name), 'DROP TABLE counters');
  await using platform = await startPlatform({ dataDir: directory.path });
  const reason = {
    id: 'server_error',
    message: expect.stringContaining(`${name} was made by another version of the emulator (counters is missing)`),
  };
  for (const path of ['/v2/tags', '/_emulator/clock']) {
    const { status, body } = await platform.as(other).get(path);
    expect([path, status, body]).toEqual([path, 500, expect.objectContaining(reason)]);
  }
  expect((await platform.as(other).post('/v2/tags', 'x'.repeat(2 ** 21))).status).toBe(413);
  expect((await platform.get('/v2/tags/kept')).status).toBe(200);
});

test('a snapshot of another version is refused, and the account stays as it is', async () => {
  await using directory = await dataDirectory();
  await dataWith(directory.path, (platform) => platform.post('/_emulator/snapshots', { name: 'old' }));
  const accounts = join(directory.path, 'accounts');
  const folder = readdirSync(accounts).find((name) => name.endsWith('.snapshots')) ?? '';
  change(join(accounts, folder, 'old.sqlite'), 'DROP TABLE counters');
  await using platform = await startPlatform({ dataDir: directory.path });
  await platform.post('/v2/tags', { name: 'newer' });
  const { status, body } = await platform.post('/_emulator/snapshots/old/restore');
  expect([status, body.message]).toEqual([
    500,
    expect.stringMatching(
      /^the snapshot "old" was made by another version of the emulator \(counters is missing\): delete it, .*old\.sqlite\.$/,
    ),
  ]);
  expect((await platform.get('/v2/tags/newer')).status).toBe(200);
  expect(filesIn(accounts)).toHaveLength(1);
});
