/** Application types that are text although their name does not say so; the gateway takes every other for binary. */
const textual: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/problem+json',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/xml',
  'application/xml-dtd',
  'application/xhtml+xml',
  'application/atom+xml',
  'application/rss+xml',
  'application/soap+xml',
  'application/problem+xml',
  'application/x-www-form-urlencoded',
]);

/** The type of a content-type header without its parameters, in lower case; `''` for none. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether bodies of this type travel as base64 between the gateway and a function. Bodies without a type do as well. */
export function isBinary(type: string): boolean {
  return !type.startsWith('text/') && !textual.has(type);
}

/** Whether a type is JSON or built on it, such as `application/ld+json`. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}
