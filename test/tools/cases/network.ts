import type { RoutedCase, RunCase } from './case.ts';

const id = '5a4981aa-9653-4bd1-bef5-d6bff52042e4';
const other = 'e0fe0f4d-596a-465e-a902-571ce57b79fa';
const vpc = `/v2/vpcs/${id}`;
const peering = `/v2/vpc_peerings/${id}`;
const prefix = `/v2/byoip_prefixes/${id}`;
const v4 = '/v2/reserved_ips/45.55.96.47';
const v6 = '/v2/reserved_ipv6/2409%3A40d0%3Af7%3A1017%3A74b4%3A3a96%3A105e%3A4c6e';
const ipv6 = '2409:40d0:f7:1017:74b4:3a96:105e:4c6e';

export const networkCases: readonly RoutedCase[] = [
  [
    'vpc-peering-create',
    { Name: 'nyc1-sfo3', Vpc1: id, Vpc2: other },
    { method: 'POST', path: '/v2/vpc_peerings', body: { name: 'nyc1-sfo3', vpc_ids: [id, other] } },
  ],
  ['vpc-peering-delete', { ID: id }, { method: 'DELETE', path: peering }],
  ['vpc-peering-get', { ID: id }, { method: 'GET', path: peering }],
  ['vpc-peering-list', {}, { method: 'GET', path: '/v2/vpc_peerings?page=1&per_page=20' }],
  [
    'byoip-prefix-create',
    { prefix: '203.0.113.0/24', signature: 'c2lnbmVk', region: 'nyc3' },
    { method: 'POST', path: '/v2/byoip_prefixes', body: { prefix: '203.0.113.0/24', signature: 'c2lnbmVk', region: 'nyc3' } },
  ],
  ['byoip-prefix-delete', { UUID: id }, { method: 'DELETE', path: prefix }],
  ['byoip-prefix-get', { UUID: id }, { method: 'GET', path: prefix }],
  ['byoip-prefix-list', {}, { method: 'GET', path: '/v2/byoip_prefixes?page=1&per_page=20' }],
  ['byoip-prefix-resources-get', { UUID: id, Page: 2 }, { method: 'GET', path: `${prefix}/ips?page=2&per_page=20` }],
  ['vpc-create', { Name: 'prod', Region: 'nyc1' }, { method: 'POST', path: '/v2/vpcs', body: { name: 'prod', region: 'nyc1' } }],
  [
    'vpc-create',
    { Name: 'prod', Region: 'nyc1', Subnet: '10.10.10.0/24', Description: 'VPC for production' },
    {
      method: 'POST',
      path: '/v2/vpcs',
      body: { name: 'prod', region: 'nyc1', ip_range: '10.10.10.0/24', description: 'VPC for production' },
    },
  ],
  ['vpc-delete', { ID: id }, { method: 'DELETE', path: vpc }],
  ['vpc-get', { ID: id }, { method: 'GET', path: vpc }],
  ['vpc-list', {}, { method: 'GET', path: '/v2/vpcs?page=1&per_page=20' }],
];

const action = { action: { id: 1, status: 'in-progress' } };
const members = Array.from({ length: 200 }, (_, index) => ({ urn: `do:droplet:${index + 1}`, name: `web-${index + 1}` }));

export const networkRunCases: readonly RunCase[] = [
  [
    'reserved-ip-reserve',
    { Region: 'nyc3', Type: 'IPv4' },
    [{ reserved_ip: { ip: '45.55.96.47' } }],
    [{ method: 'POST', path: '/v2/reserved_ips', body: { region: 'nyc3' } }],
  ],
  [
    'reserved-ip-reserve',
    { Region: 'nyc3', Type: 'ipv6' },
    [{ reserved_ipv6: { ip: ipv6 } }],
    [{ method: 'POST', path: '/v2/reserved_ipv6', body: { region_slug: 'nyc3' } }],
  ],
  ['reserved-ip-release', { IP: '45.55.96.47', Type: 'ipv4' }, [undefined], [{ method: 'DELETE', path: v4 }]],
  ['reserved-ip-release', { IP: ipv6, Type: 'ipv6' }, [undefined], [{ method: 'DELETE', path: v6 }]],
  [
    'reserved-ip-assign',
    { IP: '45.55.96.47', InstanceID: 9, Type: 'ipv4' },
    [action],
    [{ method: 'POST', path: `${v4}/actions`, body: { type: 'assign', droplet_id: 9 } }],
  ],
  [
    'reserved-ip-assign',
    { IP: ipv6, InstanceID: 9, Type: 'ipv6' },
    [action],
    [{ method: 'POST', path: `${v6}/actions`, body: { type: 'assign', droplet_id: 9 } }],
  ],
  [
    'reserved-ip-unassign',
    { IP: '45.55.96.47', Type: 'ipv4' },
    [action],
    [{ method: 'POST', path: `${v4}/actions`, body: { type: 'unassign' } }],
  ],
  ['reserved-ip-unassign', { IP: ipv6, Type: 'ipv6' }, [action], [{ method: 'POST', path: `${v6}/actions`, body: { type: 'unassign' } }]],
  ['reserved-ip-list', { Type: 'ipv4' }, [{ reserved_ips: [] }], [{ method: 'GET', path: '/v2/reserved_ips?page=1&per_page=20' }]],
  [
    'reserved-ip-list',
    { Type: 'ipv6', Page: 2, PerPage: 900 },
    [{ reserved_ipv6s: [] }],
    [{ method: 'GET', path: '/v2/reserved_ipv6?page=2&per_page=200' }],
  ],
  ['reserved-ip-get', { IP: '45.55.96.47' }, [{ reserved_ip: {} }], [{ method: 'GET', path: v4 }]],
  ['reserved-ip-get', { IP: ipv6 }, [{ reserved_ipv6: {} }], [{ method: 'GET', path: v6 }]],
  ['vpc-list-members', { ID: id }, [{ members: [] }], [{ method: 'GET', path: `${vpc}/members?page=1&per_page=200` }]],
  [
    'vpc-list-members',
    { ID: id },
    [
      { members, meta: { total: 201 } },
      { members: members.slice(0, 1), meta: { total: 201 } },
    ],
    [
      { method: 'GET', path: `${vpc}/members?page=1&per_page=200` },
      { method: 'GET', path: `${vpc}/members?page=2&per_page=200` },
    ],
  ],
];
