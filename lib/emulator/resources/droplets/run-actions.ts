import { messages } from '../../assumptions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { type JsonObject, onlyFields, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { type Action, actionText, beginAction, type Ending, endAction } from '../actions.ts';
import { tagExists, taggedIds } from '../tagging.ts';
import { actionTypes } from './action-types.ts';
import { withBackups } from './backups.ts';
import { type DropletEntry, droplets, refuseLocked } from './droplets.ts';
import { toNetworks } from './networks.ts';

/** Begins an action on one droplet. Errors: 422 when the type is unknown, the droplet locked or in the wrong state. */
export function startAction(account: Account, droplet: DropletEntry, body: JsonObject): string {
  const { type, params } = parseAction(body);
  refuseLocked(droplet);
  const refusal = actionTypes.get(type)?.refuse?.(droplet, params, account);
  if (refusal !== undefined) {
    throw unprocessable(refusal);
  }
  return `{"action":${actionText(begin(account, droplet, type, params))}}`;
}

/**
 * Begins an action on every droplet under a tag; those that are locked or in the wrong state are left out.
 * Errors: 404 for an unknown tag, 422 for a type that is not for tags. Source: operation dropletActions_post_byTag.
 */
export function startActionByTag(account: Account, tag: string | null, body: JsonObject): string {
  if (tag === null || tag === '') {
    throw unprocessable(messages.tagRequired);
  }
  if (!tagExists(account, tag)) {
    throw notFound();
  }
  const { type, params } = parseAction(body);
  const actionType = actionTypes.get(type);
  if (actionType?.byTag !== true) {
    throw unprocessable(messages.actionNotByTag);
  }
  const members = taggedIds(account, tag, 'droplets').flatMap((id) => droplets.get(account, id) ?? []);
  const ready = members.filter(
    (droplet) => droplet.hidden.pendingActionId === null && actionType.refuse?.(droplet, params, account) === undefined,
  );
  return `{"actions":[${ready.map((droplet) => actionText(begin(account, droplet, type, params))).join(',')}]}`;
}

/** The end of an action on a droplet, creation included. */
export function finishAction(account: Account, ref: string, data: unknown): void {
  // The row was written by `begin` or by createDroplet, through beginAction.
  const ending = data as Ending & { readonly params: { readonly type: string } };
  endAction(account, ending);
  const droplet = droplets.get(account, Number(ref));
  if (droplet === undefined) {
    return;
  }
  const { type } = ending.params;
  const unlocked: DropletEntry = { wire: { ...droplet.wire, locked: false }, hidden: { ...droplet.hidden, pendingActionId: null } };
  const after = ending.fails
    ? unlocked
    : type === 'create'
      ? activated(account, unlocked)
      : finished(account, unlocked, type, ending.params);
  droplets.update(account, after.wire, after.hidden);
}

/** Of all types together. Source: operations dropletActions_post and dropletActions_post_byTag. */
const FIELDS = ['type', 'name', 'size', 'disk', 'image', 'kernel', 'backup_policy'];

function parseAction(body: JsonObject): { readonly type: string; readonly params: unknown } {
  onlyFields(body, FIELDS);
  const type = requiredText(body, 'type');
  const actionType = actionTypes.get(type);
  if (actionType === undefined) {
    throw unprocessable(messages.actionUnknown);
  }
  return { type, params: actionType.parse?.(body) };
}

function begin(account: Account, { wire, hidden }: DropletEntry, type: string, params: unknown): Action {
  const action = beginAction(account, {
    type,
    resourceType: 'droplet',
    resourceId: wire.id,
    region: hidden.region,
    due: 'droplet.action',
    params: { ...(typeof params === 'object' ? params : {}), type },
  });
  droplets.update(account, { ...wire, locked: true }, { ...hidden, pendingActionId: action.id });
  return action;
}

function finished(account: Account, droplet: DropletEntry, type: string, params: unknown): DropletEntry {
  return actionTypes.get(type)?.finish?.(droplet, params, account) ?? droplet;
}

function activated(account: Account, { wire, hidden }: DropletEntry): DropletEntry {
  const active: DropletEntry = {
    wire: { ...wire, status: 'active', networks: toNetworks(account, wire.vpc_uuid, hidden.addresses) },
    hidden,
  };
  return hidden.backupPolicy === null ? active : withBackups(account, active, hidden.backupPolicy);
}
