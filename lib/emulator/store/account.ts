import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type ClockState, parseClock, readClock, setClock, trueTime } from '../clock.ts';
import { faults } from '../faults.ts';
import { alarm } from './alarm.ts';
import { type Counters, counters } from './counters.ts';
import { type DueRows, dueRows } from './due-rows.ts';
import { effectRunner } from './effects.ts';
import { CLOCK_SET_BACK, type Machinery } from './machinery.ts';
import { openDatabase, readMapped } from './open-database.ts';
import { addEntry, buryCopied } from './outbox.ts';
import type { Stored } from './records.ts';
import { remembered } from './remembered.ts';
import { type Settings, settings } from './settings.ts';
import { type Transactions, transactions } from './transactions.ts';

const REMEMBERED_RECORDS = 2000;

/**
 * One account: its SQLite file, its clock and what is due in it. Every request is handled inside `read` or `write`, which
 * are synchronous from beginning to end; between two of them nothing of an account is half done.
 */
export class Account {
  readonly id: string;
  readonly file: string;
  readonly machinery: Machinery;
  /** Divides the duration of actions that begin from now on; 0 completes them with the request that begins them, whose answer still shows them under way. */
  speed: number;
  /** The failures on purpose that were asked for. */
  readonly faults = faults();
  /** What collections have shown lately, as JSON texts, and the records they have lately read or written; empty once a transaction was undone. */
  readonly shown = remembered<string>(REMEMBERED_RECORDS);
  readonly records = remembered<Stored<unknown, unknown>>(REMEMBERED_RECORDS);
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #effects = effectRunner(this);
  readonly #alarm = alarm(() => this.#wake());
  readonly #transactions: Transactions;
  readonly #counters: Counters;
  readonly #due: DueRows;
  readonly #settings: Settings;
  #clock: ClockState;
  #nowMs = 0;
  #settledToMs = 0;

  /** Opens its file, or makes it. What another account was about to do outside when this file was copied from its own is held back. */
  constructor(id: string, file: string, machinery: Machinery, speed: number, isCopy = false) {
    this.id = id;
    this.file = file;
    this.machinery = machinery;
    this.speed = speed;
    this.#db = openDatabase(file, machinery.tables);
    try {
      const sql = (text: string): StatementSync => this.sql(text);
      this.#counters = counters(sql);
      this.#due = dueRows(sql);
      this.#settings = settings(sql);
      this.#transactions = transactions(sql, [this.#counters, this.#due, this.#settings, this.shown, this.records]);
      this.#clock = parseClock(this.setting('clock'));
      this.#nowMs = readClock(this.#clock);
      this.#transactions.whole(() => {
        if (isCopy) {
          buryCopied((text, ...values) => this.run(text, ...values));
        }
        machinery.opened(this);
      });
      this.#effects.resume();
      this.#setAlarm();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The moment the current request, or the row that has come due, is handled at; milliseconds since 1970. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Up to which moment what is due is being settled: later than `nowMs` while rows are handled that come late, after a restart or a leap of the clock. */
  get settledToMs(): number {
    return this.#settledToMs;
  }

  get clock(): ClockState {
    return this.#clock;
  }

  /** The prepared statement for this text, prepared once. */
  sql(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) {
      return known;
    }
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  /** Does work that passes over many records; it is slower for any other. */
  passOver<T>(work: () => T): T {
    return readMapped(this.#db, work);
  }

  run(text: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.sql(text).run(...values).changes);
  }

  /** Settles what is due, then lets `work` look; it must change nothing. */
  read<T>(work: () => T): T {
    this.#nowMs = readClock(this.#clock);
    this.#settle(this.#nowMs);
    return work();
  }

  /** Settles what is due, then does `work` in one transaction: all of it is stored when this returns, none of it when it throws. */
  write<T>(work: () => T): T {
    const nowMs = readClock(this.#clock);
    const outcome = this.#transactions.whole(() => {
      const settled = this.#settleRows(nowMs);
      return settled ? this.#transactions.attempt(work) : { result: work() };
    });
    this.#setAlarm();
    this.#effects.start();
    if ('error' in outcome) {
      throw outcome.error;
    }
    return outcome.result;
  }

  /**
   * Inside `write`: has what was scheduled for this very moment happen in the same transaction, which the next request would have to do in
   * another. Where a handler throws, all of it is still due: the alarm and the next request meet the same fault, and tell of it.
   */
  settleNow(): void {
    if (this.#due.nextAtMs() <= this.#nowMs) {
      this.#transactions.attempt(() => this.#settleRows(this.#nowMs));
    }
  }

  /** Inside `write`, for telling an account's past: settles what is due by `atMs` and does `work` at that moment. */
  replay(atMs: number, work: () => void): void {
    this.#settleRows(atMs);
    work();
  }

  /**
   * Has `kind` happen at `atMs`: its handler is called with `ref` and `data`, in order of time, whatever happens to the process
   * or the clock. A row is never taken back: a handler looks whether what it was to do still stands.
   */
  schedule(atMs: number, kind: string, ref: string | number, data: unknown = null): void {
    this.#due.add({ atMs, kind, ref: String(ref), data });
  }

  /** Whether a row is still to come. */
  isScheduled(atMs: number, kind: string, ref: string): boolean {
    return this.#due.has(atMs, kind, ref);
  }

  /** The next value of a persistent counter that never goes back. */
  nextId(counter: string): number {
    return this.#counters.add(counter, 1);
  }

  /** Moves a persistent total by `change`. */
  count(total: string, change: number): void {
    this.#counters.add(total, change);
  }

  total(name: string): number {
    return this.#counters.get(name);
  }

  setting(key: string): string | undefined {
    return this.#settings.get(key);
  }

  set(key: string, value: string): void {
    this.#settings.set(key, value);
  }

  /**
   * Lets something leave the account: a mail, a notice, a probe. Kept in the outbox; performed if its kind has an effect. Of one
   * `lane`, each begins once the one before it is over.
   */
  post(kind: string, data: object, lane: string | null = null): void {
    const state = this.machinery.effects.has(kind) ? 'pending' : 'kept';
    addEntry(this, kind, state, lane, data);
  }

  /** Has it be looked, once the transaction is over, what there is to perform now. */
  outboxChanged(): void {
    this.#effects.changed();
  }

  /** Tells every family that listens that `event` has happened to `ref`, inside the same transaction. */
  announce(event: string, ref: string | number): void {
    for (const listener of this.machinery.listeners.get(event) ?? []) {
      listener(this, String(ref));
    }
  }

  /** Sets the clock to `atMs`, or stops or starts it where it is. What has come due by then happens at the next request. */
  moveClock(atMs: number | undefined, frozen: boolean): void {
    this.adoptClock(atMs === undefined && !frozen ? trueTime : setClock(atMs ?? readClock(this.#clock), frozen));
  }

  adoptClock(clock: ClockState): void {
    const beforeMs = readClock(this.#clock);
    this.#nowMs = readClock(clock);
    this.#transactions.whole(() => {
      this.set('clock', JSON.stringify(clock));
      if (this.#nowMs < beforeMs) {
        this.announce(CLOCK_SET_BACK, this.#nowMs);
      }
    });
    this.#clock = clock;
    this.#setAlarm();
  }

  /** When the next row is due; infinity when there is none. */
  get nextDueMs(): number {
    return this.#due.nextAtMs();
  }

  /** Sets a clock that stands still or runs, as it does, to a moment on its way to a later one, and has what is due by then happen. */
  stepTo(stepMs: number, onTheWayToMs: number): void {
    this.moveClock(stepMs, this.#clock.frozenAtMs !== null);
    this.#settle(stepMs, onTheWayToMs);
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  /** Resolves when nothing that left the account is still being performed. */
  quiet(): Promise<void> {
    return this.#effects.quiet();
  }

  /** Puts everything into the one file, so that a copy of it is a copy of the account. */
  flush(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#alarm.stop();
    this.#effects.stop();
    this.#statements.clear();
    this.#db.close();
  }

  #settle(untilMs: number, onTheWayToMs = untilMs): void {
    if (this.#due.nextAtMs() > untilMs) {
      return;
    }
    this.#transactions.whole(() => this.#settleRows(untilMs, onTheWayToMs));
    this.#setAlarm();
    this.#effects.start();
  }

  /** Inside a transaction: has everything happen that is due by then, and leaves the account at that moment. Whether there was anything. */
  #settleRows(untilMs: number, onTheWayToMs = untilMs): boolean {
    const settled = this.#due.nextAtMs() <= untilMs;
    this.#settledToMs = onTheWayToMs;
    try {
      for (let row = this.#due.take(untilMs); row !== undefined; row = this.#due.take(untilMs)) {
        this.#nowMs = row.atMs;
        this.machinery.dueHandlers.get(row.kind)?.(this, row.ref, row.data);
      }
    } finally {
      this.#nowMs = untilMs;
    }
    return settled;
  }

  #setAlarm(): void {
    this.#alarm.set(this.#clock, this.#due.nextAtMs());
  }

  #wake(): void {
    try {
      this.read(() => undefined);
      this.#setAlarm();
    } catch (error) {
      // Not set again: the row that failed is still due, and the next request meets the same fault and answers 500.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}
