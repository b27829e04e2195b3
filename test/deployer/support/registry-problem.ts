import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Why packages cannot be fetched from the npm registry, or null. */
export async function registryProblem(): Promise<string | null> {
  const asked = ['view', 'slugify@1.6.6', 'version', '--fetch-retries=0', '--fetch-timeout=10000'];
  return promisify(execFile)('npm', asked).then(
    () => null,
    () => 'the npm registry cannot be reached, and the bundlers come from there',
  );
}
