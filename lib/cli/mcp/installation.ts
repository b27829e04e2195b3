import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { madeDataDir } from '../start/data-dir.ts';
import { findRunning, isAlive, whenEnded } from '../start/running.ts';
import type { Ready } from '../start/start-options.ts';
import { type Use, use } from '../start/users.ts';

/** A running installation that does not end while it is used. */
export interface UsedInstallation {
  readonly router: string;
  readonly token: string;
  /** Whether it has gone. */
  lost(): boolean;
  release(): void;
}

/** The first start on a machine builds every function. */
const longestStartMs = 180_000;
const pollMs = 50;

/**
 * The installation on a data directory. Where none runs one is started, as a process of its own that every client of the directory shares, and that ends
 * after the last of them; one that somebody else started is only used.
 *
 * @throws CliError with the words of the start that failed, or that the directory cannot be had
 */
export async function useInstallation(dataDir: string): Promise<UsedInstallation> {
  const running = await joined(dataDir);
  if (running) return running;
  madeDataDir(dataDir);
  return oneAtATime(join(dataDir, 'mcp.lock'), async () => (await joined(dataDir)) ?? (await startAndJoin(dataDir)));
}

/** Makes use of the installation that runs there; undefined where none does, or where it is about to end. */
async function joined(dataDir: string): Promise<UsedInstallation | undefined> {
  const running = await findRunning(dataDir);
  if (!running) return undefined;
  if (running.users === undefined) return used(running.ready);
  const held = await use(running.users);
  return held && used(running.ready, held);
}

/** Of one that somebody else started nothing is held: it goes on without us. */
function used({ router, token, pid }: Ready, held?: Use): UsedInstallation {
  return { router, token, lost: () => held?.lost() === true || !isAlive(pid), release: () => held?.release() };
}

async function startAndJoin(dataDir: string): Promise<UsedInstallation> {
  // One that is ending keeps the directory to itself until it has.
  await whenEnded(dataDir);
  process.stderr.write(`deckhand mcp: starting an installation on ${dataDir} ...\n`);
  const logFile = join(dataDir, 'mcp.log');
  const child = startApart(dataDir, logFile);
  const endsAt = performance.now() + longestStartMs;
  while (child.exitCode === null && child.signalCode === null && performance.now() < endsAt) {
    const installation = await joined(dataDir);
    if (installation) return installation;
    await pause(pollMs);
  }
  throw new CliError(`no installation could be started on ${dataDir}:\n${readFileSync(logFile, 'utf8').trim() || 'it says nothing'}`);
}

/** `deckhand start`, which outlives this process. */
function startApart(dataDir: string, logFile: string): ChildProcess {
  const program = process.argv[1] ?? '';
  const log = openSync(logFile, 'w', 0o600);
  const args = ['start', '--json', '--data', dataDir, '--port', '0', '--platform-port', '0', '--while-used'];
  // What it prints when ready holds its token.
  const child = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  child.unref();
  return child;
}

/** Does something while no other process does; the lock goes with the process, however that ends. */
async function oneAtATime<Value>(file: string, act: () => Promise<Value>): Promise<Value> {
  const lock = new DatabaseSync(file, { timeout: longestStartMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return await act();
  } finally {
    lock.close();
  }
}
