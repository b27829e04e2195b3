import type { ZodType } from 'zod';
import { CliError } from '../../cli-error.ts';
import { typed } from '../../typed.ts';

/** A request to a host or to the platform. `authorization` is a whole header value. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly authorization: string | null;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** What came back; `body` is undefined where it was no JSON. */
export interface ApiReply {
  readonly request: ApiRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The other side refused, or could not be reached: then `status` is 0. */
export class ApiError extends CliError {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
  }
}

const TIMEOUT_MS = 30_000;

/** Sends a request. ApiError where no answer comes. */
export async function send(request: ApiRequest): Promise<ApiReply> {
  const { method, url, body } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: headersOf(request),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS),
    });
    return { request, status: response.status, headers: response.headers, body: parsed(await response.text()) };
  } catch (error) {
    throw unreachable(request, error);
  }
}

/** The headers of a request: who asks, and that the body is JSON where there is one. */
export function headersOf({ authorization, body }: Pick<ApiRequest, 'authorization' | 'body'>): Readonly<Record<string, string>> {
  return { ...(authorization !== null && { authorization }), ...(body !== undefined && { 'content-type': 'application/json' }) };
}

/** The refusal of a reply, or null where it is none. */
export function refusal({ request, status, body }: ApiReply): ApiError | null {
  if (status >= 200 && status < 300) return null;
  const words = wordsOf(body);
  const what = `${request.method} ${withoutQuery(request.url)}: ${status}, ${words}`;
  if (status === 401 || status === 403) {
    return new ApiError(status, `${what}: the key or token is not one for this; ${typed('serverless status')} tells which is used`);
  }
  return new ApiError(status, what);
}

/** The reply's body, checked for what is used of it. ApiError for a refusal and for a body of another shape. */
export function expectBody<T>(reply: ApiReply, shape: ZodType<T>): T {
  const refused = refusal(reply);
  if (refused) throw refused;
  const { success, data } = shape.safeParse(reply.body);
  if (success) return data;
  throw new ApiError(reply.status, `${withoutQuery(reply.request.url)}: the answer is not that of a functions host: check the address`);
}

/** The error for a request that got no answer. */
export function unreachable({ method, url }: ApiRequest, error: unknown): ApiError {
  const reason = error instanceof Error ? reasonOf(error) : String(error);
  const { origin } = new URL(url);
  const start = isLoopback(url) ? ` Start one with ${typed('deckhand dev <directory>')} or ${typed('deckhand start')}` : '';
  return new ApiError(0, `${method} ${withoutQuery(url)}: no answer (${reason}): is the host at ${origin} running?${start}`, {
    cause: error,
  });
}

function isLoopback(url: string): boolean {
  return /^(127\.[\d.]+|localhost|\[::1\])$/.test(new URL(url).hostname);
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

function wordsOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return 'no reason given';
  const said = 'error' in body ? body.error : 'message' in body ? body.message : undefined;
  return typeof said === 'string' ? said : 'no reason given';
}

/** Inputs may stand in a query, and are nobody else's business. */
function withoutQuery(url: string): string {
  return url.split('?')[0] ?? url;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON comes from something in between; the status still tells.
    return undefined;
  }
}
