import { z } from 'zod';
import { paging, uuid } from '../../catalogue/fields.ts';
import { path } from '../../catalogue/path.ts';
import { tool } from '../../catalogue/tool.ts';
import { listChecks, showCheck, unknownCheck } from './recovery.ts';

const checkId = () => uuid();
const checkType = () => z.enum(['ping', 'http', 'https']);
const regions = () => z.array(z.enum(['us_east', 'us_west', 'eu_west', 'se_asia']));

export const uptimeCheckTools = [
  tool({
    name: 'uptimecheck-get',
    title: 'Get an uptime check',
    description: 'One uptime check: its target, type, regions and whether it is enabled. How it fares is in uptimecheck-get-state.',
    input: () => z.object({ ID: checkId() }),
    route: 'GET /v2/uptime/checks/{ID}',
    returns: 'check',
    recover: unknownCheck,
  }),
  tool({
    name: 'uptimecheck-get-state',
    title: 'Get the state of an uptime check',
    description: 'How an uptime check fares: UP, DOWN or CHECKING in each region with its 30-day uptime, and the previous outage.',
    input: () => z.object({ ID: checkId() }),
    route: 'GET /v2/uptime/checks/{ID}/state',
    returns: 'state',
    recover: unknownCheck,
  }),
  tool({
    name: 'uptimecheck-list',
    title: 'List uptime checks',
    description: 'All uptime checks.',
    input: () => z.object(paging(30)),
    route: 'GET /v2/uptime/checks',
    returns: 'checks',
    summary: ['id', 'name', 'type', 'target', 'regions', 'enabled'],
  }),
  tool({
    name: 'uptimecheck-create',
    title: 'Create an uptime check',
    description: 'Watches an endpoint from several regions. It tells nobody of an outage until uptimecheck-alert-create adds an alert.',
    input: () =>
      z.object({
        Name: z.string(),
        Type: checkType(),
        Target: z.string().describe('A URL for http and https, a host or address for ping'),
        Regions: regions(),
        Enabled: z.boolean(),
      }),
    route: 'POST /v2/uptime/checks',
    body: ({ Name, Type, Target, Regions, Enabled }) => ({ name: Name, type: Type, target: Target, regions: Regions, enabled: Enabled }),
    returns: 'check',
    verify: () => listChecks,
  }),
  tool({
    name: 'uptimecheck-delete',
    title: 'Delete an uptime check',
    description: 'Deletes an uptime check and its alerts.',
    input: () => z.object({ ID: checkId() }),
    route: 'DELETE /v2/uptime/checks/{ID}',
    verify: showCheck,
    recover: unknownCheck,
  }),
  tool({
    name: 'uptimecheck-update',
    title: 'Change an uptime check',
    description: 'Changes an uptime check. What is left out keeps its value; Regions, where given, replaces all of them.',
    input: () =>
      z.object({
        ID: checkId(),
        Name: z.string().optional(),
        Type: checkType().optional(),
        Target: z.string().optional(),
        Regions: regions().optional(),
        Enabled: z.boolean().optional(),
      }),
    calls: ['GET /v2/uptime/checks/{ID}', 'PUT /v2/uptime/checks/{ID}'],
    // The platform replaces a check in full, and would take away what is not sent.
    async run({ ID, Name, Type, Target, Regions, Enabled }, platform) {
      const place = path`/v2/uptime/checks/${ID}`;
      const current = await platform.record(place, 'check');
      const body = {
        name: Name ?? current.name,
        type: Type ?? current.type,
        target: Target ?? current.target,
        regions: Regions ?? current.regions,
        enabled: Enabled ?? current.enabled,
      };
      return platform.request({ method: 'PUT', path: place, body });
    },
    hints: { readOnly: false, destructive: false, idempotent: true },
    returns: 'check',
    verify: showCheck,
    recover: unknownCheck,
  }),
];
