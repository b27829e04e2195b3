import { readdirSync, readFileSync } from 'node:fs';
import { parentOf } from '../harness/process-stat.ts';

/** The processes that a process has started and that are there; none where the system does not tell. */
export function childrenOf(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
}

/** How many files and sockets a process has open; 0 where the system does not tell. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Resident memory of a process in bytes; undefined for one that is gone, or where the system does not tell. */
export function residentOf(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}
