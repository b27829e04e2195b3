import type { FaultDescription } from '../../lib/emulator/start-emulator.ts';
import type { ErrorCode } from '../../lib/errors.ts';

/** How a call ends: well, or with this code. */
export type Ending = 'ok' | ErrorCode;

/** One thing that goes wrong between a call and the platform, and what the call has to make of it. */
export interface Trouble {
  readonly name: string;
  /** What the emulator is told, for a call with this budget; undefined: nothing goes wrong. */
  readonly fault: (budgetMs: number) => FaultDescription | undefined;
  /** How a call ends whose reads meet it, and one whose write meets it, where time is left to see it. */
  readonly read: Ending;
  readonly write: Ending;
  /** With more time than this the read, or the write, succeeds all the same. */
  readonly readPassesMs?: number;
  readonly writePassesMs?: number;
  /** What is read is asked for again, while there is time. */
  readonly repeated?: true;
  /** It spoils the body of a reply: one without a body arrives unharmed. */
  readonly ofBody?: true;
  /** What the error has to tell about when to come back. */
  readonly retryAfterMs?: number;
}

/** Longer than a short budget and shorter than a long one. */
const slowMs = 1000;

/** Nothing comes before the budget is over. */
const hangingMs = (budgetMs: number) => budgetMs + 300;

const [nearSeconds, farSeconds] = [1, 3600] as const;

const fault = (description: FaultDescription) => () => ({ times: null, ...description });

const answers = (status: number, code: ErrorCode, more: Partial<Trouble> = {}): Trouble => ({
  name: String(status),
  fault: fault({ status }),
  read: code,
  write: code,
  ...more,
});

const cuts = (name: string, description: FaultDescription, more: Partial<Trouble> = {}): Trouble => ({
  name,
  fault: fault(description),
  read: 'platform_unavailable',
  write: 'outcome_unknown',
  repeated: true,
  ...more,
});

const delays = (name: string, description: (budgetMs: number) => FaultDescription, more: Partial<Trouble> = {}): Trouble => ({
  name,
  fault: (budgetMs) => ({ times: null, ...description(budgetMs) }),
  read: 'deadline_exceeded',
  write: 'outcome_unknown',
  ...more,
});

/** Everything that the emulator can be told to do to a request. */
export const troubles: readonly Trouble[] = [
  { name: 'none', fault: () => undefined, read: 'ok', write: 'ok' },
  answers(401, 'unauthenticated'),
  answers(403, 'forbidden'),
  answers(404, 'not_found'),
  answers(409, 'conflict'),
  answers(422, 'rejected'),
  answers(429, 'rate_limited', {
    name: '429, back in 1 s',
    fault: fault({ status: 429, retryAfter: nearSeconds, times: 1 }),
    // The pause that is asked for, and the jitter and the time for an exchange that come on top.
    readPassesMs: nearSeconds * 1000 + 100,
    retryAfterMs: nearSeconds * 1000,
  }),
  answers(429, 'rate_limited', {
    name: '429, back in 1 h',
    fault: fault({ status: 429, retryAfter: farSeconds }),
    retryAfterMs: farSeconds * 1000,
  }),
  answers(500, 'platform_error'),
  answers(502, 'platform_error', { write: 'outcome_unknown', repeated: true }),
  answers(503, 'platform_unavailable', { repeated: true }),
  delays('slow headers', () => ({ delayMs: slowMs }), { readPassesMs: slowMs, writePassesMs: slowMs }),
  delays('slow body', () => ({ bodyDelayMs: slowMs }), { readPassesMs: slowMs, writePassesMs: slowMs, ofBody: true }),
  delays('no headers in time', (budgetMs) => ({ delayMs: hangingMs(budgetMs) })),
  delays('no body in time', (budgetMs) => ({ bodyDelayMs: hangingMs(budgetMs) }), { ofBody: true }),
  cuts('reset before', { reset: 'before' }),
  cuts('reset after', { reset: 'after' }),
  cuts('truncated', { body: 'truncated' }, { ofBody: true }),
  { name: 'not JSON', fault: fault({ body: 'not-json' }), read: 'platform_error', write: 'platform_error', ofBody: true },
  { name: '5 MB body', fault: fault({ body: 'huge' }), read: 'ok', write: 'ok' },
];
