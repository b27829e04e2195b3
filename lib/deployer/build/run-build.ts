import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeployError } from '../deploy-error.ts';
import type { BuildStep } from '../project.ts';

const COMMANDS: Readonly<Record<BuildStep['type'], readonly string[]>> = {
  'build.sh': ['./build.sh'],
  'build.cmd': ['build.cmd'],
  'npm-build': ['npm install --include=dev --no-audit --no-fund', 'npm run build'],
  'npm-install': ['npm install --omit=dev --no-audit --no-fund'],
};

const OUTPUT_LIMIT = 16_384;

/** What may be done with a build while it runs. */
export interface Running {
  /** Ends it with every process it started. */
  readonly signal?: AbortSignal;
  /** Told of what it prints, as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** The commands of a build as a person would type them. */
export function buildCommands(step: BuildStep): string {
  return COMMANDS[step.type].map((command) => command.replace(' --no-audit --no-fund', '')).join(' && ');
}

/**
 * Runs a build in its directory (specification, package.json: with scripts.build everything is installed and the script run, else
 * production dependencies are installed). Throws a DeployError `build_failed` with the end of the output.
 */
export async function runBuild(step: BuildStep, environment: Readonly<Record<string, string>>, running: Running = {}): Promise<void> {
  for (const command of COMMANDS[step.type]) {
    const { exit, output } = await run(command, step.dir, environment, running);
    if (exit !== 0) throw buildFailed(command, step.dir, exit, output);
  }
  if (step.type === 'npm-install') checkInstalled(step.dir);
}

function buildFailed(command: string, dir: string, exit: number | string, output: string): DeployError {
  // The shell's code for a command that it does not find.
  const fix =
    exit === 127 ? "\na command is missing: list its package under devDependencies, or run npm ci at the project's root first" : '';
  return new DeployError('build_failed', `"${command}" in ${dir} ended with ${exit}:\n${output.trimEnd() || '(it printed nothing)'}${fix}`);
}

/** The exit code, or the signal or reason that stood in its way; of the output the last 16 KB. */
function run(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  { signal, onOutput }: Running,
): Promise<{ exit: number | string; output: string }> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ exit: 'its time was over', output: '' });
    const shell = process.platform !== 'win32' && existsSync('/bin/bash') ? '/bin/bash' : true;
    // With a signal it leads a group of its own, so that its children end with it; without one it stays in the terminal's.
    const detached = signal !== undefined && process.platform !== 'win32';
    const child = spawn(command, { cwd, env, shell, detached, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const end = (): void => endGroup(child, detached);
    signal?.addEventListener('abort', end, { once: true });
    let output = '';
    const keep = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_LIMIT);
      onOutput?.(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => resolve({ exit: error.message, output }));
    child.once('close', (code, killedBy) => {
      signal?.removeEventListener('abort', end);
      resolve({ exit: signal?.aborted ? 'its time was over' : (code ?? killedBy ?? 'no exit code'), output });
    });
  });
}

function endGroup(child: ChildProcess, isLeader: boolean): void {
  if (child.pid === undefined) return;
  try {
    process.kill(isLeader ? -child.pid : child.pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

/** In a workspace npm puts the packages at the workspace's root, where no function can take them along. */
function checkInstalled(dir: string): void {
  const lost = dependencyNames(dir).filter((name) => !existsSync(join(dir, 'node_modules', name)));
  if (lost.length === 0) return;
  const missing = `npm install left ${lost.join(', ')} out of ${join(dir, 'node_modules')}, so the function would miss them`;
  throw new DeployError('build_failed', `${missing}: take the directory out of the npm workspace it belongs to, or bundle the function`);
}

function dependencyNames(dir: string): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('dependencies' in manifest)) return [];
  const { dependencies } = manifest;
  return typeof dependencies === 'object' && dependencies !== null ? Object.keys(dependencies) : [];
}
