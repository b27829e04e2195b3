import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, timestamp } from '../../calendar.ts';

export interface Field {
  readonly title: string;
  readonly value: string;
  /** Whether two of them stand side by side. */
  readonly short: boolean;
}

/** What people are told, as plain text. */
export interface Message {
  /** All of it in one sentence. */
  readonly text: string;
  readonly title: string;
  readonly color: string;
  readonly fields: readonly Field[];
  /** The ids of what it is about. */
  readonly footer: string;
}

export const ALARM = '#d00000';
export const CALM = '#2eb67d';

/** What is told when an incident is over. */
export function recoveredMessage(name: string, alert: string, lastedMs: number, footer: string): Message {
  const title = `RECOVERED: ${name}`;
  const fields = [
    { title: 'Alert', value: alert, short: true },
    { title: 'Duration', value: duration(lastedMs), short: true },
  ];
  return { text: `${title} after ${duration(lastedMs)}`, title, color: CALM, fields, footer };
}

/** A span as people read it: `7m 12s`, `1h 3m`. */
export function duration(spanMs: number): string {
  const units = [
    ['d', DAY_MS],
    ['h', HOUR_MS],
    ['m', MINUTE_MS],
    ['s', SECOND_MS],
  ] as const;
  const parts: string[] = [];
  let restMs = spanMs;
  for (const [unit, unitMs] of units) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    parts.push(...(count > 0 ? [`${count}${unit}`] : []));
  }
  return parts.length === 0 ? '0s' : parts.slice(0, 3).join(' ');
}

/** A moment as people read it at another one: `12:03 UTC`, with its day where that is another. */
export function clockTime(atMs: number, nowMs: number): string {
  const [day, time = ''] = timestamp(atMs).split('T');
  const shown = `${time.slice(0, 5)} UTC`;
  return day === timestamp(nowMs).split('T')[0] ? shown : `${day} ${shown}`;
}
