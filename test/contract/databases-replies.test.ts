import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterBody, later, onlineCluster, smallest } from '../emulator/database-cluster.ts';
import { activeDroplet, frozenPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { openapiPresent, operations, validateReply } from '../support/openapi.ts';
import { type Driver, driver } from './drive.ts';

/** The part of the document that is about databases. */
const SERVED = /^[A-Z]+ \/v2\/databases(\/|$)/;

describe.skipIf(!openapiPresent)('replies about databases by the platform document', () => {
  let platform: Platform;
  let drive: Driver['drive'];
  let refuse: Driver['refuse'];
  let refuseStranger: Driver['refuseStranger'];
  let missed: Driver['missed'];
  /** PostgreSQL, with everything a cluster can show. */
  let pg: string;
  let mysql: string;
  let kafka: string;

  /** The document pages no database list; asked for a page, the reply has the same form. */
  async function drivePage(path: string): Promise<void> {
    const { status, body } = await platform.get(path);
    expect(validateReply('GET', path.split('?')[0] ?? '', status, body)).toEqual([]);
    expect(status).toBe(200);
  }

  beforeAll(async () => {
    platform = await frozenPlatform();
    ({ drive, refuse, refuseStranger, missed } = driver(platform));
    const full = { num_nodes: 2, tags: ['contract'], do_settings: { service_cnames: ['db.example.com'] }, storage_size_mib: 61440 };
    pg = `/v2/databases/${(await onlineCluster(platform, { ...full, version: '14', size: 'db-s-2vcpu-4gb' })).id}`;
    mysql = `/v2/databases/${(await onlineCluster(platform, { ...smallest.mysql, name: 'shop-mysql', num_nodes: 2 })).id}`;
    kafka = `/v2/databases/${(await onlineCluster(platform, { ...smallest.kafka, name: 'shop-kafka', size: 'gd-2vcpu-8gb' })).id}`;
  });

  afterAll(async () => {
    await platform[Symbol.asyncDispose]();
  });

  test('options and clusters of every engine', async () => {
    await drive('GET', '/v2/databases/options');
    await refuseStranger('GET', '/v2/databases/options');
    for (const [engine, changes] of Object.entries(smallest)) {
      const { body } = await drive('POST', '/v2/databases', clusterBody({ ...changes, name: `c-${engine.replace('_', '-')}` }));
      await drive('GET', `/v2/databases/${body.database.id}`);
    }
    await drive('GET', '/v2/databases');
    await drivePage('/v2/databases?page=2&per_page=3');
    await drive('GET', '/v2/databases?tag_name=contract');
    await drive('GET', pg);
  });

  test('the life of a cluster', async () => {
    const example = {
      name: 'backend',
      engine: 'pg',
      version: '14',
      region: 'nyc3',
      size: 'db-s-2vcpu-4gb',
      storage_size_mib: 61440,
      num_nodes: 2,
      tags: ['production'],
    };
    const { body } = await drive('POST', '/v2/databases', example);
    const path = `/v2/databases/${body.database.id}`;
    await drive('GET', path);
    await later(platform, '4m');
    await drive('PUT', `${path}/resize`, { size: 'db-s-4vcpu-8gb', num_nodes: 3, storage_size_mib: 163840 });
    await drive('GET', path);
    await later(platform, '3m');
    await drive('PUT', `${path}/upgrade`, { version: '16' });
    await drive('GET', path);
    await refuse('PUT', `${path}/resize`, 412, { size: 'db-s-4vcpu-8gb', num_nodes: 3 });
    await drive('DELETE', path);
    await refuse('GET', path, 404);
    await refuse('DELETE', path, 404);
    await refuse('POST', '/v2/databases', 422, { ...example, name: 'back_end' });
    await refuse('PUT', `${pg}/upgrade`, 422, { version: '12' });
    await refuse('GET', '/v2/databases?page=0', 422);
  });

  test('settings and SQL modes', async () => {
    for (const path of [pg, mysql, kafka]) {
      await drive('GET', `${path}/config`);
    }
    await drive('PATCH', `${mysql}/config`, { config: { sql_mode: 'ANSI,ERROR_FOR_DIVISION_BY_ZERO', sql_require_primary_key: true } });
    await drive('PATCH', `${kafka}/config`, { config: { log_flush_interval_ms: 9223372036854776000 } });
    await refuse('PATCH', `${pg}/config`, 422, { config: { work_mem: 0 } });
    await refuse('GET', '/v2/databases/none/config', 404);
    await drive('GET', `${mysql}/sql_mode`);
    await drive('PUT', `${mysql}/sql_mode`, {
      sql_mode: 'ANSI,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_ZERO_DATE,NO_ZERO_IN_DATE',
    });
    await refuse('GET', `${pg}/sql_mode`, 422);
    await refuse('PUT', `${mysql}/sql_mode`, 422, { sql_mode: 'FAST' });
  });

  test('every setting that the document knows, with its own example', async () => {
    const examples = settingExamples();
    for (const [schema, changes] of Object.entries({
      postgres: smallest.pg,
      mysql: smallest.mysql,
      kafka: { ...smallest.kafka, size: 'gd-2vcpu-8gb' },
      opensearch: smallest.opensearch,
      mongo: smallest.mongodb,
      valkey: smallest.valkey,
    })) {
      const cluster = await onlineCluster(platform, { ...changes, name: `all-${schema}` });
      const config = examples[`${schema}_advanced_config`];
      const answer = await platform.call('PATCH', `/v2/databases/${cluster.id}/config`, { config });
      expect([answer.status, answer.body], schema).toEqual([200, undefined]);
      expect((await platform.get(`/v2/databases/${cluster.id}/config`)).body.config, schema).toMatchObject(config);
    }
  });

  test('CA, backups, firewall rules', async () => {
    await drive('GET', `${pg}/ca`);
    await refuse('GET', '/v2/databases/none/ca', 404);
    await later(platform, '2d');
    await drive('GET', `${pg}/backups`);
    await drivePage(`${mysql}/backups?per_page=1`);
    await refuse('GET', `${kafka}/backups`, 422);
    const droplet = await activeDroplet(platform);
    const rules = [
      { type: 'ip_addr', value: '192.168.1.1' },
      { type: 'k8s', value: 'ff2a6c52-5a44-4b63-b99c-0e98e7a63d61' },
      { type: 'droplet', value: String(droplet.id) },
      { type: 'tag', value: 'production', description: 'a backend tag' },
    ];
    await drive('PUT', `${pg}/firewall`, { rules });
    const { body } = await drive('GET', `${pg}/firewall`);
    await drive('PUT', `${pg}/firewall`, body);
    await refuse('PUT', `${pg}/firewall`, 422, { rules: [{ type: 'tag', value: 'none' }] });
    await refuse('GET', '/v2/databases/none/firewall', 404);
  });

  test('users', async () => {
    await drive('POST', `${pg}/users`, { name: 'app-01' });
    await drive('POST', `${mysql}/users`, { name: 'app-01', mysql_settings: { auth_plugin: 'mysql_native_password' } });
    const acl = [{ topic: 'topic-abc.*', permission: 'consume' }];
    await drive('POST', `${kafka}/users`, { name: 'app-01', settings: { acl } });
    await drive('GET', `${kafka}/users`);
    await drivePage(`${pg}/users?page=1&per_page=1`);
    await drive('GET', `${pg}/users/app-01`);
    await drive('PUT', `${pg}/users/app-01`, { settings: { pg_allow_replication: true } });
    await refuse('PUT', `${pg}/users/app-01`, 422, { settings: { acl } });
    await refuse('POST', `${pg}/users`, 422, { name: 'app-01' });
    await refuse('GET', `${pg}/users/none`, 404);
    await refuse('GET', '/v2/databases/none/users', 404);
    await refuse('DELETE', `${pg}/users/doadmin`, 403);
    await drive('DELETE', `${pg}/users/app-01`);
  });

  test('topics', async () => {
    const config = { retention_bytes: -1, retention_ms: 100000 };
    await drive('POST', `${kafka}/topics`, { name: 'customer-events', partition_count: 3, replication_factor: 2, config });
    await drive('GET', `${kafka}/topics/customer-events`);
    await later(platform, '10s');
    await drive('GET', `${kafka}/topics`);
    await drivePage(`${kafka}/topics?per_page=5`);
    const { body } = await drive('PUT', `${kafka}/topics/customer-events`, { partition_count: 5, config: { retention_ms: 1 } });
    await refuse('PUT', `${kafka}/topics/customer-events`, 422, { partition_count: 4 });
    await drive('PUT', `${kafka}/topics/customer-events`, { config: body.topic.config });
    await refuse('POST', `${kafka}/topics`, 422, { name: 'a b' });
    await refuse('GET', `${kafka}/topics/none`, 404);
    await refuse('GET', `${pg}/topics`, 422);
    await drive('DELETE', `${kafka}/topics/customer-events`);
    await refuse('DELETE', `${kafka}/topics/customer-events`, 422);
  });

  test('online migrations', async () => {
    const source = {
      host: 'source-do-user-6607903-0.b.db.ondigitalocean.com',
      dbname: 'defaultdb',
      port: 25060,
      username: 'doadmin',
      password: 'x',
    };
    await refuse('GET', `${mysql}/online-migration`, 404);
    const { body } = await drive('PUT', `${mysql}/online-migration`, { source, disable_ssl: false, ignore_dbs: ['db0', 'db1'] });
    await drive('GET', `${mysql}/online-migration`);
    await refuse('PUT', `${mysql}/online-migration`, 409, { source });
    await drive('DELETE', `${mysql}/online-migration/${body.id}`);
    await refuse('DELETE', `${mysql}/online-migration/${body.id}`, 422);
    await drive('GET', `${mysql}/online-migration`);
  });

  test('every operation of the document was driven to a success and to a refusal', () => {
    expect(operations().filter((name) => SERVED.test(name)).length).toBeGreaterThan(25);
    expect(missed(SERVED)).toEqual([]);
  });
});

/** The examples of the settings of every engine, by schema, as the document has them. */
function settingExamples(): Readonly<Record<string, Json>> {
  const document = new URL('../../../shared/reference/platform-openapi.json', import.meta.url);
  const { schemas }: Json = JSON.parse(readFileSync(document, 'utf8')).components;
  const exampleOf = (property: Json): Json => {
    const { properties, example } = property.$ref === undefined ? property : schemas[property.$ref.split('/').at(-1)];
    return properties === undefined
      ? (property.example ?? example)
      : Object.fromEntries(
          Object.entries<Json>(properties).flatMap(([name, inner]) => {
            const value = exampleOf(inner);
            return value === undefined ? [] : [[name, value]];
          }),
        );
  };
  return Object.fromEntries(
    Object.entries<Json>(schemas)
      .filter(([name]) => name.endsWith('_advanced_config'))
      .map(([name, schema]) => [name, exampleOf(schema)]),
  );
}
