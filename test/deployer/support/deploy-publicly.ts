import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Host } from '../../../lib/host/start-host.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** What the public deployer says of a deployment: names, and messages. */
export interface PublicOutcome {
  readonly successes: readonly string[];
  readonly failures: readonly string[];
}

/** Deploys with the public deployer, which finds the credentials that the host keeps in its data directory. */
export async function deployPublicly(dir: string, dataDir: string, variables: NodeJS.ProcessEnv = {}): Promise<PublicOutcome> {
  const env = { ...process.env, ...variables, NIMBELLA_DIR: dataDir };
  const program = join(ROOT, 'test/support/nimbella-deploy.mjs');
  const { stdout } = await run(process.execPath, [program, dir], { env, maxBuffer: 16e6 });
  // The program prints this and nothing else.
  return JSON.parse(stdout) as PublicOutcome;
}

/** Puts the sources of a fixture project into a directory, without what a build of it may have left. */
export function copyFixture(fixture: string, dir: string): void {
  cpSync(join(ROOT, 'test/fixtures/projects', fixture), dir, {
    recursive: true,
    filter: (path) => !/\/(node_modules|bundle\.js|out|package-lock\.json)$/.test(path),
  });
}

/** What functions answer to `?title=Hello You` by their names: the value of their JSON, or the status that is no success. */
export async function answersOf(
  host: Pick<Host, 'url' | 'namespace'>,
  names: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const answers = names.map(async (name) => {
    const answer = await fetch(`${host.url}/api/v1/web/${host.namespace}/${name}?title=Hello+You`);
    return [name, answer.ok ? await answer.json() : answer.status] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}
