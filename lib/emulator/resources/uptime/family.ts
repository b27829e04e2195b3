import { listReply } from '../../paging.ts';
import type { Account } from '../../store/account.ts';
import { CLOCK_SET_BACK } from '../../store/machinery.ts';
import { type Family, route } from '../family.ts';
import { createAlert, knownAlert, removeAlert, removeAlertsOf, replaceAlert, uptimeAlerts } from './alerts.ts';
import { checks, createCheck, cutOutages, knownCheck, removeCheck, updateCheck } from './checks.ts';
import { cutPast, spanTables } from './spans.ts';
import { checkState } from './state.ts';
import { cutPresent, vantageTables } from './vantages.ts';

/** Uptime checks, their states and their alerts. What probes them is a family of its own; without it states rest at CHECKING. Source: operations uptime_*. */
export const uptimeFamily: Family = {
  tables: [...checks.tables, ...vantageTables, ...spanTables, ...uptimeAlerts.tables],
  on: { [CLOCK_SET_BACK]: cutAll },
  routes: [
    route('GET /v2/uptime/checks', {}, (request, account) => listReply(request, 'checks', checks.source(account))),
    route('POST /v2/uptime/checks', { status: 201 }, ({ body }, account) => ({ check: createCheck(account, body) })),
    route('GET /v2/uptime/checks/{check}', {}, ({ params }, account) => ({ check: knownCheck(account, params.check).wire })),
    route('PUT /v2/uptime/checks/{check}', {}, ({ params, body }, account) => ({
      check: updateCheck(account, knownCheck(account, params.check), body),
    })),
    route('DELETE /v2/uptime/checks/{check}', { status: 204 }, ({ params }, account) => {
      const { id } = knownCheck(account, params.check).wire;
      removeAlertsOf(account, id);
      removeCheck(account, id);
      return undefined;
    }),
    route('GET /v2/uptime/checks/{check}/state', {}, ({ params }, account) => {
      const { wire, hidden } = knownCheck(account, params.check);
      return { state: checkState(account, wire, hidden.previousOutage) };
    }),

    route('GET /v2/uptime/checks/{check}/alerts', {}, (request, account) => {
      const { id } = knownCheck(account, request.params.check).wire;
      return listReply(request, 'alerts', uptimeAlerts.sourceWhere(account, 'check_id', id));
    }),
    route('POST /v2/uptime/checks/{check}/alerts', { status: 201 }, ({ params, body }, account) => ({
      alert: createAlert(account, knownCheck(account, params.check).wire.id, body),
    })),
    route('GET /v2/uptime/checks/{check}/alerts/{alert}', {}, ({ params }, account) => ({
      alert: knownAlert(account, knownCheck(account, params.check).wire.id, params.alert).wire,
    })),
    route('PUT /v2/uptime/checks/{check}/alerts/{alert}', {}, ({ params, body }, account) => ({
      alert: replaceAlert(account, knownAlert(account, knownCheck(account, params.check).wire.id, params.alert), body),
    })),
    route('DELETE /v2/uptime/checks/{check}/alerts/{alert}', { status: 204 }, ({ params }, account) => {
      removeAlert(account, knownAlert(account, knownCheck(account, params.check).wire.id, params.alert).wire.id);
      return undefined;
    }),
  ],
};

function cutAll(account: Account): void {
  cutPast(account);
  cutPresent(account);
  cutOutages(account);
}
