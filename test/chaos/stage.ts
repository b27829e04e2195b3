import type { AccountControls, Emulator } from '../../lib/emulator/start-emulator.ts';
import { onlineCluster, smallest } from '../emulator/database-cluster.ts';
import { activeBalancer, clientOf, type Json, type Platform, worldwide } from '../emulator/platform.ts';

/** What the calls of the sweep find in the account: an id or a name for each thing that a tool may be pointed at. */
export type Props = Awaited<ReturnType<typeof furnish>>;

/** An account in which every tool succeeds, and whose clock stands still, so that nothing changes but by a call. */
export interface Stage {
  readonly account: AccountControls;
  readonly props: Props;
}

/** Sets the stage: the believable account, and what it lacks. */
export async function stage(emulator: Emulator): Promise<Stage> {
  await emulator.clock.freeze('2026-02-10T12:00:00Z');
  await emulator.reset({ seed: 'default', dropletLimit: 50 });
  const props = await furnish(clientOf(emulator.url, emulator.token));
  return { account: emulator, props };
}

async function furnish(platform: Platform) {
  const instances = await instancesOf(platform);
  const kafka: string = (await onlineCluster(platform, { ...smallest.kafka, name: 'events' })).id;
  await made(platform, `/v2/databases/${kafka}/topics`, { name: 'orders', partition_count: 3 });
  await made(platform, `/v2/databases/${kafka}/users`, { name: 'reader', settings: { acl: [{ topic: 'orders', permission: 'consume' }] } });
  const mysql: string = (await onlineCluster(platform, { ...smallest.mysql, name: 'shop' })).id;
  const clusters = await clustersOf(platform);
  const others = {
    ...instances,
    ...clusters,
    kafka,
    mysql,
    moving: (await onlineCluster(platform, { ...smallest.mysql, name: 'moving' })).id as string,
    mongodb: (await onlineCluster(platform, { ...smallest.mongodb, name: 'papers' })).id as string,
    opensearch: (await onlineCluster(platform, { ...smallest.opensearch, name: 'search' })).id as string,
    ...(await webOf(platform, instances.web)),
    ...(await networksOf(platform, instances)),
    ...(await insightsOf(platform)),
    ...(await imagesOf(platform, instances.web)),
  };
  // Last, for it is over after a while, and then it cannot be stopped.
  const { id: migration } = await changed(platform, `/v2/databases/${others.moving}/online-migration`, { source: migrationSource });
  return { ...others, migration: String(migration) };
}

export const migrationSource = { host: 'db.example.com', port: 5432, dbname: 'app', username: 'u', password: 'p' } as const;

async function instancesOf(platform: Platform) {
  const { droplets } = await read(platform, '/v2/droplets?per_page=200');
  const idOf = (name: string): number => droplets.find((droplet: Json) => droplet.name === name).id;
  const [web, backedUp, off, legacy, spare] = ['web-01', 'db-01', 'staging-01', 'legacy-app', 'worker-01'].map(idOf) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const { kernels } = await read(platform, `/v2/droplets/${legacy}/kernels?per_page=200`);
  const { kernel } = droplets.find((droplet: Json) => droplet.id === legacy);
  const otherKernel: number = kernels.find(({ id }: Json) => id !== kernel.id).id;
  return { web, backedUp, off, legacy, spare, otherKernel };
}

async function clustersOf(platform: Platform) {
  const { databases } = await read(platform, '/v2/databases');
  const idOf = (engine: string): string => databases.find((database: Json) => database.engine === engine).id;
  return { pg: idOf('pg'), redis: idOf('redis') };
}

async function webOf(platform: Platform, web: number) {
  const zone = 'harbour-crew.example';
  const { domain_records: records } = await read(platform, `/v2/domains/${zone}/records?type=CNAME`);
  const { certificates } = await read(platform, '/v2/certificates');
  const { firewall } = await made(platform, '/v2/firewalls', firewallBody(web));
  const balancer: string = (await activeBalancer(platform, { name: 'own', droplet_ids: [web], forwarding_rules: [...rules] })).id;
  const world: string = (await activeBalancer(platform, worldwide(balancer))).id;
  await made(platform, '/v2/domains', { name: 'spare.example' });
  const issued = { name: 'unused', type: 'lets_encrypt', dns_names: ['spare.example'] };
  const { certificate: unused } = await made(platform, '/v2/certificates', issued);
  const ids = { record: records[0].id as number, firewall: firewall.id as string, unused: unused.id as string };
  return { zone, ...ids, certificate: certificates[0].id as string, balancer, world };
}

const firewallBody = (web: number) => ({
  name: 'inner',
  droplet_ids: [web],
  tags: ['worker'],
  inbound_rules: [
    { protocol: 'tcp', ports: '80', sources: { addresses: ['192.0.2.0/24'] } },
    { protocol: 'tcp', ports: '22', sources: { addresses: ['192.0.2.0/24'] } },
  ],
});

const rules = [
  { entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 80 },
  { entry_protocol: 'http', entry_port: 8080, target_protocol: 'http', target_port: 8080 },
] as const;

async function networksOf(platform: Platform, { web }: { readonly web: number }) {
  const { vpcs } = await read(platform, '/v2/vpcs');
  const { vpc: one } = await made(platform, '/v2/vpcs', { name: 'one', region: 'lon1' });
  const { vpc: other } = await made(platform, '/v2/vpcs', { name: 'other', region: 'lon1' });
  const { vpc_peerings: peerings } = await read(platform, '/v2/vpc_peerings');
  const { reserved_ips: ips } = await read(platform, '/v2/reserved_ips');
  const assigned: string = ips.find(({ droplet }: Json) => droplet?.id === web).ip;
  const { reserved_ip: free } = await made(platform, '/v2/reserved_ips', { region: 'nyc3' });
  const { byoip_prefix: prefix } = await made(platform, '/v2/byoip_prefixes', {
    prefix: '203.0.113.0/24',
    signature: 'c2lnbmVk',
    region: 'nyc3',
  });
  await later(platform, '1m');
  const home: string = vpcs.find((vpc: Json) => vpc.default && vpc.region === 'nyc3').id;
  const vpcIds = { one: one.id as string, other: other.id as string, home, peering: peerings[0].id as string };
  return { ...vpcIds, assigned, free: free.ip as string, prefix: prefix.uuid as string };
}

async function insightsOf(platform: Platform) {
  const { checks } = await read(platform, '/v2/uptime/checks');
  const check: string = checks.find(({ name }: Json) => name === 'web-01').id;
  const { alerts } = await read(platform, `/v2/uptime/checks/${check}/alerts`);
  const { policies } = await read(platform, '/v2/monitoring/alerts');
  return { check, alert: alerts[0].id as string, policy: policies[0].uuid as string };
}

async function imagesOf(platform: Platform, web: number) {
  const { images: own } = await read(platform, '/v2/images?private=true');
  const idOf = (type: string): number => own.find((image: Json) => image.type === type).id;
  const { images: public_ } = await read(platform, '/v2/images?type=distribution&per_page=200');
  const distribution: number = public_.find(({ slug }: Json) => slug === 'debian-12-x64').id;
  const { snapshots } = await read(platform, `/v2/droplets/${web}/snapshots`);
  const snapshot: number = snapshots[0].id;
  const { action: transfer } = await made(platform, `/v2/images/${snapshot}/actions`, { type: 'transfer', region: 'lon1' });
  const { action: reboot } = await made(platform, `/v2/droplets/${web}/actions`, { type: 'reboot' });
  await later(platform, '1h');
  const actions = { transfer: transfer.id as number, reboot: reboot.id as number };
  const { ssh_keys: keys } = await read(platform, '/v2/account/keys');
  return { distribution, snapshot, backup: idOf('backup'), custom: idOf('custom'), ...actions, key: keys[0].id as number };
}

async function later(platform: Platform, span: string): Promise<void> {
  await platform.post('/_emulator/clock', { advance: span });
}

const read = (platform: Platform, path: string): Promise<Json> => succeeded(platform, 'GET', path);
const made = (platform: Platform, path: string, body: object): Promise<Json> => succeeded(platform, 'POST', path, body);
const changed = (platform: Platform, path: string, body: object): Promise<Json> => succeeded(platform, 'PUT', path, body);

async function succeeded(platform: Platform, method: string, path: string, body?: object): Promise<Json> {
  const answer = await platform.call(method, path, body);
  if (answer.status >= 300) throw new Error(`setting the stage: ${method} ${path}: ${answer.status} ${answer.body.message}`);
  return answer.body;
}
