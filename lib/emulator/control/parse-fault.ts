import { badRequest } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { JsonObject } from '../fields.ts';
import { refuseUnknownKeys } from './known-keys.ts';

/** What a fault is described with. Once is the default; one with `rate` or `every` goes on for ever. */
export type FaultDescription = Partial<Omit<Fault, 'id'>>;

/** Reads the description of a fault. Errors: 400 naming every part that is not understood. */
export function parseFault(description: JsonObject): Omit<Fault, 'id'> {
  refuseUnknownKeys('fault', description, Object.keys(RULES));
  const problems = Object.entries(description).flatMap(([name, value]) => {
    const rule = RULES[name];
    return rule === undefined || rule.accepts(value) ? [] : [`${name} must be ${rule.want}`];
  });
  if (problems.length > 0) {
    throw badRequest(`fault: ${problems.join(', ')}.`);
  }
  refuseIdle(description);
  const { method, rate, every, seed = 1 } = description;
  const flaps = rate !== undefined || every !== undefined;
  const times = typeof description.times === 'number' ? description.times : description.times === null || flaps ? null : 1;
  return {
    // Every member was checked against its rule above.
    ...(description as FaultDescription),
    ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
    ...(rate !== undefined && typeof seed === 'number' ? { seed } : {}),
    times,
  };
}

const EFFECTS = ['status', 'delayMs', 'bodyDelayMs', 'reset', 'body', 'action'];

/** Refuses parts that mean nothing together. */
function refuseIdle(description: JsonObject): void {
  if (!EFFECTS.some((effect) => effect in description)) {
    throw badRequest(`fault: say what happens with ${EFFECTS.join(', ')}.`);
  }
  if ('rate' in description && 'every' in description) {
    throw badRequest('fault: rate and every exclude each other, leave one out.');
  }
  if ('seed' in description && !('rate' in description)) {
    throw badRequest('fault: seed is for rate, which is missing.');
  }
}

interface Rule {
  readonly want: string;
  readonly accepts: (value: unknown) => boolean;
}

const text: Rule = { want: 'a text', accepts: (value) => typeof value === 'string' };
const between = (low: number, high: number): Rule => ({
  want: `a number from ${low} to ${high}`,
  accepts: (value) => typeof value === 'number' && value >= low && value <= high,
});
const wholeBetween = (low: number, high: number): Rule => ({
  want: `an integer from ${low} to ${high}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high,
});
const oneOf = (...values: readonly string[]): Rule => ({
  want: values.join(' or '),
  accepts: (value) => typeof value === 'string' && values.includes(value),
});

const MAX_DELAY_MS = 600_000;
const MAX_INT32 = 2 ** 31 - 1;

const RULES: Readonly<Record<string, Rule>> = {
  method: text,
  path: text,
  status: wholeBetween(400, 599),
  message: text,
  retryAfter: between(0, 86_400),
  delayMs: between(0, MAX_DELAY_MS),
  bodyDelayMs: between(0, MAX_DELAY_MS),
  reset: oneOf('before', 'after'),
  body: oneOf('truncated', 'not-json', 'huge'),
  action: oneOf('errored'),
  type: text,
  resource_id: wholeBetween(0, Number.MAX_SAFE_INTEGER),
  rate: between(0, 1),
  seed: wholeBetween(0, MAX_INT32),
  every: wholeBetween(1, MAX_INT32),
  times: {
    want: 'an integer from 1, or null for ever',
    accepts: (value) => value === null || (Number.isSafeInteger(value) && Number(value) > 0),
  },
};
