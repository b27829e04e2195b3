import { describe, expect, it } from 'vitest';
import { argumentsOf, callsOf } from '../support/call-of.ts';
import { exampleOf } from './cases/every-case.ts';

const balancer = {
  Name: 'lb',
  Region: 'nyc3',
  ForwardingRules: [{ EntryProtocol: 'http', EntryPort: 80, TargetProtocol: 'http', TargetPort: 80 }],
};
const rule = { Protocol: 'tcp', PortRange: '22', Sources: ['192.0.2.1'] };
const database = { id: 'c', name: 'orders' };

/** A call whose last argument is wrong, the field that is named for it, and a part of what is said to be allowed. */
const refusals: readonly (readonly [tool: string, given: object, field: string, expected: string])[] = [
  ['uptimecheck-create', { Type: 'tcp' }, 'Type', 'one of ping, http, https'],
  ['uptimecheck-create', { Regions: ['us_east', 'mars'] }, 'Regions[1]', 'one of us_east, us_west, eu_west, se_asia'],
  ['uptimecheck-alert-create', { Type: 'latency', Comparison: undefined }, 'Comparison', 'required for Type latency'],
  ['uptimecheck-alert-create', { Type: 'ssl_expiry', Threshold: undefined }, 'Threshold', 'required for Type ssl_expiry'],
  ['uptimecheck-alert-create', { Threshold: 1.5 }, 'Threshold', 'an integer'],
  ['uptimecheck-alert-create', { Period: '4m' }, 'Period', 'one of 2m, 3m, 5m'],
  ['alert-policy-create', { Compare: 'Equals' }, 'Compare', 'one of GreaterThan, LessThan'],
  ['alert-policy-create', { Alerts: { Mail: [] } }, 'Alerts.Mail', 'one of Email, Slack'],
  [
    'db-cluster-resize',
    { size: undefined, num_nodes: undefined, storage_size_mib: undefined },
    'size, num_nodes, storage_size_mib',
    'at least one',
  ],
  ['db-cluster-list', { page: '0' }, 'page', 'an integer from 1'],
  ['db-cluster-list-topics', { with_projects: 'maybe' }, 'with_projects', 'true or false'],
  ['db-cluster-list-topics', { only_deployed: 'maybe' }, 'only_deployed', 'true or false'],
  ['db-cluster-list-topics', { public_only: 'maybe' }, 'public_only', 'true or false'],
  ['db-cluster-create-topic', { ...database, partition_count: 'six' }, 'partition_count', 'an integer from 1'],
  ['db-cluster-create-topic', { ...database, config: { flush_ms: 2 ** 63 } }, 'config.flush_ms', 'an integer or a string'],
  ['db-cluster-create-topic', { ...database, config: { of_tomorrow: 2 ** 63 } }, 'config.of_tomorrow', 'a larger one as text'],
  ['db-cluster-update-mysql-config', { config_json: '[]' }, 'config_json', 'a JSON object'],
  ['db-cluster-update-mysql-config', { config_json: { n: 2 ** 53 } }, 'config_json', 'as text where it has integers over 9007199254740991'],
  ['db-cluster-update-redis-config', { config: { redis_persistence: 'off' } }, 'config.redis_persistence', 'one of aof, rdb, none'],
  ['db-cluster-update-mongodb-config', { config: { verbosity: 6 } }, 'config.verbosity', 'from 0 to 5'],
  ['db-cluster-update-firewall-rules', { rules: [{ type: 'ip_addr', value: '::1' }] }, 'rules[0].value', 'an IPv4 address or a CIDR block'],
  ['db-cluster-update-firewall-rules', { rules: [{ type: 'ip', value: '::1' }] }, 'rules[0].type', 'one of ip_addr, instance, tag, app'],
  ['db-cluster-create-user', { mysql_auth_plugin: 'plain' }, 'mysql_auth_plugin', 'one of mysql_native_password'],
  ['db-cluster-create-user', { settings: { acls: [] } }, 'settings.acls', 'one of acl, opensearch_acl, mongo_user_settings'],
  ['db-cluster-get-user', { user: 'a/b' }, 'user', 'without /'],
  ['domain-create', { IPAddress: '203.0.113' }, 'IPAddress', 'an IPv4 or IPv6 address'],
  ['domain-record-create', { Type: 'A', Data: '2001:db8::1' }, 'Data', 'an IPv4 address'],
  ['domain-record-edit', { Type: 'aaaa', Data: '203.0.113.1' }, 'Data', 'an IPv6 address'],
  ['custom-certificate-create', { PrivateKey: 'not a key' }, 'PrivateKey', 'PEM private key'],
  ['custom-certificate-create', { LeafCertificate: 'not PEM' }, 'LeafCertificate', 'PEM certificate'],
  ['custom-certificate-create', { CertificateChain: 'not PEM' }, 'CertificateChain', 'PEM certificates'],
  ['acme-certificate-create', { DnsNames: [] }, 'DnsNames', 'from 1 items'],
  ['firewall-create', { InboundProtocol: 'sctp' }, 'InboundProtocol', 'one of tcp, udp, icmp'],
  ['firewall-create', { InboundPortRange: '90-80' }, 'InboundPortRange', 'a port from 1 to 65535'],
  ['firewall-create', { InboundSource: '192.0.2.1, 10.0.0.0/33' }, 'InboundSource', 'CIDR block'],
  ['firewall-create', { OutboundProtocol: 'tcp', OutboundPortRange: '70000' }, 'OutboundPortRange', 'a port from 1 to 65535'],
  ['firewall-create', { OutboundDestination: ' , ' }, 'OutboundDestination', 'an address or a CIDR block'],
  ['firewall-add-rules', { InboundRules: [], OutboundRules: [] }, 'InboundRules, OutboundRules', 'at least one'],
  [
    'firewall-add-rules',
    { InboundRules: [{ ...rule, Sources: ['10.0.0.1/8'] }] },
    'InboundRules[0].Sources[0]',
    'no bits set behind the prefix',
  ],
  ['firewall-add-rules', { InboundRules: [{ ...rule, PortRange: 'ssh' }] }, 'InboundRules[0].PortRange', 'a port from 1'],
  ['firewall-add-rules', { InboundRules: [{ Protocol: 'tcp', Sources: [] }] }, 'InboundRules[0].PortRange', 'it is required'],
  ['firewall-remove-rules', { OutboundRules: undefined }, 'InboundRules, OutboundRules', 'at least one'],
  ['load-balancer-create', { ...balancer, Region: undefined }, 'Region', 'required for Type REGIONAL'],
  [
    'load-balancer-create',
    { ...balancer, Type: 'regional_network', ForwardingRules: [] },
    'ForwardingRules',
    'a list of objects with from 1 items',
  ],
  [
    'load-balancer-create',
    { ...balancer, Type: 'REGIONAL_NETWORK', ForwardingRules: undefined },
    'ForwardingRules',
    'required for Type REGIONAL_NETWORK',
  ],
  ['load-balancer-create', { ...balancer, Type: 'GLOBAL' }, 'GLBSettings', 'required for Type GLOBAL'],
  ['load-balancer-create', { ...balancer, Tag: 'web', InstanceIDs: ['1'] }, 'InstanceIDs, Tag', 'not both'],
  ['load-balancer-create', { ...balancer, InstanceIDs: ['web-1'] }, 'InstanceIDs[0]', 'an integer from 1'],
  ['load-balancer-create', { ...balancer, entry_port: 80 }, 'entry_port', 'one of Name'],
  ['load-balancer-create', { ...balancer, Type: 'ZONAL' }, 'Type', 'one of REGIONAL, REGIONAL_NETWORK, GLOBAL'],
  ['load-balancer-update', { GLBSettings: { RegionPriorities: { nyc3: 'first' } } }, 'GLBSettings.RegionPriorities.nyc3', 'an integer'],
  ['load-balancer-update', { GLBSettings: { cdn: { enabled: true } } }, 'GLBSettings.CDN.enabled', 'one of IsEnabled'],
  ['load-balancer-update', { GLBSettings: { FailoverThreshold: 100 } }, 'GLBSettings.FailoverThreshold', 'from 1 to 99'],
  ['reserved-ip-reserve', { Type: 'ipv5' }, 'Type', 'one of ipv4, ipv6'],
  ['reserved-ip-assign', { IP: '45.55.96.47', Type: 'ipv6' }, 'IP', 'an IPv6 address, as Type is ipv6'],
  ['reserved-ip-unassign', { IP: '45.55.96.47', Type: 'ipv6' }, 'IP', 'an IPv6 address, as Type is ipv6'],
  ['reserved-ip-release', { IP: '2001:db8::1', Type: 'ipv4' }, 'IP', 'an IPv4 address, as Type is ipv4'],
  ['reserved-ip-get', { IP: '45.55.96' }, 'IP', 'an IPv4 or IPv6 address'],
  ['vpc-peering-create', { Vpc1: 'a', Vpc2: 'a' }, 'Vpc2', 'another VPC'],
  ['byoip-prefix-create', { Prefix: '203.0.113.7/24' }, 'Prefix', 'no bits set behind the prefix'],
  ['byoip-prefix-create', { Prefix: '2001:db8::/32' }, 'Prefix', 'an IPv4 CIDR block'],
  ['vpc-create', { Subnet: '10.0.0.0/8' }, 'Subnet', 'from /16 to /28'],
  ['vpc-create', { Subnet: '10.0.0.0' }, 'Subnet', 'an IPv4 CIDR block'],
  ['vpc-create', { Subnet: '10.10.10.1/24' }, 'Subnet', 'no bits set behind the prefix'],
];

describe('a call that cannot be right is refused before anything is sent', () => {
  it.each(refusals)('%s with %j: %s', async (tool, given, field, expected) => {
    const { calls, answer } = await callsOf(tool, { ...argumentsOf(tool, exampleOf(tool)), ...given }, []);
    expect(calls).toEqual([]);
    expect(answer).toMatchObject({ status: 400, json: { isError: true, error: { code: 'invalid_arguments' } } });
    expect(answer.json.error.problems).toEqual([expect.objectContaining({ field, expected: expect.stringContaining(expected) })]);
    expect(answer.json.error.message).toContain(`${tool}: ${field}`);
  });

  it('with everything that is wrong at once', async () => {
    const given = { Name: 'web', PrivateKey: 'k', LeafCertificate: 7, CertificateChain: 'c', Color: 'red' };
    const { answer } = await callsOf('custom-certificate-create', given, []);
    expect(answer.json.error.problems.map(({ field }: { field: string }) => field)).toEqual([
      'Color',
      'LeafCertificate',
      'PrivateKey',
      'CertificateChain',
    ]);
  });

  it('without a word of a private key', async () => {
    for (const given of [{ PrivateKey: 'hush' }, { PrivateKey: ['hush'] }, { private_kye: 'hush' }]) {
      const { answer } = await callsOf('custom-certificate-create', { ...exampleOf('custom-certificate-create'), ...given }, []);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('hush');
    }
    const source = 'mysql://me:hush@db.example.com';
    expect((await callsOf('db-cluster-start-online-migration', { id: 'c', source }, [])).answer.text).not.toContain('hush');
  });

  it('what needs a look first changes nothing either', async () => {
    const alert = { id: 'a', name: 'Down', type: 'down', period: '2m' };
    const given = { CheckID: 'c', AlertID: 'a', Type: 'latency', Period: '2m', Emails: [], Slack: [] };
    const { calls, answer } = await callsOf('uptimecheck-alert-update', given, [{ alert }]);
    expect(calls).toEqual([{ method: 'GET', path: '/v2/uptime/checks/c/alerts/a' }]);
    expect(answer.json.error).toMatchObject({
      code: 'invalid_arguments',
      problems: [{ field: 'Threshold' }, { field: 'Comparison' }],
      message: expect.stringContaining('nothing was changed'),
    });
  });
});
