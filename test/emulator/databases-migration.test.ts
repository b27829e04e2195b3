import { describe, expect, test } from 'vitest';
import { later, smallest, withCluster } from './database-cluster.ts';

describe('an online migration', () => {
  const source = { host: 'old.example.com', port: 5432, dbname: 'shop', username: 'admin', password: 'secret' };

  test('runs, syncs and is done; then the database is there', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    expect((await platform.get(`${path}/online-migration`)).status).toBe(404);
    const begun = await platform.put(`${path}/online-migration`, { source, disable_ssl: true, ignore_dbs: ['logs'] });
    expect(begun.status).toBe(200);
    expect(begun.body).toEqual({ id: expect.any(String), status: 'running', created_at: '2026-02-10T12:04:00Z' });
    const look = async () => (await platform.get(`${path}/online-migration`)).body;
    expect(await look()).toEqual(begun.body);
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'migrating', db_names: ['defaultdb'] });
    const twice = await platform.put(`${path}/online-migration`, { source });
    expect([twice.status, twice.body.message]).toEqual([409, 'an online migration is already in progress']);
    await later(platform, '2m');
    expect((await look()).status).toBe('syncing');
    await later(platform, '3m');
    expect((await look()).status).toBe('done');
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'online', db_names: ['defaultdb', 'shop'] });
    const over = await platform.del(`${path}/online-migration/${begun.body.id}`);
    expect([over.status, over.body.message]).toEqual([422, 'the online migration is not in progress']);
  });

  test('is stopped, and stays so; another may begin', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const { id } = (await platform.put(`${path}/online-migration`, { source })).body;
    await later(platform, '2m');
    expect((await platform.del(`${path}/online-migration/0f1e2d3c-1111-4222-8333-444455556666`)).status).toBe(404);
    expect((await platform.del(`${path}/online-migration/${id}`)).status).toBe(204);
    expect((await platform.get(`${path}/online-migration`)).body).toMatchObject({ id, status: 'canceled' });
    expect((await platform.get(path)).body.database.status).toBe('online');
    const again = (await platform.put(`${path}/online-migration`, { source })).body;
    await later(platform, '4m');
    expect((await platform.get(`${path}/online-migration`)).body).toMatchObject({ id: again.id, status: 'syncing' });
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'migrating', db_names: ['defaultdb'] });
  });

  test.each(['nowhere.invalid', 'invalid', 'localhost'])('ends in an error when its source is %s', async (host) => {
    await using made = await withCluster(smallest.mysql);
    const { platform, path } = made;
    await platform.put(`${path}/online-migration`, { source: { ...source, host } });
    await later(platform, '2m');
    expect((await platform.get(`${path}/online-migration`)).body.status).toBe('error');
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'online', db_names: ['defaultdb'] });
  });

  test.each<[unknown, string]>([
    [{}, 'source is required.'],
    [{ source: 'old.example.com' }, 'source must be an object.'],
    [{ source: { port: 5432 } }, 'host is required.'],
    [{ source: { host: 'a.example.com', port: '5432' } }, 'port must be an integer from 1 to 65535.'],
    [{ source: { ...source, user: 'x' } }, 'source.user is not a known field.'],
    [{ source, ignore_dbs: 'logs' }, 'ignore_dbs must be an array.'],
  ])('is refused with %j', async (body, message) => {
    await using made = await withCluster();
    const answer = await made.platform.put(`${made.path}/online-migration`, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await made.platform.get(made.path)).body.database.status).toBe('online');
  });

  test.each(['kafka', 'mongodb', 'opensearch'])('is not for %s', async (engine) => {
    await using made = await withCluster(smallest[engine]);
    const answer = await made.platform.put(`${made.path}/online-migration`, { source });
    expect([answer.status, answer.body.message]).toEqual([422, 'online migration is not supported for this engine']);
  });

  test('is done without what is to be ignored', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    await platform.put(`${path}/online-migration`, { source, ignore_dbs: ['shop'] });
    await later(platform, '5m');
    expect((await platform.get(`${path}/online-migration`)).body.status).toBe('done');
    expect((await platform.get(path)).body.database).toMatchObject({ status: 'online', db_names: ['defaultdb'] });
  });

  test('survives a deleted cluster', async () => {
    await using made = await withCluster(smallest.valkey);
    const { platform, path } = made;
    await platform.put(`${path}/online-migration`, { source });
    await platform.del(path);
    await later(platform, '1h');
    expect((await platform.get(path)).status).toBe(404);
  });
});
