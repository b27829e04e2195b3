import { DAY_MS, timestamp } from '../../calendar.ts';
import type { UptimeAlert } from '../../resources/uptime/alerts.ts';
import type { Check } from '../../resources/uptime/checks.ts';
import { checkRegions } from '../../resources/uptime/regions.ts';
import type { Vantage } from '../../resources/uptime/vantages.ts';
import { ALARM, clockTime, type Field, type Message, recoveredMessage } from '../messages/message.ts';

/** What an alert of a check speaks of. */
export interface CheckNews {
  readonly check: Check;
  readonly alert: UptimeAlert;
  readonly incident: string;
}

interface Words {
  readonly title: string;
  /** What is wrong, after the name and before since when. */
  readonly trouble: string;
  /** The worst that was seen. */
  readonly detail: Field;
}

/** What is told when an alert of a check fires: in which of its regions, since when, and what was seen last. */
export function checkFired(news: CheckNews, regions: readonly Vantage[], sinceMs: number, nowMs: number): Message {
  const { check, alert } = news;
  const { title, trouble, detail } = wordsOf(news, regions, nowMs);
  const share = `${regions.length} of ${check.regions.length}`;
  const names = checkRegions.filter((region) => regions.some((vantage) => vantage.region === region)).join(' ');
  return {
    text: `${title} (${shownTarget(check.target)}) ${trouble} from ${share} regions since ${clockTime(sinceMs, nowMs)}: ${detail.value}`,
    title,
    color: ALARM,
    fields: [
      { title: 'Alert', value: alertCondition(alert), short: true },
      { title: 'Regions', value: `${names} (${share})`, short: true },
      detail,
    ],
    footer: footerOf(news),
  };
}

export function checkRecovered(news: CheckNews, lastedMs: number): Message {
  return recoveredMessage(news.check.name, alertCondition(news.alert), lastedMs, footerOf(news));
}

/** What an alert asks: `down for 2m`, `latency above 300 ms for 5m`. */
export function alertCondition({ type, threshold, period }: UptimeAlert): string {
  const limits = { down: '', down_global: '', latency: ` above ${threshold} ms`, ssl_expiry: ` below ${threshold} days` };
  return `${type}${limits[type]} for ${period}`;
}

function wordsOf({ check, alert }: CheckNews, regions: readonly Vantage[], nowMs: number): Words {
  switch (alert.type) {
    case 'latency': {
      const value = `${Math.round(Math.max(...regions.map(({ last }) => last?.latencyMs ?? 0)))} ms`;
      return { title: `SLOW: ${check.name}`, trouble: 'answering slowly', detail: { title: 'Latency', value, short: false } };
    }
    case 'ssl_expiry': {
      const expiresAtMs = Math.min(...regions.map(({ certificateExpiresAtMs }) => certificateExpiresAtMs ?? nowMs));
      const detail = { title: 'Certificate', value: expiry(expiresAtMs, nowMs), short: false };
      return { title: `EXPIRING: ${check.name}`, trouble: 'certificate seen', detail };
    }
    case 'down':
    case 'down_global': {
      const [latest] = regions.toSorted((one, other) => (other.last?.atMs ?? 0) - (one.last?.atMs ?? 0));
      const detail = { title: 'Last error', value: latest?.last?.error ?? 'no answer', short: false };
      return { title: `DOWN: ${check.name}`, trouble: 'failing', detail };
    }
  }
}

function expiry(atMs: number, nowMs: number): string {
  const days = Math.floor(Math.abs(atMs - nowMs) / DAY_MS);
  const span = `${days} ${days === 1 ? 'day' : 'days'}`;
  const day = timestamp(atMs).slice(0, 10);
  return atMs > nowMs ? `expires in ${span}, on ${day}` : `expired ${span} ago, on ${day}`;
}

/** A target without the name and password that it may hold. */
function shownTarget(target: string): string {
  if (!URL.canParse(target)) {
    return target;
  }
  const url = new URL(target);
  if (url.username === '' && url.password === '') {
    return target;
  }
  url.username = '';
  url.password = '';
  return url.href;
}

function footerOf({ check, alert, incident }: CheckNews): string {
  return `check ${check.id} alert ${alert.id} incident ${incident}`;
}
