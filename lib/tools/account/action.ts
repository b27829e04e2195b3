import { z } from 'zod';
import { id, paging } from '../../catalogue/fields.ts';
import { tool } from '../../catalogue/tool.ts';

/** What an action comes down to in a list. */
const actionSummary = ['id', 'type', 'status', 'started_at', 'completed_at', 'resource_type', 'resource_id', 'region_slug'];

export const actionTools = [
  tool({
    name: 'action-get',
    title: 'Get an action',
    description: 'One action of any resource by its id; its status is in-progress, completed or errored.',
    input: () => z.object({ ID: id() }),
    route: 'GET /v2/actions/{ID}',
    returns: 'action',
    recover: [{ when: /^404/, next: () => [{ tool: 'action-list', arguments: {} }] }],
  }),
  tool({
    name: 'action-list',
    title: 'List actions',
    description: 'What was done to instances, images and reserved IPs, newest first, also to those that are gone.',
    input: () => z.object(paging(30)),
    route: 'GET /v2/actions',
    returns: 'actions',
    summary: actionSummary,
  }),
];
