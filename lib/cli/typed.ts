import { realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** What a process is told of how it was called. */
type Called = Pick<NodeJS.Process, 'argv' | 'env'>;

/**
 * A command of this package as whoever reads it can type it: under the name that this process was called by where that is on the reader's
 * PATH, else through npx. npx is never told `serverless` alone: where this package is not installed, it fetches an unrelated one of that name.
 *
 * @param command as the documents have it, beginning with `serverless` or `deckhand`
 */
export function typed(command: string, called: Called = process): string {
  const name = basename(called.argv[1] ?? '', '.mjs');
  const inFull = command.startsWith('serverless') ? `deckhand ${command}` : command;
  if (!isOnPath(name, called)) return `npx ${inFull}`;
  return name === 'deckhand' ? inFull : command;
}

/** Whether the name, typed into a shell, starts the script that this process runs. */
function isOnPath(name: string, { argv, env }: Called): boolean {
  const isOfNpm = (dir: string): boolean =>
    env.npm_lifecycle_event !== undefined && basename(dir) === '.bin' && dir.includes('node_modules');
  const dirs = (env.PATH ?? '').split(delimiter).filter((dir) => !isOfNpm(dir));
  const found = dirs.map((dir) => targetOf(join(dir, name))).find((path) => path !== undefined);
  return found !== undefined && found === targetOf(argv[1] ?? '');
}

function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
