import { spawnSync } from 'node:child_process';

/**
 * Keeps this process, and what it starts meanwhile, on one core of the machine until the work is done. What two processes say to each other in turn costs twice
 * as much across cores as on one, and which of the two it is changes by the minute. Where that cannot be had (only Linux has `taskset`), on all of them.
 */
export async function onOneCore<T>(work: () => Promise<T>): Promise<T> {
  const cores = allowedCores();
  const [first] = cores?.split(/[-,]/) ?? [];
  if (cores === undefined || first === undefined || !keepTo(first)) {
    process.stderr.write('  measured on all cores: there is no taskset that keeps to one\n');
    return work();
  }
  try {
    return await work();
  } finally {
    keepTo(cores);
  }
}

/** As taskset has them, such as `0-1,4`; undefined where there is none. */
function allowedCores(): string | undefined {
  const { stdout, status } = spawnSync('taskset', ['--cpu-list', '--pid', String(process.pid)], { encoding: 'utf8' });
  return status === 0 ? /: ([\d,-]+)\s*$/.exec(stdout)?.[1] : undefined;
}

/** Whether the process keeps to these cores now. */
function keepTo(cores: string): boolean {
  return spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)]).status === 0;
}
