import type { Account } from './account.ts';
import type { OutboxEntry } from './machinery.ts';

/**
 * How far an entry is: `kept` is performed by nobody; `pending` is to be performed; `leaving` may have left, and nobody knows yet;
 * `waiting` is tried again later; `done`, `delivered`, `failed` and `dead` are over.
 */
export type OutboxState = 'kept' | 'pending' | 'leaving' | 'waiting' | 'done' | 'delivered' | 'failed' | 'dead';

export interface StoredEntry extends OutboxEntry {
  readonly state: string;
}

/** Everything that has left the account, oldest first, at most `limit` of the newest; all of it, or what is in one state. */
export function outboxEntries(account: Account, limit: number, state?: string): readonly StoredEntry[] {
  const rows = account
    .sql(
      `SELECT id, at, kind, state, data FROM outbox WHERE (?1 IS NULL OR state = ?1) AND kind NOT IN (SELECT value FROM json_each(?2))
        ORDER BY id DESC LIMIT ?3`,
    )
    .all(state ?? null, JSON.stringify(account.machinery.unlisted), limit);
  return rows.map(toStored).reverse();
}

export function outboxEntry(account: Account, id: number): StoredEntry | undefined {
  const row = account.sql('SELECT id, at, kind, state, data FROM outbox WHERE id = ?').get(id);
  return row === undefined ? undefined : toStored(row);
}

/** What is to be performed now and is not `begun` yet: of one lane, the first that is not over. */
export function pendingEntries(account: Account, begun: ReadonlyMap<number, unknown>): readonly OutboxEntry[] {
  return account
    .sql(PENDING)
    .all()
    .filter((row) => !begun.has(Number(row.id)))
    .map(toStored);
}

const PENDING = `
  SELECT id, at, kind, state, data FROM outbox WHERE state = 'pending' AND (lane IS NULL OR NOT EXISTS (
    SELECT 1 FROM outbox AS before WHERE before.lane IS NOT NULL AND before.state IN ('pending', 'leaving', 'waiting')
      AND before.lane = outbox.lane AND before.id < outbox.id)) ORDER BY id`;

/** Adds an entry; of one `lane`, each is performed once the one before it is over. */
export function addEntry(account: Account, kind: string, state: OutboxState, lane: string | null, data: object): void {
  const text = JSON.stringify(data);
  account.run('INSERT INTO outbox (at, kind, state, lane, data) VALUES (?, ?, ?, ?, ?)', account.nowMs, kind, state, lane, text);
  entryChanged(account, undefined, state);
}

export function setState(account: Account, id: number, state: OutboxState): void {
  moveState(account, id, stateOf(account, id), state);
}

/** Puts an entry that was just performed into a state in which it is over, unless what came of it has put it into another. */
export function endEntry(account: Account, id: number, state: OutboxState): void {
  const before = stateOf(account, id);
  if (before === 'pending' || before === 'leaving') {
    moveState(account, id, before, state);
  }
}

function moveState(account: Account, id: number, before: string | undefined, state: OutboxState): void {
  account.run('UPDATE outbox SET state = ? WHERE id = ?', state, id);
  entryChanged(account, before, state);
}

/** Puts an entry into another state and other data in the place of its own. */
export function amendEntry(account: Account, id: number, state: OutboxState, data: object): void {
  const before = stateOf(account, id);
  account.run('UPDATE outbox SET state = ?, data = ? WHERE id = ?', state, JSON.stringify(data), id);
  entryChanged(account, before, state);
}

export function deleteEntry(account: Account, id: number): void {
  const before = stateOf(account, id);
  account.run('DELETE FROM outbox WHERE id = ?', id);
  entryChanged(account, before, undefined);
}

function stateOf(account: Account, id: number): string | undefined {
  const state = account.sql('SELECT state FROM outbox WHERE id = ?').get(id)?.state;
  return state === undefined ? undefined : String(state);
}

function entryChanged(account: Account, before: string | undefined, after: string | undefined): void {
  account.outboxChanged();
  const change = Number(after !== undefined && OVER.has(after)) - Number(before !== undefined && OVER.has(before));
  if (change !== 0) {
    countOver(account, change);
  }
}

/** The states in which an entry is over, but for `dead`: what is dead stays until it is delivered or deleted. */
const OVER: ReadonlySet<string> = new Set<OutboxState>(['kept', 'delivered', 'done', 'failed']);

/** Counts the entries that are over, and drops the oldest of them where they have become many more than people read. */
function countOver(account: Account, change: number): void {
  account.count(OVER_TOTAL, change);
  const surplus = account.total(OVER_TOTAL) - KEPT_ENTRIES;
  if (surplus >= SURPLUS_ENTRIES) {
    account.run(DROP_OLDEST, KEPT_ENTRIES);
    account.count(OVER_TOTAL, -surplus);
  }
}

/** As many as a listing shows. */
export const KEPT_ENTRIES = 1000;
/** Gathered before any are dropped: finding the oldest costs a walk over those that stay. */
const SURPLUS_ENTRIES = 100;
const OVER_TOTAL = 'outbox.over';

const IS_OVER = `state IN (${[...OVER].map((state) => `'${state}'`).join(', ')})`;
const DROP_OLDEST = `
  DELETE FROM outbox WHERE ${IS_OVER} AND id <= (SELECT id FROM outbox WHERE ${IS_OVER} ORDER BY id DESC LIMIT 1 OFFSET ?)`;

/** Carries out a statement, on an account or on a file that is none yet. */
type Run = (text: string, ...values: readonly string[]) => unknown;

/** Lists as dead what may have left when the process ended: performed again, it could arrive twice. */
export function buryInterrupted(run: Run): void {
  bury(run, 'leaving', INTERRUPTED);
}

const INTERRUPTED = 'interrupted: the emulator ended while this was leaving, whether it arrived is not known; redeliver it if it did not';

/** Lists as dead what is not over in a copy of an account: the account itself goes on delivering it. */
export function buryCopied(run: Run): void {
  for (const state of ['pending', 'leaving', 'waiting']) {
    bury(run, state, COPIED);
  }
}

const COPIED = 'held back: it was on its way when this copy of the account was made; redeliver it if it is to leave from here too';

function bury(run: Run, state: string, error: string): void {
  run("UPDATE outbox SET state = 'dead', data = json_set(data, '$.error', ?) WHERE state = ?", error, state);
}

function toStored(row: Readonly<Record<string, unknown>>): StoredEntry {
  return { id: Number(row.id), atMs: Number(row.at), kind: String(row.kind), state: String(row.state), data: JSON.parse(String(row.data)) };
}
