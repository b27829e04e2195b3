import { describe, expect, it } from 'vitest';
import { deferred } from '../../lib/host/activations/deferred.ts';
import { everyTool, callsOf as made } from '../support/call-of.ts';
import { gateway } from '../support/gateway.ts';
import { heldClock } from '../support/held-clock.ts';
import { json, scriptedPlatform } from '../support/platform.ts';
import { exampleOf } from './cases/every-case.ts';

const runs = (engine: string) => ({ database: { id: 'c', name: 'main', engine, size: 's', num_nodes: 1 } });

/** Which engine a tool's clusters run, and a call of it. */
const engineTools = [
  ...['list-topics', 'create-topic', 'get-topic', 'delete-topic', 'update-topic', 'get-kafka-config', 'update-kafka-config'].map(
    (name) => [name, 'kafka'] as const,
  ),
  ['get-mongodb-config', 'mongodb'],
  ['update-mongodb-config', 'mongodb'],
  ['get-mysql-config', 'mysql'],
  ['update-mysql-config', 'mysql'],
  ['get-sql-mode', 'mysql'],
  ['set-sql-mode', 'mysql'],
  ['get-opensearch-config', 'opensearch'],
  ['update-os-config', 'opensearch'],
  ['get-postgresql-config', 'pg'],
  ['update-psql-config', 'pg'],
  ['get-redis-config', 'redis'],
  ['update-redis-config', 'redis'],
] as const;

describe('a tool that only some engines understand', () => {
  it.each(engineTools)('db-cluster-%s looks for %s first, and leaves another engine alone', async (name, engine) => {
    const other = engine === 'mongodb' ? 'kafka' : 'mongodb';
    const { calls, answer } = await made(`db-cluster-${name}`, exampleOf(`db-cluster-${name}`), [runs(other)]);
    expect(calls).toEqual([{ method: 'GET', path: expect.stringMatching(/^\/v2\/databases\/[^/]+$/) }]);
    expect(answer.json.error).toMatchObject({
      code: 'invalid_arguments',
      problems: [{ field: 'id', got: `a cluster that runs ${other}` }],
    });
    expect(answer.json.error.message).toContain(`runs ${other}; this needs a cluster that runs ${engine}`);
    for (const next of answer.json.error.next) expect(everyTool.tool(next.tool)).toBeDefined();
  });

  it('names the tool for the engine that the cluster has', async () => {
    const { answer } = await made('db-cluster-get-mysql-config', { id: 'c' }, [runs('valkey')]);
    expect(answer.json.error.next).toEqual([{ tool: 'db-cluster-get-redis-config', arguments: { id: 'c' } }]);
    const ofMysql = await made('db-cluster-get-kafka-config', { id: 'c' }, [runs('mysql')]);
    expect(ofMysql.answer.json.error.next).toEqual([{ tool: 'db-cluster-get-mysql-config', arguments: { ID: 'c' } }]);
    const topics = await made('db-cluster-list-topics', { id: 'c' }, [runs('pg')]);
    expect(topics.answer.json.error.next).toEqual([{ tool: 'db-cluster-get', arguments: { id: 'c' } }]);
  });
});

/** A platform that answers reads with a record and refuses writes. */
async function refusing(record: object, status: number, message: string) {
  const platform = await scriptedPlatform((response, { method }) =>
    method === 'GET' ? json(response, 200, record) : json(response, status, { id: 'no', message }),
  );
  return { platform, request: gateway({ PLATFORM_API_URL: platform.url }) };
}

describe('a tool that reads before it writes', () => {
  it('tells the refusal of its read, and does not write', async () => {
    const platform = await scriptedPlatform((response) => json(response, 404, { id: 'not_found', message: 'not here' }));
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const { json: answer } = await request('POST', '/tools/uptimecheck-update', { body: { ID: 'x', Enabled: false } });
    expect(answer.error).toMatchObject({ code: 'not_found', next: [{ tool: 'uptimecheck-list', arguments: {} }] });
    expect(platform.arrived).toHaveLength(1);
  });

  it('tells the refusal of its write, with a way out', async () => {
    const busy = "Load Balancer can't be updated while it processes previous actions";
    const { request } = await refusing({ load_balancer: { id: 'b', region: { slug: 'nyc3' }, droplet_ids: [] } }, 403, busy);
    const { json: answer } = await request('POST', '/tools/load-balancer-update', { body: { LoadBalancerID: 'b', Name: 'lb' } });
    expect(answer.error).toMatchObject({
      code: 'forbidden',
      platform: { status: 403, message: busy },
      next: [{ tool: 'load-balancer-get', arguments: { LoadBalancerID: 'b' } }],
    });
  });

  it('does not know what came of a write whose answer is lost, and names the read that finds out', async () => {
    const platform = await scriptedPlatform((response, { method }) =>
      method === 'GET' ? json(response, 200, { check: { id: 'x' } }) : response.destroy(),
    );
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const { json: answer } = await request('POST', '/tools/uptimecheck-update', { body: { ID: 'x', Name: 'n' } });
    expect(answer.error).toMatchObject({ code: 'outcome_unknown', next: [{ tool: 'uptimecheck-get', arguments: { ID: 'x' } }] });
    expect(platform.arrived.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  });

  it('repeats its read where the platform stumbles, and its write never', async () => {
    const platform = await scriptedPlatform((response, { method }, attempt) => {
      if (method === 'PUT' || attempt === 1) return json(response, 503, { id: 'down', message: 'try later' });
      json(response, 200, { check: { id: 'x' } });
    });
    const request = gateway({ PLATFORM_API_URL: platform.url });
    await request('POST', '/tools/uptimecheck-update', { body: { ID: 'x', Name: 'n' } });
    expect(platform.arrived.map(({ method }) => method)).toEqual(['GET', 'GET', 'PUT']);
  });

  it('has one budget for all its calls, and changes nothing when it runs out before the write', async () => {
    const asked = deferred<void>();
    const platform = await scriptedPlatform(() => asked.resolve());
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const context = { getRemainingTimeInMillis: () => 400 };
    const clock = heldClock();
    const answering = request('POST', '/tools/db-cluster-resize', { body: { id: 'c', num_nodes: 2 }, context });
    await asked.promise;
    await clock.pass(399);
    const { json: answer } = await answering;
    expect(answer.error).toMatchObject({ code: 'deadline_exceeded', message: expect.stringContaining('nothing was changed') });
    expect(platform.arrived.map(({ method }) => method)).toEqual(['GET']);
  });

  it('does not write over what it could not read', async () => {
    const policy = { uuid: 'p', type: 'v1/insights/droplet/cpu', tags: [], alerts: {}, enabled: true };
    const given = { UUID: 'p', Type: 'v1/insights/instance/cpu', Description: 'd', Compare: 'LessThan', Value: 1, Window: '5m' };
    const { calls, answer } = await made('alert-policy-update', given, [{ policy }]);
    expect(calls).toHaveLength(1);
    expect(answer.json.error).toMatchObject({ code: 'platform_error', message: expect.stringContaining('has no entities') });
    const strange = await made('uptimecheck-update', { ID: 'x', Name: 'n' }, [{ probe: {} }]);
    expect(strange.calls).toHaveLength(1);
    expect(strange.answer.json.error).toMatchObject({ code: 'platform_error', message: expect.stringContaining('has no check') });
  });
});

describe('all pages at once', () => {
  const members = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ urn: `do:droplet:${from + index}` }));

  it('follows them until everything was seen', async () => {
    const pages = [
      { members: members(1, 200), meta: { total: 401 } },
      { members: members(201, 200), meta: { total: 401 } },
      { members: members(401, 1), meta: { total: 401 } },
    ];
    const { answer } = await made('vpc-list-members', { ID: 'v' }, pages);
    expect(answer.json.result).toMatchObject({ page: 1, total: 401, nextPage: null });
    expect(answer.json.result.items).toHaveLength(401);
    expect(answer.json.result.items[400]).toEqual({ urn: 'do:droplet:401' });
  });

  it('follows them where the platform gives smaller pages than asked for', async () => {
    const pages = [
      { members: members(1, 2), meta: { total: 3 } },
      { members: members(3, 1), meta: { total: 3 } },
    ];
    expect((await made('vpc-list-members', { ID: 'v' }, pages)).answer.json.result.items).toHaveLength(3);
  });

  it('ends at an empty page, whatever the platform says there is', async () => {
    const pages = [
      { members: members(1, 2), meta: { total: 9 } },
      { members: [], meta: { total: 9 } },
    ];
    const { calls, answer } = await made('vpc-list-members', { ID: 'v' }, pages);
    expect(calls).toHaveLength(2);
    expect(answer.json.result.items).toHaveLength(2);
  });
});

describe('all pages at once, when time runs out between two of them', () => {
  it('is told as that, and not as a list that looks whole', async () => {
    const askedAgain = deferred<void>();
    const platform = await scriptedPlatform((response, _, page) => {
      if (page === 1) json(response, 200, { members: [{ urn: 'do:droplet:1' }], meta: { total: 2 } });
      else askedAgain.resolve();
    });
    const request = gateway({ PLATFORM_API_URL: platform.url });
    const clock = heldClock();
    const answering = request('POST', '/tools/vpc-list-members', { body: { ID: 'v' }, context: { getRemainingTimeInMillis: () => 1300 } });
    await askedAgain.promise;
    await clock.pass(1299);
    const { json: answer } = await answering;
    expect(answer).toMatchObject({ isError: true, error: { code: 'deadline_exceeded' } });
    expect(platform.arrived.map(({ url }) => new URL(url, platform.url).searchParams.get('page'))).toEqual(['1', '2']);
  });
});

describe('integers that a number cannot hold', () => {
  it.each([
    [
      'db-cluster-create-topic',
      'kafka',
      { name: 'n', config: { retention_ms: '9223372036854775807' } },
      '"retention_ms":9223372036854775807',
    ],
    ['db-cluster-update-topic', 'kafka', { name: 'n', config: { new_field: '-9223372036854775808' } }, '"new_field":-9223372036854775808'],
    [
      'db-cluster-update-kafka-config',
      'kafka',
      { config: { log_retention_bytes: '9007199254740993' } },
      '"log_retention_bytes":9007199254740993',
    ],
    [
      'db-cluster-update-kafka-config',
      'kafka',
      { config: { log_retention_bytes: '99999999999999999999' } },
      '"log_retention_bytes":"99999999999999999999"',
    ],
    ['db-cluster-update-psql-config', 'pg', { config: { timezone: '9007199254740991' } }, '"timezone":"9007199254740991"'],
    [
      'db-cluster-update-mysql-config',
      'mysql',
      { config_json: '{"config":{"n":9223372036854775807,"r":1.5e3}}' },
      '{"n":9223372036854775807,"r":1500}',
    ],
    ['db-cluster-update-mysql-config', 'mysql', { config_json: '{"n":18446744073709551615}' }, '{"n":18446744073709551615}'],
    ['db-cluster-update-mysql-config', 'mysql', { config: { n: '18446744073709551615' } }, '{"n":18446744073709551615}'],
  ])('%s for %s sends them as the digits they are: %j', async (tool, engine, given, text) => {
    const platform = await scriptedPlatform((response, { method }) => json(response, 200, method === 'GET' ? runs(engine) : { topic: {} }));
    const id = tool.includes('mysql') ? { ID: 'c' } : { id: 'c' };
    await gateway({ PLATFORM_API_URL: platform.url })('POST', `/tools/${tool}`, { body: { ...id, ...given } });
    expect(platform.arrived[1]?.body).toContain(text);
  });

  it.each([
    ['db-cluster-update-kafka-config', 'kafka', { log_roll_ms: '604800000', log_retention_ms: '-1' }],
    ['db-cluster-update-kafka-config', 'kafka', { log_cleaner_max_compaction_lag_ms: '60000', log_flush_interval_messages: '1' }],
    ['db-cluster-update-mysql-config', 'mysql', { group_concat_max_len: '2048', max_seeks_for_key: '1000' }],
    ['db-cluster-update-os-config', 'opensearch', { ism_history_max_docs: '2500000' }],
    ['db-cluster-update-psql-config', 'pg', { max_failover_replication_time_lag: '60' }],
  ])('%s for %s takes small ones as text too, where a setting can be such a one: %j', async (tool, engine, config) => {
    const { calls } = await made(tool, { id: 'c', config }, [runs(engine), undefined]);
    const numbers = Object.fromEntries(Object.entries(config).map(([name, digits]) => [name, Number(digits)]));
    expect(calls[1]).toMatchObject({ body: { config: numbers } });
  });

  it('are told as text of a request that is not sent', async () => {
    const given = { id: 'c', config: { log_retention_ms: '9223372036854775807' }, DryRun: true };
    const { answer } = await made('db-cluster-update-kafka-config', given, [runs('kafka')]);
    expect(answer.json.result.request.body).toEqual({ config: { log_retention_ms: '9223372036854775807' } });
  });
});
