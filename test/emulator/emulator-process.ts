import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { clientOf, type Json, type Platform } from './platform.ts';

const MAIN = fileURLToPath(new URL('../../lib/emulator/main.ts', import.meta.url));

/** A data directory of its own, removed after. */
export async function dataDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'emulator-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The emulator as a process; `kill` ends it by force. */
export async function emulatorProcess(
  dataDir: string,
  options: readonly string[] = [],
): Promise<{ readonly platform: Platform; readonly kill: () => Promise<void> }> {
  const given = ['--port', '0', '--data', dataDir, '--speed', '1', '--no-limits', ...options];
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  if (child.stdout === null) {
    throw new Error('the process has no output to read its address from');
  }
  const died = exited.then(() => {
    throw new Error('the emulator ended before it was ready');
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), died]);
  died.catch(() => undefined);
  const ready: Json = JSON.parse(line);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { platform: clientOf(ready.url, ready.token), kill };
}
