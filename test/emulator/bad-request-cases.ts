import { customBody } from './certificate-files.ts';
import { clusterBody, onlineCluster, smallest } from './database-cluster.ts';
import { INBOUND_SSH, newFirewall, OUTBOUND_DNS, settleFirewalls } from './firewall-steps.ts';
import { activeBalancer, activeDroplet, balancerBody, dropletBody, HTTP_RULE, type Json, type Platform } from './platform.ts';

/** A request that is accepted as it is: what makes a bad one of it is what is changed. */
export interface GoodRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl me';
const RECIPIENTS = { email: ['captain@example.com'], slack: [{ channel: 'ops', url: 'https://hooks.example.com/1' }] };

/** What the requests are about: one of everything that can be changed. */
async function harbour(platform: Platform) {
  const created = async (path: string, body: Readonly<Record<string, unknown>>): Promise<Json> => {
    const answer = await platform.post(path, body);
    if (answer.status >= 300) {
      throw new Error(`POST ${path}: ${answer.status} ${answer.body.message}`);
    }
    return answer.body;
  };
  const droplet = await activeDroplet(platform, { tags: ['crew'] });
  await platform.post(`/v2/droplets/${droplet.id}/actions`, { type: 'snapshot', name: 'kept' });
  await platform.post('/_emulator/clock', { advance: '2m' });
  const vpc = (await created('/v2/vpcs', { name: 'one', region: 'nyc3' })).vpc;
  const other = (await created('/v2/vpcs', { name: 'other', region: 'nyc3' })).vpc;
  const third = (await created('/v2/vpcs', { name: 'third', region: 'nyc3' })).vpc;
  const peering = (await created('/v2/vpc_peerings', { name: 'bridge', vpc_ids: [vpc.id, third.id] })).vpc_peering;
  const prefix = (await created('/v2/byoip_prefixes', { prefix: '203.0.112.0/24', signature: 'mine', region: 'nyc3' })).byoip_prefix;
  const ip = (await created('/v2/reserved_ips', { region: 'nyc3' })).reserved_ip.ip;
  const ipv6 = (await created('/v2/reserved_ipv6', { region_slug: 'nyc3' })).reserved_ipv6.ip;
  const wall = await newFirewall(platform, { name: 'bad-request-wall' });
  await created('/v2/domains', { name: 'bad.example' });
  const record = (await created('/v2/domains/bad.example/records', { type: 'A', name: 'www', data: '192.0.2.1' })).domain_record;
  const key = (await created('/v2/account/keys', { name: 'mine', public_key: KEY.replace('GKJl', 'GKJm') })).ssh_key;
  const check = (await created('/v2/uptime/checks', checkBody())).check;
  const alert = (await created(`/v2/uptime/checks/${check.id}/alerts`, alertBody())).alert;
  const policy = (await created('/v2/monitoring/alerts', policyBody())).policy;
  await settleFirewalls(platform);
  const balancer = await activeBalancer(platform, { droplet_ids: [droplet.id] });
  const pg = await onlineCluster(platform, { name: 'postgres', version: '15' });
  const mysql = await onlineCluster(platform, { name: 'mysql', ...smallest.mysql });
  const kafka = await onlineCluster(platform, { name: 'kafka', ...smallest.kafka });
  await created(`/v2/databases/${pg.id}/users`, { name: 'reader' });
  await created(`/v2/databases/${kafka.id}/topics`, { name: 'events' });
  await platform.post('/_emulator/clock', { advance: '10m' });
  const image = (await platform.get(`/v2/droplets/${droplet.id}/snapshots`)).body.snapshots[0];
  return { droplet, image, vpc, other, peering, prefix, ip, ipv6, wall, record, key, check, alert, policy, balancer, pg, mysql, kafka };
}

const checkBody = () => ({ name: 'front', type: 'https', target: 'https://example.com', regions: ['us_east'], enabled: true });
const alertBody = () => ({
  name: 'slow',
  type: 'latency',
  threshold: 300,
  comparison: 'greater_than',
  notifications: RECIPIENTS,
  period: '5m',
});
const policyBody = () => ({
  type: 'v1/insights/droplet/cpu',
  description: 'busy',
  compare: 'GreaterThan',
  value: 80,
  window: '5m',
  entities: [] as string[],
  tags: ['crew'],
  alerts: RECIPIENTS,
  enabled: true,
});

/** One good request for every operation that changes something and has a body. */
export async function goodRequests(platform: Platform): Promise<readonly GoodRequest[]> {
  const at = await harbour(platform);
  const droplet = `/v2/droplets/${at.droplet.id}`;
  const wall = `/v2/firewalls/${at.wall.id}`;
  const balancer = `/v2/load_balancers/${at.balancer.id}`;
  const [pg, mysql, kafka] = [at.pg, at.mysql, at.kafka].map(({ id }) => `/v2/databases/${id}`);
  const post = (path: string, body: GoodRequest['body']): GoodRequest => ({ method: 'POST', path, body });
  const put = (path: string, body: GoodRequest['body']): GoodRequest => ({ method: 'PUT', path, body });
  const patch = (path: string, body: GoodRequest['body']): GoodRequest => ({ method: 'PATCH', path, body });
  const del = (path: string, body: GoodRequest['body']): GoodRequest => ({ method: 'DELETE', path, body });
  return [
    post('/v2/account/keys', { name: 'new', public_key: KEY }),
    put(`/v2/account/keys/${at.key.id}`, { name: 'renamed' }),
    post('/v2/tags', { name: 'new' }),
    post('/v2/tags/crew/resources', { resources: [{ resource_id: String(at.image.id), resource_type: 'image' }] }),
    del('/v2/tags/crew/resources', { resources: [{ resource_id: String(at.droplet.id), resource_type: 'droplet' }] }),
    post(
      '/v2/droplets',
      dropletBody({
        ssh_keys: [at.key.id],
        backups: true,
        backup_policy: { plan: 'weekly', weekday: 'MON', hour: 8 },
        ipv6: true,
        monitoring: true,
        tags: ['new'],
        user_data: '#!/bin/sh',
        public_networking: true,
        private_networking: true,
        volumes: [],
        vpc_uuid: at.vpc.id,
        with_droplet_agent: true,
      }),
    ),
    post(`${droplet}/actions`, { type: 'rename', name: 'renamed' }),
    post(`${droplet}/actions`, { type: 'enable_backups', backup_policy: { plan: 'daily', hour: 4 } }),
    post('/v2/droplets/actions?tag_name=crew', { type: 'snapshot', name: 'all' }),
    post('/v2/images', {
      name: 'own',
      url: 'https://example.com/a.iso',
      region: 'nyc3',
      distribution: 'Debian',
      description: 'd',
      tags: ['t'],
    }),
    put(`/v2/images/${at.image.id}`, { name: 'renamed', distribution: 'Debian', description: 'd' }),
    post(`/v2/images/${at.image.id}/actions`, { type: 'transfer', region: 'ams3' }),
    post('/v2/vpcs', { name: 'new', region: 'nyc3', description: 'd', ip_range: '10.200.0.0/24', default: true }),
    put(`/v2/vpcs/${at.vpc.id}`, { name: 'renamed', description: 'd', default: true }),
    patch(`/v2/vpcs/${at.vpc.id}`, { name: 'renamed', description: 'd', default: true }),
    post('/v2/vpc_peerings', { name: 'new', vpc_ids: [at.vpc.id, at.other.id] }),
    patch(`/v2/vpc_peerings/${at.peering.id}`, { name: 'renamed' }),
    post(`/v2/vpcs/${at.vpc.id}/peerings`, { name: 'new', vpc_id: at.other.id }),
    patch(`/v2/vpcs/${at.vpc.id}/peerings/${at.peering.id}`, { name: 'renamed' }),
    post('/v2/reserved_ips', { region: 'nyc3' }),
    post('/v2/reserved_ips', { droplet_id: at.droplet.id }),
    post(`/v2/reserved_ips/${at.ip}/actions`, { type: 'assign', droplet_id: at.droplet.id }),
    post('/v2/reserved_ipv6', { region_slug: 'nyc3' }),
    post(`/v2/reserved_ipv6/${encodeURIComponent(at.ipv6)}/actions`, { type: 'assign', droplet_id: at.droplet.id }),
    post('/v2/byoip_prefixes', { prefix: '203.0.114.0/24', signature: 'mine', region: 'nyc3' }),
    patch(`/v2/byoip_prefixes/${at.prefix.uuid}`, { advertise: true }),
    post('/v2/uptime/checks', checkBody()),
    put(`/v2/uptime/checks/${at.check.id}`, { ...checkBody(), name: 'renamed' }),
    post(`/v2/uptime/checks/${at.check.id}/alerts`, alertBody()),
    put(`/v2/uptime/checks/${at.check.id}/alerts/${at.alert.id}`, { ...alertBody(), name: 'renamed' }),
    post('/v2/monitoring/alerts', { ...policyBody(), entities: [String(at.droplet.id)] }),
    put(`/v2/monitoring/alerts/${at.policy.uuid}`, { ...policyBody(), description: 'busier' }),
    post('/v2/domains', { name: 'new.example', ip_address: '192.0.2.1' }),
    post('/v2/domains/bad.example/records', {
      type: 'SRV',
      name: '_sip._tcp',
      data: 'sip.bad.example.',
      priority: 1,
      port: 5060,
      weight: 2,
      ttl: 60,
    }),
    post('/v2/domains/bad.example/records', { type: 'CAA', name: '@', data: 'ca.example.', flags: 0, tag: 'issue', ttl: 60 }),
    put(`/v2/domains/bad.example/records/${at.record.id}`, { type: 'A', name: 'www2', data: '192.0.2.2', ttl: 60 }),
    post('/v2/certificates', customBody()),
    post('/v2/certificates', { name: 'le', type: 'lets_encrypt', dns_names: ['bad.example'] }),
    post(
      '/v2/load_balancers',
      balancerBody({
        name: 'new',
        droplet_ids: [at.droplet.id],
        size_unit: 2,
        algorithm: 'round_robin',
        health_check: { protocol: 'http', port: 80, path: '/', check_interval_seconds: 10 },
        sticky_sessions: { type: 'cookies', cookie_name: 'c', cookie_ttl_seconds: 300 },
        redirect_http_to_https: false,
        http_idle_timeout_seconds: 60,
        firewall: { deny: ['ip:192.0.2.1'], allow: ['cidr:192.0.2.0/24'] },
      }),
    ),
    put(balancer, balancerBody({ name: 'renamed', droplet_ids: [at.droplet.id] })),
    del(`${balancer}/droplets`, { droplet_ids: [at.droplet.id] }),
    post(`${balancer}/forwarding_rules`, { forwarding_rules: [{ ...HTTP_RULE, entry_port: 81 }] }),
    post('/v2/firewalls', {
      name: 'new',
      inbound_rules: [INBOUND_SSH],
      outbound_rules: [OUTBOUND_DNS],
      droplet_ids: [at.droplet.id],
      tags: ['crew'],
    }),
    post(`${wall}/droplets`, { droplet_ids: [at.droplet.id] }),
    post(`${wall}/tags`, { tags: ['crew'] }),
    post(`${wall}/rules`, { inbound_rules: [INBOUND_SSH], outbound_rules: [OUTBOUND_DNS] }),
    post('/v2/databases', clusterBody({ tags: ['crew'], private_network_uuid: at.vpc.id, rules: [{ type: 'tag', value: 'crew' }] })),
    put(`${pg}/resize`, { size: 'db-s-2vcpu-4gb', num_nodes: 2, storage_size_mib: 61_440 }),
    put(`${pg}/upgrade`, { version: '16' }),
    patch(`${pg}/config`, { config: { work_mem: 8, timezone: 'UTC' } }),
    put(`${mysql}/sql_mode`, { sql_mode: 'ANSI' }),
    put(`${pg}/firewall`, { rules: [{ type: 'ip_addr', value: '192.0.2.1', description: 'home' }] }),
    post(`${pg}/users`, { name: 'writer', settings: { pg_allow_replication: true } }),
    post(`${mysql}/users`, { name: 'writer', mysql_settings: { auth_plugin: 'caching_sha2_password' } }),
    put(`${pg}/users/reader`, { settings: { pg_allow_replication: true } }),
    post(`${kafka}/topics`, {
      name: 'new',
      partition_count: 3,
      replication_factor: 2,
      config: { retention_ms: 1000, cleanup_policy: 'delete' },
    }),
    put(`${kafka}/topics/events`, { partition_count: 6, replication_factor: 2, config: { retention_ms: 1000 } }),
    put(`${pg}/online-migration`, {
      source: { host: 'db.example.com', port: 5432, dbname: 'shop', username: 'u', password: 'p' },
      disable_ssl: true,
      ignore_dbs: ['old'],
    }),
  ];
}
