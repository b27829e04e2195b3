import { Cron } from 'croner';

/** Digits, `*`, ranges, lists, steps, and names of months and days: what cron itself knows, and none of its many dialects. */
const field = /^(?:[\d*,/-]|[A-Za-z]{3})+$/;

/** What is wrong with a cron expression of five fields, or undefined. */
export function cronProblem(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    return `cron "${expression}" has ${fields.length} fields, expected five: minute hour day month weekday, as in "0 5 * * 1"`;
  }
  const odd = fields.find((each) => !field.test(each));
  if (odd !== undefined) return `cron "${expression}" has a field that is none: "${odd}"`;
  try {
    cron(expression);
    return undefined;
  } catch (error) {
    return `cron "${expression}" is no schedule: ${error instanceof Error ? error.message : error}`;
  }
}

/** When a schedule comes round next after a moment, in UTC; null where it never does. */
export function nextRunMs(expression: string, afterMs: number): number | null {
  return cron(expression).nextRun(new Date(afterMs))?.getTime() ?? null;
}

function cron(expression: string): Cron {
  return new Cron(expression.trim(), { mode: '5-part', timezone: 'UTC', paused: true });
}
