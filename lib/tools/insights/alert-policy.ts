import { z } from 'zod';
import { paging, uuid } from '../../catalogue/fields.ts';
import { isRecord } from '../../catalogue/is-record.ts';
import { path } from '../../catalogue/path.ts';
import type { PlatformRecord } from '../../catalogue/platform-calls.ts';
import { tool } from '../../catalogue/tool.ts';
import { ToolError } from '../../errors.ts';
import { listPolicies, showPolicy, unknownPolicy } from './recovery.ts';
import { slackBody, slackTargets } from './slack.ts';

const policyId = () => uuid();

const metrics =
  'v1/insights/instance/ with cpu, memory_utilization_percent, disk_utilization_percent, load_1, load_5, load_15, disk_read, disk_write or public_inbound_bandwidth (also outbound, private); v1/insights/lbaas/... for load balancers, v1/dbaas/alerts/... for databases';

/** @param metric says which metrics there are */
const policyFields = (metric: string) => ({
  Type: z.string().describe(metric),
  Description: z.string(),
  Compare: z.enum(['GreaterThan', 'LessThan']),
  Value: z.number(),
  Window: z.enum(['5m', '10m', '30m', '1h']),
  Entities: z.array(z.string()).optional(),
  Tags: z.array(z.string()).optional(),
  Alerts: z.strictObject({ Email: z.array(z.string()).optional(), Slack: slackTargets().optional() }).optional(),
  Enabled: z.boolean().optional(),
});

/** A metric in the platform's words, which call an instance otherwise. */
function metricOnWire(type: string): string {
  return type.replace('/instance/', '/droplet/');
}

/** A policy in the words that are used outside. */
function showMetric(policy: PlatformRecord): PlatformRecord {
  return typeof policy.type === 'string' ? { ...policy, type: policy.type.replace('/droplet/', '/instance/') } : policy;
}

/** What both writes and reads of policies share. */
const aPolicy = { returns: 'policy', show: showMetric } as const;

/** A list out of the policy as it stands. Without it an update could only guess, and a wrong guess watches everything. */
function listIn(tool: string, record: PlatformRecord, name: string): readonly unknown[] {
  const list = record[name];
  if (Array.isArray(list)) return list;
  throw new ToolError('platform_error', `${tool}: the policy that was read has no ${name}; nothing was changed`);
}

export const alertPolicyTools = [
  tool({
    name: 'alert-policy-get',
    title: 'Get an alert policy',
    description: 'One alert policy: metric, threshold, what it watches and whom it tells.',
    input: () => z.object({ UUID: policyId() }),
    ...aPolicy,
    route: 'GET /v2/monitoring/alerts/{UUID}',
    recover: unknownPolicy,
  }),
  tool({
    name: 'alert-policy-list',
    title: 'List alert policies',
    description: 'Alert policies on metrics of instances, load balancers and databases.',
    input: () => z.object(paging(20)),
    route: 'GET /v2/monitoring/alerts',
    returns: 'policies',
    show: showMetric,
    summary: ['uuid', 'type', 'description', 'compare', 'value', 'window', 'entities', 'tags', 'enabled'],
  }),
  tool({
    name: 'alert-policy-create',
    title: 'Create an alert policy',
    description:
      'Notifies people when a metric passes a threshold for a while. Without Entities and Tags it watches every resource of its kind. Instances need monitoring for metrics of their own.',
    input: () => z.object(policyFields(metrics)),
    texts: { Entities: 'id' },
    ...aPolicy,
    route: 'POST /v2/monitoring/alerts',
    body: ({ Type, Description, Compare, Value, Window, Entities = [], Tags = [], Alerts, Enabled = true }) => ({
      type: metricOnWire(Type),
      description: Description,
      compare: Compare,
      value: Value,
      window: Window,
      entities: Entities,
      tags: Tags,
      alerts: { email: Alerts?.Email ?? [], slack: slackBody(Alerts?.Slack ?? []) },
      enabled: Enabled,
    }),
    verify: () => listPolicies,
  }),
  tool({
    name: 'alert-policy-update',
    title: 'Change an alert policy',
    description:
      'Changes an alert policy. Entities, Tags, the recipients and Enabled keep their value where left out; where given, each replaces the whole list. Both Entities and Tags empty watches every resource of the kind.',
    input: () => z.object({ UUID: policyId(), ...policyFields('As for alert-policy-create') }),
    texts: { Entities: 'id' },
    ...aPolicy,
    calls: ['GET /v2/monitoring/alerts/{UUID}', 'PUT /v2/monitoring/alerts/{UUID}'],
    // The platform replaces a policy in full: entities left out would widen it to everything.
    async run({ UUID, Type, Description, Compare, Value, Window, Entities, Tags, Alerts, Enabled }, platform) {
      const place = path`/v2/monitoring/alerts/${UUID}`;
      const current = await platform.record(place, 'policy');
      const recipients = isRecord(current.alerts) ? current.alerts : {};
      const body = {
        type: metricOnWire(Type),
        description: Description,
        compare: Compare,
        value: Value,
        window: Window,
        entities: Entities ?? listIn(platform.tool, current, 'entities'),
        tags: Tags ?? listIn(platform.tool, current, 'tags'),
        alerts: {
          email: Alerts?.Email ?? recipients.email ?? [],
          slack: Alerts?.Slack === undefined ? (recipients.slack ?? []) : slackBody(Alerts.Slack),
        },
        enabled: Enabled ?? current.enabled,
      };
      return platform.request({ method: 'PUT', path: place, body });
    },
    hints: { readOnly: false, destructive: false, idempotent: true },
    verify: showPolicy,
    recover: unknownPolicy,
  }),
  tool({
    name: 'alert-policy-delete',
    title: 'Delete an alert policy',
    description: 'Deletes an alert policy.',
    input: () => z.object({ UUID: policyId() }),
    route: 'DELETE /v2/monitoring/alerts/{UUID}',
    verify: showPolicy,
    recover: unknownPolicy,
  }),
];
