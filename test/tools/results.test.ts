import { describe, expect, it } from 'vitest';
import { callsOf } from '../support/call-of.ts';

/** The result of a call, where the platform answers with these bodies in turn. */
async function resultOf(tool: string, given: object, ...replies: readonly unknown[]) {
  const { answer } = await callsOf(tool, given, replies);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.result;
}

const hidden = '[redacted; set RevealSecrets: true]';
const connection = { uri: 'postgres://doadmin:hush@db:25060/defaultdb', host: 'db', port: 25060, user: 'doadmin', password: 'hush' };
const cluster = {
  id: 'c',
  name: 'main',
  engine: 'pg',
  status: 'online',
  connection,
  private_connection: connection,
  standby_connection: { ...connection, password: '' },
  ui_connection: null,
  users: [{ name: 'doadmin', role: 'primary', password: 'hush', access_key: 'hush', access_cert: 'shown' }],
};

describe('secrets', () => {
  it.each([
    ['db-cluster-get', { id: 'c' }, { database: cluster }],
    ['db-cluster-create', { name: 'main', engine: 'pg', version: '16', region: 'r', size: 's', num_nodes: 1 }, { database: cluster }],
    ['db-cluster-list', { Fields: '*' }, { databases: [cluster] }],
    ['db-cluster-list', { Fields: 'connection.password,users' }, { databases: [cluster] }],
    ['db-cluster-get-user', { id: 'c', user: 'doadmin' }, { user: cluster.users[0] }],
    ['db-cluster-list-users', { id: 'c', Fields: ['name', 'password'] }, { users: cluster.users }],
    ['db-cluster-create-user', { id: 'c', name: 'doadmin' }, { user: cluster.users[0] }],
    ['db-cluster-update-user', { id: 'c', user: 'doadmin' }, { user: cluster.users[0] }],
  ])('of %s %j are hidden unless the call asks for them', async (tool, given, reply) => {
    const result = JSON.stringify(await resultOf(tool, given, reply));
    expect(result).not.toContain('hush');
    expect(result).toContain(hidden);
    expect(JSON.stringify(await resultOf(tool, { ...given, RevealSecrets: true }, reply))).toContain('hush');
  });

  it('leave everything else as it is, and what is empty empty', async () => {
    expect(await resultOf('db-cluster-get', { id: 'c' }, { database: cluster })).toEqual({
      ...cluster,
      connection: { ...connection, uri: hidden, password: hidden },
      private_connection: { ...connection, uri: hidden, password: hidden },
      standby_connection: { ...connection, uri: hidden, password: '' },
      users: [{ ...cluster.users[0], password: hidden, access_key: hidden }],
    });
  });

  it('are in no summary of a list', async () => {
    const { items } = await resultOf('db-cluster-list', { RevealSecrets: true }, { databases: [cluster] });
    expect(items).toEqual([{ id: 'c', name: 'main', engine: 'pg', status: 'online' }]);
  });
});

describe('a list that the platform does not page', () => {
  const users = Array.from({ length: 5 }, (_, index) => ({ name: `u${index + 1}`, role: 'normal' }));

  it('is returned whole', async () => {
    const result = await resultOf('db-cluster-list-users', { id: 'c' }, { users });
    expect(result).toEqual({ items: users, page: 1, perPage: 5, total: 5, nextPage: null });
  });

  it('is paged when asked, where everything came', async () => {
    const page = (given: object) => resultOf('db-cluster-list-users', { id: 'c', ...given }, { users });
    expect(await page({ page: '2', per_page: 2 })).toEqual({ items: users.slice(2, 4), page: 2, perPage: 2, total: 5, nextPage: 3 });
    expect(await page({ page: 3, per_page: 2 })).toEqual({ items: users.slice(4), page: 3, perPage: 2, total: 5, nextPage: null });
    expect(await page({ page: 4, per_page: 2 })).toMatchObject({ items: [], total: 5, nextPage: null });
  });

  it('is taken as it came, where the platform paged it', async () => {
    const page = (given: object, some: object[]) => resultOf('db-cluster-list-users', { id: 'c', ...given }, { users: some });
    expect(await page({ page: 2, per_page: 2 }, users.slice(2, 4))).toMatchObject({ items: users.slice(2, 4), total: null, nextPage: 3 });
    expect(await page({ page: 1, per_page: 9 }, users)).toMatchObject({ items: users, total: 5, nextPage: null });
    expect(await page({ page: 3 }, users.slice(4))).toMatchObject({ page: 3, perPage: 20, total: null, nextPage: null });
  });

  it('has the rest of the reply beside it', async () => {
    const reply = { backups: [{ created_at: 't' }], scheduled_backup_time: { backup_hour: 20 } };
    expect(await resultOf('db-cluster-list-backups', { id: 'c' }, reply)).toMatchObject({ scheduled_backup_time: { backup_hour: 20 } });
  });
});

describe('the words of the specification', () => {
  const policy = { uuid: 'p', type: 'v1/insights/droplet/cpu', entities: [] };

  it('call a metric of instances so, in one policy and in a list', async () => {
    expect(await resultOf('alert-policy-get', { UUID: 'p' }, { policy })).toMatchObject({ type: 'v1/insights/instance/cpu' });
    expect(await resultOf('alert-policy-list', {}, { policies: [policy] })).toMatchObject({
      items: [{ type: 'v1/insights/instance/cpu' }],
    });
    const balancer = { ...policy, type: 'v1/insights/lbaas/droplet_health' };
    expect(await resultOf('alert-policy-get', { UUID: 'p' }, { policy: balancer })).toMatchObject({ type: balancer.type });
  });

  it('call an instance so among the trusted sources of a cluster', async () => {
    const rules = [
      { uuid: 'r', type: 'droplet', value: '1' },
      { uuid: 's', type: 'tag', value: 'droplet' },
    ];
    expect(await resultOf('db-cluster-get-firewall-rules', { id: 'c' }, { rules })).toEqual({
      items: [
        { uuid: 'r', type: 'instance', value: '1' },
        { uuid: 's', type: 'tag', value: 'droplet' },
      ],
    });
  });

  it('call the fields of valkey as those of redis, and no persistence none', async () => {
    const config = { valkey_timeout: 300, valkey_persistence: 'off', frequent_snapshots: true };
    const read = (engine: string, some: object) =>
      resultOf('db-cluster-get-redis-config', { id: 'c' }, { database: { engine } }, { config: some });
    expect(await read('valkey', config)).toEqual({ redis_timeout: 300, redis_persistence: 'none', frequent_snapshots: true });
    expect(await read('redis', { redis_persistence: 'rdb', redis_ssl: true })).toEqual({ redis_persistence: 'rdb', redis_ssl: true });
  });
});

describe('a result', () => {
  it('is the record of either version of a reserved IP', async () => {
    const reserved_ipv6 = { ip: '2001:db8::1', region_slug: 'nyc3' };
    expect(await resultOf('reserved-ip-get', { IP: '2001:db8::1' }, { reserved_ipv6 })).toEqual(reserved_ipv6);
    expect(await resultOf('reserved-ip-list', { Type: 'ipv6' }, { reserved_ipv6s: [reserved_ipv6], meta: { total: 1 } })).toMatchObject({
      items: [reserved_ipv6],
      total: 1,
    });
  });

  it('shows of an assigned IP in a list only which instance it is', async () => {
    const reserved_ips = [
      { ip: '192.0.2.1', locked: false, region: { slug: 'nyc3', sizes: [] }, droplet: { id: 9, name: 'web', networks: {} } },
    ];
    expect((await resultOf('reserved-ip-list', { Type: 'ipv4' }, { reserved_ips, meta: { total: 1 } })).items).toEqual([
      { ip: '192.0.2.1', region: { slug: 'nyc3' }, droplet: { id: 9, name: 'web' }, locked: false },
    ]);
  });

  it('names what was done where the platform says nothing', async () => {
    expect(await resultOf('firewall-remove-tags', { ID: 'f', Tags: ['web'] }, undefined)).toEqual({ done: true, ID: 'f' });
    expect(await resultOf('db-cluster-delete-topic', { id: 'c', name: 'orders' }, { database: { engine: 'kafka' } }, undefined)).toEqual({
      done: true,
      id: 'c',
      name: 'orders',
    });
  });

  it('without an envelope can be cut down too', async () => {
    const options = { options: { pg: { versions: ['16'] }, mysql: { versions: ['8'] } }, version_availability: {} };
    expect(await resultOf('db-cluster-list-options', {}, options)).toEqual(options);
    expect(await resultOf('db-cluster-list-options', { Fields: 'options.pg' }, options)).toEqual({ options: { pg: { versions: ['16'] } } });
  });

  it('of an unlisted name is that of the tool', async () => {
    const alerts = [{ id: 'a', name: 'Down', type: 'down' }];
    expect(await resultOf('uptimechecks-alert-list', { CheckID: 'c' }, { alerts, meta: { total: 1 } })).toMatchObject({
      items: alerts,
      total: 1,
    });
  });
});
