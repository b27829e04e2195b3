import { POLICY_CHANGED } from '../resources/alert-policies/policies.ts';
import type { Family } from '../resources/family.ts';
import { ALERT_CHANGED } from '../resources/uptime/alerts.ts';
import { CHECK_CHANGED } from '../resources/uptime/checks.ts';
import { PROBE_RECORDED } from '../resources/uptime/record.ts';
import { CLOCK_SET_BACK } from '../store/machinery.ts';
import { incidents } from './incidents.ts';
import { LOOK, lookAnew, lookIfPlanned, planAnew } from './policies/looks.ts';
import { ALERT_DUE, judgeAlertOf, judgeCheck, judgeOpen } from './uptime/judge.ts';
import { watches } from './watches.ts';

/** What watches for people: the alerts of uptime checks, and alert policies. */
export const alertingFamily: Family = {
  routes: [],
  tables: [...watches.tables, ...incidents.tables],
  due: { [LOOK]: lookIfPlanned, [ALERT_DUE]: judgeAlertOf },
  on: {
    [POLICY_CHANGED]: lookAnew,
    [PROBE_RECORDED]: judgeCheck,
    [CHECK_CHANGED]: judgeCheck,
    [ALERT_CHANGED]: judgeAlertOf,
    [CLOCK_SET_BACK]: (account) => {
      planAnew(account);
      judgeOpen(account);
    },
  },
};
