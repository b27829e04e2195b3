import { readFileSync } from 'node:fs';

/** The processor time that a process has taken until now, with that of all its threads, in milliseconds; undefined where /proc does not tell. */
export function processorMs(pid: number): number | undefined {
  try {
    // Behind the program's name, which is in parentheses and may hold anything, the state is the first field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * MS_OF_A_TICK;
  } catch {
    return undefined;
  }
}

const USER = 11;
const SYSTEM = 12;
/** Linux tells programs in hundredths of a second, whatever its own clock does. */
const MS_OF_A_TICK = 10;
