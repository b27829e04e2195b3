import { alertCalmMs } from '../../assumptions.ts';
import { spanMs } from '../../calendar.ts';
import { type UptimeAlert, uptimeAlerts } from '../../resources/uptime/alerts.ts';
import { type Check, checks } from '../../resources/uptime/checks.ts';
import { type Vantage, vantagesOf } from '../../resources/uptime/vantages.ts';
import type { Account } from '../../store/account.ts';
import { follow, withdraw } from '../incidents.ts';
import { nextLookMs, step, watches } from '../watches.ts';
import { findingOf } from './conditions.ts';
import { alertCondition, checkFired, checkRecovered } from './message.ts';

/** The kind of due row that has an alert of a check looked at when its period, or its calm, is over. */
export const ALERT_DUE = 'uptime.alert';

/** Looks at every alert of a check; of one that is gone, disabled or not probed yet nothing is left open. */
export function judgeCheck(account: Account, checkId: string): void {
  const check = checks.get(account, checkId)?.wire;
  for (const { wire } of uptimeAlerts.where(account, 'check_id', checkId)) {
    judgeAlert(account, check, wire);
  }
}

/** Looks at one alert; withdraws what is open of one that is gone. */
export function judgeAlertOf(account: Account, alertId: string): void {
  const alert = uptimeAlerts.get(account, alertId);
  if (alert === undefined) {
    withdraw(account, alertId);
    return;
  }
  judgeAlert(account, checks.get(account, alert.hidden.checkId)?.wire, alert.wire);
}

/** Looks at every alert of which something is open: a clock that was set back has its moments planned anew. */
export function judgeOpen(account: Account): void {
  const source = uptimeAlerts.source(account);
  for (const text of source.texts(source.total, 0)) {
    const { id }: UptimeAlert = JSON.parse(text);
    if (watches.get(account, id) !== undefined) {
      judgeAlertOf(account, id);
    }
  }
}

function judgeAlert(account: Account, check: Check | undefined, alert: UptimeAlert): void {
  const condition = alertCondition(alert);
  withdraw(account, alert.id, (_id, asked) => asked === condition);
  const vantages = check === undefined ? [] : vantagesOf(account, check.id);
  if (check?.enabled !== true || vantages.every(({ status }) => status === 'CHECKING')) {
    withdraw(account, alert.id);
    return;
  }
  const { holds, regions } = findingOf(alert, vantages, account.nowMs);
  const before = watches.get(account, alert.id)?.wire;
  if (holds === undefined || (!holds && before === undefined)) {
    return;
  }
  const spans = { periodMs: spanMs(alert.period) ?? 0, calmMs: alertCalmMs.uptime };
  const begun = before ?? { id: alert.id, sinceMs: beginning(alert, regions, account.nowMs), incident: null, calmSinceMs: null };
  const subject = {
    alert: alert.id,
    condition,
    of: check.id,
    recipients: alert.notifications,
    fired: (incident: string, sinceMs: number) => checkFired({ check, alert, incident }, regions, sinceMs, account.nowMs),
    recovered: (incident: string, lastedMs: number) => checkRecovered({ check, alert, incident }, lastedMs),
  };
  const plannedMs = before && nextLookMs(before, spans);
  const after = follow(account, subject, before, step(alert.id, begun, holds, account.nowMs, spans));
  const atMs = after && nextLookMs(after, spans);
  if (atMs !== undefined && atMs !== plannedMs && atMs > account.nowMs) {
    account.schedule(atMs, ALERT_DUE, alert.id);
  }
}

/** Since when a condition holds that was not seen to hold before: a target is down since it was first found so, in one region or in the last of all. */
function beginning({ type }: UptimeAlert, regions: readonly Vantage[], nowMs: number): number {
  const moments = regions.map(({ sinceMs }) => sinceMs);
  if (type === 'down') {
    return Math.min(nowMs, ...moments);
  }
  return type === 'down_global' ? Math.min(nowMs, Math.max(...moments)) : nowMs;
}
