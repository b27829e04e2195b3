import { z } from 'zod';
import { paging, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { type Problem, ToolError } from '../../errors.ts';
import { listAlerts, showAlert, unknownAlert, unknownCheck } from './recovery.ts';
import { slackBody, slackTargets } from './slack.ts';

const checkId = () => uuid();
const alertId = () => uuid();

/** What an alert consists of; the specification requires the last three on every write. */
const alertFields = () => ({
  Name: z.string().optional(),
  Type: z.enum(['latency', 'down', 'down_global', 'ssl_expiry']).optional(),
  Threshold: z.int().optional().describe('For latency milliseconds, for ssl_expiry days'),
  Comparison: z
    .enum(['greater_than', 'less_than'])
    .optional()
    .describe('With Threshold: greater_than for latency, less_than for ssl_expiry'),
  Period: z.enum(['2m', '3m', '5m', '10m', '15m', '30m', '1h']),
  Emails: z.array(z.string()).describe('May be empty'),
  Slack: slackTargets().describe('May be empty'),
});

/** The names that the specification's examples and tables use beside the ones declared. */
const alertAliases = { email: 'Emails', SlackDetails: 'Slack', 'the service': 'Slack' } as const;

interface Measured {
  readonly type?: unknown;
  readonly threshold?: unknown;
  readonly comparison?: unknown;
}

/** An alert on a measured value says which value; the others have none. */
function missingLimits({ type, threshold, comparison }: Measured): readonly Problem[] {
  if (type !== 'latency' && type !== 'ssl_expiry') return [];
  const why = `it is required for Type ${type}`;
  return [
    ...(threshold === undefined || threshold === null ? [{ field: 'Threshold', expected: `an integer; ${why}` }] : []),
    ...(comparison === undefined || comparison === null
      ? [{ field: 'Comparison', expected: `one of greater_than, less_than; ${why}` }]
      : []),
  ];
}

export const uptimeCheckAlertTools = [
  tool({
    name: 'uptimecheck-alert-get',
    title: 'Get an alert of an uptime check',
    description: 'One alert of an uptime check: when it fires and whom it tells.',
    input: () => z.object({ CheckID: checkId(), AlertID: alertId() }),
    route: 'GET /v2/uptime/checks/{CheckID}/alerts/{AlertID}',
    returns: 'alert',
    recover: unknownAlert,
  }),
  tool({
    name: 'uptimecheck-alert-list',
    title: 'List the alerts of an uptime check',
    description: 'The alerts of an uptime check: when each fires and whom it tells.',
    alsoCalled: ['uptimechecks-alert-list'],
    input: () => z.object({ CheckID: checkId(), ...paging(30) }),
    route: 'GET /v2/uptime/checks/{CheckID}/alerts',
    returns: 'alerts',
    summary: ['id', 'name', 'type', 'threshold', 'comparison', 'period', 'notifications'],
    recover: unknownCheck,
  }),
  tool({
    name: 'uptimecheck-alert-create',
    title: 'Add an alert to an uptime check',
    description:
      'Notifies people when an uptime check fails: down in one region, down_global in all, latency over a threshold, ssl_expiry within days. Type defaults to down, Name to that of the check with the type. latency and ssl_expiry need Threshold and Comparison.',
    input: () => z.object({ CheckID: checkId(), ...alertFields() }),
    aliases: alertAliases,
    check: ({ Type, Threshold, Comparison }) => missingLimits({ type: Type, threshold: Threshold, comparison: Comparison }),
    calls: ['GET /v2/uptime/checks/{CheckID}', 'POST /v2/uptime/checks/{CheckID}/alerts'],
    async run({ CheckID, Name, Type = 'down', Threshold, Comparison, Period, Emails, Slack }, platform) {
      const check = Name === undefined ? await platform.record(path`/v2/uptime/checks/${CheckID}`, 'check') : undefined;
      const body = {
        name: Name ?? `${check?.name} ${Type}`,
        type: Type,
        threshold: Threshold,
        comparison: Comparison,
        period: Period,
        notifications: { email: Emails, slack: slackBody(Slack) },
      };
      return platform.request({ method: 'POST', path: path`/v2/uptime/checks/${CheckID}/alerts`, body });
    },
    hints: { readOnly: false, destructive: false, idempotent: false },
    returns: 'alert',
    verify: listAlerts,
    recover: unknownCheck,
  }),
  tool({
    name: 'uptimecheck-alert-update',
    title: 'Change an alert of an uptime check',
    description:
      'Changes an alert of an uptime check. Name, Type, Threshold and Comparison keep their value where left out; Emails and Slack replace all recipients.',
    input: () => z.object({ CheckID: checkId(), AlertID: alertId(), ...alertFields() }),
    aliases: alertAliases,
    calls: ['GET /v2/uptime/checks/{CheckID}/alerts/{AlertID}', 'PUT /v2/uptime/checks/{CheckID}/alerts/{AlertID}'],
    // The platform replaces an alert in full, and would take away what is not sent.
    async run({ CheckID, AlertID, Name, Type, Threshold, Comparison, Period, Emails, Slack }, platform) {
      const place = path`/v2/uptime/checks/${CheckID}/alerts/${AlertID}`;
      const current = await platform.record(place, 'alert');
      // A limit belongs to what it was set for: milliseconds are no days.
      const limits = Type === undefined || Type === current.type ? current : {};
      const body = {
        name: Name ?? current.name,
        type: Type ?? current.type,
        threshold: Threshold ?? limits.threshold ?? undefined,
        comparison: Comparison ?? limits.comparison ?? undefined,
        period: Period,
        notifications: { email: Emails, slack: slackBody(Slack) },
      };
      const problems = missingLimits(body);
      if (problems.length === 0) return platform.request({ method: 'PUT', path: place, body });
      const message = problems.map(({ field, expected }) => `${field}: expected ${expected}`).join('; ');
      throw new ToolError('invalid_arguments', `${platform.tool}: ${message}; nothing was changed`, { problems });
    },
    hints: { readOnly: false, destructive: false, idempotent: true },
    returns: 'alert',
    verify: showAlert,
    recover: unknownAlert,
  }),
  tool({
    name: 'uptimecheck-alert-delete',
    title: 'Delete an alert of an uptime check',
    description: 'Deletes an alert of an uptime check; the check goes on.',
    input: () => z.object({ CheckID: checkId(), AlertID: alertId() }),
    route: 'DELETE /v2/uptime/checks/{CheckID}/alerts/{AlertID}',
    verify: showAlert,
    recover: unknownAlert,
  }),
];
