import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { tempDir, testHost } from './support/test-host.ts';

/** The tables of a store from before a host could have several namespaces. */
const olderTables = `
  CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE package(name TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE function(package TEXT, name TEXT, digest TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY(package, name)) WITHOUT ROWID;
  CREATE TABLE code(digest TEXT PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE activation(id TEXT PRIMARY KEY, start_ms INTEGER NOT NULL, name TEXT NOT NULL, full_name TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX activation_start ON activation(start_ms);
  CREATE TABLE process(pid INTEGER PRIMARY KEY, started TEXT NOT NULL, boot TEXT NOT NULL, instance TEXT NOT NULL);
`;

test('a data directory of a host with one namespace goes on with its identity, functions and records', async () => {
  const dataDir = tempDir();
  const identity = { namespace: 'fn-0f7a', auth: 'id:secret' };
  const limits = { timeout: 3000, memory: 256, logs: 16, concurrency: 1 };
  const common = { version: '0.0.7', updatedMs: 1, publish: false, annotations: [], parameters: [] };
  const record = { ...common, packageName: 'p', name: 'f', kind: 'nodejs:24', limits, digest: 'd', binary: false };
  const activationId = 'a'.repeat(32);
  const activation = { activationId, namespace: 'fn-0f7a', name: 'f', logs: ['then'], response: { result: null } };
  const store = new DatabaseSync(join(dataDir, 'host.sqlite'));
  store.exec(olderTables);
  store.prepare('INSERT INTO setting VALUES (?, ?)').run('identity', JSON.stringify(identity));
  store.prepare('INSERT INTO package VALUES (?, ?)').run('p', JSON.stringify({ ...common, name: 'p' }));
  store.prepare('INSERT INTO function VALUES (?, ?, ?, ?)').run('p', 'f', 'd', JSON.stringify(record));
  store.prepare('INSERT INTO code VALUES (?, ?)').run('d', Buffer.from('exports.main = () => ({ still: "here" })'));
  store.prepare('INSERT INTO activation VALUES (?, ?, ?, ?, ?)').run(activationId, Date.now(), 'f', 'p/f', JSON.stringify(activation));
  store.close();

  const host = await testHost({ dataDir });
  expect([host.namespace, host.auth]).toEqual([identity.namespace, identity.auth]);
  expect((await host.api('GET', 'packages/p')).body).toMatchObject({ namespace: 'fn-0f7a', actions: [{ name: 'f', version: '0.0.7' }] });
  expect((await host.api('GET', `activations/${activationId}`)).body).toEqual(activation);
  expect((await host.invoke('p/f')).response.result).toEqual({ still: 'here' });
  expect((await host.api('GET', 'activations?count=true')).body).toEqual({ activations: 2 });
});
