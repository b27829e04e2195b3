import { spanMs } from '../calendar.ts';
import { badRequest, unauthorized } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { Accounts, Birth, Tenant } from '../store/accounts.ts';
import { type MetricControls, metricControls } from './metric-controls.ts';
import { type ClockMove, type Moment, moveClock, toMomentMs, toSpanMs } from './move-clock.ts';
import { type OutboxControls, outboxControls } from './outbox-controls.ts';
import { parseBirth } from './parse-birth.ts';
import { type FaultDescription, parseFault } from './parse-fault.ts';
import { type Populated, type PopulateOrder, parsePopulateOrder, populate } from './populate/populate.ts';
import { type ProbeControls, probeControls } from './probe-controls.ts';
import { parseRequestFilter, type RequestQuery, type SeenRequest, toSeen } from './seen-requests.ts';
import { type SnapshotControls, snapshotControls } from './snapshot-controls.ts';
import type { Turns } from './turns.ts';

/** An account's clock. What comes due on the way happens in order, each at its own moment. */
export interface ClockControls {
  /** The moment it shows. */
  now(): Date;
  isFrozen(): boolean;
  /** Has it stand still, where it is or at a moment. */
  freeze(at?: Moment): Promise<void>;
  /** Has it run on: from a moment, or by default at the true time. */
  thaw(at?: Moment): Promise<void>;
  /** Moves it on by milliseconds or a text like "5m", and waits for what leaves the account on the way. */
  advance(span: number | string): Promise<void>;
  /** Several of these at once: stops or starts it, sets it, moves it on, in this order. */
  move(move: ClockMove): Promise<void>;
}

/** An account's failures on purpose. */
export interface FaultControls {
  add(description: FaultDescription): Fault;
  all(): readonly Fault[];
  /** Takes away all of them, or the one with this id. */
  clear(id?: number): void;
}

/** What can be done to one account beside the platform's API. Errors: those of the HTTP routes, as `PlatformError`. */
export interface AccountControls extends OutboxControls, ProbeControls {
  /** Its bearer. */
  readonly token: string;
  readonly clock: ClockControls;
  readonly faults: FaultControls;
  readonly metrics: MetricControls;
  readonly snapshots: SnapshotControls;
  /** What divides the duration of actions; 0 completes them with the request that begins them. */
  speed(): number;
  setSpeed(divisor: number): void;
  /** A copy of the account as it is, clock and all, which goes its own way. */
  fork(): Promise<AccountControls>;
  /** Back to the beginning. */
  reset(birth?: Partial<Birth>): Promise<void>;
  /** Adds many records at once, for measurements. */
  populate(order: PopulateOrder): Promise<readonly Populated[]>;
  /** What arrived lately, oldest first. */
  requests(query?: RequestQuery): readonly SeenRequest[];
  /** Forgets what arrived. */
  forgetRequests(): void;
}

/** What the controls of every account of an emulator share. */
export interface ControlState {
  readonly accounts: Accounts;
  readonly turns: Turns;
}

/** Makes an account and gives its controls. */
export function newAccount(state: ControlState, birth: Partial<Birth>): AccountControls {
  return accountControls(state, state.accounts.create(parseBirth({ ...birth })));
}

/** The controls of the account that a token names. The HTTP routes under /_emulator do what these do. */
export function accountControls(state: ControlState, token: string): AccountControls {
  const { accounts } = state;
  const tenant = (): Tenant => {
    const found = accounts.find(token);
    if (found === undefined) {
      throw unauthorized();
    }
    return found;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => state.turns(token, work);

  return {
    token,
    clock: clockControls(tenant, inTurn),
    faults: {
      add: (description) => tenant().account.faults.add(parseFault({ ...description })),
      all: () => tenant().account.faults.all(),
      clear: (id) => {
        tenant().account.faults.clear(id);
      },
    },
    metrics: metricControls(() => tenant().account),
    snapshots: snapshotControls(accounts, token, inTurn),
    speed: () => tenant().account.speed,
    setSpeed: (divisor) => {
      tenant().account.speed = checkedSpeed(divisor);
    },
    fork: () => inTurn(async () => accountControls(state, await accounts.fork(token))),
    reset: (birth = {}) => inTurn(async () => accounts.reset(token, parseBirth({ ...birth }))),
    populate: (order) => inTurn(async () => populate(tenant().account, parsePopulateOrder({ ...order }))),
    requests: (query = {}) => tenant().log.find(parseRequestFilter(query)).map(toSeen),
    forgetRequests: () => tenant().log.clear(),
    ...outboxControls(() => tenant().account),
    ...probeControls(() => tenant().account),
  };
}

function clockControls(tenant: () => Tenant, inTurn: <T>(work: () => Promise<T>) => Promise<T>): ClockControls {
  const move = (wanted: ClockMove): Promise<void> => inTurn(async () => moveClock(tenant().account, wanted));
  const momentMs = (at: Moment | undefined): number | undefined => (at === undefined ? undefined : toMomentMs('at', at));
  return {
    now: () => {
      const { account } = tenant();
      account.read(() => undefined);
      return new Date(account.nowMs);
    },
    isFrozen: () => tenant().account.clock.frozenAtMs !== null,
    freeze: async (at) => move({ freeze: true, atMs: momentMs(at) }),
    thaw: async (at) => move({ freeze: false, atMs: momentMs(at) }),
    advance: async (span) => move({ aheadMs: toSpanMs(typeof span === 'number' ? span : spanMs(span), 'milliseconds') }),
    move,
  };
}

/** Errors: 400 for what can divide no duration. */
export function checkedSpeed(divisor: unknown): number {
  if (typeof divisor !== 'number' || !Number.isFinite(divisor) || divisor < 0) {
    throw badRequest('speed must be a number from 0: it divides the duration of actions, 1 is real, 0 completes them at once.');
  }
  return divisor;
}
