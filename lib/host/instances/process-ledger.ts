import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { allGone, endMarked, markVariable } from './marked-processes.ts';
import { procFile } from './proc-file.ts';
import { killTree, startOf } from './process-tree.ts';

/** A process that was started: enough to know it again and never to mistake another for it. */
interface Entry {
  readonly pid: number;
  /** Its start time as the system tells it; empty where that is not known. */
  readonly started: string;
  readonly boot: string;
  /** The mark in its environment and in that of whatever it starts. */
  readonly instance: string;
}

/**
 * The processes of this host, written down as they start and struck off as they end, so that after a host was killed the next one can
 * end what it left running.
 */
export class ProcessLedger {
  readonly #store: DatabaseSync;
  readonly #onBug: (error: unknown) => void;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #insertMark: StatementSync;
  readonly #removeMark: StatementSync;
  readonly #boot = bootId();
  /** Marks whose processes are looked for next, all at once. */
  #sought = new Set<string>();
  #search: Promise<number> | undefined;

  /** `onBug` is told of a process that could not be written down. */
  constructor(store: DatabaseSync, onBug: (error: unknown) => void) {
    this.#store = store;
    this.#onBug = onBug;
    this.#insert = store.prepare('INSERT OR REPLACE INTO process(pid, started, boot, instance) VALUES (?, ?, ?, ?)');
    this.#remove = store.prepare('DELETE FROM process WHERE pid = ? AND instance = ?');
    this.#insertMark = store.prepare('INSERT INTO mark(mark) VALUES (?)');
    this.#removeMark = store.prepare('DELETE FROM mark WHERE mark = ?');
  }

  add(pid: number, instance: string): void {
    try {
      this.#insert.run(pid, startOf(pid) ?? '', this.#boot, instance);
    } catch (error) {
      // It runs all the same; only a host that is killed leaves it behind.
      this.#onBug(error);
    }
  }

  /** A process is gone: ends what it started and left behind, and forgets it. */
  async remove(pid: number, instance: string): Promise<void> {
    await this.#endMarked(instance);
    this.#remove.run(pid, instance);
  }

  /** Runs work that starts processes, whose environment is to hold these variables; what it leaves running is ended with it. */
  async runMarked<Result>(work: (environment: Readonly<Record<string, string>>) => Promise<Result>): Promise<Result> {
    const mark = randomBytes(12).toString('hex');
    this.#insertMark.run(mark);
    try {
      return await work({ [markVariable]: mark });
    } finally {
      await this.#endMarked(mark);
      this.#removeMark.run(mark);
    }
  }

  /** Ends every process that is still written down from an earlier host, with all it started, and forgets them. Returns how many there were. */
  async endLeftovers(): Promise<number> {
    const rows = this.#store.prepare('SELECT pid, started, boot, instance FROM process').all();
    const entries = rows
      .map((row): Entry => {
        const { pid, started, boot, instance } = row;
        return { pid: Number(pid), started: String(started), boot: String(boot), instance: String(instance) };
      })
      .filter((entry) => entry.boot === this.#boot);
    const marks = this.#store.prepare('SELECT mark FROM mark').all();
    const leaders = new Set(entries.filter(isTheSame).map(({ pid }) => pid));
    for (const pid of leaders) killTree(pid);
    await allGone(leaders);
    const sought = new Set([...entries.map(({ instance }) => instance), ...marks.map(({ mark }) => String(mark))]);
    const others = sought.size === 0 ? 0 : await endMarked(sought);
    this.#store.exec('DELETE FROM process; DELETE FROM mark');
    return leaders.size + others;
  }

  /** One look at all processes serves every mark that is sought in the same turn: a host that closes ends many. */
  #endMarked(mark: string): Promise<number> {
    this.#sought.add(mark);
    this.#search ??= new Promise((resolve) => {
      setImmediate(() => {
        const marks = this.#sought;
        this.#sought = new Set();
        this.#search = undefined;
        resolve(endMarked(marks));
      });
    });
    return this.#search;
  }
}

/** Whether a process is the one that was written down, and not another under its number. */
function isTheSame({ pid, started }: Entry): boolean {
  return started !== '' && startOf(pid) === started;
}

function bootId(): string {
  try {
    return procFile('sys/kernel/random/boot_id').trim();
  } catch {
    return '';
  }
}
