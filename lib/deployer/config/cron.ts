const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day of the week', min: 0, max: 6 },
] as const;

/** What is wrong with a five-field cron expression (numbers, `*`, ranges, steps and lists; no names, no seconds), or null. */
export function cronProblem(expression: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    return `"${expression}" has ${fields.length} fields, a schedule has five: minute hour day month weekday, as in "0 5 * * 1"`;
  }
  for (const [index, { name, min, max }] of FIELDS.entries()) {
    const field = fields[index] ?? '';
    if (!field.split(',').every((part) => isPart(part, min, max))) {
      return `"${field}" is no ${name} in "${expression}": expected ${min}-${max}, *, a range, a step (*/5) or a list`;
    }
  }
  return null;
}

function isPart(part: string, min: number, max: number): boolean {
  const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
  if (match === null) return false;
  const [, first, last, step] = match;
  if (step !== undefined && (Number(step) < 1 || Number(step) > max)) return false;
  if (first === undefined) return true;
  const from = Number(first);
  const to = last === undefined ? from : Number(last);
  return from >= min && to <= max && from <= to;
}
