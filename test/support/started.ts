import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ready } from '../../lib/cli/start/start-options.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Started {
  readonly ready: Ready;
  /** Ends it as a terminal does, and resolves to its exit code. */
  end(): Promise<number | null>;
  /** Ends it by force. */
  kill(): Promise<void>;
}

/** `npm start` as its own process, on free ports unless told otherwise, of this clone or another one; resolves when it says that it is ready. */
export async function started(args: readonly string[], environment: NodeJS.ProcessEnv = {}, clone = root): Promise<Started> {
  const child = startProcess(['--json', '--port', '0', '--platform-port', '0', ...args], environment, clone);
  let out = '';
  let errors = '';
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      const end = out.indexOf('\n');
      if (end >= 0) resolve(out.slice(0, end));
    });
    child.stderr?.on('data', (chunk) => (errors += chunk));
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code} before it was ready:\n${errors}`)));
  });
  // Safe: this is the line that --json promises, and a test reads its members.
  const ready = JSON.parse(line) as Ready;
  return {
    ready,
    async end() {
      child.kill('SIGTERM');
      return exitOf(child);
    },
    async kill() {
      process.kill(ready.pid, 'SIGKILL');
      await exitOf(child);
    },
  };
}

/** What `npm start` runs, with these arguments and nothing added. */
export function startProcess(args: readonly string[], environment: NodeJS.ProcessEnv = {}, clone = root): ChildProcess {
  const child = spawn(process.execPath, ['build/run.mjs', 'start', ...args], {
    cwd: clone,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails on the way leaves nothing running.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
