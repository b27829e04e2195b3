import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { copyAccountFile } from './account-file.ts';

/** An account's file as it was once, under a name. */
export interface Snapshot {
  readonly name: string;
  /** The moment it was saved, on the account's clock; kept as the time of the file. */
  readonly atMs: number;
  readonly sizeBytes: number;
  readonly file: string;
}

export interface Snapshots {
  /** Copies a file that holds everything, in place of an earlier one of that name. */
  readonly save: (name: string, file: string, atMs: number) => void;
  /** In the order of their names. */
  readonly all: () => readonly Snapshot[];
  readonly find: (name: string) => Snapshot | undefined;
  readonly remove: (name: string) => boolean;
}

const SUFFIX = '.sqlite';

/** What can be a snapshot's name: it is a file's name too, on file systems that do not tell capitals from small letters as well. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** The snapshots in a directory, which is made by the first of them. */
export function snapshotsIn(directory: string): Snapshots {
  const fileOf = (name: string): string => join(directory, name + SUFFIX);
  const find = (name: string): Snapshot | undefined => {
    const stats = statSync(fileOf(name), { throwIfNoEntry: false });
    return stats === undefined ? undefined : { name, atMs: Math.round(stats.mtimeMs), sizeBytes: stats.size, file: fileOf(name) };
  };
  return {
    save: (name, file, atMs) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const half = `${fileOf(name)}.half`;
      copyAccountFile(file, half);
      utimesSync(half, atMs / 1000, atMs / 1000);
      renameSync(half, fileOf(name));
    },
    all: () => namesIn(directory).flatMap((name) => find(name) ?? []),
    find,
    remove: (name) => {
      const found = find(name) !== undefined;
      rmSync(fileOf(name), { force: true });
      return found;
    },
  };
}

function namesIn(directory: string): readonly string[] {
  return readdirOrNone(directory)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
}

function readdirOrNone(directory: string): readonly string[] {
  return statSync(directory, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(directory);
}
