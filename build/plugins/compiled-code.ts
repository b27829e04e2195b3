import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** Where this process keeps compiled code between its runs, if it does, to be told to the threads it starts: they keep none by themselves. */
export function compiledCode(): string | undefined {
  const directory = getCompileCacheDir();
  // Without the folder of this Node's version, which is added again.
  return directory === undefined ? undefined : dirname(directory);
}

/** In such a thread: uses and keeps compiled code there, for all that it imports from then on. */
export function useCompiledCode(directory: string | undefined): void {
  if (directory !== undefined) enableCompileCache(directory);
}
