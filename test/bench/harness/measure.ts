import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Effort } from './effort.ts';
import type { Section } from './sections.ts';
import type { Table } from './table.ts';

const program = fileURLToPath(new URL('measure-section.ts', import.meta.url));
const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/**
 * Measures a section in a process group of its own, which is ended with everything that it has started when it takes longer than `limitMs`, or when
 * this process is told to end. Answers its tables, or a text that says why there are none.
 */
export function measure({ name }: Section, effort: Effort, limitMs: number): Promise<readonly Table[] | string> {
  const child = fork(program, [name, JSON.stringify(effort)], {
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  return new Promise((resolve) => {
    let said: readonly Table[] | string | undefined;
    const timer = setTimeout(() => {
      said = `it took more than ${limitMs / 60_000} minutes`;
      endGroup(child.pid);
    }, limitMs);
    const interrupted = (signal: NodeJS.Signals): void => {
      endGroup(child.pid);
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    for (const signal of signals) process.on(signal, interrupted);
    child.on('message', (message) => {
      // What measure-section.ts sends.
      said = message as readonly Table[] | string;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      for (const one of signals) process.off(one, interrupted);
      resolve(said ?? `its process ended with ${signal ?? code}`);
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    // Windows has no groups; there only the section's own process ends.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
