import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from './clock.ts';
import { nextRunMs } from './schedule.ts';

/** A trigger as it is kept. Times in milliseconds since the epoch. */
export interface TriggerRecord {
  readonly name: string;
  /** `package/name`, or the bare name in the default package. */
  readonly function: string;
  readonly isEnabled: boolean;
  readonly cron: string;
  /** The event of its runs. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly lastRunMs: number | null;
}

/** A trigger with the time of its next run; null where there will be none. */
export interface Trigger extends TriggerRecord {
  readonly nextRunMs: number | null;
}

/** A run that would come later than this after its time does not come: the host, or the machine, was away. */
const mostLateMs = 60_000;

/**
 * The triggers of one namespace, and the watch that runs them at their time. What was missed while the host was down is not made up for;
 * a run does not wait for the one before it.
 */
export class Triggers {
  readonly #store: DatabaseSync;
  readonly #namespace: string;
  readonly #clock: Clock;
  readonly #run: (trigger: TriggerRecord) => boolean;
  readonly #onBug: (error: unknown) => void;
  readonly #all = new Map<string, Trigger>();
  #forget = (): void => {};
  #closed = false;

  /** `run` says whether the function was called; `onBug` is told of a run that could not be written down. */
  constructor(
    store: DatabaseSync,
    namespace: string,
    clock: Clock,
    run: (trigger: TriggerRecord) => boolean,
    onBug: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#namespace = namespace;
    this.#clock = clock;
    this.#run = run;
    this.#onBug = onBug;
    for (const row of store.prepare('SELECT record FROM trigger WHERE namespace = ?').all(namespace)) {
      // Written by #keep and by nobody else.
      const record = JSON.parse(String(row.record)) as TriggerRecord;
      this.#all.set(record.name, this.#scheduled(record));
    }
    this.#watch();
  }

  /** By name. */
  all(): readonly Trigger[] {
    return [...this.#all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  find(name: string): Trigger | undefined {
    return this.#all.get(name);
  }

  now(): number {
    return this.#clock.now();
  }

  /** Makes a trigger, or changes it; its next run is counted from now. */
  put(record: TriggerRecord): Trigger {
    const trigger = this.#scheduled(record);
    this.#keep(trigger);
    this.#watch();
    return trigger;
  }

  delete(name: string): void {
    this.#store.prepare('DELETE FROM trigger WHERE namespace = ? AND name = ?').run(this.#namespace, name);
    this.#all.delete(name);
    this.#watch();
  }

  /** Notes that a trigger was run just now. Where that cannot be written it is known until the host ends: the run has begun, and others are to come. */
  noteRun(trigger: Trigger): void {
    const noted = { ...trigger, lastRunMs: this.#clock.now() };
    try {
      this.#keep(noted);
    } catch (error) {
      this.#all.set(noted.name, noted);
      this.#onBug(error);
    }
  }

  close(): void {
    this.#closed = true;
    this.#forget();
  }

  #scheduled(record: TriggerRecord): Trigger {
    return { ...record, nextRunMs: record.isEnabled ? nextRunMs(record.cron, this.#clock.now()) : null };
  }

  #keep(trigger: Trigger): void {
    const { nextRunMs: _derived, ...record } = trigger;
    this.#store
      .prepare('INSERT OR REPLACE INTO trigger(namespace, name, record) VALUES (?, ?, ?)')
      .run(this.#namespace, record.name, JSON.stringify(record));
    this.#all.set(record.name, trigger);
  }

  #watch(): void {
    this.#forget();
    const next = Math.min(...[...this.#all.values()].map((trigger) => trigger.nextRunMs ?? Number.POSITIVE_INFINITY));
    if (this.#closed || next === Number.POSITIVE_INFINITY) return;
    this.#forget = this.#clock.wakeAt(next, () => this.#runDue());
  }

  #runDue(): void {
    const now = this.#clock.now();
    for (const trigger of this.all()) {
      if (trigger.nextRunMs === null || trigger.nextRunMs > now) continue;
      const onward = this.#scheduled(trigger);
      const ran = now - trigger.nextRunMs <= mostLateMs && this.#run(trigger);
      if (ran) this.noteRun(onward);
      else this.#all.set(onward.name, onward);
    }
    this.#watch();
  }
}
