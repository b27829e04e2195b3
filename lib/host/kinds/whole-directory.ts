import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const unfinishedPrefix = '.unfinished-';
/** Longer than anything here may take. */
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Makes a directory that several hosts may want at the same time and that must never be seen in part: `make` fills a directory beside it
 * and returns which of it is to become `final`. `isWhole` tells whether the one that is there can be used, whoever made it.
 */
export async function makeWhole(final: string, isWhole: () => boolean, make: (unfinished: string) => Promise<string>): Promise<void> {
  const parent = dirname(final);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeAbandoned(parent);
  const unfinished = join(parent, `${unfinishedPrefix}${basename(final)}-${randomUUID().slice(0, 8)}`);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    const made = await make(unfinished);
    // Another host of this user may have been quicker; what is there and not whole is the remains of something else.
    if (isWhole()) return;
    if (existsSync(final)) await rename(final, join(unfinished, 'replaced'));
    await rename(made, final).catch((error: unknown) => {
      if (!isWhole()) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** A host that was killed while it fetched leaves hundreds of megabytes. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const path = join(parent, name);
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (changedMs < Date.now() - abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}
