import { backupPlans, backupWindowHours, defaultBackupPlan, messages } from '../../assumptions.ts';
import { DAY_MS, HOUR_MS, timestamp } from '../../calendar.ts';
import { unprocessable } from '../../errors.ts';
import { isObject, onlyFields } from '../../fields.ts';
import type { Account } from '../../store/account.ts';
import { images } from '../images/images.ts';
import { removeImage } from '../images/remove.ts';
import { type BackupPolicy, type BackupWindow, type DropletEntry, droplets } from './droplets.ts';
import { linkImage } from './image-links.ts';
import { makeImage } from './make-image.ts';

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const HOURS = [0, 4, 8, 12, 16, 20];

/** Reads a backup policy; without one, the default plan at an hour that follows from the droplet. Errors: 422. Source: component `droplet_backup_policy`. */
export function parsePolicy(value: unknown, dropletId: number): BackupPolicy {
  const given = value ?? {};
  if (!isObject(given)) {
    throw unprocessable('backup_policy must be an object.');
  }
  onlyFields(given, ['plan', 'weekday', 'hour', 'window_length_hours', 'retention_period_days'], 'backup_policy.');
  const plan = given.plan ?? defaultBackupPlan;
  const hour = given.hour ?? HOURS[dropletId % HOURS.length];
  const weekday = given.weekday ?? WEEKDAYS[dropletId % WEEKDAYS.length];
  if (plan !== 'daily' && plan !== 'weekly') {
    throw unprocessable('backup_policy.plan must be daily or weekly.');
  }
  if (typeof hour !== 'number' || !HOURS.includes(hour)) {
    throw unprocessable(`backup_policy.hour must be one of ${HOURS.join(', ')}.`);
  }
  if (typeof weekday !== 'string' || !WEEKDAYS.includes(weekday)) {
    throw unprocessable(`backup_policy.weekday must be one of ${WEEKDAYS.join(', ')}.`);
  }
  return plan === 'weekly' ? { plan, weekday, hour } : { plan, hour };
}

/** The droplet with backups on: its feature, its next window; the backup itself is scheduled. */
export function withBackups(account: Account, { wire, hidden }: DropletEntry, policy: BackupPolicy): DropletEntry {
  const startMs = nextStart(policy, account.nowMs);
  account.schedule(startMs, 'droplet.backup', wire.id);
  const features = wire.features.includes('backups') ? wire.features : [...wire.features, 'backups'];
  return { wire: { ...wire, features, next_backup_window: windowAt(startMs) }, hidden: { ...hidden, backupPolicy: policy } };
}

/** The droplet with backups off; the images that were made stay. */
export function withoutBackups({ wire, hidden }: DropletEntry): DropletEntry {
  const features = wire.features.filter((feature) => feature !== 'backups');
  return { wire: { ...wire, features, next_backup_window: null }, hidden: { ...hidden, backupPolicy: null } };
}

/** Makes the backup whose window has begun, drops the oldest beyond what the plan keeps, and schedules the next. */
export function makeBackup(account: Account, ref: string): void {
  const droplet = droplets.get(account, Number(ref));
  const policy = droplet?.hidden.backupPolicy;
  const isDue = droplet?.wire.next_backup_window?.start === timestamp(account.nowMs);
  if (droplet === undefined || !policy || !isDue) {
    return;
  }
  const image = makeImage(account, droplet, 'backup', `${droplet.wire.name}- ${timestamp(account.nowMs).slice(0, 10)}`);
  linkImage(account, droplet.wire.id, image.id, 'backup');
  const backupIds = [...droplet.wire.backup_ids, image.id];
  for (const id of backupIds.slice(0, Math.max(0, backupIds.length - backupPlans[policy.plan].keep))) {
    const oldest = images.get(account, id);
    if (oldest !== undefined) {
      removeImage(account, oldest);
    }
  }
  const current = droplets.get(account, droplet.wire.id) ?? droplet;
  const next = withBackups(account, current, policy);
  droplets.update(account, next.wire, next.hidden);
}

/** Plans the next backups from this moment on, since the clock was set back to it. */
export function planBackupsAnew(account: Account): void {
  const planned = "SELECT id FROM droplets WHERE json_extract(doc, '$.next_backup_window.start') > ?";
  for (const { id } of account.sql(planned).all(timestamp(account.nowMs))) {
    const droplet = droplets.get(account, Number(id));
    const policy = droplet?.hidden.backupPolicy;
    if (droplet !== undefined && policy && droplet.wire.next_backup_window?.start !== timestamp(nextStart(policy, account.nowMs))) {
      const next = withBackups(account, droplet, policy);
      droplets.update(account, next.wire, next.hidden);
    }
  }
}

/** What GET .../backups/policy shows. Source: component `droplet_backup_policy_record`. */
export function policyRecord({ wire, hidden }: DropletEntry): object {
  const policy = hidden.backupPolicy;
  return {
    droplet_id: wire.id,
    backup_enabled: policy !== null,
    backup_policy:
      policy === null
        ? {}
        : { ...policy, window_length_hours: backupWindowHours, retention_period_days: backupPlans[policy.plan].retentionDays },
    next_backup_window: wire.next_backup_window,
  };
}

/** Refuses a missing policy where one is needed. */
export function requirePolicy(value: unknown, dropletId: number): BackupPolicy {
  if (value === undefined || value === null) {
    throw unprocessable(messages.policyRequired);
  }
  return parsePolicy(value, dropletId);
}

function nextStart(policy: BackupPolicy, afterMs: number): number {
  const midnight = Math.floor(afterMs / DAY_MS) * DAY_MS;
  const candidates = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => midnight + days * DAY_MS + policy.hour * HOUR_MS);
  const fits = (atMs: number): boolean =>
    atMs > afterMs && (policy.plan === 'daily' || WEEKDAYS[new Date(atMs).getUTCDay()] === policy.weekday);
  return candidates.find(fits) ?? midnight + 7 * DAY_MS;
}

function windowAt(startMs: number): BackupWindow {
  return { start: timestamp(startMs), end: timestamp(startMs + backupWindowHours * HOUR_MS) };
}
