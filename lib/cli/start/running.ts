import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Circumstances } from './ready-block.ts';
import type { Ready } from './start-options.ts';

/** What a running installation leaves in its data directory for the next start to find. */
export interface Running {
  readonly ready: Ready;
  readonly circumstances: Circumstances;
  /** Where those who use it are counted, when it ends with the last of them. */
  readonly users?: number;
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json');

/** Notes that an installation runs on this data directory; the note holds tokens, so only its owner may read it. */
export function noteRunning(dataDir: string, running: Running): void {
  writeFileSync(fileOf(dataDir), JSON.stringify(running), { mode: 0o600 });
}

export function forgetRunning(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The installation that runs on this data directory and answers; undefined where none does, also after one was ended by force. */
export async function findRunning(dataDir: string): Promise<Running | undefined> {
  const noted = readNote(dataDir);
  if (!noted || !isAlive(noted.ready.pid)) return undefined;
  try {
    const answer = await fetch(`${noted.ready.router}/health`, { signal: AbortSignal.timeout(5000) });
    return answer.ok ? noted : undefined;
  } catch {
    // Nobody answers there: the process of that number is another one by now.
    return undefined;
  }
}

/** Resolves when the installation that is noted there has ended; at the latest after 20 seconds, since its number may be another process's by now. */
export async function whenEnded(dataDir: string): Promise<void> {
  const endsAt = performance.now() + 20_000;
  const pid = readNote(dataDir)?.ready.pid;
  while (pid !== undefined && isAlive(pid) && performance.now() < endsAt) await pause(50);
}

function readNote(dataDir: string): Running | undefined {
  try {
    // Safe: only noteRunning writes the file, in a directory of this user.
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Running;
  } catch {
    return undefined;
  }
}

/** Whether there is a process of that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
