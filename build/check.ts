import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

interface Step {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

/**
 * Everything that can be said without running the program: types, lint and format, a complete lock, generated files up to date.
 * All of it is looked at, also after a failure.
 * @returns 0, or 1 when something is wrong; each tool's own words are on the terminal
 */
export async function check(root: string): Promise<number> {
  const failed: string[] = [];
  for (const step of checks(root)) {
    if ((await run(root, step)) !== 0) failed.push(step.name);
  }
  if (failed.length === 0) return 0;
  process.stderr.write(`check failed: ${failed.join(', ')}\n`);
  return 1;
}

/** `check`, then every test; the arguments go to the test runner. Its exit code is the answer. */
export async function test(root: string, args: readonly string[]): Promise<number> {
  const checked = await check(root);
  if (checked !== 0) return checked;
  return run(root, { name: 'tests', script: 'node_modules/vitest/vitest.mjs', args: ['run', ...args] });
}

function checks(root: string): readonly Step[] {
  return [
    { name: 'lock', script: 'build/complete-lockfile.mjs', args: ['--check'] },
    { name: 'lint', script: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
    { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
    ...generators(root).map((script) => ({ name: script, script, args: ['--check'] })),
  ];
}

/** The programs that write a part of docs/; each has a `--check` that compares instead of writing. */
function generators(root: string): readonly string[] {
  const folder = join(root, 'build/docs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `build/docs/${name}`)
    .sort();
}

function run(root: string, { script, args }: Step): Promise<number> {
  const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, pass);
      resolve(signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0));
    });
  });
}
