import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Json } from '../../emulator/platform.ts';
import type { Enter } from './official-client.ts';
import { refusal } from './refusal.ts';

export function databaseStories(enter: Enter): void {
  it('runs PostgreSQL: grown, upgraded, closed to strangers, backed up', async () => {
    const { v2, later } = await enter();
    const order = { name: 'ledger', engine: 'pg', version: '15', region: 'nyc3', size: 'db-s-2vcpu-4gb', numNodes: 2, tags: ['story'] };
    const { database } = await v2.databases.post(order);
    expect(database).toMatchObject({
      name: 'ledger',
      engine: 'pg',
      status: 'creating',
      numNodes: 2,
      tags: ['story'],
      dbNames: ['defaultdb'],
    });
    expect(database).toMatchObject({ createdAt: new Date('2026-02-10T12:00:00Z'), users: [{ name: 'doadmin', role: 'primary' }] });
    expect(database.connection).toMatchObject({ port: 25060, user: 'doadmin', ssl: true, uri: expect.stringMatching(/^postgresql:/) });
    const ledger = v2.databases.byDatabase_cluster_uuid(database.id);
    expect(await refusal(ledger.users.post({ name: 'early' }))).toMatchObject({ status: 412, id: 'precondition_failed' });
    await later('5m');
    expect((await ledger.get()).database).toMatchObject({
      status: 'online',
      standbyConnection: { host: expect.stringContaining('replica') },
    });
    expect((await v2.databases.get({ queryParameters: { tagName: 'story' } })).databases).toMatchObject([{ id: database.id }]);

    await ledger.resize.put({ size: 'db-s-4vcpu-8gb', numNodes: 3, storageSizeMib: 163_840 });
    expect((await ledger.get()).database.status).toBe('resizing');
    await later('5m');
    expect((await ledger.get()).database).toMatchObject({ status: 'online', size: 'db-s-4vcpu-8gb', numNodes: 3, storageSizeMib: 163_840 });
    await ledger.upgrade.put({ version: '17' });
    await later('6m');
    expect((await ledger.get()).database).toMatchObject({
      status: 'online',
      version: '17',
      semanticVersion: expect.stringMatching(/^17\./),
    });

    await ledger.firewall.put({
      rules: [
        { type: 'ip_addr', value: '203.0.113.0/24', description: 'office' },
        { type: 'tag', value: 'web' },
      ],
    });
    const { rules } = await ledger.firewall.get();
    expect(rules).toMatchObject([
      { type: 'ip_addr', value: '203.0.113.0/24', description: 'office', clusterUuid: database.id, createdAt: expect.any(Date) },
      { type: 'tag', value: 'web', uuid: expect.any(String) },
    ]);
    const { ca } = await ledger.ca.get();
    const certificate = new X509Certificate(Buffer.from(ca.certificate, 'base64'));
    expect([certificate.ca, certificate.verify(certificate.publicKey)]).toEqual([true, true]);

    await later('2d');
    const { backups } = await ledger.backups.get();
    expect(backups).toMatchObject([{ createdAt: expect.any(Date), sizeGigabytes: expect.any(Number) }, { createdAt: expect.any(Date) }]);

    const restore = { databaseName: 'ledger', backupCreatedAt: backups[0].createdAt };
    const copy = (await v2.databases.post({ ...order, version: '17', name: 'ledger-copy', backupRestore: restore })).database;
    expect(copy.status).toBe('forking');
    await ledger.delete();
    expect(await refusal(ledger.get())).toMatchObject({ status: 404, id: 'not_found' });
  });

  it('moves a database in from elsewhere', async () => {
    const { v2, later } = await enter();
    const order = { name: 'moved', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-1vcpu-2gb', numNodes: 1 };
    const { database } = await v2.databases.post(order);
    await later('5m');
    const moved = v2.databases.byDatabase_cluster_uuid(database.id);
    const source = { host: 'old.example.com', port: 5432, dbname: 'shop', username: 'admin', password: 'secret' };
    const begun = await moved.onlineMigration.put({ source, disableSsl: false, ignoreDbs: ['logs'] });
    expect(begun).toMatchObject({ id: expect.any(String), status: 'running' });
    await later('6m');
    expect(await moved.onlineMigration.get()).toMatchObject({ id: begun.id, status: 'done' });
    expect((await moved.get()).database.dbNames).toEqual(['defaultdb', 'shop']);
    const again = await moved.onlineMigration.put({ source });
    await moved.onlineMigration.byMigration_id(again.id).delete();
    expect(await moved.onlineMigration.get()).toMatchObject({ id: again.id, status: 'canceled' });
  });

  it('runs MySQL: its modes, its users', async () => {
    const { v2, later } = await enter();
    const order = { name: 'shop', engine: 'mysql', version: '8', region: 'nyc3', size: 'db-s-1vcpu-2gb', numNodes: 1 };
    const { database } = await v2.databases.post(order);
    await later('5m');
    const shop = v2.databases.byDatabase_cluster_uuid(database.id);
    await shop.sql_mode.put({ sqlMode: 'ANSI,TRADITIONAL' });
    expect(await shop.sql_mode.get()).toEqual({ sqlMode: 'ANSI,TRADITIONAL' });
    const { user } = await shop.users.post({ name: 'till', mysqlSettings: { authPlugin: 'mysql_native_password' } });
    expect(user).toMatchObject({
      name: 'till',
      role: 'normal',
      password: expect.any(String),
      mysqlSettings: { authPlugin: 'mysql_native_password' },
    });
    expect((await shop.users.get()).users.map(({ name }: Json) => name)).toEqual(['doadmin', 'till']);
    expect(await shop.users.byUsername('till').get()).toEqual({ user });
    await shop.users.byUsername('till').delete();
    expect(await refusal(shop.users.byUsername('till').get())).toMatchObject({ status: 404, id: 'not_found' });
    expect(await refusal(shop.users.byUsername('doadmin').delete())).toMatchObject({ status: 403, id: 'forbidden' });
  });

  it('runs Kafka: topics that only grow, users and what they may', async () => {
    const { v2, later } = await enter();
    const order = { name: 'bus', engine: 'kafka', version: '3.8', region: 'nyc3', size: 'db-s-2vcpu-2gb', numNodes: 3 };
    const { database } = await v2.databases.post(order);
    await later('5m');
    const bus = v2.databases.byDatabase_cluster_uuid(database.id);
    const settings = { cleanupPolicy: 'compact', retentionMs: 3_600_000 };
    const { topic } = await bus.topics.post({ name: 'orders', partitionCount: 3, replicationFactor: 2, config: settings });
    expect(topic).toMatchObject({ name: 'orders', replicationFactor: 2, state: 'configuring', config: settings });
    await later('1m');
    const orders = bus.topics.byTopic_name('orders');
    expect((await bus.topics.get()).topics).toMatchObject([{ name: 'orders', state: 'active' }]);
    // The policy again, since the client fills in its default where a topic's settings name none.
    const longer = { cleanupPolicy: 'compact', retentionMs: 7_200_000 };
    expect((await orders.put({ partitionCount: 6, config: longer })).topic).toMatchObject({ name: 'orders', config: longer });
    await later('1m');
    const grown = (await orders.get()).topic;
    expect(grown).toMatchObject({ state: 'active', config: longer });
    expect(grown.partitions).toHaveLength(6);
    expect(await refusal(orders.put({ partitionCount: 2 }))).toMatchObject({ status: 422 });

    const acl = [{ topic: 'orders', permission: 'consume' }];
    const { user } = await bus.users.post({ name: 'reader', settings: { acl } });
    expect(user).toMatchObject({
      name: 'reader',
      accessCert: expect.stringContaining('BEGIN'),
      settings: { acl: [{ ...acl[0], id: expect.any(String) }] },
    });
    const wider = await bus.users.byUsername('reader').put({ settings: { acl: [{ topic: '*', permission: 'produceconsume' }] } });
    expect(wider.user.settings.acl).toMatchObject([{ topic: '*', permission: 'produceconsume' }]);
    await orders.delete();
    await later('1m');
    expect(await refusal(orders.get())).toMatchObject({ status: 404, id: 'not_found' });
  });
}
