import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A process that was started: enough to know it again and never to mistake another for it. */
interface Entry {
  readonly pid: number;
  /** Its start time as the system tells it; empty where that is not known. */
  readonly started: string;
  readonly boot: string;
  /** The value of `__OW_INSTANCE` in its environment and in that of whatever it starts. */
  readonly instance: string;
}

/**
 * The processes of this host, written down as they start and struck off as they end, so that after a host was killed the next one can
 * end what it left running.
 */
export class ProcessLedger {
  readonly #store: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #boot = bootId();

  constructor(store: DatabaseSync) {
    this.#store = store;
    this.#insert = store.prepare('INSERT OR REPLACE INTO process(pid, started, boot, instance) VALUES (?, ?, ?, ?)');
    this.#remove = store.prepare('DELETE FROM process WHERE pid = ?');
  }

  add(pid: number, instance: string): void {
    this.#insert.run(pid, startOf(pid) ?? '', this.#boot, instance);
  }

  remove(pid: number): void {
    this.#remove.run(pid);
  }

  /** Ends every process that is still written down from an earlier host, with its group, and forgets them. Returns how many there were. */
  endLeftovers(): number {
    const rows = this.#store.prepare('SELECT pid, started, boot, instance FROM process').all();
    const entries = rows.map((row): Entry => {
      const { pid, started, boot, instance } = row;
      return { pid: Number(pid), started: String(started), boot: String(boot), instance: String(instance) };
    });
    const left = entries.filter((entry) => entry.boot === this.#boot).flatMap(survivorsOf);
    for (const pid of left) kill(pid);
    this.#store.exec('DELETE FROM process');
    return left.length;
  }
}

/** The process itself if it is the same one, and those it started, even where they left its group. */
function survivorsOf({ pid, started, instance }: Entry): readonly number[] {
  if (process.platform !== 'linux') return isOurs(pid, instance) ? [-pid] : [];
  const leader = started !== '' && startOf(pid) === started ? [-pid, pid] : [];
  const offspring = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && hasInstance(name, instance));
  return [...leader, ...offspring.map(Number)];
}

/** Field 22 of /proc/<pid>/stat: when the process started, in ticks since boot. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

function hasInstance(pid: string, instance: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`__OW_INSTANCE=${instance}`);
  } catch {
    return false;
  }
}

/** Where there is no /proc: the environment as ps shows it. */
function isOurs(pid: number, instance: string): boolean {
  try {
    return execFileSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'latin1' }).includes(`__OW_INSTANCE=${instance}`);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
