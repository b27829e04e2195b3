import { timestamp } from '../calendar.ts';
import { badRequest } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { LoggedRequest, RequestFilter } from '../http/request-log.ts';
import { refuseUnknownKeys } from './known-keys.ts';
import { type Moment, toMomentMs, writtenMoment } from './move-clock.ts';

/** A request that arrived; `at` is the account's clock, `status` null where the connection was cut before there was one, `fault` the one it met. */
export interface SeenRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: JsonObject;
  readonly status: number | null;
  /** Real time from its arrival until the reply was ready. */
  readonly ms: number;
  readonly fault?: number;
}

/** Which requests are asked for: `path` is how theirs begins, `limit` takes the newest. */
export interface RequestQuery {
  readonly method?: string;
  readonly path?: string;
  readonly since?: Moment;
  readonly limit?: number;
}

export function toSeen({ atMs, ms, ...request }: LoggedRequest): SeenRequest {
  return { at: timestamp(atMs), ...request, ms: Math.round(ms * 1000) / 1000 };
}

/** Reads `RequestQuery`, or the same as texts from a query string. Errors: 400. */
export function parseRequestFilter(query: object): RequestFilter {
  const given: JsonObject = { ...query };
  refuseUnknownKeys('requests', given, ['method', 'path', 'since', 'limit']);
  const { method, path, since, limit } = given;
  return {
    ...(method === undefined ? {} : { method: String(method).toUpperCase() }),
    ...(path === undefined ? {} : { path: String(path) }),
    ...(since === undefined ? {} : { sinceMs: toMomentMs('since', typeof since === 'string' ? writtenMoment(since) : since) }),
    ...(limit === undefined ? {} : { limit: toLimit(limit) }),
  };
}

function toLimit(limit: unknown): number {
  if (!/^[1-9]\d{0,8}$/.test(String(limit))) {
    throw badRequest('limit must be an integer from 1.');
  }
  return Number(limit);
}
