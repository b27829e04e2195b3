import { z } from 'zod';
import { tool } from '../../catalogue/tool.ts';

export const accountTools = [
  tool({
    name: 'account-get-information',
    title: 'Get the account',
    description: 'The account: e-mail, team, status, limits of instances and reserved IPs.',
    input: () => z.object({}),
    route: 'GET /v2/account',
    returns: 'account',
  }),
];
