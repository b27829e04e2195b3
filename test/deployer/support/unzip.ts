import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** A file of a zip. */
export interface Unzipped {
  readonly name: string;
  readonly content: string;
  readonly executable: boolean;
}

/** The files of a zip in base64, in their order. */
export async function unzip(code: string): Promise<readonly Unzipped[]> {
  const zip = await fromBufferPromise(Buffer.from(code, 'base64'));
  const files: Unzipped[] = [];
  for await (const entry of zip.eachEntry()) {
    const content = await text(await zip.openReadStreamPromise(entry));
    files.push({ name: entry.fileName, content, executable: ((entry.externalFileAttributes >>> 16) & 0o111) !== 0 });
  }
  return files;
}
