const encoder = new TextEncoder();
const COMMA = ','.charCodeAt(0);

/**
 * The bytes of `<head><item>,<item>...<tail>`, each part JSON text. A long list as one text would be copied twice, and measured, before
 * it is encoded; here each item is encoded into its place. Most texts are ASCII and have a byte for each character.
 */
export function jsonList(head: string, items: readonly string[], tail: string): Buffer {
  const commas = Math.max(0, items.length - 1);
  const bytes = Buffer.allocUnsafe(head.length + items.reduce((sum, { length }) => sum + length, commas) + tail.length);
  let end = 0;
  const append = (text: string): boolean => {
    const { read, written } = encoder.encodeInto(text, bytes.subarray(end));
    end += written;
    return read === text.length;
  };
  let fits = append(head);
  for (const [index, item] of items.entries()) {
    if (index > 0) {
      bytes[end] = COMMA;
      end += 1;
    }
    fits = fits && append(item);
  }
  return fits && append(tail) ? bytes : Buffer.from(head + items.join(',') + tail);
}
