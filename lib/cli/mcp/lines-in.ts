import { StringDecoder } from 'node:string_decoder';

/** The lines of a stream of bytes in UTF-8. Only a line feed ends one: JSON may hold the other characters that end lines elsewhere. */
export async function* linesIn(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(Buffer.from(chunk instanceof Uint8Array ? chunk : String(chunk))).split('\n');
    parts.push(first);
    for (const next of rest) {
      yield parts.join('');
      parts = [next];
    }
  }
  const last = parts.join('') + decoder.end();
  if (last !== '') yield last;
}
