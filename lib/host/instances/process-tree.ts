import { readdirSync } from 'node:fs';
import { procFile } from './proc-file.ts';

/**
 * Ends a process, its group where it leads one, and on Linux whatever it and its children started, also in a session of their own. What has
 * lost its parent is no part of the tree any more.
 */
export function killTree(pid: number): void {
  const tree = [pid, ...descendantsOf(pid)];
  killGroup(pid);
  for (const member of tree) kill(member);
}

/** Ends what is left of the group that a process led. */
export function killGroup(leader: number): void {
  kill(-leader);
}

/** Whether a process runs. One that has ended and was not yet waited for by its parent does not. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || statOf(pid)[0] !== 'Z';
  } catch {
    return false;
  }
}

/** When a process started, in ticks since boot (field 22 of /proc/<pid>/stat); undefined where that is not known. */
export function startOf(pid: number): string | undefined {
  try {
    return statOf(pid)[19];
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat from the third on: the second is the program's name in parentheses and may hold anything. */
function statOf(pid: number): readonly string[] {
  const stat = procFile(`${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Every thread has children of its own. */
function childrenOf(pid: number): readonly number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((thread) => procFile(`${pid}/task/${thread}/children`));
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    // It is gone, or the system does not tell.
    return [];
  }
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It leads no group, or ended by itself in the meantime.
  }
}
