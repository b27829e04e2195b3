import { z } from 'zod';
import { tool } from '../../catalogue/tool.ts';

export const accountTools = [
  tool({
    name: 'account-get-information',
    title: 'Get the account',
    description: 'The account behind the token: e-mail, team, status, and how many instances and reserved IPs it may have.',
    input: () => z.object({}),
    route: 'GET /v2/account',
    returns: 'account',
  }),
];
