import { HostError, type HostErrorCode, statusOfCode } from '../host-error.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { hostLimits } from '../limits.ts';
import type { RateStanding } from './request-rate.ts';

/** The platform's names of failures, where they are not the host's own. */
const ids: Partial<Readonly<Record<HostErrorCode, string>>> = {
  unauthenticated: 'unauthorized',
  unprocessable: 'unprocessable_entity',
  too_large: 'payload_too_large',
  closing: 'service_unavailable',
  internal_error: 'server_error',
};

/** What a failure is answered under `/v2`: `{id, message, request_id}` (OpenAPI document, component `error`). A bug shows no more than the request's id. */
export function platformFailure(failure: unknown, requestId: string): Answer {
  if (!(failure instanceof HostError)) return platformError(500, 'server_error', 'Unexpected server-side error', requestId);
  const { code, message } = failure;
  return platformError(statusOfCode[code], ids[code] ?? code, message, requestId);
}

export function platformError(status: number, id: string, message: string, requestId: string): Answer {
  return jsonAnswer(status, { id, message, request_id: requestId });
}

/** The answer to a request that is one too many. */
export function tooMany(requestId: string): Answer {
  return platformError(429, 'too_many_requests', 'API Rate limit exceeded.', requestId);
}

/** An answer with what every answer under `/v2` tells: the request's id, and how many more may follow (platform reference, ground rules). */
export function withStanding({ status, headers, body }: Answer, requestId: string, standing: RateStanding): Answer {
  const { remaining, resetAt, retryAfterSeconds } = standing;
  return {
    status,
    headers: {
      ...headers,
      'x-request-id': requestId,
      'ratelimit-limit': String(hostLimits.platformRequestsPerHour),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetAt),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body,
  };
}

/** An answer without a body. */
export const noContent: Answer = { status: 204, headers: {}, body: '' };

/** A time as the platform writes it: UTC, whole seconds. */
export function wireTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
