import type { DatabaseSync } from 'node:sqlite';
import { hostLimits } from '../limits.ts';
import { transaction } from '../store/transaction.ts';
import { type ActivationRecord, keptRecord } from './activation-record.ts';

const flushAfterMs = 20;
const cleanEvery = 10_000;
const hourMs = 60 * 60 * 1000;

/** Which activations to list. Times in milliseconds since the epoch, both ends included; `name` is `fn` or `pkg/fn`. */
export interface ActivationQuery {
  readonly name?: string;
  readonly sinceMs?: number;
  readonly uptoMs?: number;
}

/** Records in the order they were written; `text` is a record as JSON. */
export interface RecordBatch {
  readonly records: readonly { readonly id: string; readonly text: string }[];
  /** Where to read on. */
  readonly reached: number;
  /** Whether nothing more is there yet. */
  readonly isLast: boolean;
}

interface Unwritten {
  readonly record: ActivationRecord;
  readonly fullName: string;
  readonly secrets: readonly string[];
}

/**
 * Every activation of a namespace of the last days, up to a number. Records are written a few milliseconds after they come, several in one transaction, so that no
 * caller waits for the disk; reading sees them at once.
 */
export class ActivationStore {
  readonly #store: DatabaseSync;
  readonly #namespace: string;
  readonly #onBug: (error: unknown) => void;
  readonly #cleaning: NodeJS.Timeout;
  #untilCleaning = cleanEvery;
  #unwritten: Unwritten[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #ended = false;
  #onWritten = (): void => {};

  /** `onBug` is told of what nobody waits for. */
  constructor(store: DatabaseSync, namespace: string, onBug: (error: unknown) => void) {
    this.#store = store;
    this.#namespace = namespace;
    this.#onBug = onBug;
    this.#dropOld();
    this.#cleaning = setInterval(() => this.#dropOld(), hourMs).unref();
  }

  /** Keeps a record, without the headers of its result and without these secrets. */
  add(record: ActivationRecord, fullName: string, secrets: readonly string[] = []): void {
    if (this.#ended) return;
    this.#unwritten.push({ record, fullName, secrets });
    this.#flushing ??= setTimeout(() => this.#flush(), flushAfterMs);
  }

  get(activationId: string): ActivationRecord | undefined {
    this.#flush();
    const row = this.#store.prepare('SELECT record FROM activation WHERE namespace = ? AND id = ?').get(this.#namespace, activationId);
    return row && parsed(row.record);
  }

  /** Newest first. */
  list(query: ActivationQuery, limit: number, skip: number): readonly ActivationRecord[] {
    this.#flush();
    const { where, values } = condition(this.#namespace, query);
    const order = 'ORDER BY start_ms DESC, rowid DESC LIMIT ? OFFSET ?';
    const rows = this.#store.prepare(`SELECT record FROM activation ${where} ${order}`).all(...values, limit, skip);
    return rows.map((row) => parsed(row.record));
  }

  count(query: ActivationQuery): number {
    this.#flush();
    const { where, values } = condition(this.#namespace, query);
    const row = this.#store.prepare(`SELECT count(*) AS n FROM activation ${where}`).get(...values);
    return Number(row?.n ?? 0);
  }

  /** Calls back whenever records were written, for who reads them with `after`. */
  onWritten(listener: () => void): void {
    this.#onWritten = listener;
  }

  /**
   * Where an activation lies in the order of writing; without an id, the end. An id that is not kept any more lies before all that is.
   */
  position(activationId?: string): number {
    this.#flush();
    const row =
      activationId === undefined
        ? this.#store
            .prepare('SELECT rowid AS at FROM activation NOT INDEXED WHERE namespace = ? ORDER BY rowid DESC LIMIT 1')
            .get(this.#namespace)
        : this.#store.prepare('SELECT rowid AS at FROM activation WHERE namespace = ? AND id = ?').get(this.#namespace, activationId);
    return Number(row?.at ?? 0);
  }

  /** What was written after a position, oldest first. `name` is `fn` or `pkg/fn`. */
  after(position: number, name: string | undefined, limit: number): RecordBatch {
    const { where, values } = condition(this.#namespace, { ...(name !== undefined && { name }) });
    const rows = this.#store
      .prepare(`SELECT rowid AS at, id, record FROM activation NOT INDEXED ${where} AND rowid > ? ORDER BY rowid LIMIT ?`)
      .all(...values, position, limit);
    return {
      records: rows.map(({ id, record }) => ({ id: String(id), text: String(record) })),
      reached: Number(rows.at(-1)?.at ?? position),
      isLast: rows.length < limit,
    };
  }

  close(): void {
    clearInterval(this.#cleaning);
    this.#flush();
  }

  /** The namespace is gone, and the store holds nothing of it any more; what still comes of calls that are under way is let go. */
  end(): void {
    this.#ended = true;
    this.#unwritten = [];
    this.close();
  }

  /** What cannot be written is told and let go: its calls were answered, and those to come shall be. */
  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const batch = this.#unwritten.splice(0);
    if (batch.length === 0) return;
    try {
      transaction(this.#store, () => this.#write(batch));
    } catch (error) {
      this.#onBug(error);
      return;
    }
    this.#onWritten();
    this.#untilCleaning -= batch.length;
    if (this.#untilCleaning > 0) return;
    this.#untilCleaning = cleanEvery;
    this.#dropOld();
  }

  #write(batch: readonly Unwritten[]): void {
    const insert = this.#store.prepare(
      'INSERT OR REPLACE INTO activation(id, namespace, start_ms, name, full_name, record) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { record, fullName, secrets } of batch) {
      const text = JSON.stringify(keptRecord(record, secrets));
      insert.run(record.activationId, this.#namespace, record.start, record.name, fullName, text);
    }
  }

  #dropOld(): void {
    const oldest = Date.now() - hostLimits.activationRetentionMs;
    // The newest stays: its place in the order of writing must not be given away again, readers go by it.
    const old = 'namespace = ? AND start_ms < ? AND rowid < (SELECT max(rowid) FROM activation WHERE namespace = ?)';
    const tooMany = 'rowid <= (SELECT max(rowid) FROM activation) - ?';
    try {
      this.#store.prepare(`DELETE FROM activation WHERE ${old}`).run(this.#namespace, oldest, this.#namespace);
      this.#store.prepare(`DELETE FROM activation WHERE ${tooMany}`).run(hostLimits.activationsKept);
    } catch (error) {
      this.#onBug(error);
    }
  }
}

function condition(
  namespace: string,
  { name, sinceMs, uptoMs }: ActivationQuery,
): { readonly where: string; readonly values: readonly (string | number)[] } {
  const clauses: readonly (readonly [string, string | number | undefined])[] = [
    ['namespace = ?', namespace],
    [name?.includes('/') ? 'full_name = ?' : 'name = ?', name],
    ['start_ms >= ?', sinceMs],
    ['start_ms <= ?', uptoMs],
  ];
  const used = clauses.filter(([, value]) => value !== undefined);
  const values = used.flatMap(([, value]) => (value === undefined ? [] : [value]));
  return { where: `WHERE ${used.map(([text]) => text).join(' AND ')}`, values };
}

function parsed(record: unknown): ActivationRecord {
  // Only #flush writes this column.
  return JSON.parse(String(record)) as ActivationRecord;
}
