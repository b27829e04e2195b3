import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

const goneTimeoutMs = 5000;
const pollMs = 5;

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

  /** Ends every process that is still written down from an earlier host, with all it started, and forgets them. Returns how many there were. */
  async endLeftovers(): Promise<number> {
    const rows = this.#store.prepare('SELECT pid, started, boot, instance FROM process').all();
    const entries = rows.map((row): Entry => {
      const { pid, started, boot, instance } = row;
      return { pid: Number(pid), started: String(started), boot: String(boot), instance: String(instance) };
    });
    const left = new Set(entries.filter((entry) => entry.boot === this.#boot).flatMap(survivorsOf));
    for (const pid of left) kill(pid);
    await allGone(left);
    this.#store.exec('DELETE FROM process');
    return left.size;
  }
}

/** The process itself if it is the same one, and those it started, even where they left its group. */
function survivorsOf({ pid, started, instance }: Entry): readonly number[] {
  if (process.platform !== 'linux') return isOurs(pid, instance) ? [pid] : [];
  const leader = started !== '' && startOf(pid) === started ? [pid] : [];
  const offspring = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && hasInstance(name, instance));
  return [...leader, ...offspring.map(Number)];
}

/** A process that was told to end takes a moment, and longer on a busy machine. */
async function allGone(pids: ReadonlySet<number>): Promise<void> {
  const latest = performance.now() + goneTimeoutMs;
  while ([...pids].some(isThere) && performance.now() < latest) await setTimeout(pollMs);
}

/** One that has ended and was not yet waited for by its parent counts as gone. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || statOf(pid)[0] !== 'Z';
  } catch {
    return false;
  }
}

/** Field 22 of /proc/<pid>/stat: when the process started, in ticks since boot. */
function startOf(pid: number): string | undefined {
  try {
    return statOf(pid)[19];
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat from the third on: the second is the program's name in parentheses and may hold anything. */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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

/** Ends a process, and its group where it leads one. */
function kill(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It leads no group, or ended by itself in the meantime.
    }
  }
}
