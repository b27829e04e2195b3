/**
 * What a header says that repeats a part of the message. Values that a header cannot carry come as `=?base64?...?=` (basic/transports/streamable-http).
 *
 * @returns undefined where there is no header, and where it is Base64 that nothing encodes to
 */
export function headerValue(header: string | undefined): string | undefined {
  const text = header?.trim();
  const encoded = text === undefined ? undefined : /^=\?base64\?(.*)\?=$/i.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}
