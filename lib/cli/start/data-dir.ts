import { chmodSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../cli-error.ts';

/**
 * The directory of an installation as an absolute path: made where it is missing, and its owner's alone.
 *
 * @throws CliError where the machine refuses that
 */
export function madeDataDir(path: string): string {
  const dataDir = resolve(path);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    chmodSync(dataDir, 0o700);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`nothing can be kept in ${dataDir} (${reason}): choose another directory with --data`, { cause });
  }
  return dataDir;
}
