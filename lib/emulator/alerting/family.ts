import { POLICY_CHANGED } from '../resources/alert-policies/policies.ts';
import type { Family } from '../resources/family.ts';
import { CLOCK_SET_BACK } from '../store/machinery.ts';
import { incidents } from './incidents.ts';
import { LOOK, lookAnew, lookIfPlanned, planAnew } from './policies/looks.ts';
import { watches } from './watches.ts';

/** What watches for people: the alerts of uptime checks, and alert policies. */
export const alertingFamily: Family = {
  routes: [],
  tables: [...watches.tables, ...incidents.tables],
  due: { [LOOK]: lookIfPlanned },
  on: {
    [POLICY_CHANGED]: lookAnew,
    [CLOCK_SET_BACK]: planAnew,
  },
};
