import type { Toolset } from '../../catalogue/tool.ts';
import { instanceActionTools } from './action.ts';
import { bulkTools } from './bulk.ts';
import { instanceTools } from './instance.ts';

/** Compute instances: lifecycle, actions, and actions on all that carry a tag. */
export const instances: Toolset = {
  name: 'instances',
  title: 'Compute instances',
  tools: [...instanceTools, ...instanceActionTools, ...bulkTools],
};
