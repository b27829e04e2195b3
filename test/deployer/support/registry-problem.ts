import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Why packages cannot be fetched from the npm registry, or null. What npm has kept of earlier answers does not count. */
export async function registryProblem(): Promise<string | null> {
  const cache = mkdtempSync(join(tmpdir(), 'deckhand-npm-'));
  const asked = ['view', 'slugify@1.6.6', 'version', '--fetch-retries=0', '--fetch-timeout=10000', '--cache', cache];
  try {
    await promisify(execFile)('npm', asked);
    return null;
  } catch {
    return 'the npm registry cannot be reached, and the bundlers come from there';
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
