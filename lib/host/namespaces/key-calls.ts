import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { Content } from '../rest/read-content.ts';
import type { AccessKey, Credentials } from './credentials.ts';
import { noContent, wireTime } from './platform-answer.ts';

const hourMs = 60 * 60 * 1000;
const spans: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs };
const longestName = 256;
/** A hundred years; beyond, one may as well not expire. */
const mostHours = 100 * 366 * 24;

/** `GET .../namespaces/NS/keys`. The document does not have the calls for keys; they are as the platform's Go client makes them. */
export function listKeys(credentials: Credentials, namespace: string): Answer {
  const keys = credentials.list(namespace).map(wireKey);
  return jsonAnswer(200, { access_keys: keys, count: keys.length });
}

/** `POST .../namespaces/NS/keys` with `{name, expires_in}`: `1h`, `30d`, or nothing for a key that stays. The secret is shown this once. */
export function createKey(credentials: Credentials, namespace: string, content: Content): Answer {
  const name = readName(content);
  const { key, secret } = credentials.create(namespace, name, readExpiry(content));
  return jsonAnswer(200, { access_key: { ...wireKey(key), secret } });
}

/** `PUT .../namespaces/NS/keys/ID` with `{name}`. */
export function renameKey(credentials: Credentials, namespace: string, id: string, content: Content): Answer {
  return jsonAnswer(200, { access_key: wireKey(credentials.rename(found(credentials, namespace, id), readName(content))) });
}

/** `DELETE .../namespaces/NS/keys/ID`: it opens nothing from now on. */
export function deleteKey(credentials: Credentials, namespace: string, id: string): Answer {
  credentials.delete(found(credentials, namespace, id));
  return noContent;
}

function found(credentials: Credentials, namespace: string, id: string): AccessKey {
  const key = credentials.find(namespace, id);
  if (!key) throw new HostError('not_found', 'access key not found');
  return key;
}

function readName({ name }: Content): string {
  if (typeof name === 'string' && name !== '' && name.length <= longestName) return name;
  throw new HostError(
    'bad_request',
    `name: expected a text of at most ${longestName} characters, got ${JSON.stringify(name) ?? 'nothing'}`,
  );
}

function readExpiry({ expires_in: span }: Content): number | null {
  if (span === undefined || span === null || span === '') return null;
  const [, count, unit = ''] = (typeof span === 'string' && /^(\d{1,7})([hd])$/.exec(span)) || [];
  const lengthMs = Number(count) * (spans[unit] ?? Number.NaN);
  if (lengthMs >= hourMs && lengthMs <= mostHours * hourMs) return Date.now() + lengthMs;
  throw new HostError('bad_request', `expires_in: expected hours or days such as 1h or 30d, at least 1h, got ${JSON.stringify(span)}`);
}

function wireKey({ id, name, expiresMs, createdMs, updatedMs }: AccessKey): Content {
  const expires = expiresMs === null ? {} : { expires_at: wireTime(expiresMs) };
  return { id, name, ...expires, created_at: wireTime(createdMs), updated_at: wireTime(updatedMs) };
}
