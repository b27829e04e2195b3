import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../lib/emulator/start-emulator.ts';
import { dataDirectory, emulatorProcess } from './emulator-process.ts';
import { dropletBody, type Json, startPlatform } from './platform.ts';

test('a restart in the middle of an action loses nothing, and the action completes', async () => {
  await using directory = await dataDirectory();
  let links: Json;
  let before: Json;
  {
    await using platform = await startPlatform({ dataDir: directory.path });
    await platform.post('/_emulator/clock', { freeze: true });
    links = (await platform.post('/v2/droplets', dropletBody({ tags: ['kept'] }))).body.links;
    before = (await platform.get('/v2/droplets')).body;
  }
  await using platform = await startPlatform({ dataDir: directory.path });
  const { body } = await platform.get('/v2/droplets');
  expect(body.droplets).toEqual(before.droplets);
  await platform.post('/_emulator/clock', { advance: '45s' });
  expect((await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action.status).toBe('completed');
  expect((await platform.get('/v2/droplets?tag_name=kept')).body.droplets[0].status).toBe('active');
});

test.each(['', ' \n'])('a token file that has nothing but %j in it has a token made', async (text) => {
  await using directory = await dataDirectory();
  const file = join(directory.path, 'token');
  await writeFile(file, text);
  for (let start = 1; start <= 2; start += 1) {
    await using platform = await startPlatform({ dataDir: directory.path });
    expect((await platform.get('/v2/account')).status).toBe(200);
    expect(await readFile(file, 'utf8')).toBe(`${platform.token}\n`);
  }
});

test('an action that is over while the emulator is down is complete when it is back', async () => {
  await using directory = await dataDirectory();
  let links: Json;
  {
    await using platform = await startPlatform({ dataDir: directory.path, speed: 1000 });
    // 45 ms: over before the emulator is back, whatever the restart takes.
    links = (await platform.post('/v2/droplets', dropletBody())).body.links;
  }
  await using platform = await startPlatform({ dataDir: directory.path });
  await expect.poll(async () => (await platform.get(`/v2/actions/${links.actions[0].id}`)).body.action.status).toBe('completed');
});

test('a process killed by force has lost nothing it answered for, and the actions complete after', async () => {
  await using directory = await dataDirectory();
  const first = await emulatorProcess(directory.path);
  await first.platform.post('/_emulator/clock', { freeze: true });
  await first.platform.post('/_emulator/reset', { seed: 'empty' });
  const acknowledged: Json[] = [];
  const tags: string[] = [];
  const work = async (): Promise<void> => {
    for (let number = 0; ; number += 1) {
      const droplet = await first.platform.post('/v2/droplets', dropletBody({ name: `crash-${number}` })).catch(() => undefined);
      if (droplet === undefined) {
        return;
      }
      if (droplet.status === 202) {
        acknowledged.push(droplet.body);
      }
      const tag = await first.platform.post('/v2/tags', { name: `tag-${number}` }).catch(() => undefined);
      tags.push(...(tag?.status === 201 ? [tag.body.tag.name] : []));
      if (acknowledged.length === 20) {
        void first.kill();
      }
    }
  };
  await work();
  await first.kill();
  expect(acknowledged.length).toBeGreaterThanOrEqual(20);

  const second = await emulatorProcess(directory.path);
  try {
    expect(second.platform.token).toBe(first.platform.token);
    await second.platform.post('/_emulator/clock', { advance: '45s' });
    for (const { droplet, links } of acknowledged) {
      expect((await second.platform.get(`/v2/droplets/${droplet.id}`)).body.droplet).toMatchObject({
        name: droplet.name,
        status: 'active',
      });
      expect((await second.platform.get(`/v2/actions/${links.actions[0].id}`)).body.action.status).toBe('completed');
    }
    for (const tag of tags) {
      expect((await second.platform.get(`/v2/tags/${tag}`)).status).toBe(200);
    }
  } finally {
    await second.kill();
  }
});

test('token and accounts stay with the data directory, which nobody else may read', async () => {
  await using directory = await dataDirectory();
  let token: string;
  let other: string;
  {
    await using platform = await startPlatform({ dataDir: directory.path });
    token = platform.token;
    other = (await platform.post('/_emulator/accounts', { seed: 'empty' })).body.token;
  }
  expect((await stat(directory.path)).mode & 0o777).toBe(0o700);
  await using platform = await startPlatform({ dataDir: directory.path });
  expect(platform.token).toBe(token);
  expect((await platform.as(other).get('/v2/droplets')).body.meta.total).toBe(0);
});

test('a token that is given makes its account once', async () => {
  await using directory = await dataDirectory();
  for (const total of [6, 7]) {
    await using platform = await startPlatform({ dataDir: directory.path, token: 'mine' });
    expect(platform.token).toBe('mine');
    expect((await platform.get('/v2/droplets')).body.meta.total).toBe(total);
    await platform.post('/v2/droplets', dropletBody());
  }
});

test('a second emulator on one data directory says what is wrong', async () => {
  await using directory = await dataDirectory();
  await using _first = await startPlatform({ dataDir: directory.path });
  await expect(startEmulator({ dataDir: directory.path })).rejects.toThrow(/is another emulator running on them\?/);
});

test('a port that is taken is an error', async () => {
  await using platform = await startPlatform();
  await expect(startEmulator({ port: Number(new URL(platform.url).port) })).rejects.toThrow(/EADDRINUSE/);
});

test('a speed below 0 is refused', async () => {
  await expect(startEmulator({ speed: -1 })).rejects.toThrow('speed: expected a number from 0, got -1');
});
