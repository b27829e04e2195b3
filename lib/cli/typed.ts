import { basename } from 'node:path';

/** What a process is told of how it was called. */
type Called = Pick<NodeJS.Process, 'argv' | 'env'>;

/**
 * A command of this package as whoever reads it can type it: under the name that this process was called by, and through npx where it was.
 * npx is never told `serverless` alone: where this package is not installed, it fetches an unrelated one of that name.
 *
 * @param command as the documents have it, beginning with `serverless` or `deckhand`
 */
export function typed(command: string, { argv, env }: Called = process): string {
  const byNpx = env.npm_lifecycle_event === 'npx';
  const isDeckhand = byNpx || basename(argv[1] ?? '', '.mjs') === 'deckhand';
  const named = isDeckhand && command.startsWith('serverless') ? `deckhand ${command}` : command;
  return byNpx ? `npx ${named}` : named;
}
