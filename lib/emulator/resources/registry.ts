import { alertingFamily } from '../alerting/family.ts';
import type { Machinery } from '../store/machinery.ts';
import { coreTables } from '../store/tables.ts';
import { accountFamily } from './account.ts';
import { actionFamily } from './actions.ts';
import { alertPolicyFamily } from './alert-policies/family.ts';
import { billingFamily } from './billing.ts';
import { byoipFamily } from './byoip/family.ts';
import { catalogueFamily } from './catalogue.ts';
import { certificateFamily } from './certificates/family.ts';
import { databaseFamily } from './databases/family.ts';
import { domainFamily } from './domains/family.ts';
import { dropletFamily } from './droplets/family.ts';
import type { Family } from './family.ts';
import { firewallFamily } from './firewalls/family.ts';
import { imageFamily } from './images/family.ts';
import { keyFamily } from './keys.ts';
import { loadBalancerFamily } from './load-balancers/family.ts';
import { metricFamily } from './metrics/family.ts';
import { reservedIpFamily } from './reserved-ips/family.ts';
import { snapshotFamily } from './snapshots.ts';
import { tagFamily } from './tags.ts';
import { uptimeFamily } from './uptime/family.ts';
import { vpcFamily } from './vpc-family.ts';
import { vpcPeeringFamily } from './vpc-peerings/family.ts';

/**
 * Everything the emulator emulates. A family of resources is added in two steps: write `resources/<name>.ts` (or a folder)
 * that exports one `Family` - its routes, one literal each; its tables, usually those of a `collection`; a handler for each kind
 * of row it schedules - and name it here. The core needs no change. To take part in what exists already:
 * tags through `tagging.ts` (tagResource, untagResource), members of a VPC through `vpc-members.ts`, cost through `charges.ts`,
 * actions through `actions.ts` (beginAction, endAction), and the events that other families announce through `on`:
 * `droplet.created`, `droplet.deleted`, `droplet.renamed`, `droplet.tags-changed`, `database.created`, `database.deleted`,
 * `load-balancer.deleted`, each with the id, `tag.deleted` and `domain.deleted` with the name, and `probe.recorded` with the check's id.
 */
export const families: readonly Family[] = [
  accountFamily,
  keyFamily,
  billingFamily,
  catalogueFamily,
  tagFamily,
  vpcFamily,
  vpcPeeringFamily,
  reservedIpFamily,
  byoipFamily,
  uptimeFamily,
  alertPolicyFamily,
  metricFamily,
  alertingFamily,
  actionFamily,
  imageFamily,
  snapshotFamily,
  dropletFamily,
  domainFamily,
  certificateFamily,
  loadBalancerFamily,
  firewallFamily,
  databaseFamily,
];

/** What the families bring to every account, in the form the store works with. */
export function machineryOf(all: readonly Family[]): Machinery {
  const listeners = new Map<string, ((typeof all)[number]['on'] & object)[string][]>();
  for (const [event, listener] of all.flatMap((family) => Object.entries(family.on ?? {}))) {
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
  }
  return {
    tables: [...coreTables, ...all.flatMap((family) => family.tables ?? [])],
    dueHandlers: new Map(all.flatMap((family) => Object.entries(family.due ?? {}))),
    effects: new Map(all.flatMap((family) => Object.entries(family.effects ?? {}))),
    listeners,
    unlisted: all.flatMap(({ unlisted }) => unlisted ?? []),
    opened: (account) => {
      for (const family of all) {
        family.opened?.(account);
      }
    },
  };
}
