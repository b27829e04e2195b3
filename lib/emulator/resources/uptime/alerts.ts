import { randomUUID } from 'node:crypto';
import { insightMessages } from '../../assumptions.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { choice, type JsonObject, onlyFields, requiredText } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { collection, type Entry } from '../../store/collection.ts';
import { parseRecipients, type Recipients } from '../recipients.ts';

const alertTypes = ['latency', 'down', 'down_global', 'ssl_expiry'] as const;
const comparisons = ['greater_than', 'less_than'] as const;
const periods = ['2m', '3m', '5m', '10m', '15m', '30m', '1h'] as const;

/** When a check's people are told. Threshold: milliseconds of latency, days of a certificate. Source: the OpenAPI document, component `alert`. */
export interface UptimeAlert {
  readonly id: string;
  readonly name: string;
  readonly type: (typeof alertTypes)[number];
  readonly threshold?: number;
  readonly comparison?: (typeof comparisons)[number];
  readonly notifications: Recipients;
  readonly period: (typeof periods)[number];
}

export interface AlertHidden {
  readonly checkId: string;
}

export const uptimeAlerts = collection<UptimeAlert, AlertHidden>({
  table: 'uptime_alerts',
  key: 'text',
  id: (alert) => alert.id,
  columns: { check_id: { of: (_alert, hidden) => hidden.checkId, index: 'counted' } },
});

/** Announced with an alert's id when it is new, was changed or is gone. */
export const ALERT_CHANGED = 'uptime-alert.changed';

/** Errors: 422. Source: operation uptime_create_alert. */
export function createAlert(account: Account, checkId: string, body: JsonObject): UptimeAlert {
  const alert: UptimeAlert = { id: randomUUID(), ...parseAlert(body) };
  uptimeAlerts.insert(account, alert, { checkId });
  account.announce(ALERT_CHANGED, alert.id);
  return alert;
}

/** Puts a whole new alert in place of one. Errors: 422. Source: operation uptime_update_alert. */
export function replaceAlert(account: Account, { wire, hidden }: Entry<UptimeAlert, AlertHidden>, body: JsonObject): UptimeAlert {
  const alert: UptimeAlert = { id: wire.id, ...parseAlert(body) };
  uptimeAlerts.update(account, alert, hidden);
  account.announce(ALERT_CHANGED, alert.id);
  return alert;
}

/** The alert of a check that a path names. Errors: 404, also for one of another check. */
export function knownAlert(account: Account, checkId: string, id = ''): Entry<UptimeAlert, AlertHidden> {
  const alert = uptimeAlerts.get(account, id);
  if (alert?.hidden.checkId !== checkId) {
    throw notFound();
  }
  return alert;
}

export function removeAlert(account: Account, id: string): void {
  uptimeAlerts.remove(account, id);
  account.announce(ALERT_CHANGED, id);
}

/** Removes every alert of a check. */
export function removeAlertsOf(account: Account, checkId: string): void {
  for (const { wire } of uptimeAlerts.where(account, 'check_id', checkId)) {
    removeAlert(account, wire.id);
  }
}

function parseAlert(body: JsonObject): Omit<UptimeAlert, 'id'> {
  onlyFields(body, ['id', 'name', 'type', 'threshold', 'comparison', 'notifications', 'period']);
  const type = choice(body, 'type', alertTypes);
  return {
    name: requiredText(body, 'name'),
    type,
    ...parseLimit(type, body),
    notifications: parseRecipients(body.notifications),
    period: choice(body, 'period', periods),
  };
}

/** What a value is held against: needed of the types that have a value, kept as given of the others. */
function parseLimit(type: UptimeAlert['type'], body: JsonObject): Pick<UptimeAlert, 'threshold' | 'comparison'> {
  const needed = type === 'latency' || type === 'ssl_expiry';
  const { threshold, comparison } = { threshold: body.threshold ?? undefined, comparison: body.comparison ?? undefined };
  if (threshold === undefined ? needed : typeof threshold !== 'number' || !Number.isSafeInteger(threshold) || threshold < 1) {
    throw unprocessable(insightMessages.alertThreshold);
  }
  const compared = comparison === undefined && !needed ? undefined : choice(body, 'comparison', comparisons);
  if (needed && compared !== FITTING[type]) {
    throw unprocessable(insightMessages.alertComparison[type]);
  }
  return {
    ...(typeof threshold === 'number' ? { threshold } : {}),
    ...(compared === undefined ? {} : { comparison: compared }),
  };
}

const FITTING = { latency: 'greater_than', ssl_expiry: 'less_than' } as const;
