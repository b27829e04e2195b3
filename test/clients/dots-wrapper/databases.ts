import { expect, it } from 'vitest';
import { smallest } from '../../emulator/database-cluster.ts';
import type { Enter } from './community-client.ts';
import { refusal } from './refusal.ts';

const SMALL = { region: 'nyc3', size: 'db-s-1vcpu-2gb', num_nodes: 1 } as const;

export function databaseStories(enter: Enter): void {
  it('runs PostgreSQL: grown, closed to strangers, backed up and restored', async () => {
    const { client, later } = await enter();
    const order = { ...SMALL, name: 'ledger', engine: 'pg', version: '16', tags: ['story'] };
    const { database } = (await client.database.createDatabaseCluster(order)).data;
    expect(database).toMatchObject({ name: 'ledger', engine: 'pg', status: 'creating', tags: ['story'], db_names: ['defaultdb'] });
    const database_cluster_id = database.id;
    const grow = () => client.database.resizeDatabaseCluster({ database_cluster_id, size: 'db-s-2vcpu-4gb', num_nodes: 2 });
    expect(await refusal(grow())).toMatchObject({ status: 412, id: 'precondition_failed' });
    await later('5m');
    expect((await grow()).status).toBe(202);
    await later('5m');
    const look = async () => (await client.database.getDatabaseCluster({ database_cluster_id })).data.database;
    expect(await look()).toMatchObject({
      status: 'online',
      size: 'db-s-2vcpu-4gb',
      num_nodes: 2,
      connection: { user: 'doadmin', ssl: true },
    });

    const rules = [{ type: 'ip_addr', value: '203.0.113.0/24' }];
    expect((await client.database.updateDatabaseClusterFirewallRules({ database_cluster_id, rules })).status).toBe(204);
    const { rules: kept } = (await client.database.listDatabaseClusterFirewallRules({ database_cluster_id })).data;
    expect(kept).toMatchObject([{ ...rules[0], cluster_uuid: database_cluster_id, uuid: expect.any(String) }]);
    await later('1d');
    const { backups } = (await client.database.listDatabaseClusterBackups({ database_cluster_id })).data;
    expect(backups).toMatchObject([{ size_gigabytes: expect.any(Number), created_at: expect.any(String) }]);
    const restore = { ...order, size: 'db-s-2vcpu-4gb', name: 'ledger-copy', backup_restore: { database_name: 'ledger' } };
    expect((await client.database.restoreDatabaseClusterBackup(restore)).data.database).toMatchObject({
      name: 'ledger-copy',
      status: 'forking',
    });
    expect((await client.database.listDatabaseClusters({})).data.databases.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ledger', 'ledger-copy']),
    );
    expect((await client.database.destroyDatabaseCluster({ database_cluster_id })).status).toBe(204);
    expect(await refusal(client.database.getDatabaseCluster({ database_cluster_id }))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('runs MySQL: its modes, its users', async () => {
    const { client, later } = await enter();
    const { database } = (await client.database.createDatabaseCluster({ ...SMALL, name: 'shop', engine: 'mysql', version: '8' })).data;
    await later('5m');
    const database_cluster_id = database.id;
    expect((await client.database.configureDatabaseClusterSqlModes({ database_cluster_id, sql_mode: 'ANSI' })).status).toBe(204);
    expect((await client.database.getDatabaseClusterSqlMode({ database_cluster_id })).data).toEqual({ sql_mode: 'ANSI' });
    const mysql_settings = { auth_plugin: 'mysql_native_password' };
    const till = { database_cluster_id, user_name: 'till' };
    const { user } = (await client.database.createDatabaseClusterUser({ ...till, mysql_settings })).data;
    expect(user).toMatchObject({ name: 'till', role: 'normal', password: expect.any(String), mysql_settings });
    const { users } = (await client.database.listDatabaseClusterUsers({ database_cluster_id })).data;
    expect(users.map(({ name }) => name)).toEqual(['doadmin', 'till']);
    expect((await client.database.getDatabaseClusterUser(till)).data.user).toEqual(user);
    expect((await client.database.removeDatabaseClusterUser(till)).status).toBe(204);
    expect(await refusal(client.database.getDatabaseClusterUser(till))).toMatchObject({ status: 404, id: 'not_found' });
  });

  it.each(Object.entries(smallest))('makes a cluster of %s', async (engine, changes) => {
    const { client, later } = await enter();
    const order = { ...SMALL, name: `of-${engine.replace('_', '-')}`, engine, ...changes };
    const { database } = (await client.database.createDatabaseCluster(order)).data;
    await later('5m');
    const made = (await client.database.getDatabaseCluster({ database_cluster_id: database.id })).data.database;
    expect(made).toMatchObject({
      engine,
      status: 'online',
      num_nodes: order.num_nodes,
      connection: { host: expect.stringContaining(order.name) },
    });
  });
}
