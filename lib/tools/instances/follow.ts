import { path } from '../../catalogue/path.ts';
import type { Follow } from '../../catalogue/tool.ts';

/** An action on an instance, to its end. */
export const followAction: Follow<unknown> = {
  known: ['resource_id', 'id'],
  path: (_, action) => path`/v2/droplets/${String(action.resource_id)}/actions/${String(action.id)}`,
  returns: 'action',
  pending: ['in-progress'],
  next: (_, action) => ({ tool: 'instance-action', arguments: { InstanceID: action.resource_id, ActionID: action.id } }),
};

/** A new instance, until it is active. */
export const followInstance: Follow<unknown> = {
  path: (_, instance) => path`/v2/droplets/${String(instance.id)}`,
  returns: 'droplet',
  pending: ['new'],
  next: (_, instance) => ({ tool: 'instance-get', arguments: { ID: instance.id } }),
};
