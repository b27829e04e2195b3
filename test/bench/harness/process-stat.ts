import { readFileSync } from 'node:fs';

/** The processor time that a process has taken until now, with that of all its threads, in milliseconds; undefined where the system does not tell. */
export function processorMs(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields && (Number(fields[USER]) + Number(fields[SYSTEM])) * MS_OF_A_TICK;
}

/** The process that has started another; undefined where the system does not tell. */
export function parentOf(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields && Number(fields[PARENT]);
}

/** The fields of /proc/<pid>/stat from the third on: the second is the program's name in parentheses and may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
/** Linux tells programs in hundredths of a second, whatever its own clock does. */
const MS_OF_A_TICK = 10;
