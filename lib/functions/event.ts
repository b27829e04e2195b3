import { isRecord } from '../catalogue/is-record.ts';

/** What the platform hands a function: `http` for a web event, and whatever parameters there are beside it. */
export type Event = Readonly<Record<string, unknown>>;

/** A request as it came in over the web, its body's bytes untouched. */
export interface WebRequest {
  readonly kind: 'web';
  /** Upper case. */
  readonly method: string;
  /** What follows the function's URL: `''` or `/a/b`, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A web request that the platform has already taken apart: its bytes are gone, its fields are merged. */
export interface ParsedRequest {
  readonly kind: 'parsed';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Event;
}

/** No request at all: a schedule, or a direct invocation. */
export interface DirectInvocation {
  readonly kind: 'direct';
  readonly fields: Event;
}

export type Invocation = WebRequest | ParsedRequest | DirectInvocation;

/** Reads an event once. Functions deployed `web: raw` get web requests; `body` and `queryString` are what tells raw from parsed. */
export function readEvent(event: Event): Invocation {
  const { http } = event;
  if (!isRecord(http)) return { kind: 'direct', fields: fieldsOf(event) };
  const request = {
    method: typeof http.method === 'string' ? http.method.toUpperCase() : 'GET',
    path: typeof http.path === 'string' ? http.path : '',
    headers: headersOf(http.headers),
  };
  const raw = 'body' in http || 'queryString' in http;
  if (!raw) return { kind: 'parsed', ...request, fields: fieldsOf(event) };
  const query = typeof http.queryString === 'string' ? http.queryString : '';
  return { kind: 'web', ...request, query: new URLSearchParams(query), body: bodyOf(http) };
}

function fieldsOf({ http: _, ...others }: Event): Event {
  // Older hosts of the platform's family put the request there too.
  return Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith('__ow_')));
}

/** The bytes of a web request's body, as they came: what a signature is computed over. */
export function bodyBytes({ http }: Event): Buffer {
  if (!isRecord(http) || typeof http.body !== 'string') return Buffer.alloc(0);
  return Buffer.from(http.body, http.isBase64Encoded === true ? 'base64' : 'utf8');
}

function bodyOf(http: Readonly<Record<string, unknown>>): string {
  if (typeof http.body !== 'string') return '';
  return http.isBase64Encoded === true ? Buffer.from(http.body, 'base64').toString('utf8') : http.body;
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (!isRecord(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fieldText(value)]));
}

/** A field of an event as text. What is none is told as JSON: an object need not know how to become a text. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
