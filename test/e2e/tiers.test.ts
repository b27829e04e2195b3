import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Started, started } from '../support/started.ts';
import { type StoryClient, sdkV2 } from './clients.ts';
import { expecting, type OwnAccount, ownAccount, type Result } from './own-account.ts';

let running: Started;
beforeAll(async () => {
  running = await started(['--ephemeral', '--speed', '1']);
});
afterAll(async () => {
  await running.end();
});

/** Lists that a story leaves longer: what was done and what it cost, and the backups that time brings. Those of one thing are gone with it. */
const apart = ['action-list', 'billing-history-list', 'invoice-list', 'image-list', 'uptimecheck-alert-list', 'domain-record-list'];

/** How a list is asked for the whole of it, where that is not by its page. */
const asked: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  'db-cluster-list': [{}],
  'reserved-ip-list': [
    { Type: 'ipv4', PerPage: 200 },
    { Type: 'ipv6', PerPage: 200 },
  ],
};

/** What every list of an account holds, by the name of its tool. */
async function holdings(client: StoryClient): Promise<Result> {
  const lists = (await client.list()).filter((name) => name.endsWith('-list') && !apart.includes(name));
  expect(lists).toContain('instance-list');
  const held = [];
  for (const tool of lists) {
    for (const given of asked[tool] ?? [{ PerPage: 200 }]) {
      const { items, nextPage } = await expecting(client).succeed(tool, given);
      expect(nextPage, tool).toBeNull();
      held.push([tool, given, items.map((item: Result) => item.id ?? item.uuid ?? item.ip ?? item.slug ?? item.name).sort()]);
    }
  }
  return held;
}

/** A story's client and account, ended with the story. */
function story() {
  let client: StoryClient;
  let account: OwnAccount;
  let before: Result;
  beforeAll(async () => {
    account = await ownAccount(running.ready);
    client = await sdkV2(account.ready, 'auto');
    before = await holdings(client);
  });
  afterAll(async () => {
    await client.close();
  });
  return {
    succeed: (tool: string, given: Record<string, unknown> = {}): Promise<Result> => expecting(client).succeed(tool, given),
    fail: (tool: string, given: Record<string, unknown> = {}): Promise<Result> => expecting(client).fail(tool, given),
    advance: (time: string) => account.advance(time),
    leavesNothing: async (): Promise<void> => expect(await holdings(client)).toEqual(before),
  };
}

/** A self-signed certificate, made by openssl as its users do. */
function certificateFor(name: string): { readonly key: string; readonly leaf: string } {
  const dir = mkdtempSync(join(tmpdir(), 'deckhand-test-'));
  try {
    const [key, leaf] = [join(dir, 'key.pem'), join(dir, 'leaf.pem')];
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '90', '-keyout', key, '-out', leaf, ...subject], {
      stdio: 'pipe',
    });
    return { key: readFileSync(key, 'utf8'), leaf: readFileSync(leaf, 'utf8') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

describe('a web tier', () => {
  const { succeed, fail, advance, leavesNothing } = story();
  let vpc: Result;
  let instances: readonly number[];
  let firewall: Result;
  let certificate: Result;
  let balancer: Result;
  let address: Result;

  it('gets a network of its own', async () => {
    vpc = await succeed('vpc-create', { Name: 'shop', Region: 'nyc3', Subnet: '10.60.0.0/20', Description: 'the shop' });
    expect(vpc).toMatchObject({ name: 'shop', ip_range: '10.60.0.0/20', default: false });
    expect(await fail('vpc-create', { Name: 'shop-2', Region: 'nyc3', Subnet: '10.60.8.0/24' })).toMatchObject({ code: 'rejected' });
    expect(await fail('vpc-create', { Name: 'shop-3', Region: 'nyc3', Subnet: '10.61.0.1/20' })).toMatchObject({
      code: 'invalid_arguments',
      problems: [{ field: 'Subnet' }],
    });
  });

  it('gets two tagged instances', async () => {
    const { items } = await succeed('image-list', { Type: 'distribution', PerPage: 200 });
    const ImageID = items.find(({ slug }: Result) => slug === 'ubuntu-24-04-x64').id;
    const made = [];
    for (const Name of ['shop-1', 'shop-2'])
      made.push(await succeed('instance-create', { Name, Size: 's-1vcpu-1gb', ImageID, Region: 'nyc3', Tags: ['shop'] }));
    instances = made.map(({ id }) => id);
    await advance('5m');
    for (const ID of instances) expect((await succeed('instance-get', { ID })).status).toBe('active');
  });

  it('gets a firewall that covers them, by tag and by id', async () => {
    firewall = await succeed('firewall-create', {
      Name: 'shop-fw',
      InboundProtocol: 'tcp',
      InboundPortRange: '443',
      InboundSource: '0.0.0.0/0',
      OutboundProtocol: 'tcp',
      OutboundPortRange: '0',
      OutboundDestination: '0.0.0.0/0',
      InstanceIDs: [instances[0]],
    });
    expect(firewall.status).toBe('waiting');
    await advance('1m');
    expect(await succeed('firewall-get', { ID: firewall.id })).toMatchObject({
      status: 'succeeded',
      pending_changes: [],
      droplet_ids: [instances[0]],
    });
    await succeed('firewall-add-tags', { ID: firewall.id, Tags: ['shop'] });
    await succeed('firewall-add-rules', {
      ID: firewall.id,
      InboundRules: [{ Protocol: 'tcp', PortRange: '22', Sources: ['203.0.113.0/24'] }],
    });
    await advance('1m');
    expect(await succeed('firewall-get', { ID: firewall.id })).toMatchObject({
      tags: ['shop'],
      inbound_rules: [{ ports: '443' }, { ports: '22' }],
    });
  });

  it('gets a domain with its records', async () => {
    expect(await succeed('domain-create', { Name: 'shop.example.com', IPAddress: '203.0.113.7' })).toMatchObject({
      name: 'shop.example.com',
      ttl: 1800,
    });
    const record = await succeed('domain-record-create', { Domain: 'shop.example.com', Type: 'CNAME', Name: 'www', Data: '@' });
    expect(record).toMatchObject({ type: 'CNAME', name: 'www' });
    expect(await fail('domain-record-create', { Domain: 'shop.example.com', Type: 'A', Name: 'www', Data: '203.0.113.8' })).toMatchObject({
      code: 'rejected',
    });
    const mail = await succeed('domain-record-create', { Domain: 'shop.example.com', Type: 'MX', Name: '@', Data: '10 mail.example.com.' });
    expect(mail).toMatchObject({ type: 'MX', priority: 10 });
    const edited = await succeed('domain-record-edit', {
      Domain: 'shop.example.com',
      RecordID: record.id,
      Type: 'A',
      Name: 'www',
      Data: '203.0.113.9',
    });
    expect(edited).toMatchObject({ id: record.id, type: 'A', data: '203.0.113.9' });
    const { items, total } = await succeed('domain-record-list', { Domain: 'shop.example.com' });
    expect(total).toBe(items.length);
    expect(items.map(({ type }: Result) => type).sort()).toEqual(['A', 'A', 'MX', 'NS', 'NS', 'NS', 'SOA']);
  });

  it('gets certificates: one of its own and one that is issued', async () => {
    const { key, leaf } = certificateFor('shop.example.com');
    certificate = await succeed('custom-certificate-create', {
      Name: 'shop-own',
      PrivateKey: key,
      LeafCertificate: leaf,
      CertificateChain: leaf,
    });
    expect(certificate).toMatchObject({ type: 'custom', state: 'verified', dns_names: ['shop.example.com'] });
    expect(
      await fail('custom-certificate-create', { Name: 'x', PrivateKey: 'none', LeafCertificate: leaf, CertificateChain: leaf }),
    ).toMatchObject({ code: 'invalid_arguments' });
    const issued = await succeed('acme-certificate-create', { Name: 'shop-issued', DnsNames: ['*.shop.example.com'] });
    expect(issued).toMatchObject({ type: 'lets_encrypt', state: 'pending' });
    await advance('5m');
    expect((await succeed('certificate-get', { ID: issued.id })).state).toBe('verified');
    expect(await succeed('certificate-delete', { ID: issued.id })).toEqual({ done: true, ID: issued.id });
  });

  it('gets a load balancer in front', async () => {
    balancer = await succeed('load-balancer-create', {
      Name: 'shop-lb',
      Region: 'nyc3',
      InstanceIDs: instances.map(String),
      ForwardingRules: [{ EntryProtocol: 'https', EntryPort: 443, TargetProtocol: 'http', TargetPort: 80, CertificateID: certificate.id }],
    });
    expect(balancer.status).toBe('new');
    expect(await fail('load-balancer-update', { LoadBalancerID: balancer.id, Name: 'too-early' })).toMatchObject({ code: 'forbidden' });
    await advance('5m');
    balancer = await succeed('load-balancer-get', { LoadBalancerID: balancer.id });
    expect(balancer).toMatchObject({ status: 'active', ip: expect.stringMatching(/^\d+\./), droplet_ids: instances });
    await succeed('load-balancer-add-forwarding-rules', {
      LoadBalancerID: balancer.id,
      ForwardingRules: [{ EntryProtocol: 'http', EntryPort: 80, TargetProtocol: 'http', TargetPort: 80 }],
    });
    await advance('5m');
    const renamed = await succeed('load-balancer-update', { LoadBalancerID: balancer.id, Name: 'shop-front' });
    expect(renamed).toMatchObject({
      name: 'shop-front',
      droplet_ids: instances,
      forwarding_rules: [{ entry_port: 443, certificate_id: certificate.id }, { entry_port: 80 }],
    });
    await advance('5m');
    expect(await fail('certificate-delete', { ID: certificate.id })).toMatchObject({ code: expect.stringMatching(/conflict|forbidden/) });
  });

  it('gets an address that moves between its instances', async () => {
    address = await succeed('reserved-ip-reserve', { Region: 'nyc3', Type: 'ipv4' });
    await advance('1m');
    for (const InstanceID of instances) {
      await succeed('reserved-ip-assign', { IP: address.ip, InstanceID, Type: 'ipv4' });
      await advance('1m');
      expect((await succeed('reserved-ip-get', { IP: address.ip })).droplet.id).toBe(InstanceID);
    }
    expect(await fail('reserved-ip-get', { IP: 'somewhere' })).toMatchObject({ code: 'invalid_arguments' });
    expect(await fail('reserved-ip-release', { IP: address.ip, Type: 'ipv6' })).toMatchObject({ code: 'invalid_arguments' });
  });

  it('is torn down, and each part feels what goes', async () => {
    await succeed('instance-delete', { ID: instances[1] });
    expect((await succeed('reserved-ip-get', { IP: address.ip })).droplet).toBeNull();
    expect((await succeed('load-balancer-get', { LoadBalancerID: balancer.id })).droplet_ids).toEqual([instances[0]]);
    await succeed('reserved-ip-release', { IP: address.ip, Type: 'ipv4' });
    await succeed('load-balancer-delete', { LoadBalancerID: balancer.id });
    await succeed('certificate-delete', { ID: certificate.id });
    await succeed('firewall-delete', { ID: firewall.id });
    await succeed('domain-delete', { Name: 'shop.example.com' });
    await succeed('instance-delete', { ID: instances[0] });
    await succeed('vpc-delete', { ID: vpc.id });
    for (const [tool, given] of [
      ['load-balancer-get', { LoadBalancerID: balancer.id }],
      ['firewall-get', { ID: firewall.id }],
      ['certificate-get', { ID: certificate.id }],
      ['domain-get', { Name: 'shop.example.com' }],
      ['reserved-ip-get', { IP: address.ip }],
      ['vpc-get', { ID: vpc.id }],
    ] as const) {
      expect((await fail(tool, given)).code, tool).toBe('not_found');
    }
    await leavesNothing();
  });
});

describe('a data tier', () => {
  const { succeed, fail, advance, leavesNothing } = story();

  async function cluster(given: Record<string, unknown>): Promise<Result> {
    const made = await succeed('db-cluster-create', { region: 'nyc3', ...given });
    expect(made.status).toBe('creating');
    await advance('15m');
    const online = await succeed('db-cluster-get', { id: made.id });
    expect(online.status).toBe('online');
    return online;
  }

  /** The newest version and a size that the platform offers for an engine. */
  async function offered(engine: string, nodes: number): Promise<{ readonly version: string; readonly size: string }> {
    const { options } = await succeed('db-cluster-list-options');
    const { versions, layouts } = options[engine];
    const { sizes } = layouts.find((layout: Result) => layout.num_nodes === nodes);
    return { version: versions.at(-1), size: sizes[0] };
  }

  it('has PostgreSQL with users, a firewall and settings', async () => {
    const { id, connection } = await cluster({
      name: 'story-orders',
      engine: 'pg',
      num_nodes: 1,
      tags: 'orders, production',
      ...(await offered('pg', 1)),
    });
    expect(connection.password).toMatch(/redacted/);
    expect((await succeed('db-cluster-get', { id, RevealSecrets: true })).connection.password).toMatch(/^AVNS_/);
    expect(await succeed('db-cluster-get-ca', { id })).toMatchObject({ certificate: expect.any(String) });

    await succeed('db-cluster-create-user', { id, name: 'app' });
    expect(await succeed('db-cluster-get-user', { id, user: 'app' })).toMatchObject({ name: 'app', role: 'normal' });
    expect((await succeed('db-cluster-list-users', { id })).items.map(({ name }: Result) => name)).toEqual(
      expect.arrayContaining(['app', 'doadmin']),
    );
    expect((await fail('db-cluster-delete-user', { id, user: 'doadmin' })).code).toBe('forbidden');

    await succeed('db-cluster-update-firewall-rules', { id, rules: [{ type: 'ip_addr', value: '203.0.113.4' }] });
    expect((await succeed('db-cluster-get-firewall-rules', { id })).items).toMatchObject([
      { type: 'ip_addr', value: '203.0.113.4', cluster_uuid: id },
    ]);

    await succeed('db-cluster-update-psql-config', { id, config: { timezone: 'Europe/Berlin', jit: false } });
    expect(await succeed('db-cluster-get-postgresql-config', { id })).toMatchObject({ timezone: 'Europe/Berlin', jit: false });
    expect(await fail('db-cluster-update-psql-config', { id, config: { no_such_setting: 1 } })).toMatchObject({ code: 'rejected' });
    expect(await fail('db-cluster-get-kafka-config', { id })).toMatchObject({ message: expect.stringContaining('kafka') });
    expect(await fail('db-cluster-resize', { id })).toMatchObject({ code: 'invalid_arguments' });

    expect(await succeed('db-cluster-delete-user', { id, user: 'app' })).toMatchObject({ done: true });
    expect(await succeed('db-cluster-delete', { id })).toMatchObject({ done: true, id });
    expect((await fail('db-cluster-get', { id })).code).toBe('not_found');
  });

  it('has Kafka with topics that only grow', async () => {
    const { id } = await cluster({ name: 'story-events', engine: 'kafka', num_nodes: 3, ...(await offered('kafka', 3)) });
    const topic = await succeed('db-cluster-create-topic', {
      id,
      name: 'orders',
      partition_count: '3',
      replication_factor: '2',
      config: { retention_ms: '604800000' },
    });
    expect(topic).toMatchObject({ name: 'orders', state: 'configuring' });
    await advance('5m');
    expect(await succeed('db-cluster-get-topic', { id, name: 'orders' })).toMatchObject({
      state: 'active',
      config: { retention_ms: 604800000 },
    });
    await succeed('db-cluster-update-topic', { id, name: 'orders', partition_count: 6 });
    expect((await fail('db-cluster-update-topic', { id, name: 'orders', partition_count: 2 })).code).toBe('rejected');
    expect((await succeed('db-cluster-list-topics', { id })).items).toMatchObject([{ name: 'orders' }]);
    await succeed('db-cluster-update-kafka-config', { id, config: { auto_create_topics_enable: true } });
    expect(await succeed('db-cluster-get-kafka-config', { id })).toMatchObject({ auto_create_topics_enable: true });
    await succeed('db-cluster-delete-topic', { id, name: 'orders' });
    await advance('5m');
    await succeed('db-cluster-delete', { id });
  });

  it('has MySQL with modes', async () => {
    const { id } = await cluster({ name: 'story-ledger', engine: 'mysql', num_nodes: 1, ...(await offered('mysql', 1)) });
    await succeed('db-cluster-set-sql-mode', { id, modes: 'ANSI, TRADITIONAL' });
    expect((await succeed('db-cluster-get-sql-mode', { id })).sql_mode).toMatch(/ANSI.*TRADITIONAL/);
    expect((await fail('db-cluster-set-sql-mode', { id, modes: 'WHIMSICAL' })).code).toBe('rejected');
    await succeed('db-cluster-update-mysql-config', { ID: id, config_json: '{"connect_timeout": 10}' });
    expect(await succeed('db-cluster-get-mysql-config', { id })).toMatchObject({ connect_timeout: 10 });
    expect((await fail('db-cluster-update-mysql-config', { id, config_json: '[1]' })).code).toBe('invalid_arguments');
    await succeed('db-cluster-delete', { id });
  });

  it('is torn down with nothing left', leavesNothing);
});

describe('monitoring', () => {
  const { succeed, fail, leavesNothing } = story();

  it('watches an address, and tells whom to tell', async () => {
    const check = await succeed('uptimecheck-create', {
      Name: 'shop',
      Type: 'https',
      Target: 'https://shop.example.com',
      Regions: ['us_east', 'eu_west'],
      Enabled: true,
    });
    const CheckID = check.id;
    expect(await succeed('uptimecheck-get-state', { ID: CheckID })).toMatchObject({
      regions: { us_east: { status: 'CHECKING' }, eu_west: { status: 'CHECKING' } },
    });
    expect(await succeed('uptimecheck-update', { ID: CheckID, Enabled: false })).toMatchObject({
      name: 'shop',
      target: 'https://shop.example.com',
      regions: ['us_east', 'eu_west'],
      enabled: false,
    });

    const alert = await succeed('uptimecheck-alert-create', { CheckID, Period: '2m', email: ['ops@example.com'], SlackDetails: [] });
    expect(alert).toMatchObject({ type: 'down', period: '2m', notifications: { email: ['ops@example.com'], slack: [] } });
    expect(await fail('uptimecheck-alert-create', { CheckID, Type: 'latency', Period: '2m', Emails: [], Slack: [] })).toMatchObject({
      code: 'invalid_arguments',
    });
    const updated = await succeed('uptimecheck-alert-update', {
      CheckID,
      AlertID: alert.id,
      Period: '5m',
      Emails: ['ops@example.com'],
      Slack: [],
    });
    expect(updated).toMatchObject({ name: alert.name, type: 'down', period: '5m' });
    expect((await succeed('uptimechecks-alert-list', { CheckID })).items).toMatchObject([{ id: alert.id }]);
    await succeed('uptimecheck-alert-delete', { CheckID, AlertID: alert.id });
    await succeed('uptimecheck-delete', { ID: CheckID });
    expect((await fail('uptimecheck-get', { ID: CheckID })).code).toBe('not_found');
  });

  it('watches instances, and an omitted part of a policy keeps its value', async () => {
    const { items } = await succeed('instance-list');
    const Entities = [String(items[0].id)];
    const policy = { Type: 'v1/insights/instance/cpu', Description: 'CPU is high', Compare: 'GreaterThan', Value: 80, Window: '5m' };
    const made = await succeed('alert-policy-create', { ...policy, Entities, Alerts: { Email: ['captain@example.com'] } });
    expect(made).toMatchObject({ type: 'v1/insights/instance/cpu', entities: Entities, enabled: true });
    const updated = await succeed('alert-policy-update', { UUID: made.uuid, ...policy, Value: 90 });
    expect(updated).toMatchObject({ value: 90, entities: Entities, alerts: { email: ['captain@example.com'] } });
    await succeed('alert-policy-delete', { UUID: made.uuid });
    expect((await fail('alert-policy-get', { UUID: made.uuid })).code).toBe('not_found');
  });

  it('is torn down with nothing left', leavesNothing);
});
