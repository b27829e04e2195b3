import type { RoutedCase, RunCase } from './case.ts';

const id = 'bb4b2611-3d72-467b-8602-280330ecd65c';
const firewall = `/v2/firewalls/${id}`;
const balancer = `/v2/load_balancers/${id}`;

const inbound = [
  { Protocol: 'tcp', PortRange: '8000-9000', Sources: ['192.0.2.1', '10.0.0.0/8'] },
  { Protocol: 'icmp', PortRange: '', Sources: ['::/0'] },
];
const inboundBody = [
  { protocol: 'tcp', ports: '8000-9000', sources: { addresses: ['192.0.2.1', '10.0.0.0/8'] } },
  { protocol: 'icmp', ports: '0', sources: { addresses: ['::/0'] } },
];
const outbound = [{ Protocol: 'UDP', PortRange: 'all', Destinations: ['0.0.0.0/0'] }];
const outboundBody = [{ protocol: 'udp', ports: '0', destinations: { addresses: ['0.0.0.0/0'] } }];

const rules = [{ EntryProtocol: 'http', EntryPort: 80, TargetProtocol: 'http', TargetPort: 8080 }];
const rulesBody = [{ entry_protocol: 'http', entry_port: 80, target_protocol: 'http', target_port: 8080 }];
const tlsRules = [
  { entry_protocol: 'https', entry_port: 443, target_protocol: 'http', target_port: 80, certificate_id: id, tls_passthrough: false },
];

export const trafficCases: readonly RoutedCase[] = [
  [
    'firewall-create',
    {
      Name: 'web',
      InboundProtocol: 'tcp',
      InboundPortRange: '80',
      InboundSource: '0.0.0.0/0, ::/0',
      OutboundProtocol: 'icmp',
      OutboundPortRange: '0',
      OutboundDestination: '192.0.2.0/24',
    },
    {
      method: 'POST',
      path: '/v2/firewalls',
      body: {
        name: 'web',
        inbound_rules: [{ protocol: 'tcp', ports: '80', sources: { addresses: ['0.0.0.0/0', '::/0'] } }],
        outbound_rules: [{ protocol: 'icmp', ports: '0', destinations: { addresses: ['192.0.2.0/24'] } }],
        droplet_ids: [],
        tags: [],
      },
    },
  ],
  [
    'firewall-create',
    {
      Name: 'web',
      InboundProtocol: 'tcp',
      InboundPortRange: 'all',
      InboundSource: '192.0.2.7',
      OutboundProtocol: 'udp',
      OutboundPortRange: '1-65535',
      OutboundDestination: '2001:db8::/32',
      InstanceIDs: [8043964, '8043965'],
      Tags: ['web'],
    },
    {
      method: 'POST',
      path: '/v2/firewalls',
      body: {
        name: 'web',
        inbound_rules: [{ protocol: 'tcp', ports: '0', sources: { addresses: ['192.0.2.7'] } }],
        outbound_rules: [{ protocol: 'udp', ports: '1-65535', destinations: { addresses: ['2001:db8::/32'] } }],
        droplet_ids: [8043964, 8043965],
        tags: ['web'],
      },
    },
  ],
  ['firewall-delete', { ID: id }, { method: 'DELETE', path: firewall }],
  ['firewall-get', { ID: id }, { method: 'GET', path: firewall }],
  ['firewall-list', {}, { method: 'GET', path: '/v2/firewalls?page=1&per_page=20' }],
  ['firewall-add-tags', { ID: id, Tags: ['web'] }, { method: 'POST', path: `${firewall}/tags`, body: { tags: ['web'] } }],
  ['firewall-remove-tags', { ID: id, Tags: ['web'] }, { method: 'DELETE', path: `${firewall}/tags`, body: { tags: ['web'] } }],
  [
    'firewall-add-instances',
    { ID: id, InstanceIDs: [1, 2] },
    { method: 'POST', path: `${firewall}/droplets`, body: { droplet_ids: [1, 2] } },
  ],
  [
    'firewall-remove-instances',
    { ID: id, InstanceIDs: [1] },
    { method: 'DELETE', path: `${firewall}/droplets`, body: { droplet_ids: [1] } },
  ],
  [
    'firewall-add-rules',
    { ID: id, InboundRules: inbound },
    { method: 'POST', path: `${firewall}/rules`, body: { inbound_rules: inboundBody } },
  ],
  [
    'firewall-add-rules',
    { ID: id, InboundRules: inbound, OutboundRules: outbound },
    { method: 'POST', path: `${firewall}/rules`, body: { inbound_rules: inboundBody, outbound_rules: outboundBody } },
  ],
  [
    'firewall-remove-rules',
    { ID: id, OutboundRules: outbound },
    { method: 'DELETE', path: `${firewall}/rules`, body: { outbound_rules: outboundBody } },
  ],
  [
    'firewall-remove-rules',
    { ID: id, InboundRules: [{ Protocol: 'tcp', PortRange: '22', Sources: ['192.0.2.9/24'] }] },
    {
      method: 'DELETE',
      path: `${firewall}/rules`,
      body: { inbound_rules: [{ protocol: 'tcp', ports: '22', sources: { addresses: ['192.0.2.9/24'] } }] },
    },
  ],
  [
    'load-balancer-create',
    { Name: 'lb', Region: 'nyc3', ForwardingRules: rules, InstanceIDs: ['3164444', 3164445] },
    {
      method: 'POST',
      path: '/v2/load_balancers',
      body: {
        name: 'lb',
        region: 'nyc3',
        forwarding_rules: rulesBody,
        type: 'REGIONAL',
        network: 'EXTERNAL',
        droplet_ids: [3164444, 3164445],
      },
    },
  ],
  [
    'load-balancer-create',
    {
      Name: 'lb',
      Region: 'nyc3',
      Tag: 'web',
      ForwardingRules: tlsRules,
      Type: 'REGIONAL_NETWORK',
      Network: 'internal',
      SizeUnit: 3,
      NetworkStack: 'DUALSTACK',
      ProjectID: id,
    },
    {
      method: 'POST',
      path: '/v2/load_balancers',
      body: {
        name: 'lb',
        region: 'nyc3',
        forwarding_rules: tlsRules,
        type: 'REGIONAL_NETWORK',
        network: 'INTERNAL',
        size_unit: 3,
        network_stack: 'DUALSTACK',
        project_id: id,
        tag: 'web',
      },
    },
  ],
  [
    'load-balancer-create',
    { Name: 'empty', Region: 'nyc3', ForwardingRules: rules },
    {
      method: 'POST',
      path: '/v2/load_balancers',
      body: { name: 'empty', region: 'nyc3', forwarding_rules: rulesBody, type: 'REGIONAL', network: 'EXTERNAL', droplet_ids: [] },
    },
  ],
  ['load-balancer-delete', { LoadBalancerID: id }, { method: 'DELETE', path: balancer }],
  ['load-balancer-delete-cache', { LoadBalancerID: id }, { method: 'DELETE', path: `${balancer}/cache` }],
  ['load-balancer-get', { LoadBalancerID: id }, { method: 'GET', path: balancer }],
  ['load-balancer-list', {}, { method: 'GET', path: '/v2/load_balancers?page=1&per_page=20' }],
  [
    'load-balancer-add-instances',
    { LoadBalancerID: id, InstanceIDs: [1, 2] },
    { method: 'POST', path: `${balancer}/droplets`, body: { droplet_ids: [1, 2] } },
  ],
  [
    'load-balancer-remove-instances',
    { LoadBalancerID: id, InstanceIDs: [1] },
    { method: 'DELETE', path: `${balancer}/droplets`, body: { droplet_ids: [1] } },
  ],
  [
    'load-balancer-add-forwarding-rules',
    { LoadBalancerID: id, ForwardingRules: tlsRules },
    { method: 'POST', path: `${balancer}/forwarding_rules`, body: { forwarding_rules: tlsRules } },
  ],
  [
    'load-balancer-remove-forwarding-rules',
    { LoadBalancerID: id, ForwardingRules: rules },
    { method: 'DELETE', path: `${balancer}/forwarding_rules`, body: { forwarding_rules: rulesBody } },
  ],
  [
    'load-balancer-remove-forwarding-rules',
    { LoadBalancerID: id, ForwardingRules: tlsRules },
    { method: 'DELETE', path: `${balancer}/forwarding_rules`, body: { forwarding_rules: tlsRules } },
  ],
];

/** Global load balancers, which the platform has and its document has no body for. */
export const globalLoadBalancerCases: readonly RoutedCase[] = [
  [
    'load-balancer-create',
    {
      Name: 'glb',
      Type: 'GLOBAL',
      TargetLoadBalancerIDs: [id],
      GLBSettings: {
        TargetProtocol: 'http',
        TargetPort: 80,
        CDN: { IsEnabled: true },
        RegionPriorities: { nyc1: 1, fra1: 2 },
        FailoverThreshold: 50,
      },
    },
    {
      method: 'POST',
      path: '/v2/load_balancers',
      body: {
        name: 'glb',
        type: 'GLOBAL',
        network: 'EXTERNAL',
        target_load_balancer_ids: [id],
        glb_settings: {
          target_protocol: 'http',
          target_port: 80,
          cdn: { is_enabled: true },
          region_priorities: { nyc1: 1, fra1: 2 },
          failover_threshold: 50,
        },
      },
    },
  ],
  [
    'load-balancer-create',
    { Name: 'glb', Type: 'global', GLBSettings: { target_protocol: 'HTTPS', target_port: '443', cdn: { is_enabled: false } } },
    {
      method: 'POST',
      path: '/v2/load_balancers',
      body: {
        name: 'glb',
        type: 'GLOBAL',
        network: 'EXTERNAL',
        glb_settings: { target_protocol: 'https', target_port: 443, cdn: { is_enabled: false } },
      },
    },
  ],
];

/** What the platform replies, with what only it writes and what no argument names. */
const current = {
  id,
  name: 'lb',
  ip: '104.131.186.241',
  ipv6: '2604:a880:800:14::42f5:c000',
  size: 'lb-small',
  size_unit: 2,
  status: 'active',
  created_at: '2026-02-04T21:14:19Z',
  algorithm: 'least_connections',
  forwarding_rules: rulesBody,
  health_check: { protocol: 'http', port: 80, path: '/up' },
  sticky_sessions: { type: 'cookies', cookie_name: 'lb', cookie_ttl_seconds: 300 },
  region: { slug: 'nyc3', name: 'New York 3' },
  tag: '',
  droplet_ids: [3164444],
  redirect_http_to_https: true,
  type: 'REGIONAL',
  network: 'EXTERNAL',
  vpc_uuid: 'c33931f2-a26a-4e61-b85c-4e95a2ec431b',
  project_id: null,
};
/** The same as it goes back, but for its members. */
const kept = {
  name: 'lb',
  size_unit: 2,
  algorithm: 'least_connections',
  forwarding_rules: rulesBody,
  health_check: current.health_check,
  sticky_sessions: current.sticky_sessions,
  region: 'nyc3',
  redirect_http_to_https: true,
  type: 'REGIONAL',
  network: 'EXTERNAL',
  vpc_uuid: current.vpc_uuid,
};
const read = { method: 'GET', path: balancer } as const;
const written = (body: object) => ({ method: 'PUT', path: balancer, body }) as const;
const replies = (record: object) => [{ load_balancer: record }, { load_balancer: record }];

export const trafficRunCases: readonly RunCase[] = [
  [
    'load-balancer-update',
    { LoadBalancerID: id, Name: 'renamed' },
    replies(current),
    [read, written({ ...kept, name: 'renamed', droplet_ids: [3164444] })],
  ],
  ['load-balancer-update', { LoadBalancerID: id, Name: 'lb', Tag: 'web' }, replies(current), [read, written({ ...kept, tag: 'web' })]],
  [
    'load-balancer-update',
    { LoadBalancerID: id, Name: 'lb', SizeUnit: 4 },
    replies({ ...current, tag: 'web' }),
    [read, written({ ...kept, size_unit: 4, tag: 'web' })],
  ],
  [
    'load-balancer-update',
    { LoadBalancerID: id, Name: 'lb', InstanceIDs: ['7'] },
    replies({ ...current, tag: 'web' }),
    [read, written({ ...kept, droplet_ids: [7] })],
  ],
  [
    'load-balancer-update',
    { LoadBalancerID: id, Name: 'lb', ForwardingRules: tlsRules, GLBSettings: { CDN: { IsEnabled: true } } },
    replies({ ...current, glb_settings: { target_port: 80, cdn: { is_enabled: false } } }),
    [
      read,
      written({
        ...kept,
        forwarding_rules: tlsRules,
        glb_settings: { target_port: 80, cdn: { is_enabled: true } },
        droplet_ids: [3164444],
      }),
    ],
  ],
];
