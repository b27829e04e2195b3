import { constants, copyFileSync, rmSync } from 'node:fs';

/** Copies the file of an account; where the file system can, without copying its content until one of the two changes. */
export function copyAccountFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

/** Removes the file of an account, if there is one, with all that belongs to it. */
export function removeAccountFile(file: string): void {
  rmSync(file, { force: true });
  removeLog(file);
}

/** Removes what SQLite keeps beside a file. It is empty once the file was flushed; left behind, it would be taken for another file's. */
export function removeLog(file: string): void {
  for (const suffix of ['-wal', '-shm']) {
    rmSync(file + suffix, { force: true });
  }
}
