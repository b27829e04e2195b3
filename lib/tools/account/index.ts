import type { Toolset } from '../../catalogue/tool.ts';
import { accountTools } from './account.ts';
import { actionTools } from './action.ts';
import { billingTools } from './billing.ts';
import { keyTools } from './key.ts';

/** The user account: its state, what it costs, its actions and SSH keys. */
export const account: Toolset = {
  name: 'account',
  title: 'Account, billing, actions and SSH keys',
  tools: [...accountTools, ...billingTools, ...actionTools, ...keyTools],
};
