import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterBody, later, onlineCluster, smallest } from '../emulator/database-cluster.ts';
import { type Answer, activeDroplet, frozenPlatform, type Json, type Platform } from '../emulator/platform.ts';
import { openapiPresent, operationOf, operations, validateReply, validateRequest } from '../support/openapi.ts';

/** The part of the document that is about databases. */
const SERVED = /^[A-Z]+ \/v2\/databases(\/|$)/;

describe.skipIf(!openapiPresent)('replies about databases by the platform document', () => {
  const driven = new Map<string, Set<string>>();
  let platform: Platform;
  /** PostgreSQL, with everything a cluster can show. */
  let pg: string;
  let mysql: string;
  let kafka: string;

  /** Sends a request, and holds the reply to the document; a request that is to succeed is held to it too. */
  async function drive(method: string, path: string, body?: unknown, refusal?: number): Promise<Answer> {
    const [bare = path, query = ''] = path.split('?');
    if (refusal === undefined) {
      // The document pages no database list: `page` and `per_page` are taken beside it.
      const { page: _page, per_page: _perPage, ...known } = Object.fromEntries(new URLSearchParams(query));
      expect(validateRequest(method, bare, body, known)).toEqual([]);
    }
    const answer = await platform.call(method, path, body);
    expect(validateReply(method, bare, answer.status, answer.body)).toEqual([]);
    expect(refusal === undefined ? answer.status < 300 : answer.status === refusal, `${path} ${JSON.stringify(answer.body)}`).toBe(true);
    const name = operationOf(method, bare) ?? '';
    driven.set(name, (driven.get(name) ?? new Set()).add(refusal === undefined ? 'success' : 'refusal'));
    return answer;
  }

  beforeAll(async () => {
    platform = await frozenPlatform();
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
    for (const [engine, changes] of Object.entries(smallest)) {
      const { body } = await platform.post('/v2/databases', clusterBody({ ...changes, name: `c-${engine.replace('_', '-')}` }));
      // One node has no standby connection, which the document does not let be null.
      const reply = { database: { standby_connection: {}, standby_private_connection: {}, ...body.database } };
      expect(validateReply('POST', '/v2/databases', 201, reply), engine).toEqual([]);
      expect(validateReply('GET', '/v2/databases/{id}', 200, reply), engine).toEqual([]);
    }
    await drive('GET', '/v2/databases');
    await drive('GET', '/v2/databases?page=2&per_page=3');
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
    await drive('PUT', `${path}/resize`, { size: 'db-s-4vcpu-8gb', num_nodes: 3 }, 412);
    await drive('DELETE', path);
    await drive('GET', path, undefined, 404);
    await drive('DELETE', path, undefined, 404);
    await drive('POST', '/v2/databases', { ...example, name: 'back_end' }, 422);
    await drive('PUT', `${pg}/upgrade`, { version: '12' }, 422);
    await drive('GET', '/v2/databases?page=0', undefined, 422);
  });

  test('settings and SQL modes', async () => {
    for (const path of [pg, kafka]) {
      const { body } = await platform.get(`${path}/config`);
      // The document's example is of MySQL; its keys are no other engine's.
      expect(
        validateReply('GET', `${path}/config`, 200, { config: { ...body.config, sql_mode: '', sql_require_primary_key: true } }),
      ).toEqual([]);
    }
    await drive('GET', `${mysql}/config`);
    await drive('PATCH', `${mysql}/config`, { config: { sql_mode: 'ANSI,ERROR_FOR_DIVISION_BY_ZERO', sql_require_primary_key: true } });
    await drive('PATCH', `${kafka}/config`, { config: { log_flush_interval_ms: 9223372036854776000 } });
    await drive('PATCH', `${pg}/config`, { config: { work_mem: 0 } }, 422);
    await drive('GET', '/v2/databases/none/config', undefined, 404);
    await drive('GET', `${mysql}/sql_mode`);
    await drive('PUT', `${mysql}/sql_mode`, {
      sql_mode: 'ANSI,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_ZERO_DATE,NO_ZERO_IN_DATE',
    });
    await drive('GET', `${pg}/sql_mode`, undefined, 422);
    await drive('PUT', `${mysql}/sql_mode`, { sql_mode: 'FAST' }, 422);
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
    await drive('GET', '/v2/databases/none/ca', undefined, 404);
    await later(platform, '2d');
    await drive('GET', `${pg}/backups`);
    await drive('GET', `${mysql}/backups?per_page=1`);
    await drive('GET', `${kafka}/backups`, undefined, 422);
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
    await drive('PUT', `${pg}/firewall`, { rules: [{ type: 'tag', value: 'none' }] }, 422);
    await drive('GET', '/v2/databases/none/firewall', undefined, 404);
  });

  test('users', async () => {
    await drive('POST', `${pg}/users`, { name: 'app-01' });
    await drive('POST', `${mysql}/users`, { name: 'app-01', mysql_settings: { auth_plugin: 'mysql_native_password' } });
    const acl = [{ topic: 'topic-abc.*', permission: 'consume' }];
    await drive('POST', `${kafka}/users`, { name: 'app-01', settings: { acl } });
    await drive('GET', `${kafka}/users`);
    await drive('GET', `${pg}/users?page=1&per_page=1`);
    await drive('GET', `${pg}/users/app-01`);
    await drive('PUT', `${pg}/users/app-01`, { settings: { pg_allow_replication: true } });
    await drive('PUT', `${pg}/users/app-01`, { settings: { acl } }, 422);
    await drive('POST', `${pg}/users`, { name: 'app-01' }, 422);
    await drive('GET', `${pg}/users/none`, undefined, 404);
    await drive('GET', '/v2/databases/none/users', undefined, 404);
    await drive('DELETE', `${pg}/users/doadmin`, undefined, 403);
    await drive('DELETE', `${pg}/users/app-01`);
  });

  test('topics', async () => {
    const config = { retention_bytes: -1, retention_ms: 100000 };
    await drive('POST', `${kafka}/topics`, { name: 'customer-events', partition_count: 3, replication_factor: 2, config });
    await drive('GET', `${kafka}/topics/customer-events`);
    await later(platform, '10s');
    await drive('GET', `${kafka}/topics?per_page=5`);
    const { body } = await drive('PUT', `${kafka}/topics/customer-events`, { partition_count: 5, config: { retention_ms: 1 } });
    await drive('PUT', `${kafka}/topics/customer-events`, { partition_count: 4 }, 422);
    await drive('PUT', `${kafka}/topics/customer-events`, { config: body.topic.config });
    await drive('POST', `${kafka}/topics`, { name: 'a b' }, 422);
    await drive('GET', `${kafka}/topics/none`, undefined, 404);
    await drive('GET', `${pg}/topics`, undefined, 422);
    await drive('DELETE', `${kafka}/topics/customer-events`);
    await drive('DELETE', `${kafka}/topics/customer-events`, undefined, 422);
  });

  test('online migrations', async () => {
    const source = {
      host: 'source-do-user-6607903-0.b.db.ondigitalocean.com',
      dbname: 'defaultdb',
      port: 25060,
      username: 'doadmin',
      password: 'x',
    };
    await drive('GET', `${mysql}/online-migration`, undefined, 404);
    const { body } = await drive('PUT', `${mysql}/online-migration`, { source, disable_ssl: false, ignore_dbs: ['db0', 'db1'] });
    await drive('GET', `${mysql}/online-migration`);
    await drive('PUT', `${mysql}/online-migration`, { source }, 409);
    await drive('DELETE', `${mysql}/online-migration/${body.id}`);
    await drive('DELETE', `${mysql}/online-migration/${body.id}`, undefined, 422);
    await drive('GET', `${mysql}/online-migration`);
  });

  test('every operation of the document was driven to a success and to a refusal', () => {
    // It can not refuse: it takes nothing.
    const unrefusable = ['GET /v2/databases/options'];
    const served = operations().filter((name) => SERVED.test(name));
    expect(served.length).toBeGreaterThan(25);
    const lacking = served.flatMap((name) =>
      ['success', 'refusal']
        .filter((kind) => !driven.get(name)?.has(kind) && !(kind === 'refusal' && unrefusable.includes(name)))
        .map((kind) => `${name}: ${kind}`),
    );
    expect(lacking).toEqual([]);
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
