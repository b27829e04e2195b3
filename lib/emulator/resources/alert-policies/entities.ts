import { integerId } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { clusters } from '../databases/clusters.ts';
import { droplets } from '../droplets/droplets.ts';
import { loadBalancers } from '../load-balancers/load-balancers.ts';
import type { PolicyType } from './types.ts';

/** Whether there is a resource of a kind under this id; ids are texts here. */
export function entityExists(account: Account, kind: PolicyType['watches'], id: string): boolean {
  return FINDERS[kind](account, id) !== undefined;
}

/** There are no autoscale pools here: a policy on them can only watch all that are to come. */
const FINDERS: Readonly<Record<PolicyType['watches'], (account: Account, id: string) => unknown>> = {
  droplet: (account, id) => droplets.get(account, integerId(id) ?? 0),
  'load balancer': (account, id) => loadBalancers.get(account, id),
  database: (account, id) => clusters.get(account, id),
  'autoscale pool': () => undefined,
};
