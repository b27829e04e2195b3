import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { ActivationResponse } from '../activations/activation-record.ts';
import type { Answer } from '../http/answer.ts';
import { isRecord } from '../is-record.ts';
import { isBinary, mediaType } from './media-type.ts';

/** The projection a function's address ends in: `.http` (none) takes a response object, the others a field or the whole result. */
export type Extension = 'http' | 'json' | 'html' | 'svg' | 'text';

/** What a result becomes on the wire; `refused` where it is not a response the gateway can send. */
export type WebAnswer =
  | { readonly type: 'answer'; readonly answer: Answer; readonly warnings: readonly string[] }
  | { readonly type: 'refused'; readonly status: 400 | 404; readonly message: string };

const notHttp = "Response is not valid 'message/http'.";
const typeMismatch = 'Response type in header did not match generated content type.';
const notFound = 'The requested resource does not exist.';
/** Headers that belong to the connection; the host sets them by what it really sends. */
const ofConnection: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
]);

/** Turns the result of a run that ended in success or in an application error into an answer (platform reference, web functions). */
export function webAnswer({ status, result }: ActivationResponse, extension: Extension): WebAnswer {
  if (status !== 'application_error') return extension === 'http' ? httpAnswer(result ?? {}) : projected(result ?? {}, extension);
  const { error } = result ?? {};
  if (!isRecord(error)) return refused(notHttp);
  const answer = httpAnswer(error);
  const isAccident = answer.type === 'answer' && !('body' in error) && !('statusCode' in error);
  return isAccident ? { ...answer, warnings: ['the handler failed, and the answer is empty for it'] } : answer;
}

function httpAnswer(response: Readonly<Record<string, unknown>>): WebAnswer {
  const { statusCode, body } = response;
  const headers = readHeaders(response.headers);
  const status = statusCode === undefined ? undefined : readStatus(statusCode);
  if (headers === undefined || status === null) return refused(notHttp);
  if (body === undefined || body === null || body === '') {
    const lost = Object.keys(response).filter((key) => !['statusCode', 'headers', 'body'].includes(key));
    const warnings = status === undefined && lost.length > 0 ? [`the result has no body, so that ${lost.join(', ')} was not sent`] : [];
    const { 'content-type': _dropped, ...kept } = headers;
    return { type: 'answer', answer: { status: status ?? 204, headers: kept, body: '' }, warnings };
  }
  return typeof body === 'string' ? textAnswer(status ?? 200, headers, body) : jsonBody(status ?? 200, headers, body);
}

function jsonBody(status: number, headers: Answer['headers'], body: unknown): WebAnswer {
  const given = contentType(headers);
  if (given !== undefined && !given.toLowerCase().includes('json')) return refused(typeMismatch);
  return sent(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
}

function textAnswer(status: number, headers: Answer['headers'], body: string): WebAnswer {
  const given = contentType(headers);
  if (given === undefined) return sent(status, { 'content-type': 'text/html; charset=UTF-8', ...headers }, body);
  const type = mediaType(given);
  if (!isBinary(type)) {
    if (type !== 'application/json' || !isBase64(body)) return sent(status, headers, body);
    const warning = 'the JSON body was taken for base64 and decoded: return an object or a list as the body instead of a string';
    return { type: 'answer', answer: { status, headers, body: Buffer.from(body, 'base64') }, warnings: [warning] };
  }
  return isBase64(body) ? sent(status, headers, Buffer.from(body, 'base64')) : refused(notHttp);
}

function projected(result: Readonly<Record<string, unknown>>, extension: Exclude<Extension, 'http'>): WebAnswer {
  if (extension === 'json') return sent(200, { 'content-type': 'application/json' }, JSON.stringify(result));
  const value = result[extension] ?? result.body;
  if (value === undefined || value === null) return { type: 'refused', status: 404, message: notFound };
  const types = { html: 'text/html; charset=UTF-8', svg: 'image/svg+xml', text: 'text/plain; charset=UTF-8' } as const;
  if (typeof value === 'string') return sent(200, { 'content-type': types[extension] }, value);
  if (extension !== 'text') return refused(typeMismatch);
  return sent(200, { 'content-type': types.text }, JSON.stringify(value, undefined, 2));
}

/** A whole number from 200 to 599, or its digits; null for anything else. */
function readStatus(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 200 && number <= 599 ? number : null;
}

function readHeaders(value: unknown): Answer['headers'] | undefined {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return undefined;
  const headers: [string, string | readonly string[]][] = [];
  for (const [name, content] of Object.entries(value)) {
    const lowerName = name.toLowerCase();
    const list = Array.isArray(content) ? content : [content];
    if (!list.every(isHeaderValue) || !isSendable(lowerName, list.map(String))) return undefined;
    if (!ofConnection.has(lowerName)) headers.push([lowerName, Array.isArray(content) ? list.map(String) : String(content)]);
  }
  return Object.fromEntries(headers);
}

function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isSendable(name: string, values: readonly string[]): boolean {
  try {
    validateHeaderName(name);
    for (const value of values) validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function contentType(headers: Answer['headers']): string | undefined {
  const value = headers['content-type'];
  return typeof value === 'string' || value === undefined ? value : value[0];
}

function isBase64(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(trimmed);
}

function sent(status: number, headers: Answer['headers'], body: string | Buffer): WebAnswer {
  return { type: 'answer', answer: { status, headers, body }, warnings: [] };
}

function refused(message: string): WebAnswer {
  return { type: 'refused', status: 400, message };
}
