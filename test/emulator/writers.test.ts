import { expect, test } from 'vitest';
import { onlineCluster, smallest } from './database-cluster.ts';
import { dataDirectory, emulatorProcess } from './emulator-process.ts';
import { INBOUND_SSH, newFirewall } from './firewall-steps.ts';
import {
  type Answer,
  activeBalancer,
  activeDroplet,
  balancerBody,
  dropletBody,
  frozenPlatform,
  HTTP_RULE,
  type Json,
  type Platform,
} from './platform.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const inParallel = (count: number, work: (number: number) => Promise<Answer>): Promise<readonly Answer[]> =>
  Promise.all(numbers(count).map(work));
const statusesOf = (answers: readonly Answer[]): Readonly<Record<number, number>> => {
  const totals: Record<number, number> = {};
  for (const { status } of answers) {
    totals[status] = (totals[status] ?? 0) + 1;
  }
  return totals;
};

/** Repeats what is refused with a status until it is not, letting time go on in between. */
async function persist(platform: Platform, refused: number, work: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await work();
    if (answer.status !== refused) {
      return answer;
    }
    await platform.post('/_emulator/clock', { advance: '5s' });
  }
}

test('users and topics that many add to one cluster are all there', async () => {
  await using platform = await frozenPlatform();
  const { id: pg } = await onlineCluster(platform);
  const { id: kafka } = await onlineCluster(platform, { name: 'events', ...smallest.kafka });
  const answers = await inParallel(60, (number) =>
    number % 2 === 0
      ? platform.post(`/v2/databases/${pg}/users`, { name: `user-${number}` })
      : platform.post(`/v2/databases/${kafka}/topics`, { name: `topic-${number}` }),
  );
  expect(statusesOf(answers)).toEqual({ 201: 60 });
  const { users } = (await platform.get(`/v2/databases/${pg}/users`)).body;
  const { topics } = (await platform.get(`/v2/databases/${kafka}/topics`)).body;
  expect([users.length, topics.length]).toEqual([31, 30]);
  expect((await platform.get(`/v2/databases/${pg}`)).body.database.users).toHaveLength(31);
});

test('one name is given to one of many', async () => {
  await using platform = await frozenPlatform();
  const { id } = await onlineCluster(platform);
  expect(statusesOf(await inParallel(20, () => platform.post(`/v2/databases/${id}/users`, { name: 'same' })))).toEqual({ 201: 1, 422: 19 });
  expect(statusesOf(await inParallel(20, () => newDomain(platform, 'same.example')))).toEqual({ 201: 1, 422: 19 });
});

const newDomain = (platform: Platform, name: string): Promise<Answer> => platform.post('/v2/domains', { name });

test('what many add to one firewall is all there, while others take something away', async () => {
  await using platform = await frozenPlatform();
  const wall = await newFirewall(platform, { inbound_rules: [INBOUND_SSH] });
  const ids: number[] = [];
  for (let number = 0; number < 8; number += 1) {
    ids.push((await activeDroplet(platform, { name: `box-${number}` })).id);
  }
  const path = `/v2/firewalls/${wall.id}`;
  const port = (number: number) => ({ ...INBOUND_SSH, ports: String(8000 + number) });
  expect(statusesOf(await inParallel(8, (number) => platform.post(`${path}/droplets`, { droplet_ids: [ids[number]] })))).toEqual({
    204: 8,
  });
  const answers = await inParallel(48, (number) =>
    number < 40
      ? platform.post(`${path}/rules`, { inbound_rules: [port(number)] })
      : platform.del(`${path}/droplets`, { droplet_ids: [ids[number - 40]] }),
  );
  expect(statusesOf(answers)).toEqual({ 204: 48 });
  const { firewall } = (await platform.get(path)).body;
  expect(firewall.droplet_ids).toEqual([]);
  expect(firewall.inbound_rules.map((rule: Json) => rule.ports).sort()).toEqual([
    '22',
    ...numbers(40).map((number) => String(8000 + number)),
  ]);
});

test('a load balancer takes one update of many at a time; what is repeated until it is taken is not lost', async () => {
  await using platform = await frozenPlatform();
  const { id } = await activeBalancer(platform);
  const path = `/v2/load_balancers/${id}`;
  const updates = await inParallel(10, (number) => platform.put(path, balancerBody({ name: `lb-${number}` })));
  expect(statusesOf(updates)).toEqual({ 200: 1, 403: 9 });
  const add = (number: number) =>
    platform.post(`${path}/forwarding_rules`, { forwarding_rules: [{ ...HTTP_RULE, entry_port: 8000 + number }] });
  const answers = await inParallel(10, (number) => persist(platform, 403, () => add(number)));
  expect(statusesOf(answers)).toEqual({ 204: 10 });
  const { name, forwarding_rules } = (await platform.get(path)).body.load_balancer;
  expect(name).toBe(`lb-${updates.findIndex(({ status }) => status === 200)}`);
  expect(forwarding_rules.map((rule: Json) => rule.entry_port).sort()).toEqual([80, ...numbers(10).map((number) => 8000 + number)]);
});

test('a tag that many put on things and take off counts right', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/v2/tags', { name: 'busy' });
  const ids: number[] = [];
  for (let number = 0; number < 6; number += 1) {
    ids.push((await activeDroplet(platform)).id);
  }
  const resources = (index: number) => ({ resources: [{ resource_id: String(ids[index]), resource_type: 'droplet' }] });
  await inParallel(60, (number) => platform.call(number % 3 === 0 ? 'DELETE' : 'POST', '/v2/tags/busy/resources', resources(number % 6)));
  await inParallel(6, (number) => platform.call(number < 4 ? 'POST' : 'DELETE', '/v2/tags/busy/resources', resources(number)));
  const { tag } = (await platform.get('/v2/tags/busy')).body;
  const { droplets, meta } = (await platform.get('/v2/droplets?tag_name=busy')).body;
  expect([tag.resources.droplets.count, meta.total, droplets.map((droplet: Json) => droplet.id)]).toEqual([
    4,
    4,
    ids.slice(0, 4).toReversed(),
  ]);
});

test('an instance begins one of many actions, the others are refused', async () => {
  await using platform = await frozenPlatform();
  const { id } = await activeDroplet(platform);
  const answers = await inParallel(20, (number) => platform.post(`/v2/droplets/${id}/actions`, { type: 'rename', name: `box-${number}` }));
  expect(statusesOf(answers)).toEqual({ 201: 1, 422: 19 });
  const begun = answers.findIndex(({ status }) => status === 201);
  await platform.post('/_emulator/clock', { advance: '10s' });
  expect((await platform.get(`/v2/droplets/${id}`)).body.droplet.name).toBe(`box-${begun}`);
  expect((await platform.get(`/v2/droplets/${id}/actions`)).body.meta.total).toBe(2);
});

test('the limit of instances holds, and no two have an id or an address in common', async () => {
  await using platform = await frozenPlatform();
  await platform.post('/_emulator/reset', { seed: 'empty', dropletLimit: 30 });
  expect(statusesOf(await inParallel(50, () => platform.post('/v2/droplets', dropletBody())))).toEqual({ 202: 30, 422: 20 });
  await platform.post('/_emulator/clock', { advance: '1m' });
  const { droplets } = (await platform.get('/v2/droplets?per_page=200')).body;
  expect(new Set(droplets.map((droplet: Json) => droplet.id)).size).toBe(30);
  expect(new Set(droplets.flatMap((droplet: Json) => droplet.networks.v4.map((network: Json) => network.ip_address))).size).toBe(60);
});

test('records that many add to one domain have each its id, and the zone names them all', async () => {
  await using platform = await frozenPlatform();
  await newDomain(platform, 'busy.example');
  const answers = await inParallel(40, (number) =>
    platform.post('/v2/domains/busy.example/records', { type: 'A', name: `host-${number}`, data: '192.0.2.1' }),
  );
  expect(statusesOf(answers)).toEqual({ 201: 40 });
  expect(new Set(answers.map(({ body }) => body.domain_record.id)).size).toBe(40);
  const { zone_file } = (await platform.get('/v2/domains/busy.example')).body.domain;
  expect(numbers(40).every((number) => zone_file.includes(`host-${number}.busy.example.`))).toBe(true);
});

test('what was answered, of whatever family, is there after the process was killed by force', async () => {
  await using directory = await dataDirectory();
  const first = await emulatorProcess(directory.path);
  const { platform } = first;
  await platform.post('/_emulator/clock', { freeze: true });
  await platform.post('/_emulator/reset', { seed: 'empty', dropletLimit: 1000 });
  const { id: cluster } = await onlineCluster(platform);
  await newDomain(platform, 'kept.example');
  const check = { name: 'front', type: 'https', target: 'https://example.com', regions: ['us_east'], enabled: true };
  /** What is made, and where it is then. */
  const makers: readonly ((number: number) => readonly [path: string, body: object, at: (reply: Json) => string])[] = [
    (number) => ['/v2/vpcs', { name: `net-${number}`, region: 'nyc3' }, ({ vpc }) => `/v2/vpcs/${vpc.id}`],
    (number) => ['/v2/domains', { name: `d-${number}.example` }, ({ domain }) => `/v2/domains/${domain.name}`],
    (number) => [
      '/v2/domains/kept.example/records',
      { type: 'TXT', name: `t-${number}`, data: 'x' },
      ({ domain_record }) => `/v2/domains/kept.example/records/${domain_record.id}`,
    ],
    (number) => [
      '/v2/firewalls',
      { name: `wall-${number}`, inbound_rules: [INBOUND_SSH] },
      ({ firewall }) => `/v2/firewalls/${firewall.id}`,
    ],
    (number) => [
      '/v2/load_balancers',
      { name: `lb-${number}`, region: 'nyc3', droplet_ids: [], forwarding_rules: [HTTP_RULE] },
      ({ load_balancer }) => `/v2/load_balancers/${load_balancer.id}`,
    ],
    (number) => [`/v2/databases/${cluster}/users`, { name: `user-${number}` }, ({ user }) => `/v2/databases/${cluster}/users/${user.name}`],
    () => ['/v2/uptime/checks', check, ({ check: { id } }) => `/v2/uptime/checks/${id}`],
    () => ['/v2/reserved_ipv6', { region_slug: 'nyc3' }, ({ reserved_ipv6 }) => `/v2/reserved_ipv6/${reserved_ipv6.ip}`],
    () => ['/v2/droplets', dropletBody(), ({ droplet }) => `/v2/droplets/${droplet.id}`],
    (number) => ['/v2/tags', { name: `tag-${number}` }, ({ tag }) => `/v2/tags/${tag.name}`],
  ];
  const kept: string[] = [];
  const work = async (make: (typeof makers)[number]): Promise<void> => {
    for (let number = 0; ; number += 1) {
      const [path, body, at] = make(number);
      const answer = await platform.post(path, body).catch(() => undefined);
      if (answer === undefined) {
        return;
      }
      expect(answer.status, `${path}: ${answer.body.message}`).toBeLessThan(300);
      kept.push(at(answer.body));
      if (kept.length === 200) {
        void first.kill();
      }
    }
  };
  await Promise.all(makers.map(work));
  await first.kill();
  expect(kept.length).toBeGreaterThanOrEqual(200);

  const second = await emulatorProcess(directory.path);
  try {
    const lost: string[] = [];
    for (const path of kept) {
      lost.push(...((await second.platform.get(path)).status === 200 ? [] : [path]));
    }
    expect(lost).toEqual([]);
    expect((await second.platform.post('/v2/tags', { name: 'writable' })).status).toBe(201);
  } finally {
    await second.kill();
  }
});
