/**
 * A path of the platform: path`/v2/domains/${Name}/records`. What stands in the braces becomes one percent-encoded segment, which can neither
 * end nor climb the path.
 */
export function path(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return texts.map((text, index) => (index < values.length ? text + segment(values[index]) : text)).join('');
}

/** One segment of a path. A value that could climb never reaches this point; should one, it is a bug that stops here. */
export function segment(value: unknown): string {
  const text = String(value);
  if (!isSegment(text)) throw new Error(`not a path segment: ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}

/** Whether a text can stand as one segment: it neither ends the path nor climbs it, and can be encoded. */
export function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.isWellFormed();
}
