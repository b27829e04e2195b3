import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { later, onlineCluster, smallest, withCluster } from './database-cluster.ts';
import { activeDroplet, type Json } from './platform.ts';

const openssl = spawnSync('openssl', ['version']).status === 0;

describe('users', () => {
  test('are added, listed in order, shown, and removed', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const created = await platform.post(`${path}/users`, { name: 'app' });
    expect(created.status).toBe(201);
    expect(created.body.user).toEqual({
      name: 'app',
      role: 'normal',
      password: expect.stringMatching(/^AVNS_.{10,}$/),
      settings: { pg_allow_replication: false },
    });
    await platform.post(`${path}/users`, { name: 'reports.ro' });
    const { users } = (await platform.get(`${path}/users`)).body;
    expect(users.map((user: Json) => user.name)).toEqual(['doadmin', 'app', 'reports.ro']);
    expect((await platform.get(path)).body.database.users).toEqual(users);
    expect((await platform.get(`${path}/users?page=2&per_page=2`)).body).toEqual({ users: users.slice(2) });
    expect((await platform.get(`${path}/users/app`)).body).toEqual(created.body);
    expect((await platform.del(`${path}/users/app`)).status).toBe(204);
    expect((await platform.get(`${path}/users/app`)).status).toBe(404);
    expect((await platform.del(`${path}/users/app`)).status).toBe(404);
    expect((await platform.get(path)).body.database.users).toEqual([users[0], users[2]]);
    expect((await platform.post(`${path}/users`, { name: 'app' })).body.user.password).not.toBe(created.body.user.password);
  });

  test('belong to one cluster each', async () => {
    await using made = await withCluster();
    const other = await onlineCluster(made.platform, { name: 'other' });
    await made.platform.post(`${made.path}/users`, { name: 'app' });
    expect((await made.platform.get(`/v2/databases/${other.id}/users/app`)).status).toBe(404);
    expect((await made.platform.post(`/v2/databases/${other.id}/users`, { name: 'app' })).status).toBe(201);
  });

  test('keep their admin', async () => {
    await using made = await withCluster();
    const answer = await made.platform.del(`${made.path}/users/doadmin`);
    expect([answer.status, answer.body.message]).toEqual([403, 'the admin user can not be deleted']);
  });

  test.each<[string, string, unknown, string]>([
    ['pg', 'a name that is taken', { name: 'doadmin' }, 'a user with this name already exists'],
    ['pg', 'a name with a slash', { name: 'a/b' }, expect.stringContaining('user names have')],
    ['pg', 'no name', {}, 'name is required.'],
    ['pg', 'an unknown field', { name: 'a', admin: true }, 'admin is not a known field.'],
    [
      'pg',
      'settings of MySQL',
      { name: 'a', mysql_settings: { auth_plugin: 'caching_sha2_password' } },
      'mysql_settings is not a setting of this engine.',
    ],
    ['pg', 'settings of Kafka', { name: 'a', settings: { acl: [] } }, 'settings.acl is not a known field.'],
    ['pg', 'readonly', { name: 'a', readonly: true }, 'readonly is not a setting of this engine.'],
    ['pg', 'a flag that is text', { name: 'a', settings: { pg_allow_replication: 'yes' } }, 'pg_allow_replication must be true or false.'],
    [
      'mysql',
      'an unknown plugin',
      { name: 'a', mysql_settings: { auth_plugin: 'none' } },
      'auth_plugin must be one of caching_sha2_password, mysql_native_password.',
    ],
    [
      'mysql',
      'settings of PostgreSQL',
      { name: 'a', settings: { pg_allow_replication: true } },
      'settings.pg_allow_replication is not a known field.',
    ],
    [
      'kafka',
      'an unknown permission',
      { name: 'a', settings: { acl: [{ topic: '*', permission: 'read' }] } },
      'permission must be one of admin, consume, produce, produceconsume.',
    ],
    ['kafka', 'a rule without topic', { name: 'a', settings: { acl: [{ permission: 'admin' }] } }, 'topic is required.'],
    [
      'opensearch',
      'an unknown permission',
      { name: 'a', settings: { opensearch_acl: [{ index: '*', permission: 'consume' }] } },
      'permission must be one of deny, admin, read, readwrite, write.',
    ],
    [
      'mongodb',
      'an unknown role',
      { name: 'a', settings: { mongo_user_settings: { role: 'root' } } },
      'role must be one of readOnly, readWrite, dbAdmin.',
    ],
  ])('of %s are refused %s', async (engine, _what, body, message) => {
    await using made = await withCluster(smallest[engine]);
    const answer = await made.platform.post(`${made.path}/users`, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await made.platform.get(`${made.path}/users`)).body.users).toHaveLength(1);
  });

  test('of PostgreSQL replicate when they are told so, and no longer when not', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    await platform.post(`${path}/users`, { name: 'app' });
    const put = async (settings: unknown) => platform.put(`${path}/users/app`, { settings });
    const granted = await put({ pg_allow_replication: true });
    expect([granted.status, granted.body.user.settings]).toEqual([201, { pg_allow_replication: true }]);
    expect((await put({})).body.user.settings).toEqual({ pg_allow_replication: false });
    expect((await put(undefined)).body.message).toBe('settings is required.');
    expect((await platform.put(`${path}/users/none`, { settings: {} })).status).toBe(404);
    expect((await platform.put(`${path}/users/app`, { settings: {}, name: 'other' })).body.message).toBe('name is not a known field.');
  });

  test('of MySQL have an authentication plugin', async () => {
    await using made = await withCluster(smallest.mysql);
    const { platform, path } = made;
    expect((await platform.post(`${path}/users`, { name: 'new' })).body.user.mysql_settings).toEqual({
      auth_plugin: 'caching_sha2_password',
    });
    const old = { name: 'old', mysql_settings: { auth_plugin: 'mysql_native_password' } };
    expect((await platform.post(`${path}/users`, old)).body.user).toMatchObject(old);
  });

  test('of Kafka have rules whose ids are computed and stay', async () => {
    await using made = await withCluster(smallest.kafka);
    const { platform, path } = made;
    const acl = [{ topic: 'orders.*', permission: 'produce', id: 'mine' }];
    const { user } = (await platform.post(`${path}/users`, { name: 'app', settings: { acl } })).body;
    const [rule] = user.settings.acl;
    expect(rule).toEqual({ topic: 'orders.*', permission: 'produce', id: expect.stringMatching(/^acl[0-9a-f]{12}$/) });
    const changed = [
      { ...rule, permission: 'produceconsume' },
      { topic: 'audit', permission: 'consume' },
    ];
    const after = (await platform.put(`${path}/users/app`, { settings: { acl: changed } })).body.user;
    expect(after.settings.acl).toEqual([changed[0], { ...changed[1], id: expect.stringMatching(/^acl/) }]);
    expect((await platform.put(`${path}/users/app`, { settings: {} })).body.user).toEqual(after);
    expect(after).toMatchObject({ access_cert: user.access_cert, access_key: user.access_key });
  });

  test('of OpenSearch and MongoDB have what they may do', async () => {
    await using search = await withCluster(smallest.opensearch);
    const opensearchAcl = [{ index: 'logs-*', permission: 'readwrite' }];
    const made = await search.platform.post(`${search.path}/users`, {
      name: 'app',
      settings: { opensearch_acl: [...opensearchAcl, { index: 'x' }] },
    });
    expect(made.body.user.settings.opensearch_acl).toEqual([...opensearchAcl, { index: 'x', permission: 'deny' }]);
    const mongo = await onlineCluster(search.platform, { ...smallest.mongodb, name: 'mongo' });
    const post = async (body: object) =>
      (await search.platform.post(`/v2/databases/${mongo.id}/users`, body)).body.user.settings.mongo_user_settings;
    const wish = { databases: ['shop'], role: 'dbAdmin' };
    expect(await post({ name: 'one', settings: { mongo_user_settings: wish } })).toEqual(wish);
    expect(await post({ name: 'two', readonly: true })).toEqual({ databases: ['admin'], role: 'readOnly' });
    expect(await post({ name: 'three' })).toEqual({ databases: ['admin'], role: 'readWrite' });
  });

  test('are not managed on valkey', async () => {
    await using made = await withCluster(smallest.valkey);
    const { platform, path } = made;
    const answers = [
      await platform.get(`${path}/users`),
      await platform.get(`${path}/users/default`),
      await platform.post(`${path}/users`, { name: 'a' }),
      await platform.del(`${path}/users/default`),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.message]).toEqual([422, 'user management is not supported for this engine']);
    }
  });
});

describe('the certificate authority of a cluster', () => {
  const pemOf = (certificate: string): string => Buffer.from(certificate, 'base64').toString();

  test('is a real self-signed one, the same at every read and another for every cluster', async () => {
    await using made = await withCluster();
    const { certificate } = (await made.platform.get(`${made.path}/ca`)).body.ca;
    const authority = new X509Certificate(pemOf(certificate));
    expect([authority.ca, authority.verify(authority.publicKey), authority.checkIssued(authority)]).toEqual([true, true, true]);
    expect(authority.subject).toMatch(/^CN=[0-9a-f-]{36} Project CA$/);
    expect([Date.parse(authority.validFrom), Date.parse(authority.validTo)]).toEqual([
      Date.parse('2026-02-10T12:00:00Z'),
      Date.parse('2036-02-08T12:00:00Z'),
    ]);
    await later(made.platform, '30d');
    expect((await made.platform.get(`${made.path}/ca`)).body.ca.certificate).toBe(certificate);
    const other = await onlineCluster(made.platform, { name: 'other' });
    const { ca } = (await made.platform.get(`/v2/databases/${other.id}/ca`)).body;
    expect(new X509Certificate(pemOf(ca.certificate)).verify(authority.publicKey)).toBe(false);
  });

  test.skipIf(!openssl)('signs what users of Kafka prove themselves with; openssl agrees', async () => {
    await using made = await withCluster(smallest.kafka);
    const authority = pemOf((await made.platform.get(`${made.path}/ca`)).body.ca.certificate);
    const { user } = (await made.platform.post(`${made.path}/users`, { name: 'app' })).body;
    const own = new X509Certificate(user.access_cert);
    expect([
      own.subject,
      own.ca,
      own.checkIssued(new X509Certificate(authority)),
      own.checkPrivateKey(createPrivateKey(user.access_key)),
    ]).toEqual(['CN=app', false, true, true]);
    const directory = mkdtempSync(join(tmpdir(), 'deckhand-ca-'));
    try {
      const [caFile, certFile] = [join(directory, 'ca.pem'), join(directory, 'user.pem')];
      writeFileSync(caFile, authority);
      writeFileSync(certFile, user.access_cert);
      const at = String(Date.parse('2026-03-01T00:00:00Z') / 1000);
      const verified = spawnSync('openssl', [
        'verify',
        '-x509_strict',
        '-attime',
        at,
        '-purpose',
        'sslclient',
        '-CAfile',
        caFile,
        certFile,
      ]);
      expect([verified.status, verified.stderr.toString()]).toEqual([0, '']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('firewall rules', () => {
  test('are replaced together; what stays keeps its uuid and age', async () => {
    await using made = await withCluster();
    const { platform, path, cluster } = made;
    const droplet = await activeDroplet(platform, { tags: ['web'] });
    const rules = [
      { type: 'ip_addr', value: '203.0.113.0/24', description: 'The office' },
      { type: 'droplet', value: String(droplet.id) },
      { type: 'tag', value: 'web' },
      { type: 'k8s', value: 'ff2a6c52-5a44-4b63-b99c-0e98e7a63d61' },
    ];
    const put = await platform.put(`${path}/firewall`, { rules });
    expect([put.status, put.body]).toEqual([204, undefined]);
    const first = (await platform.get(`${path}/firewall`)).body.rules;
    expect(first).toEqual(
      rules.map((rule) => ({
        ...rule,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        cluster_uuid: cluster.id,
        created_at: expect.any(String),
      })),
    );
    await later(platform, '1h');
    const uuid = '0f1e2d3c-1111-4222-8333-444455556666';
    const next = [{ type: 'ip_addr', value: '198.51.100.1' }, first[0], { type: 'app', value: uuid, uuid }, { type: 'tag', value: 'web' }];
    expect((await platform.put(`${path}/firewall`, { rules: next })).status).toBe(204);
    const second = (await platform.get(`${path}/firewall`)).body.rules;
    expect(second[1]).toEqual(first[0]);
    expect(second[2].uuid).toBe(uuid);
    expect(second[3]).toEqual(first[2]);
    expect(second[0].created_at).not.toBe(first[0].created_at);
    await platform.put(`${path}/firewall`, { rules: [] });
    expect((await platform.get(`${path}/firewall`)).body).toEqual({ rules: [] });
  });

  test('lose the droplet or tag that is deleted', async () => {
    await using made = await withCluster();
    const { platform, path } = made;
    const droplet = await activeDroplet(platform, { tags: ['web'] });
    const rules = [
      { type: 'droplet', value: String(droplet.id) },
      { type: 'tag', value: 'web' },
      { type: 'ip_addr', value: '203.0.113.7' },
    ];
    await platform.put(`${path}/firewall`, { rules });
    const types = async () => (await platform.get(`${path}/firewall`)).body.rules.map((rule: Json) => rule.type);
    await platform.del(`/v2/droplets/${droplet.id}`);
    expect(await types()).toEqual(['tag', 'ip_addr']);
    await platform.del('/v2/tags/web');
    expect(await types()).toEqual(['ip_addr']);
  });

  test.each<[string, unknown, string]>([
    ['an IPv6 address', [{ type: 'ip_addr', value: '2001:db8::1' }], 'a firewall rule has to name an IPv4 address or network'],
    ['an address that is none', [{ type: 'ip_addr', value: '203.0.113.256' }], 'a firewall rule has to name an IPv4 address or network'],
    ['a Droplet that is not there', [{ type: 'droplet', value: '12' }], 'a firewall rule names a Droplet that does not exist'],
    ['a tag that is not there', [{ type: 'tag', value: 'none' }], 'a firewall rule names a tag that does not exist'],
    ['an app without UUID', [{ type: 'app', value: 'shop' }], 'a firewall rule for a Kubernetes cluster or an app has to name its UUID'],
    ['an unknown type', [{ type: 'instance', value: '12' }], 'type must be one of droplet, k8s, ip_addr, tag, app.'],
    ['no value', [{ type: 'ip_addr' }], 'value is required.'],
    [
      'a rule twice',
      [
        { type: 'ip_addr', value: '203.0.113.1' },
        { type: 'ip_addr', value: '203.0.113.1' },
      ],
      'two firewall rules have the same type and value',
    ],
    [
      'another cluster`s rule',
      [{ type: 'ip_addr', value: '203.0.113.1', cluster_uuid: '0f1e2d3c-1111-4222-8333-444455556666' }],
      'a firewall rule belongs to another cluster',
    ],
    [
      'more than 100',
      Array.from({ length: 101 }, (_rule, index) => ({ type: 'ip_addr', value: `203.0.113.${index}` })),
      'a cluster has at most 100 firewall rules',
    ],
    ['no list', undefined, 'rules is required: an empty array opens the cluster to all.'],
    ['a rule that is text', ['203.0.113.1'], 'rules must be an array of objects.'],
  ])('are refused with %s, and stay as they were', async (_what, rules, message) => {
    await using made = await withCluster({ rules: [{ type: 'ip_addr', value: '203.0.113.9' }] });
    const { platform, path } = made;
    const before = (await platform.get(`${path}/firewall`)).body;
    expect(before.rules).toHaveLength(1);
    const answer = await platform.put(`${path}/firewall`, { rules });
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect((await platform.get(`${path}/firewall`)).body).toEqual(before);
  });
});

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

  test('leaves what is to be ignored, and survives a deleted cluster', async () => {
    await using made = await withCluster(smallest.valkey);
    const { platform, path } = made;
    await platform.put(`${path}/online-migration`, { source, ignore_dbs: ['shop'] });
    await platform.del(path);
    await later(platform, '1h');
    expect((await platform.get(path)).status).toBe(404);
  });
});
