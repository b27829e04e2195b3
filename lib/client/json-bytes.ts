/** What a value takes as JSON; 0 for one that JSON leaves out. */
export function jsonBytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  return text === undefined ? 0 : Buffer.byteLength(text);
}

/**
 * No less than a text takes as JSON, found without writing it: quotes, and six bytes for each character, as many as one takes that is escaped
 * by its number.
 */
export function mostJsonBytesOf(text: string): number {
  return text.length * 6 + 2;
}
