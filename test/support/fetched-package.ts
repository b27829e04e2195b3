import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cache = join(import.meta.dirname, '../../node_modules/.cache/fetched');
const longestMs = 180_000;

/** A package with what it needs, or why it could not be had. */
export type Fetched = { readonly folder: string } | { readonly reason: string };

/**
 * Brings a package that is too heavy to depend on into a folder of its own, once: a later run finds it there. Nothing of it is run while it is installed.
 *
 * @param name with `version` as npm has them
 */
export async function fetchPackage(name: string, version: string): Promise<Fetched> {
  const home = join(cache, `${name.replace('/', '+')}@${version}`);
  const folder = join(home, 'node_modules', name);
  if (existsSync(folder)) return { folder };
  mkdirSync(cache, { recursive: true });
  const building = mkdtempSync(join(cache, 'building-'));
  try {
    writeFileSync(join(building, 'package.json'), '{"private":true}');
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--no-save',
      '--ignore-scripts',
      '--fetch-retries=0',
      '--loglevel=error',
      `${name}@${version}`,
    ];
    await promisify(execFile)('npm', args, { cwd: building, timeout: longestMs });
    // By renaming, so that what is there is whole; another run may have been faster.
    if (!existsSync(folder)) renameSync(building, home);
    return { folder };
  } catch (failure) {
    return { reason: `${name}@${version} could not be fetched: ${failure instanceof Error ? failure.message.slice(0, 500) : failure}` };
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}
