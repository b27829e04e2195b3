/** JSON that is written already, as text or as UTF-8 bytes. */
export type Json = string | Buffer;

/** Puts written JSON together as bytes, which are copied where texts would be measured, joined and encoded once more. */
export function joinJson(...parts: readonly Json[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** `[one,two]` of written items. */
export function jsonArray(items: readonly Json[]): Buffer {
  return joinJson(OPEN, ...items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item])), CLOSE);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
