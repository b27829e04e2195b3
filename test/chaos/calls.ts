import { pem } from '../emulator/certificate-files.ts';
import { migrationSource, type Props } from './stage.ts';

/** Arguments for every tool with which it succeeds on the stage; those of a write change something that can be seen. */
export function callsOn(props: Props): ReadonlyMap<string, object> {
  return new Map(
    Object.entries({
      ...accountCalls(props),
      ...insightCalls(props),
      ...instanceCalls(props),
      ...imageCalls(props),
      ...clusterCalls(props),
      ...engineCalls(props),
      ...dnsCalls(props),
      ...firewallCalls(props),
      ...balancerCalls(props),
      ...networkCalls(props),
    }),
  );
}

type Calls = Readonly<Record<string, object>>;

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl me';

const accountCalls = ({ key, reboot }: Props): Calls => ({
  'account-get-information': {},
  'balance-get': {},
  'billing-history-list': {},
  'invoice-list': {},
  'action-get': { ID: reboot },
  'action-list': {},
  'key-create': { Name: 'new', PublicKey: publicKey },
  'key-delete': { ID: key },
  'key-get': { ID: key },
  'key-list': {},
});

const chat = { channel: '#alerts', url: 'https://hooks.slack.com/services/T1234567/AAAAAAAA/ZZZZZZ' } as const;

const insightCalls = ({ check, alert, policy }: Props): Calls => ({
  'uptimecheck-get': { ID: check },
  'uptimecheck-get-state': { ID: check },
  'uptimecheck-list': {},
  'uptimecheck-create': { Name: 'new', Type: 'https', Target: 'https://www.example.com', Regions: ['us_east'], Enabled: true },
  'uptimecheck-delete': { ID: check },
  'uptimecheck-update': { ID: check, Name: 'changed' },
  'uptimecheck-alert-get': { CheckID: check, AlertID: alert },
  'uptimecheck-alert-list': { CheckID: check },
  'uptimecheck-alert-create': { CheckID: check, Type: 'down_global', Period: '2m', Emails: ['captain@example.com'], Slack: [chat] },
  'uptimecheck-alert-update': { CheckID: check, AlertID: alert, Period: '30m', Emails: ['captain@example.com'], Slack: [chat] },
  'uptimecheck-alert-delete': { CheckID: check, AlertID: alert },
  'alert-policy-get': { UUID: policy },
  'alert-policy-list': {},
  'alert-policy-create': { Type: 'v1/insights/instance/cpu', Description: 'new', Compare: 'GreaterThan', Value: 80, Window: '5m' },
  'alert-policy-update': {
    UUID: policy,
    Type: 'v1/insights/instance/cpu',
    Description: 'changed',
    Compare: 'GreaterThan',
    Value: 90,
    Window: '5m',
  },
  'alert-policy-delete': { UUID: policy },
});

const instanceCalls = ({ web, backedUp, off, legacy, spare, otherKernel, distribution, snapshot, reboot }: Props): Calls => ({
  'instance-create': { Name: 'new', Size: 's-1vcpu-1gb', ImageID: distribution, Region: 'nyc3' },
  'instance-delete': { ID: spare },
  'instance-get': { ID: web },
  'instance-list': {},
  'instance-action': { InstanceID: web, ActionID: reboot },
  'instance-reboot': { ID: web },
  'reset-instance-password': { ID: web },
  'rename-instance': { ID: web, Name: 'changed' },
  'change-kernel-instance': { ID: legacy, KernelID: otherKernel },
  'enable-ipv6-instance': { ID: web },
  'enable-private-net-instance': { ID: legacy },
  'enable-backups-instance': { ID: web },
  'disable-backups-instance': { ID: backedUp },
  'power-cycle-instance': { ID: web },
  'power-on-instance': { ID: off },
  'power-off-instance': { ID: web },
  'shutdown-instance': { ID: web },
  'rebuild-instance-by-slug': { ID: spare, ImageSlug: 'debian-12-x64' },
  'rebuild-instance': { ID: spare, ImageID: distribution },
  'restore-instance': { ID: web, ImageID: snapshot },
  'resize-instance': { ID: off, Size: 's-2vcpu-2gb' },
  'snapshot-instance': { ID: web, Name: 'new' },
  'power-cycle-instances-tag': { Tag: 'web' },
  'power-on-instances-tag': { Tag: 'staging' },
  'power-off-instances-tag': { Tag: 'web' },
  'shutdown-instances-tag': { Tag: 'web' },
  'enable-backups-instances-tag': { Tag: 'web' },
  'disable-backups-instances-tag': { Tag: 'db' },
  'snapshot-instances-tag': { Tag: 'web', Name: 'new' },
  'enable-ipv6-instances-tag': { Tag: 'web' },
  'enable-private-net-instances-tag': { Tag: 'legacy' },
});

const imageCalls = ({ snapshot, backup, custom, transfer }: Props): Calls => ({
  'image-list': {},
  'image-get': { ID: snapshot },
  'image-create': { Name: 'new', Url: 'https://files.example.com/golden.qcow2', Region: 'nyc3', Distribution: 'Debian' },
  'image-update': { ID: custom, Name: 'changed' },
  'image-delete': { ID: custom },
  'image-action-transfer': { ID: snapshot, Region: 'ams3' },
  'image-action-convert': { ID: backup },
  'image-action-get': { ImageID: snapshot, ActionID: transfer },
  'size-list': {},
});

const clusterCalls = ({ pg, moving, migration }: Props): Calls => ({
  'db-cluster-list': {},
  'db-cluster-get': { id: pg },
  'db-cluster-get-ca': { id: pg },
  'db-cluster-create': { name: 'new', engine: 'pg', version: '16', region: 'nyc3', size: 'db-s-2vcpu-4gb', num_nodes: 1 },
  'db-cluster-delete': { id: pg },
  'db-cluster-resize': { id: pg, num_nodes: 3 },
  'db-cluster-list-backups': { id: pg },
  'db-cluster-list-options': {},
  'db-cluster-upgrade-major-version': { id: pg, version: '17' },
  'db-cluster-start-online-migration': { id: pg, source: migrationSource },
  'db-cluster-stop-online-migration': { id: moving, migration_id: migration },
  'db-cluster-get-migration': { id: moving },
  'db-cluster-get-firewall-rules': { id: pg },
  'db-cluster-update-firewall-rules': { id: pg, rules: [{ type: 'ip_addr', value: '192.0.2.1' }] },
  'db-cluster-get-user': { id: pg, user: 'orders-app' },
  'db-cluster-list-users': { id: pg },
  'db-cluster-create-user': { id: pg, name: 'new' },
  'db-cluster-delete-user': { id: pg, user: 'orders-app' },
});

const engineCalls = ({ pg, mysql, kafka, mongodb, opensearch, redis }: Props): Calls => ({
  'db-cluster-list-topics': { id: kafka },
  'db-cluster-create-topic': { id: kafka, name: 'new' },
  'db-cluster-get-topic': { id: kafka, name: 'orders' },
  'db-cluster-delete-topic': { id: kafka, name: 'orders' },
  'db-cluster-update-topic': { id: kafka, name: 'orders', partition_count: 12 },
  'db-cluster-get-kafka-config': { id: kafka },
  'db-cluster-update-kafka-config': { id: kafka, config: { log_retention_hours: 200 } },
  'db-cluster-update-user': { id: kafka, user: 'reader', settings: { acl: [{ topic: 'orders', permission: 'produceconsume' }] } },
  'db-cluster-get-mongodb-config': { id: mongodb },
  'db-cluster-update-mongodb-config': { id: mongodb, config: { verbosity: 3 } },
  'db-cluster-get-mysql-config': { ID: mysql },
  'db-cluster-update-mysql-config': { ID: mysql, config: { long_query_time: 5 } },
  'db-cluster-get-sql-mode': { id: mysql },
  'db-cluster-set-sql-mode': { id: mysql, modes: 'ANSI_QUOTES' },
  'db-cluster-get-opensearch-config': { id: opensearch },
  'db-cluster-update-os-config': { id: opensearch, config: { ism_enabled: false } },
  'db-cluster-get-postgresql-config': { id: pg },
  'db-cluster-update-psql-config': { id: pg, config: { timezone: 'Europe/Rome' } },
  'db-cluster-get-redis-config': { id: redis },
  'db-cluster-update-redis-config': { id: redis, config: { redis_timeout: 200 } },
});

const dnsCalls = ({ zone, record, certificate, unused }: Props): Calls => ({
  'domain-create': { Name: 'new.example', IPAddress: '192.0.2.10' },
  'domain-delete': { Name: zone },
  'domain-get': { Name: zone },
  'domain-list': {},
  'domain-record-create': { Domain: zone, Type: 'A', Name: 'new', Data: '192.0.2.10' },
  'domain-record-delete': { Domain: zone, RecordID: record },
  'domain-record-edit': { Domain: zone, RecordID: record, Type: 'CNAME', Name: 'status', Data: 'changed.example.net.' },
  'domain-record-get': { Domain: zone, RecordID: record },
  'domain-record-list': { Domain: zone },
  'custom-certificate-create': {
    Name: 'new',
    PrivateKey: pem.leafKey,
    LeafCertificate: pem.leaf,
    CertificateChain: pem.authority,
  },
  'acme-certificate-create': { Name: 'new', DnsNames: [zone] },
  'certificate-delete': { ID: unused },
  'certificate-get': { ID: certificate },
  'certificate-list': {},
});

const firewallCalls = ({ firewall, web, spare }: Props): Calls => ({
  'firewall-create': {
    Name: 'new',
    InboundProtocol: 'tcp',
    InboundPortRange: '80',
    InboundSource: '192.0.2.0/24',
    OutboundProtocol: 'icmp',
    OutboundPortRange: '0',
    OutboundDestination: '192.0.2.0/24',
  },
  'firewall-delete': { ID: firewall },
  'firewall-get': { ID: firewall },
  'firewall-list': {},
  'firewall-add-tags': { ID: firewall, Tags: ['staging'] },
  'firewall-remove-tags': { ID: firewall, Tags: ['worker'] },
  'firewall-add-instances': { ID: firewall, InstanceIDs: [spare] },
  'firewall-remove-instances': { ID: firewall, InstanceIDs: [web] },
  'firewall-add-rules': { ID: firewall, InboundRules: [{ Protocol: 'tcp', PortRange: '443', Sources: ['192.0.2.0/24'] }] },
  'firewall-remove-rules': { ID: firewall, InboundRules: [{ Protocol: 'tcp', PortRange: '80', Sources: ['192.0.2.0/24'] }] },
});

const rule = (EntryPort: number) => ({ EntryProtocol: 'http', EntryPort, TargetProtocol: 'http', TargetPort: EntryPort });

const balancerCalls = ({ balancer: LoadBalancerID, world, web, spare }: Props): Calls => ({
  'load-balancer-create': { Name: 'new', Region: 'nyc3', ForwardingRules: [rule(80)], InstanceIDs: [spare] },
  'load-balancer-update': { LoadBalancerID, Name: 'changed' },
  'load-balancer-delete': { LoadBalancerID: world },
  'load-balancer-delete-cache': { LoadBalancerID: world },
  'load-balancer-get': { LoadBalancerID },
  'load-balancer-list': {},
  'load-balancer-add-instances': { LoadBalancerID, InstanceIDs: [spare] },
  'load-balancer-remove-instances': { LoadBalancerID, InstanceIDs: [web] },
  'load-balancer-add-forwarding-rules': { LoadBalancerID, ForwardingRules: [rule(81)] },
  'load-balancer-remove-forwarding-rules': { LoadBalancerID, ForwardingRules: [rule(8080)] },
});

const networkCalls = ({ assigned, free, spare, one, other, home, peering, prefix }: Props): Calls => ({
  'reserved-ip-reserve': { Region: 'nyc3', Type: 'ipv4' },
  'reserved-ip-release': { IP: free, Type: 'ipv4' },
  'reserved-ip-assign': { IP: free, InstanceID: spare, Type: 'ipv4' },
  'reserved-ip-unassign': { IP: assigned, Type: 'ipv4' },
  'reserved-ip-list': { Type: 'ipv4' },
  'reserved-ip-get': { IP: assigned },
  'vpc-peering-create': { Name: 'new', Vpc1: one, Vpc2: other },
  'vpc-peering-delete': { ID: peering },
  'vpc-peering-get': { ID: peering },
  'vpc-peering-list': {},
  'byoip-prefix-create': { Prefix: '203.0.114.0/24', Signature: 'c2lnbmVk', Region: 'nyc3' },
  'byoip-prefix-delete': { UUID: prefix },
  'byoip-prefix-get': { UUID: prefix },
  'byoip-prefix-list': {},
  'byoip-prefix-resources-get': { UUID: prefix },
  'vpc-create': { Name: 'new', Region: 'nyc1' },
  'vpc-list-members': { ID: home },
  'vpc-delete': { ID: other },
  'vpc-get': { ID: home },
  'vpc-list': {},
});
