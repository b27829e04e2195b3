import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildStep, Environment } from '../project.ts';
import { toldWhile } from '../told-while.ts';
import { buildEnvironment } from './build-environment.ts';
import { buildCommands, type Running, runBuild } from './run-build.ts';

/** How builds are run. `buildEnv` goes to build scripts only. */
export interface BuildOptions extends Running {
  readonly nodePath: string;
  readonly buildEnv: Environment;
  /** Leave what was built before. */
  readonly incremental: boolean;
  readonly onProgress: (line: string) => void;
  /** Told every few seconds of what still goes on. */
  readonly onWaiting?: (line: string) => void;
}

/** Runs a build under the name that its progress shows; an incremental one only where it was not built before. Throws `build_failed`. */
export async function buildStep(step: BuildStep, name: string, options: BuildOptions): Promise<void> {
  if (options.incremental && appearsBuilt(step)) {
    options.onProgress(`not built again ${name}: ${builtBy(step)}`);
    return;
  }
  options.onProgress(`building ${name}: ${buildCommands(step)}`);
  const build = runBuild(step, buildEnvironment(process.env, options.nodePath, options.buildEnv), options);
  await toldWhile(build, `building ${name}`, options.onWaiting);
  if (step.type === 'npm-build' || step.type === 'npm-install') touchInstalled(step.dir);
}

const LOCKS = ['package-lock.json', 'yarn.lock'];

/**
 * Whether a build seems to have been run (platform reference, incremental builds): a script by the `.built` that it leaves behind, an
 * installation by a lockfile and node_modules that are no older than package.json, a build script of npm by both.
 */
function appearsBuilt({ type, dir }: BuildStep): boolean {
  const isMarked = existsSync(join(dir, '.built'));
  if (type === 'build.sh' || type === 'build.cmd') return isMarked;
  const asked = changedAt(join(dir, 'package.json'));
  const isInstalled =
    Math.max(...LOCKS.map((lock) => changedAt(join(dir, lock)))) >= asked && changedAt(join(dir, 'node_modules')) >= asked;
  return isInstalled && (type === 'npm-install' || isMarked);
}

function builtBy({ type }: BuildStep): string {
  if (type === 'npm-install') return 'its packages are newer than package.json';
  return type === 'npm-build' ? 'it has .built, and its packages are newer than package.json' : 'it has .built';
}

/** npm leaves lockfile and packages untouched where a change of package.json asks for no other; they count as seen with it. */
function touchInstalled(dir: string): void {
  const now = new Date();
  for (const name of [...LOCKS, 'node_modules']) {
    if (existsSync(join(dir, name))) utimesSync(join(dir, name), now, now);
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
