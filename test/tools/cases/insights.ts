import type { RoutedCase, RunCase } from './case.ts';

const id = '4de7ac8b-495b-4884-9a69-1050c6793cd6';
const alertId = '17f0f0ae-b7e5-4ef6-86e3-aa569db58284';
const check = `/v2/uptime/checks/${id}`;
const policy = `/v2/monitoring/alerts/${id}`;

const aCheck = {
  id,
  name: 'Landing page',
  type: 'https',
  target: 'https://www.example.com',
  regions: ['us_east', 'eu_west'],
  enabled: true,
};
const anAlert = {
  id: alertId,
  name: 'Slow',
  type: 'latency',
  threshold: 300,
  comparison: 'greater_than',
  notifications: { email: ['ops@example.com'], slack: [] },
  period: '2m',
};
const aPolicy = {
  uuid: id,
  type: 'v1/insights/droplet/cpu',
  description: 'CPU is high',
  compare: 'GreaterThan',
  value: 80,
  window: '5m',
  entities: ['192018292'],
  tags: ['web'],
  alerts: { email: ['ops@example.com'], slack: [{ channel: '#ops', url: 'https://hooks.example.com/1' }] },
  enabled: false,
};
const { uuid: _uuid, ...policyBody } = aPolicy;

export const insightCases: readonly RoutedCase[] = [
  ['uptimecheck-get', { ID: id }, { method: 'GET', path: check }],
  ['uptimecheck-get-state', { ID: id }, { method: 'GET', path: `${check}/state` }],
  ['uptimecheck-list', {}, { method: 'GET', path: '/v2/uptime/checks?page=1&per_page=30' }],
  [
    'uptimecheck-create',
    { name: 'n', type: 'HTTPS', target: 'https://www.example.com', regions: ['us_east', 'EU_WEST'], enabled: true },
    {
      method: 'POST',
      path: '/v2/uptime/checks',
      body: { name: 'n', type: 'https', target: 'https://www.example.com', regions: ['us_east', 'eu_west'], enabled: true },
    },
  ],
  ['uptimecheck-delete', { ID: id }, { method: 'DELETE', path: check }],
  ['uptimecheck-alert-get', { CheckID: id, AlertID: alertId }, { method: 'GET', path: `${check}/alerts/${alertId}` }],
  ['uptimecheck-alert-list', { CheckID: id }, { method: 'GET', path: `${check}/alerts?page=1&per_page=30` }],
  ['uptimechecks-alert-list', { CheckID: id, Page: 2, PerPage: 5 }, { method: 'GET', path: `${check}/alerts?page=2&per_page=5` }],
  ['uptimecheck-alert-delete', { CheckID: id, AlertID: alertId }, { method: 'DELETE', path: `${check}/alerts/${alertId}` }],
  ['alert-policy-get', { UUID: id }, { method: 'GET', path: policy }],
  ['alert-policy-list', {}, { method: 'GET', path: '/v2/monitoring/alerts?page=1&per_page=20' }],
  [
    'alert-policy-create',
    { Type: 'v1/insights/instance/cpu', Description: 'd', Compare: 'greaterthan', Value: 80.5, Window: '5m' },
    {
      method: 'POST',
      path: '/v2/monitoring/alerts',
      body: {
        type: 'v1/insights/droplet/cpu',
        description: 'd',
        compare: 'GreaterThan',
        value: 80.5,
        window: '5m',
        entities: [],
        tags: [],
        alerts: { email: [], slack: [] },
        enabled: true,
      },
    },
  ],
  [
    'alert-policy-create',
    {
      Type: 'v1/insights/droplet/load_5',
      Description: 'd',
      Compare: 'LessThan',
      Value: 1,
      Window: '1h',
      Entities: ['12', 13],
      Tags: ['web'],
      Alerts: { email: ['a@example.com'], slack: [{ channel: '#a', url: 'https://hooks.example.com/2' }] },
      Enabled: false,
    },
    {
      method: 'POST',
      path: '/v2/monitoring/alerts',
      body: {
        type: 'v1/insights/droplet/load_5',
        description: 'd',
        compare: 'LessThan',
        value: 1,
        window: '1h',
        entities: ['12', '13'],
        tags: ['web'],
        alerts: { email: ['a@example.com'], slack: [{ channel: '#a', url: 'https://hooks.example.com/2' }] },
        enabled: false,
      },
    },
  ],
  ['alert-policy-delete', { UUID: id }, { method: 'DELETE', path: policy }],
];

const readCheck = { method: 'GET', path: check } as const;
const readAlert = { method: 'GET', path: `${check}/alerts/${alertId}` } as const;
const readPolicy = { method: 'GET', path: policy } as const;
const { id: _id, ...checkBody } = aCheck;
const { id: _alertId, ...alertBody } = anAlert;

export const insightRunCases: readonly RunCase[] = [
  [
    'uptimecheck-update',
    { ID: id, Enabled: false },
    [{ check: aCheck }, { check: aCheck }],
    [readCheck, { method: 'PUT', path: check, body: { ...checkBody, enabled: false } }],
  ],
  [
    'uptimecheck-update',
    { ID: id, Name: 'n', Type: 'ping', Target: 'example.com', Regions: ['se_asia'] },
    [{ check: aCheck }, { check: aCheck }],
    [
      readCheck,
      { method: 'PUT', path: check, body: { name: 'n', type: 'ping', target: 'example.com', regions: ['se_asia'], enabled: true } },
    ],
  ],
  [
    'uptimecheck-alert-create',
    { CheckID: id, Name: 'a', Type: 'ssl_expiry', Threshold: 7, Comparison: 'less_than', Period: '2m', Emails: [], Slack: [] },
    [{ alert: anAlert }],
    [
      {
        method: 'POST',
        path: `${check}/alerts`,
        body: {
          name: 'a',
          type: 'ssl_expiry',
          threshold: 7,
          comparison: 'less_than',
          period: '2m',
          notifications: { email: [], slack: [] },
        },
      },
    ],
  ],
  [
    'uptimecheck-alert-create',
    {
      CheckID: id,
      period: '5m',
      email: ['a@example.com'],
      SlackDetails: [{ Channel: '#a', URL: 'https://hooks.example.com/2' }],
    },
    [{ check: aCheck }, { alert: anAlert }],
    [
      readCheck,
      {
        method: 'POST',
        path: `${check}/alerts`,
        body: {
          name: 'Landing page down',
          type: 'down',
          period: '5m',
          notifications: { email: ['a@example.com'], slack: [{ channel: '#a', url: 'https://hooks.example.com/2' }] },
        },
      },
    ],
  ],
  [
    'uptimecheck-alert-update',
    { CheckID: id, AlertID: alertId, Period: '10m', Emails: ['b@example.com'], 'the service': [] },
    [{ alert: anAlert }, { alert: anAlert }],
    [
      readAlert,
      {
        method: 'PUT',
        path: readAlert.path,
        body: { ...alertBody, period: '10m', notifications: { email: ['b@example.com'], slack: [] } },
      },
    ],
  ],
  [
    'uptimecheck-alert-update',
    { CheckID: id, AlertID: alertId, Type: 'down_global', Name: 'Down', Period: '2m', Emails: [], Slack: [] },
    [{ alert: anAlert }, { alert: anAlert }],
    [
      readAlert,
      {
        method: 'PUT',
        path: readAlert.path,
        body: { name: 'Down', type: 'down_global', period: '2m', notifications: { email: [], slack: [] } },
      },
    ],
  ],
  [
    'alert-policy-update',
    { UUID: id, Type: 'v1/insights/instance/cpu', Description: 'CPU is high', Compare: 'GreaterThan', Value: 90, Window: '5m' },
    [{ policy: aPolicy }, { policy: aPolicy }],
    [readPolicy, { method: 'PUT', path: policy, body: { ...policyBody, value: 90 } }],
  ],
  [
    'alert-policy-update',
    {
      UUID: id,
      Type: 'v1/insights/instance/cpu',
      Description: 'd',
      Compare: 'LessThan',
      Value: 5,
      Window: '1h',
      Entities: [],
      Tags: ['db'],
      Alerts: { Email: [] },
      Enabled: true,
    },
    [{ policy: aPolicy }, { policy: aPolicy }],
    [
      readPolicy,
      {
        method: 'PUT',
        path: policy,
        body: {
          ...policyBody,
          description: 'd',
          compare: 'LessThan',
          value: 5,
          window: '1h',
          entities: [],
          tags: ['db'],
          alerts: { ...policyBody.alerts, email: [] },
          enabled: true,
        },
      },
    ],
  ],
];
