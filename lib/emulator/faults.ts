import { badRequest } from './errors.ts';
import type { JsonObject } from './fields.ts';

/** A failure on purpose. What it does happens to every request, or action, it matches, `times` times or for ever. */
export interface Fault {
  readonly id: number;
  readonly method?: string;
  /** The beginning of a path, or a pattern in which `*` stands for anything. */
  readonly path?: string;
  /** Answers this status, and `message`, without handling the request; 429 and 503 may carry `retryAfter` seconds. */
  readonly status?: number;
  readonly message?: string;
  readonly retryAfter?: number;
  /** Waits this long, in real time, before the request is handled. */
  readonly delayMs?: number;
  /** Cuts the connection before, or after, the request was handled and stored. */
  readonly reset?: 'before' | 'after';
  /** Spoils the body of the reply. */
  readonly body?: 'truncated' | 'not-json';
  /** The next action of `type` (of `resource_id`) ends errored. */
  readonly action?: 'errored';
  readonly type?: string;
  readonly resource_id?: number;
  /** How often it still happens; null: for ever. */
  readonly times: number | null;
}

export interface Faults {
  readonly add: (description: JsonObject) => Fault;
  readonly all: () => readonly Fault[];
  readonly clear: (id?: number) => void;
  /** The fault that meets this request, used up by one. */
  readonly forRequest: (method: string, path: string) => Fault | undefined;
  /** Whether the action that begins now is to end errored. */
  readonly spoilsAction: (type: string, resourceId: number) => boolean;
}

/** The faults of one account; kept in memory, gone when the emulator stops. */
export function faults(): Faults {
  let current: readonly Fault[] = [];
  let lastId = 0;
  const use = (matches: (fault: Fault) => boolean): Fault | undefined => {
    const fault = current.length === 0 ? undefined : current.find(matches);
    if (fault !== undefined && fault.times !== null) {
      const left = { ...fault, times: fault.times - 1 };
      current = current.flatMap((other) => (other === fault ? (left.times > 0 ? [left] : []) : [other]));
    }
    return fault;
  };
  return {
    add: (description) => {
      lastId += 1;
      const fault = parseFault(lastId, description);
      current = [...current, fault];
      return fault;
    },
    all: () => current,
    clear: (id) => {
      current = id === undefined ? [] : current.filter((fault) => fault.id !== id);
    },
    forRequest: (method, path) =>
      use((fault) => fault.action === undefined && (fault.method ?? method) === method && matchesPath(fault.path, path)),
    spoilsAction: (type, resourceId) =>
      use((fault) => fault.action === 'errored' && (fault.type ?? type) === type && (fault.resource_id ?? resourceId) === resourceId) !==
      undefined,
  };
}

function matchesPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined) {
    return true;
  }
  if (!pattern.includes('*')) {
    return path.startsWith(pattern);
  }
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(path);
}

function parseFault(id: number, description: JsonObject): Fault {
  const problems = Object.entries(description).flatMap(([name, value]) => {
    const rule = RULES[name];
    return rule === undefined ? [`${name} is not known`] : rule.accepts(value) ? [] : [`${name} must be ${rule.want}`];
  });
  if (problems.length > 0) {
    throw badRequest(`fault: ${problems.join(', ')}; it takes ${Object.keys(RULES).join(', ')}.`);
  }
  if (!['status', 'delayMs', 'reset', 'body', 'action'].some((effect) => effect in description)) {
    throw badRequest('fault: say what happens with status, delayMs, reset, body or action.');
  }
  const method = typeof description.method === 'string' ? { method: description.method.toUpperCase() } : {};
  const times = typeof description.times === 'number' ? description.times : description.times === null ? null : 1;
  // Every member was checked against its rule above.
  return { ...(description as Omit<Fault, 'id' | 'times'>), ...method, id, times };
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
const oneOf = (...values: readonly string[]): Rule => ({
  want: values.join(' or '),
  accepts: (value) => typeof value === 'string' && values.includes(value),
});

const RULES: Readonly<Record<string, Rule>> = {
  method: text,
  path: text,
  status: between(400, 599),
  message: text,
  retryAfter: between(0, 86_400),
  delayMs: between(0, 600_000),
  reset: oneOf('before', 'after'),
  body: oneOf('truncated', 'not-json'),
  action: oneOf('errored'),
  type: text,
  resource_id: { want: 'an id', accepts: (value) => typeof value === 'number' && Number.isSafeInteger(value) },
  times: {
    want: 'a number from 1, or null for ever',
    accepts: (value) => value === null || (Number.isSafeInteger(value) && Number(value) > 0),
  },
};
