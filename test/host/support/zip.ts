import { ZipFile } from 'yazl';

/** An entry of a zip: its text, or what a hostile or odd zip may claim about it. */
export interface ZipEntry {
  readonly content: string | Buffer;
  /** Unix mode with the file type; default a regular file. */
  readonly mode?: number;
}

/** Makes a zip. Names may climb or be absolute: they are put in after the library, which refuses them, is done. */
export async function zip(entries: Readonly<Record<string, string | ZipEntry>>): Promise<Buffer> {
  const file = new ZipFile();
  const disguised = new Map<string, string>();
  for (const [name, entry] of Object.entries(entries)) {
    const { content, mode = 0o100644 } = typeof entry === 'string' ? { content: entry } : entry;
    const harmless = name
      .replaceAll('..', '@@')
      .replaceAll('\\', '@')
      .replace(/^\/|(?<=^[a-zA-Z]):/, '@');
    if (harmless !== name) disguised.set(harmless, name);
    file.addBuffer(Buffer.from(content), harmless, { mode });
  }
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(Buffer.from(chunk));
  let text = Buffer.concat(chunks).toString('latin1');
  for (const [from, to] of disguised) text = text.replaceAll(from, to);
  return Buffer.from(text, 'latin1');
}
