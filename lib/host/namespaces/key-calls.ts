import { HostError } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { Content } from '../rest/read-content.ts';
import type { AccessKey, Credentials } from './credentials.ts';
import { wireTime } from './platform-answer.ts';

const hourMs = 60 * 60 * 1000;
const spans: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs };
const longestName = 256;
/** A hundred years; beyond, one may as well not expire. */
const mostHours = 100 * 366 * 24;

/** `GET .../namespaces/NS/keys` (functionsAccessKey_list of the platform's current public document, and so on). */
export function listKeys(credentials: Credentials, namespace: string): Answer {
  const keys = credentials.list(namespace).map(wireKey);
  return jsonAnswer(200, { access_keys: keys, count: keys.length });
}

/**
 * `POST .../namespaces/NS/keys` (functionsAccessKey_create) with `{name, expires_in}`: `1h`, `30d`, or nothing for a key that stays. The
 * secret, `id:key` for Basic authentication, is shown this once.
 */
export function createKey(credentials: Credentials, namespace: string, content: Content): Answer {
  const name = freeName(credentials, namespace, content);
  const { key, secret } = credentials.create(namespace, name, readExpiry(content));
  return jsonAnswer(201, { access_key: { ...wireKey(key), secret } });
}

/** `PUT .../namespaces/NS/keys/ID` (functionsAccessKey_update) with `{name}`. */
export function renameKey(credentials: Credentials, namespace: string, id: string, content: Content): Answer {
  const key = found(credentials, namespace, id);
  return jsonAnswer(200, { access_key: wireKey(credentials.rename(key, freeName(credentials, namespace, content, id))) });
}

/** `DELETE .../namespaces/NS/keys/ID` (functionsAccessKey_delete): it opens nothing from now on. */
export function deleteKey(credentials: Credentials, namespace: string, id: string): Answer {
  credentials.delete(found(credentials, namespace, id));
  return jsonAnswer(200, {});
}

function found(credentials: Credentials, namespace: string, id: string): AccessKey {
  const key = credentials.find(namespace, id);
  if (!key) throw new HostError('not_found', 'access key not found');
  return key;
}

function freeName(credentials: Credentials, namespace: string, { name }: Content, ownId?: string): string {
  if (name === undefined || name === '') throw new HostError('bad_request', 'Invalid request payload: missing name field');
  if (typeof name !== 'string' || name.length > longestName) {
    const got = JSON.stringify(name).slice(0, 80);
    throw new HostError('bad_request', `Invalid request payload: name: expected a text of at most ${longestName} characters, got ${got}`);
  }
  const taken = credentials.list(namespace).some((key) => key.name === name && key.id !== ownId);
  if (taken) throw new HostError('conflict', `an access key "${name}" exists already: choose another name, or delete it first`);
  return name;
}

function readExpiry({ expires_in: span }: Content): number | null {
  if (span === undefined || span === null || span === '') return null;
  const [, count, unit = ''] = (typeof span === 'string' && /^(\d{1,7})([hd])$/.exec(span)) || [];
  const lengthMs = Number(count) * (spans[unit] ?? Number.NaN);
  if (lengthMs >= hourMs && lengthMs <= mostHours * hourMs) return Date.now() + lengthMs;
  throw new HostError(
    'bad_request',
    `Invalid request payload: expires_in: expected hours or days such as 1h or 30d, at least 1h, got ${JSON.stringify(span)}`,
  );
}

function wireKey({ id, name, expiresMs, createdMs, updatedMs }: AccessKey): Content {
  const expiresAt = expiresMs === null ? null : wireTime(expiresMs);
  return { id, name, expires_at: expiresAt, created_at: wireTime(createdMs), updated_at: wireTime(updatedMs) };
}
