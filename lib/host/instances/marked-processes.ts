import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { procFile } from './proc-file.ts';
import { isThere, killTree } from './process-tree.ts';

/** Stands in the environment of what a host starts, and is handed on to whatever that starts. */
export const markVariable = '__OW_INSTANCE';

const markPattern = new RegExp(`(?:^|[\\0 ])${markVariable}=([^\\0 ]+)`);
const goneTimeoutMs = 5000;
const pollMs = 5;
/** Who starts processes faster than they are looked for is not followed for ever. */
const mostLooks = 10;
/** Reading the environment of one process takes some ten microseconds; what else the host has to do comes in between. */
const readAtOnce = 32;

/**
 * Ends every process that carries one of these marks, wherever it went: also those in a session of their own, and those whose parent is gone.
 * Resolves with how many there were when they are gone. What was started without its starter's environment is not found.
 */
export async function endMarked(marks: ReadonlySet<string>): Promise<number> {
  const ended = new Set<number>();
  for (let look = 0; look < mostLooks; look += 1) {
    const found = (await marked(marks)).filter((pid) => !ended.has(pid));
    if (found.length === 0) break;
    for (const pid of found) {
      killTree(pid);
      ended.add(pid);
    }
  }
  await allGone(ended);
  return ended.size;
}

/** Resolves when none of them is left. A process that was told to end takes a moment, and longer on a busy machine. */
export async function allGone(pids: ReadonlySet<number>): Promise<void> {
  const latest = performance.now() + goneTimeoutMs;
  while ([...pids].some(isThere) && performance.now() < latest) await setTimeout(pollMs);
}

async function marked(marks: ReadonlySet<string>): Promise<readonly number[]> {
  const found = process.platform === 'linux' ? await environments() : await environmentsByPs();
  return found.filter(({ text }) => marks.has(markPattern.exec(text)?.[1] ?? '')).map(({ pid }) => pid);
}

interface ProcessEnvironment {
  readonly pid: number;
  readonly text: string;
}

async function environments(): Promise<readonly ProcessEnvironment[]> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found: ProcessEnvironment[] = [];
  for (let from = 0; from < pids.length; from += readAtOnce) {
    if (from > 0) await setImmediate();
    found.push(...pids.slice(from, from + readAtOnce).map(environmentOf));
  }
  return found;
}

function environmentOf(pid: string): ProcessEnvironment {
  try {
    return { pid: Number(pid), text: procFile(`${pid}/environ`) };
  } catch {
    // It is gone, or somebody else's.
    return { pid: Number(pid), text: '' };
  }
}

/** Where there is no /proc: the command with the environment behind it, as ps shows it of one's own processes. */
async function environmentsByPs(): Promise<readonly ProcessEnvironment[]> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'latin1', maxBuffer: 64e6 });
    return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), text: line }));
  } catch {
    return [];
  }
}
