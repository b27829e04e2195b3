import { describe, expect, test } from 'vitest';
import { later, smallest, withCluster } from './database-cluster.ts';

describe('backups', () => {
  test('are made daily at the time that is set, seven are kept', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    expect((await platform.get(`${path}/backups`)).body.backups).toEqual([]);
    await platform.call('PATCH', `${path}/config`, { config: { backup_hour: 4, backup_minute: 30 } });
    await later(platform, '2d');
    const { body } = await platform.get(`${path}/backups`);
    expect(body).toMatchObject({
      scheduled_backup_time: { backup_hour: 4, backup_minute: 30, backup_interval_hours: 24 },
      backup_progress: '',
    });
    expect(body.backups.map((backup: { created_at: string }) => backup.created_at)).toEqual([
      '2026-02-11T04:30:00Z',
      '2026-02-12T04:30:00Z',
    ]);
    expect(body.backups[1].size_gigabytes).toBeGreaterThan(body.backups[0].size_gigabytes);
    await later(platform, '8d');
    const { backups } = (await platform.get(`${path}/backups`)).body;
    expect([backups.length, backups[0].created_at, backups[6].created_at]).toEqual([7, '2026-02-14T04:30:00Z', '2026-02-20T04:30:00Z']);
    expect((await platform.get(`${path}/backups?page=2&per_page=5`)).body.backups).toEqual(backups.slice(5));
  });

  test('are made anew where the clock was set back', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const at = (backup_hour: number) => platform.call('PATCH', `${path}/config`, { config: { backup_hour, backup_minute: 0 } });
    await at(3);
    await later(platform, '1d');
    await platform.post('/_emulator/clock', { now: '2026-02-10T12:00:00Z' });
    await at(4);
    await at(3);
    await later(platform, '1d');
    const { status, body } = await platform.get(`${path}/backups`);
    expect([status, body.backups?.map((backup: { created_at: string }) => backup.created_at)]).toEqual([200, ['2026-02-11T03:00:00Z']]);
  });

  test('go on from the moment that the clock was set back to, and none of a later one is left', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    await platform.call('PATCH', `${path}/config`, { config: { backup_hour: 3, backup_minute: 0 } });
    await later(platform, '40d');
    await platform.post('/_emulator/clock', { now: '2026-02-12T12:00:00Z' });
    const times = async () =>
      (await platform.get(`${path}/backups`)).body.backups.map((backup: { created_at: string }) => backup.created_at);
    expect(await times()).toEqual([]);
    await later(platform, '2d');
    expect(await times()).toEqual(['2026-02-13T03:00:00Z', '2026-02-14T03:00:00Z']);
  });

  test('are left out while the cluster is not online', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    await platform.call('PATCH', `${path}/config`, { config: { backup_hour: 12, backup_minute: 5 } });
    await platform.put(`${path}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 1 });
    await later(platform, '1d');
    const { backups } = (await platform.get(`${path}/backups`)).body;
    expect(backups.map((backup: { created_at: string }) => backup.created_at)).toEqual([]);
    await later(platform, '1d');
    expect((await platform.get(`${path}/backups`)).body.backups).toHaveLength(1);
  });

  test('of MySQL may be incremental on all but some days', async () => {
    await using made = await withCluster(smallest.mysql);
    const { platform, path } = made;
    const incremental = { enabled: true, full_backup_week_schedule: 'wed,sat' };
    await platform.call('PATCH', `${path}/config`, { config: { backup_hour: 1, mysql_incremental_backup: incremental } });
    await later(platform, '4d');
    const { backups } = (await platform.get(`${path}/backups`)).body;
    expect(backups.map((backup: { incremental: boolean }) => backup.incremental)).toEqual([false, true, true, false]);
  });

  test.each(['valkey', 'kafka'])('are not made of %s', async (engine) => {
    await using made = await withCluster(smallest[engine]);
    const answer = await made.platform.get(`${made.path}/backups`);
    expect([answer.status, answer.body.message]).toEqual([422, 'backups are not supported for this engine']);
  });

  test('are what a new cluster can begin with', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const fork = (backup: object, changes: object = {}) =>
      platform.post('/v2/databases', {
        ...{ name: 'copy', engine: 'pg', region: 'nyc3', size: 'db-s-1vcpu-2gb', num_nodes: 1 },
        backup_restore: backup,
        ...changes,
      });
    expect((await fork({ database_name: 'shop' })).body.message).toBe('there is no such backup');
    await later(platform, '2d');
    const [first] = (await platform.get(`${path}/backups`)).body.backups;
    expect((await fork({ database_name: 'none' })).body.message).toBe('there is no such cluster to restore from');
    expect((await fork({ database_name: 'shop' }, { engine: 'mysql' })).body.message).toBe(
      'a backup can only be restored to the same engine',
    );
    expect((await fork({ database_name: 'shop', backup_created_at: '2020-01-01T00:00:00Z' })).body.message).toBe('there is no such backup');
    const { status, body } = await fork({ database_name: 'shop', backup_created_at: first.created_at });
    expect([status, body.database.status]).toEqual([201, 'forking']);
    await later(platform, '5m');
    expect((await platform.get(`/v2/databases/${body.database.id}`)).body.database.status).toBe('online');
  });
});
