import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { HostError } from '../host-error.ts';
import { hostLimits } from '../limits.ts';

const fileTypeMask = 0o170000;
const regularFile = 0o100000;
const directory = 0o040000;

/** What a zip may come to: bytes, and entries. */
export type UnpackLimits = Pick<Record<keyof typeof hostLimits, number>, 'unpackedBytes' | 'unpackedEntries'>;

/**
 * Unpacks a zip into an empty directory. Nothing can end up outside it: names that climb or are absolute, links and special files are
 * refused, and so is a zip that unpacks to more than `limits.unpackedBytes`, counted as it is written and not as it claims.
 * HostError `bad_request` that names `what`; what was written until then stays and is the caller's to remove.
 */
export async function unpackZip(zip: Buffer, targetDir: string, what = 'exec.code', limits: UnpackLimits = hostLimits): Promise<void> {
  try {
    await unpack(zip, targetDir, limits);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HostError('bad_request', `${what} is not a zip that can be unpacked: ${reason}`, { cause: error });
  }
}

async function unpack(zip: Buffer, targetDir: string, { unpackedBytes, unpackedEntries }: UnpackLimits): Promise<void> {
  const archive = await yauzl.fromBufferPromise(zip, { lazyEntries: true });
  try {
    if (archive.entryCount > unpackedEntries) {
      throw new Error(`it has ${archive.entryCount} entries, more than ${unpackedEntries}`);
    }
    const budget = { most: unpackedBytes, left: unpackedBytes };
    for await (const entry of archive.eachEntry()) await unpackEntry(archive, entry, targetDir, budget);
  } finally {
    archive.close();
  }
}

async function unpackEntry(archive: ZipFile, entry: Entry, targetDir: string, budget: Budget): Promise<void> {
  const name = entry.fileName;
  const path = join(targetDir, name);
  if (!path.startsWith(targetDir + sep) || name.includes('\0')) throw new Error(`"${name}" would leave the function's directory`);
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & fileTypeMask;
  if (name.endsWith('/') || type === directory) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return;
  }
  // Zips made without Unix attributes have no type at all; their entries are plain files.
  if (type !== 0 && type !== regularFile) throw new Error(`"${name}" is a link or a special file: put the file itself in`);
  if (entry.isEncrypted()) throw new Error(`"${name}" is encrypted`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const executable = mode & 0o100 ? 0o700 : 0o600;
  const content = await archive.openReadStreamPromise(entry);
  await pipeline(content, metered(budget), createWriteStream(path, { flags: 'wx', mode: executable }));
}

/** How many bytes a zip may still come to, of how many. */
interface Budget {
  readonly most: number;
  left: number;
}

function metered(budget: Budget): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      budget.left -= chunk.length;
      if (budget.left >= 0) done(null, chunk);
      else done(new Error(`it unpacks to more than ${budget.most} bytes`));
    },
  });
}
