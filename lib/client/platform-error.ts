import { type ErrorCode, type PlatformAnswer, ToolError } from '../errors.ts';

/** What came back from the platform. */
export interface PlatformReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The body as it arrived. */
  readonly text: string;
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'rejected',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  422: 'rejected',
  429: 'rate_limited',
  503: 'platform_unavailable',
};

/** The failure that a reply of the platform stands for; `what` begins the message, such as a tool's name. */
export function platformError(what: string, reply: PlatformReply, nowMs: number): ToolError {
  const platform = answerOf(reply);
  const said = platform.message ?? `HTTP ${reply.status} without a message`;
  const retryAfterMs = reply.status === 429 || reply.status === 503 ? retryAfter(reply, nowMs) : undefined;
  return new ToolError(codes[reply.status] ?? 'platform_error', `${what}: the platform answered ${reply.status}: ${said}`, {
    platform,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** When the platform says to come back, in milliseconds from now; undefined where it does not say. */
export function retryAfter(reply: PlatformReply, nowMs: number): number | undefined {
  const header = reply.headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,7}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** The id under which the platform knows a request, where it says so. */
export function requestIdOf({ headers }: PlatformReply): string | undefined {
  return text(headers['x-request-id'])?.slice(0, 100);
}

/** The platform's error body is `{id, message, request_id}`; what sits between may answer anything. */
function answerOf(reply: PlatformReply): PlatformAnswer {
  const body = parsed(reply.text);
  const requestId = text(body.request_id) ?? requestIdOf(reply);
  return {
    status: reply.status,
    ...(text(body.id) !== undefined && { id: text(body.id) }),
    ...(text(body.message) !== undefined && { message: text(body.message) }),
    ...(requestId !== undefined && { requestId }),
  };
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 2000) : undefined;
}
