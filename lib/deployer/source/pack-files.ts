import { readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { CollectedFile } from './collect-files.ts';

/** A function's code as it is uploaded: text, or base64 of `bytes` bytes. */
export interface Code {
  readonly code: string;
  readonly binary: boolean;
  readonly zipped: boolean;
  /** Size of the code itself, before base64. */
  readonly bytes: number;
}

/** A file of a zip, its name with `/`. */
export interface ZippedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly executable: boolean;
}

/**
 * One file travels as a string of code (a zip or, when `binary`, anything as base64); several as a zip that depends on names, contents and
 * executable bits alone.
 */
export async function packFiles(files: readonly CollectedFile[], binary: boolean): Promise<Code> {
  const [only, ...others] = files;
  if (only === undefined || others.length > 0) return base64(await zipFiles(files.map(loaded)), true);
  const content = readFileSync(only.path);
  if (only.path.endsWith('.zip')) return base64(content, true);
  return binary ? base64(content, false) : { code: content.toString('utf8'), binary: false, zipped: false, bytes: content.length };
}

/** A zip that depends on names, contents and executable bits alone. */
export async function zipFiles(files: readonly ZippedFile[]): Promise<Buffer> {
  const archive = new ZipFile();
  // A zip holds local time and this is its first moment, which has the same bytes in every time zone.
  const mtime = new Date(1980, 0, 1);
  for (const { name, content, executable } of files) {
    archive.addBuffer(content, name, { mtime, forceDosTimestamp: true, mode: executable ? 0o100755 : 0o100644 });
  }
  const written = buffer(archive.outputStream);
  archive.end();
  return written;
}

function loaded({ path, name }: CollectedFile): ZippedFile {
  return { name, content: readFileSync(path), executable: (statSync(path).mode & 0o111) !== 0 };
}

function base64(content: Buffer, zipped: boolean): Code {
  return { code: content.toString('base64'), binary: true, zipped, bytes: content.length };
}
