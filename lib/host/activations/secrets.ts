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

/** Takes secrets out of a JSON text, wherever they stand in it: functions print their event, and answer with it. */
export function redact(json: string, secrets: readonly string[]): string {
  // As it stands in a text, and as it stands in a text that itself holds JSON.
  const forms = secrets.map(escaped).flatMap((form) => [escaped(form), form]);
  return forms.reduce((text, form) => text.replaceAll(form, mark), json);
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
