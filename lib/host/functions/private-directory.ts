import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { HostError } from '../host-error.ts';

/** Makes a directory that only its owner can look into. HostError `unsafe_directory` where there is another in its place. */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  const { uid } = userInfo();
  if (found.isDirectory() && (uid < 0 || found.uid === uid) && (found.mode & 0o077) === 0) return;
  throw new HostError('unsafe_directory', `${directory} belongs to someone else or is open to others: remove it and start again`);
}

/** Removes what a host that was killed left behind: all but the code that is stored, with its compiled form. */
export function removeOthers(part: string, digests: ReadonlySet<string>): void {
  for (const name of readdirSync(part)) {
    const isOwn = name === 'node_modules' || name === 'copies' || digests.has(name.replace(/\.cache$/, ''));
    if (!isOwn) rmSync(join(part, name), { recursive: true, force: true });
  }
}

/** Removes a directory, which is out of the way at once: the same code may come again meanwhile. */
export function removeAside(directory: string): void {
  if (!existsSync(directory)) return;
  const aside = `${directory}.${randomUUID().slice(0, 8)}`;
  renameSync(directory, aside);
  rm(aside, { recursive: true, force: true, maxRetries: 3 }).catch(() => {
    // The next start clears what is left.
  });
}
