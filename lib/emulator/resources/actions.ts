import { actionSeconds } from '../assumptions.ts';
import { SECOND_MS, timestamp } from '../calendar.ts';
import { regionText } from '../catalogue/regions.ts';
import { notFound } from '../errors.ts';
import { integerId } from '../fields.ts';
import { listReply } from '../paging.ts';
import type { Account } from '../store/account.ts';
import { collection } from '../store/collection.ts';
import { type Family, type PlatformRequest, route } from './family.ts';

/** Something that takes time. Kept for ever, also when its resource is gone. Source: the OpenAPI document, component `action`. */
export interface Action {
  readonly id: number;
  readonly status: 'in-progress' | 'completed' | 'errored';
  readonly type: string;
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly resource_id: number;
  readonly resource_type: 'droplet' | 'image' | 'reserved_ip' | 'reserved_ipv6';
  readonly region_slug: string;
}

export const actions = collection<Action>({
  table: 'actions',
  key: 'integer',
  id: (action) => action.id,
  columns: {
    resource: { of: (action) => resourceOf(action.resource_type, action.resource_id), index: 'counted' },
    region: { of: (action) => action.region_slug },
  },
  remembered: true,
  present: (_account, text, row) => withRegion(text, String(row.region)),
});

/** Actions over all resources, newest first. Source: operations actions_list and actions_get. */
export const actionFamily: Family = {
  tables: actions.tables,
  routes: [
    route('GET /v2/actions', {}, (request, account) => listReply(request, 'actions', actions.source(account))),
    route('GET /v2/actions/{action}', {}, ({ params }, account) => {
      const text = actions.text(account, integerId(params.action) ?? 0);
      if (text === undefined) {
        throw notFound();
      }
      return `{"action":${text}}`;
    }),
  ],
  born: (account) => account.count('action.id', FIRST_ID),
};

const FIRST_ID = 100_000_000;

/** What is to happen when an action is over; `params` comes back unchanged. */
export interface Planned {
  readonly type: string;
  readonly resourceType: Action['resource_type'];
  readonly resourceId: number;
  readonly region: string;
  /** The kind of the due row that ends the action; its handler calls `endAction`. */
  readonly due: string;
  readonly params?: unknown;
}

/** Data of the due row that ends an action. */
export interface Ending {
  readonly actionId: number;
  readonly fails: boolean;
  readonly params: unknown;
}

/** Begins an action: it is in progress now and ends, by its due row, after its duration at the account's speed. */
export function beginAction(account: Account, planned: Planned): Action {
  const action: Action = {
    id: account.nextId('action.id'),
    status: 'in-progress',
    type: planned.type,
    started_at: timestamp(account.nowMs),
    completed_at: null,
    resource_id: planned.resourceId,
    resource_type: planned.resourceType,
    region_slug: planned.region,
  };
  actions.insert(account, action, null);
  const fails = account.faults.spoilsAction(planned.type, planned.resourceId);
  const ending: Ending = { actionId: action.id, fails, params: planned.params ?? null };
  account.schedule(account.nowMs + durationMs(account, planned.type), planned.due, planned.resourceId, ending);
  return action;
}

/** Marks an action as over, at this moment. */
export function endAction(account: Account, { actionId, fails }: Ending): void {
  const action = actions.get(account, actionId)?.wire;
  if (action !== undefined) {
    actions.update(account, { ...action, status: fails ? 'errored' : 'completed', completed_at: timestamp(account.nowMs) }, null);
  }
}

/** The action as JSON text, with its region. */
export function actionText(action: Action): string {
  return withRegion(JSON.stringify(action), action.region_slug);
}

/** One action of a resource: `{"action": ...}`. Errors: 404 when it is of another one. */
export function actionOfReply({ params }: PlatformRequest, account: Account, type: Action['resource_type'], resourceId: number): string {
  const id = integerId(params.action) ?? 0;
  const action = actions.get(account, id)?.wire;
  if (action?.resource_type !== type || action.resource_id !== resourceId) {
    throw notFound();
  }
  return `{"action":${actionText(action)}}`;
}

/** A page of the actions of a resource. */
export function actionsOfReply(request: PlatformRequest, account: Account, type: Action['resource_type'], resourceId: number): Buffer {
  return listReply(request, 'actions', actions.sourceWhere(account, 'resource', resourceOf(type, resourceId)));
}

/** Every action of a resource, newest first. */
export function actionsOf(account: Account, type: Action['resource_type'], resourceId: number): readonly Action[] {
  return actions.where(account, 'resource', resourceOf(type, resourceId)).map(({ wire }) => wire);
}

/** How long something takes at the account's speed; 0 has it end with the request that begins it, whose answer still shows it under way. */
export function durationMs(account: Account, what: string): number {
  return account.speed === 0 ? 0 : ((secondsOf.get(what) ?? 0) * SECOND_MS) / account.speed;
}

const secondsOf: ReadonlyMap<string, number> = new Map(Object.entries(actionSeconds));

function resourceOf(type: string, id: number): string {
  return `${type}:${id}`;
}

function withRegion(text: string, region: string): string {
  return `${text.slice(0, -1)},"region":${regionText(region)}}`;
}
