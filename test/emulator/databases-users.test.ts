import { describe, expect, test } from 'vitest';
import { onlineCluster, smallest, withCluster } from './database-cluster.ts';
import type { Json } from './platform.ts';

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
    const twice = await platform.put(`${path}/users/app`, { settings: { acl: [changed[0], { ...changed[0], topic: 'audit' }] } });
    expect(twice.body.user.settings.acl[0].id).toBe(rule.id);
    expect(twice.body.user.settings.acl[1].id).not.toBe(rule.id);
    const wrong = await platform.put(`${path}/users/app`, { settings: { acl: [{ ...rule, id: 7 }] } });
    expect([wrong.status, wrong.body.message]).toEqual([422, 'id must be a string.']);
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
