import { randomUUID } from 'node:crypto';
import { timestamp } from '../calendar.ts';
import type { Recipients } from '../resources/recipients.ts';
import type { Account } from '../store/account.ts';
import { collection } from '../store/collection.ts';
import type { Message } from './messages/message.ts';
import { tell } from './tell.ts';
import { type Asked, keepWatch, type Step, type Watch, watches } from './watches.ts';

/** One time that an alert fired. */
export interface Incident {
  readonly id: string;
  /** The alert of a check, or the alert policy. */
  readonly alert: string;
  /** The check, or the resource that the policy watches. */
  readonly of: string;
  readonly title: string;
  readonly started_at: string;
  readonly fired_at: string;
  /** `withdrawn`: the alert was changed or is gone, or what it looked at is. */
  readonly status: 'open' | 'recovered' | 'withdrawn';
  readonly ended_at?: string;
}

/** Those who were told of an incident are told of its end, whoever the alert names by then. */
export const incidents = collection<Incident, { readonly recipients: Recipients }>({
  table: 'alert_incidents',
  key: 'text',
  id: (incident) => incident.id,
});

/** What an alert looks at, and what it says of it. */
export interface Subject extends Asked {
  readonly of: string;
  readonly recipients: Recipients;
  readonly fired: (incidentId: string, sinceMs: number) => Message;
  readonly recovered: (incidentId: string, lastedMs: number) => Message;
}

/** Has happen what follows from looking at a subject: its watch is kept, an incident begins or ends, people are told. */
export function follow(account: Account, subject: Subject, before: Watch | undefined, { watch, change }: Step): Watch | undefined {
  const after = watch === undefined || change === undefined ? watch : turned(account, subject, watch, change);
  const id = (after ?? before)?.id;
  if (id !== undefined) {
    keepWatch(account, { alert: subject.alert, condition: subject.condition }, id, before, after);
  }
  return after;
}

function turned(account: Account, subject: Subject, watch: Watch, change: 'fired' | 'recovered'): Watch | undefined {
  if (change === 'fired') {
    const { alert, of, recipients } = subject;
    const id = randomUUID();
    const message = subject.fired(id, watch.sinceMs);
    const at = { started_at: timestamp(watch.sinceMs), fired_at: timestamp(account.nowMs) };
    incidents.insert(account, { id, alert, of, title: message.title, ...at, status: 'open' }, { recipients });
    dropOldest(account);
    tell(account, { incident: id, transition: 'fired', thread: message.title }, recipients, message);
    return { ...watch, incident: id };
  }
  const incident = incidents.get(account, watch.incident ?? '');
  if (incident !== undefined) {
    const { wire, hidden } = incident;
    const endedMs = watch.calmSinceMs ?? account.nowMs;
    incidents.update(account, { ...wire, status: 'recovered', ended_at: timestamp(endedMs) }, hidden);
    const message = subject.recovered(wire.id, endedMs - watch.sinceMs);
    tell(account, { incident: wire.id, transition: 'recovered', thread: wire.title }, hidden.recipients, message);
  }
  return undefined;
}

/** Forgets what is watched for an alert, but for what `stays`; nobody is told, for nothing has recovered. */
export function withdraw(account: Account, alert: string, stays: (watchId: string, condition: string) => boolean = () => false): void {
  for (const { wire, hidden } of watches.where(account, 'alert', alert)) {
    if (!stays(wire.id, hidden.condition)) {
      const incident = incidents.get(account, wire.incident ?? '');
      if (incident !== undefined) {
        incidents.update(account, { ...incident.wire, status: 'withdrawn', ended_at: timestamp(account.nowMs) }, incident.hidden);
      }
      watches.remove(account, wire.id);
    }
  }
}

/** As many as a listing shows. */
export const KEPT_INCIDENTS = 1000;
/** Gathered before any are dropped. */
const SURPLUS_INCIDENTS = 100;

const OLDEST = `
  SELECT id FROM alert_incidents WHERE seq <= (SELECT seq FROM alert_incidents ORDER BY seq DESC LIMIT 1 OFFSET ?1)
    AND json_extract(doc, '$.status') != 'open' LIMIT ?1`;

/** Drops what no listing shows any more, but for what is open: people are told of its end. */
function dropOldest(account: Account): void {
  const total = incidents.total(account);
  if (total <= KEPT_INCIDENTS || total % SURPLUS_INCIDENTS !== 0) {
    return;
  }
  for (const { id } of account.sql(OLDEST).all(KEPT_INCIDENTS)) {
    incidents.remove(account, String(id));
  }
}
