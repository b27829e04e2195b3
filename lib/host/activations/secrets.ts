import type { IncomingHttpHeaders } from 'node:http';

/** Shorter ones are too likely to be part of something else. */
const shortestSecret = 6;
const mark = '[redacted]';

/** What a request's headers say that only its caller may know: tokens, keys and the values of cookies. */
export function secretsOf(headers: IncomingHttpHeaders): readonly string[] {
  const credentials = [headers.authorization, headers['proxy-authorization']].map((header) => header?.replace(/^\S+\s+/, ''));
  const keys = [headers['x-require-whisk-auth'], headers['x-api-key']].flat();
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return [...credentials, ...keys, ...cookies].flatMap((secret) =>
    secret !== undefined && secret.length >= shortestSecret ? [secret] : [],
  );
}

/**
 * A value of JSON with these secrets taken out of its texts and names: functions print their event, and answer with it. What holds the texts stays as it
 * is, whatever a caller chose for a secret.
 */
export function redacted<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value;
  // As it is, and as it stands in a text that itself holds JSON.
  const forms = secrets.flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret]);
  const hide = (text: string): string => forms.reduce((left, form) => left.replaceAll(form, mark), text);
  const within = (part: unknown): unknown => {
    if (typeof part === 'string') return hide(part);
    if (Array.isArray(part)) return part.map(within);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, content]) => [hide(name), within(content)]));
  };
  // Safe: texts take the place of texts, and nothing else changes.
  return within(value) as Value;
}
